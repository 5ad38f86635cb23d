"""A table as it stands, for who sits there and for who watches, and every step of its past."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseNotModified
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.views.decorators.csrf import ensure_csrf_cookie
from django.views.decorators.http import require_safe

from fairness import canonical
from leagues import playing, programme
from leagues.marks import marking_seats
from leagues.models import Player, Table
from leagues.operations import tables
from leagues.playing import Promise, Seen, TableLog
from leagues.rules import may_view_match
from leagues.views.matches import knows_link
from leagues.views.visiting import visitor

KEEP: Final = "max-age=86400, stale-while-revalidate=604800"
LOOK: Final = "1"
"""Raise with the look of the fragment: what browsers have kept is then asked for anew."""
RULES_TOLD: Final = 6
"""Lines about the rules that stand on the poster."""


@dataclass(frozen=True, kw_only=True)
class Visit:
    """A table and who looks at it."""

    log: TableLog
    player: Player | None
    linked: bool

    @property
    def seat(self) -> int | None:
        """Where the visitor sits."""
        return self.log.seat_of(self.player)

    @property
    def is_host(self) -> bool:
        """Whether the visitor laid the table."""
        host = self.log.people[self.log.table.host_id]
        return self.player is not None and host.person == self.player.person_id


@dataclass(frozen=True, kw_only=True)
class Replay:
    """A step of a round that is over, with the ways to its neighbours."""

    table: int
    round: int
    move: int
    last: int

    @property
    def here(self) -> str:
        """The address of this step."""
        return self._address(self.move)

    @property
    def back(self) -> str:
        """The address of the step before; empty at the deal."""
        return self._address(self.move - 1) if self.move else ""

    @property
    def next(self) -> str:
        """The address of the step after; empty at the end."""
        return self._address(self.move + 1) if self.move < self.last else ""

    def _address(self, move: int) -> str:
        return reverse("table_replay", args=(self.table, self.round, move))


def visit(request: HttpRequest, pk: int) -> Visit:
    """The table with this number, for who may see it; 404 for everybody else."""
    log = playing.find(pk)
    player = visitor(request)
    linked = log is not None and tables.has_link(request.session, log.table)
    if log is None or not tables.may_see(log, player, linked=linked):
        raise Http404("no such table")
    return Visit(log=log, player=player, linked=linked)


@require_safe
@ensure_csrf_cookie
def page(request: HttpRequest, pk: int) -> HttpResponse:
    """The table at this moment: from the visitor's seat, or as late as watchers see it."""
    return show(request, visit(request, pk))


def show(
    request: HttpRequest,
    found: Visit,
    *,
    status: int = 200,
    chosen: Mapping[str, str] | None = None,
    **said: Any,
) -> HttpResponse:
    """The present state, as a page or, where a script asks, as the fragment alone.

    `said` (`refused`, `stale`) stands where it belongs; `chosen` are a refused form's fields.
    """
    seen = programme.present(found.log, found.seat)
    stage = _draw(request, found, seen, chosen, **said)
    if request.headers.get("HX-Request"):
        return fresh(HttpResponse(stage, status=status))
    context = _page(request, found, seen) | {"stage": stage}
    with marking_seats(seen.players):
        return fresh(render(request, _templates(seen), context, status=status))


def _templates(seen: Seen) -> list[str]:
    """A game may dress the page in its own style sheet."""
    return [f"{seen.game.key}/table.html", "leagues/table.html"]


def _draw(
    request: HttpRequest,
    found: Visit,
    seen: Seen,
    chosen: Mapping[str, str] | None = None,
    **extra: Any,
) -> str:
    extra["lobby"] = _lobby(request, found, seen) if seen.is_open else None
    extra["may_open"] = seen.is_over and _may_open(request, found)
    return programme.draw(seen, get_language() or "en", chosen, **extra)


def _may_open(request: HttpRequest, found: Visit) -> bool:
    """Whether who watches may see the match that came of the table; the others need not ask."""
    if found.seat is not None:
        return False
    match = Table.objects.select_related("match__league").get(pk=found.log.table.pk).match
    return match is not None and may_view_match(
        found.player, match, knows_link=knows_link(request, match)
    )


def _lobby(request: HttpRequest, found: Visit, seen: Seen) -> dict[str, Any]:
    """What this visitor may do before the play."""
    table = found.log.table
    sits = found.seat is not None
    invited = table.seating == Table.Seating.ANYBODY or found.linked or found.is_host
    link = reverse("table_join", args=(table.pk, table.invitation))
    return {
        "is_host": found.is_host,
        "host": found.log.people[table.host_id].name,
        "sits": sits,
        "may_sit": not sits and invited,
        "asks_name": found.player is None,
        "bots": () if table.league_id else seen.game.bots,
        "link": request.build_absolute_uri(link) if sits or found.is_host else "",
    }


def _page(request: HttpRequest, found: Visit, seen: Seen) -> dict[str, Any]:
    """What stands around the stage."""
    table = found.log.table
    watching = found.seat is None and not seen.is_open
    playing_on = not seen.is_over  # as far as this visitor may know
    return {
        "table": seen,
        "game": seen.game,
        "described": list(seen.game.describe(table.rules))[:RULES_TOLD],
        "league_url": _league_address(table),
        "address": reverse("table", args=(table.pk,)),
        "feed": _feed(found, seen) if playing_on else "",
        "watching": watching and playing_on,
        "delay": table.delay,
        "may_leave": found.seat is not None and seen.state == Table.State.PLAYING,
        "may_close": found.is_host and seen.is_alone,
        "watch_link": _watch_link(request, found, seen),
        "promises": seen.promises[:-3:-1],
        "checks": _checks(found.log, [p.number for p in seen.promises if p.seed][-1:]),
    }


def _league_address(table: Table) -> str:
    return reverse("league", args=(table.league.slug,)) if table.league else ""


def _feed(found: Visit, seen: Seen) -> str:
    """The line that tells this visitor of changes: the own seat's once the play has begun."""
    language, table = get_language() or "en", found.log.table
    if found.seat is not None and seen.moment.round:
        return f"/live/seat-{language}/{table.pk}-{found.seat}/"
    return f"/live/table-{language}/{table.pk}/"


def _watch_link(request: HttpRequest, found: Visit, seen: Seen) -> str:
    table = found.log.table
    if seen.is_open or found.seat is None or table.watch == Table.Watch.NOBODY:
        return ""
    if table.watch == Table.Watch.LINK:
        return request.build_absolute_uri(reverse("table_join", args=(table.pk, table.invitation)))
    return request.build_absolute_uri(reverse("table", args=(table.pk,)))


def _checks(log: TableLog, rounds: list[int]) -> list[dict[str, Any]]:
    """Rounds that are over, held against their promises (Ruling F-2).

    `recorded`: there is a record. Who watches may have to see the end first, and of a round that
    was broken off there is none.
    """
    over = playing.rounds_over(log, at=timezone.now()) if rounds else 0
    return [
        {
            "number": number,
            "differs": [
                f"{differs.name}: {differs.claimed}, {differs.found}"
                for differs in playing.verify_round(log, number)
            ],
            "recorded": number <= over,
            "stake": canonical(log.rounds[number - 1].stake).decode(),
        }
        for number in rounds
    ]


@require_safe
def replay(request: HttpRequest, pk: int, round_number: int, move: int) -> HttpResponse:
    """A step of a round that is over for everybody, every hand open; it never changes."""
    found = visit(request, pk)
    seen = playing.replayed(found.log, round_number=round_number, move=move, at=timezone.now())
    if seen is None:
        return _not_yet(request, found, round_number)
    last = _moves_in(found.log, round_number)
    step = Replay(table=pk, round=round_number, move=move, last=last)
    if request.headers.get("HX-Request"):
        return _keepable(request, found, seen, step)
    context = _page(request, found, seen) | {
        "stage": programme.draw(seen, get_language() or "en", replay=step),
        "replay": step,
        "watching": False,
        "feed": "",
        "may_leave": False,
        "watch_link": "",
        "address": step.here,
        "promises": [_opened(found.log, round_number)],
        "checks": _checks(found.log, [round_number]),
    }
    with marking_seats(seen.players):
        return fresh(render(request, _templates(seen), context))


def _opened(log: TableLog, round_number: int) -> Promise:
    """The promise of a round that is over, with its seed."""
    kept = log.rounds[round_number - 1]
    return Promise(kept.number, kept.commitment.hex(), kept.seed.hex())


def _moves_in(log: TableLog, round_number: int) -> int:
    return sum(1 for made in log.moves if made.round == round_number)


def _not_yet(request: HttpRequest, found: Visit, round_number: int) -> HttpResponse:
    """A step that there will never be is not found; of one to come nothing is said."""
    shown = programme.present(found.log, None)
    opened = {promise.number for promise in shown.promises if promise.seed}
    if shown.is_over or round_number < 1 or round_number in opened:
        raise Http404("no such step")
    if request.headers.get("HX-Request"):
        return fresh(HttpResponse(status=404))
    messages.info(request, _("You can see that step once all players have seen the end."))
    return fresh(redirect("table", found.log.table.pk))


def _keepable(request: HttpRequest, found: Visit, seen: Seen, step: Replay) -> HttpResponse:
    table = found.log.table
    tag = f'"table-{table.pk}-{step.round}-{step.move}-{get_language()}-{LOOK}"'
    if request.headers.get("If-None-Match") == tag:
        response: HttpResponse = HttpResponseNotModified()
    else:
        response = HttpResponse(programme.draw(seen, get_language() or "en", replay=step))
    owner = "public" if table.watch == Table.Watch.ANYBODY and not table.league_id else "private"
    response["ETag"], response["Cache-Control"] = tag, f"{owner}, {KEEP}"
    patch_vary_headers(response, ("HX-Request", "Accept-Language", "Cookie"))
    return response


def fresh(response: HttpResponse) -> HttpResponse:
    """The same response, to be kept by nobody."""
    response["Cache-Control"] = "no-store"
    patch_vary_headers(response, ("HX-Request",))
    return response
