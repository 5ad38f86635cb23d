"""Corridas at real tables: what one is, those of the visitor, and the form for a new one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from django.contrib import messages
from django.db import transaction
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from corridas.engine import BULLS, MATADORS
from corridas.models import Plaza, TableCorrida
from corridas.operations.tables import GAME, begin_table_corrida
from corridas.views.tabletop.at_corrida import AtCorrida
from corridas.views.tabletop.beginning import OWN, SEATS, Beginning, beginning, circuits_of
from corridas.views.tabletop.writing import whole
from leagues.models import League, Match, MatchSeat, Player
from leagues.operations import matches
from leagues.operations.errors import NotAllowed, OperationError
from leagues.operations.friends import friends_of, people_named
from leagues.operations.players import become_guest
from leagues.queries.people import belongs_to
from leagues.views.matches import home_of, seen_version
from leagues.views.visiting import league_of, visitor


@transaction.atomic
def open_corrida(request: HttpRequest, asked: Beginning, player: Player | None) -> Match:
    """The match with its sheet begun. Raises `OperationError`."""
    by = player or _newcomer(request, asked)
    players = _members(asked) if asked.league else _friends(asked, by)
    return begin_table_corrida(
        players=players,
        by=by,
        plaza=_plaza(asked),
        date=asked.date or timezone.localdate(),
        matadors=asked.matadors,
        bulls=asked.bulls(),
        at=timezone.now(),
        circuit=asked.circuit if asked.counts else None,
        league=asked.league,
        leads=leads_of(asked, players),
    )


@transaction.atomic
def frame_match(request: HttpRequest, at: AtCorrida, asked: Beginning) -> None:
    """Plaza, cartel and bulls for a match that has its people already. Raises `OperationError`."""
    if at.player is None:
        raise NotAllowed(_("First say who you are."))
    content = asked.frame(leads_of(asked, at.seats))
    version = seen_version(request)
    matches.save_draft(match=at.match, version=version, content=content, by=at.player)
    date = asked.date or timezone.localdate()
    TableCorrida.objects.update_or_create(
        match=at.match, defaults={"plaza": _plaza(asked), "date": date}
    )


def leads_of(asked: Beginning, seats: Sequence[object]) -> list[int]:
    """The seat that leads each matador of the form. Raises `OperationError`."""
    found = [whole(asked.of(f"lead-{place}")) for place in range(MATADORS)]
    leads = [
        seat if seat is not None and 0 <= seat < len(seats) else place % len(seats)
        for place, seat in enumerate(found)
    ]
    if set(leads) != set(range(len(seats))):
        raise OperationError(_("Choose a matador for every player at the table."), "matadors")
    return leads


def _plaza(asked: Beginning) -> Plaza:
    plaza = asked.plaza
    assert plaza is not None
    return plaza


def _newcomer(request: HttpRequest, asked: Beginning) -> Player:
    if asked.league is not None:
        raise NotAllowed(_("First say who you are."))
    return become_guest(request, asked.of("own"))


def _friends(asked: Beginning, by: Player) -> list[Player]:
    names = [asked.of(f"name-{seat}") for seat in range(1, SEATS)]
    named = ["", *(name for name in names if name)]
    return people_named(by=by, at=timezone.now(), names=named)


def _members(asked: Beginning) -> list[Player]:
    by_key = {str(member.pk): member for member in asked.members}
    chosen = [asked.of(f"seat-{seat}") for seat in range(SEATS)]
    players = [by_key[key] for key in chosen if key in by_key]
    if not players:
        raise OperationError(_("Choose which league members played."), "players")
    return players


SHOWN: Final = 20


@never_cache
@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """How a table plays and hands in, and the corridas this person sat at."""
    player = visitor(request)
    context = {"you": player, "corridas": corridas_of(player) if player else []}
    return render(request, "corridas/tabletop_front.html", context)


def corridas_of(player: Player) -> list[TableCorrida]:
    """The corridas at tables at which this person sat, the latest first; one query."""
    seated = MatchSeat.objects.filter(belongs_to(player)).values("match")
    rows = TableCorrida.objects.filter(match__in=seated).exclude(match__state=Match.State.VOID)
    return list(rows.select_related("match", "plaza", "circuit").order_by("-match")[:SHOWN])


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def new(request: HttpRequest) -> HttpResponse:
    """Circuit or own book, plaza, day, matadors, bulls, people; then the sheet."""
    league, player = _league(request)
    asked = beginning(request, league)
    if request.method == "POST" and asked.check():
        try:
            return redirect(home_of(open_corrida(request, asked, player)))
        except OperationError as error:
            asked.errors[error.field or "players"] = str(error)
            player = visitor(request)
    status = 422 if request.method == "POST" else 200
    return render(
        request, "corridas/tabletop_new.html", _form(request, asked, player), status=status
    )


def frame(request: HttpRequest, at: AtCorrida) -> HttpResponse:
    """The same for a match whose people are known: of a league's fixture, or a rematch."""
    asked = beginning(request, at.match.league)
    if request.method == "POST" and asked.check():
        try:
            frame_match(request, at, asked)
            return redirect(home_of(at.match))
        except OperationError as error:
            asked.errors[error.field or "players"] = str(error)
    status = 422 if request.method == "POST" else 200
    context = {**_form(request, asked, at.player), "at": at}
    return render(request, "corridas/tabletop_new.html", context, status=status)


def _league(request: HttpRequest) -> tuple[League | None, Player | None]:
    slug = request.POST.get("league") or request.GET.get("league") or ""
    if not slug:
        return None, visitor(request)
    league, player = league_of(request, slug)
    if league.game != GAME:
        raise Http404("another game")
    return league, player


def _form(request: HttpRequest, asked: Beginning, player: Player | None) -> dict[str, Any]:
    if asked.errors:
        messages.warning(request, str(next(iter(asked.errors.values()))))
    return {
        "asked": asked,
        "you": player,
        "league": asked.league,
        "circuits": circuits_of(request),
        "own": OWN,
        "friends": friends_of(player) if player and asked.league is None else [],
        "matadors": [asked.of(f"matador-{place}") for place in range(MATADORS)],
        "leads": [asked.of(f"lead-{place}") or str(place) for place in range(MATADORS)],
        "bulls": [
            (asked.of(f"bull-{turn}"), asked.of(f"number-{turn}"), given)
            for turn, given in zip(range(BULLS), asked.bulls(), strict=True)
        ],
        "names": [asked.of(f"name-{seat}") for seat in range(1, SEATS)],
        "seats": _seats(asked, player),
    }


def _seats(asked: Beginning, player: Player | None) -> list[str]:
    """By seat, who of the league was chosen; at first only who asks, on the first."""
    found = [asked.of(f"seat-{seat}") for seat in range(SEATS)]
    if not any(found) and player is not None:
        found[0] = str(player.person_id)
    return found
