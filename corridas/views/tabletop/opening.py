"""From the form of a new corrida to its match: people, frame, row."""

from __future__ import annotations

from collections.abc import Sequence

from django.db import transaction
from django.http import HttpRequest
from django.utils import timezone
from django.utils.translation import gettext as _

from corridas.engine import MATADORS
from corridas.models import Plaza, TableCorrida
from corridas.operations.tables import begin_table_corrida
from corridas.views.tabletop.at_corrida import AtCorrida
from corridas.views.tabletop.beginning import SEATS, Beginning
from corridas.views.tabletop.writing import whole
from leagues.models import Match, Player
from leagues.operations import matches
from leagues.operations.errors import NotAllowed, OperationError
from leagues.operations.friends import people_named
from leagues.operations.players import become_guest
from leagues.views.matches import seen_version


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
