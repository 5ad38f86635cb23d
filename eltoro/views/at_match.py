"""Who is at a match, what they may do with it, and the evening they are writing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.http import Http404, HttpRequest

from eltoro.engine import Rules
from eltoro.forms import Writing
from eltoro.sheets import Law, Morning, Reading, Way, ended, read_evening
from eltoro.table import KEY
from leagues.models import Match, MatchSeat, Player
from leagues.rules import Action, allowed
from leagues.views.corrections import kept_under
from leagues.views.matches import match_of

DAYS: Final = "days"
"""Where a sheet keeps its days."""


@dataclass(slots=True)
class AtMatch:
    """A match with who looks at it.

    `seats` in their order; `may`: what the visitor may do. The sheet being written is the draft in
    the match, or, where one that was handed in is written anew, kept in the session.
    """

    request: HttpRequest
    match: Match
    rules: Rules
    seats: list[MatchSeat]
    player: Player | None
    may: frozenset[Action]

    @property
    def players(self) -> int:
        """How many sat there."""
        return len(self.seats)

    @property
    def law(self) -> Law:
        """What of the rules a sheet is held against."""
        return Law.of(self.rules, self.players)

    @property
    def names(self) -> list[str]:
        """The names by seat."""
        return [seat.player.name for seat in self.seats]

    @property
    def here(self) -> int | None:
        """The seat of who looks."""
        person = self.player.person_id if self.player else None
        found = (seat.number for seat in self.seats if seat.player.person_id == person)
        return next(found, None)

    @property
    def correcting(self) -> bool:
        """Whether a sheet that was handed in is being written anew in this browser."""
        return self.match.state != Match.State.DRAFT and isinstance(self.kept.get("sheet"), dict)

    @property
    def may_write(self) -> bool:
        """Whether the visitor may write now."""
        if self.match.state == Match.State.DRAFT:
            return Action.WRITE in self.may
        return self.correcting and self.may_rewrite

    @property
    def may_rewrite(self) -> bool:
        """Whether the visitor may hand the sheet in anew, or correct it."""
        drafting = self.match.state == Match.State.DRAFT
        return not drafting and bool({Action.HAND_IN, Action.CORRECT} & self.may)

    @property
    def anew(self) -> bool:
        """Whether a corrected sheet is simply handed in again: nothing counts yet."""
        return Action.HAND_IN in self.may

    @property
    def days(self) -> list[Any]:
        """The days written so far, as the sheet has them."""
        content = self.kept["sheet"] if self.correcting else self.match.draft
        if not isinstance(content, dict) or content.get("kind") != Way.ARRIVALS:
            return []
        found = content.get(DAYS)
        return list(found) if isinstance(found, list) else []

    def read(self, days: list[Any]) -> Reading:
        """The referee's answer to these days."""
        return read_evening(self.rules, self.players, sheet_of(days))

    @property
    def reading(self) -> Reading:
        """The referee's answer to the days so far."""
        return self.read(self.days)

    @property
    def shown(self) -> Reading:
        """The referee's answer to what stands: the days being written, or the sheet handed in."""
        if self.match.sheet is None or self.correcting:
            return self.reading
        return read_evening(self.rules, self.players, self.match.sheet.content)

    @property
    def verdict(self) -> str:
        """How the evening ended, in words; empty while it has not."""
        end = self.shown.ending
        return ended(end, self.names) if end else ""

    @property
    def by_player(self) -> list[tuple[MatchSeat, list[int | None], int]]:
        """What stands, player by player: the points of each day (None: it does not stand), all."""
        days = self.shown.days
        return [
            (
                seat,
                [None if day.objections else day.points[seat.number] for day in days],
                sum(day.points[seat.number] for day in days),
            )
            for seat in self.seats
        ]

    def with_day(self, day: Any, place: int) -> list[Any]:
        """The days with one more, or with this one in the place of another."""
        if not 0 <= place < len(self.days):
            return [*self.days, day]
        return [*self.days[:place], day, *self.days[place + 1 :]]

    def number(self, writing: Writing) -> int:
        """Which day is being written, from 0."""
        return writing.place if 0 <= writing.place < len(self.days) else len(self.days)

    def began(self, number: int) -> tuple[Morning, ...]:
        """With what each player begins the day of this number."""
        before = self.reading.days[:number]
        first = (self.law.morning(),) * self.players
        return before[-1].tomorrow or first if before else first

    @property
    def kept(self) -> dict[str, Any]:
        """What this browser keeps of the match."""
        found = self.request.session.get(kept_under(self.match))
        return found if isinstance(found, dict) else {}

    @property
    def writing(self) -> Writing:
        """What is being written."""
        found = Writing.kept(self.kept.get("day"))
        if self.days:
            found.way = "arrivals"
        return found

    def keep(self, writing: Writing | None, **more: Any) -> None:
        """Keep what is being written (None: a new day next time), and what else is given."""
        kept = {**self.kept, **more}
        day = Writing(way=self.writing.way) if writing is None else writing
        self.request.session[kept_under(self.match)] = {**kept, "day": day.to_keep()}

    def forget(self) -> None:
        """Keep nothing of the match any more."""
        self.request.session.pop(kept_under(self.match), None)


def sheet_of(days: list[Any]) -> dict[str, Any]:
    """The sheet of an evening written day by day."""
    return {"kind": Way.ARRIVALS.value, DAYS: days}


def at_match(request: HttpRequest, pk: int) -> AtMatch:
    """The match of this number with who looks at it; 404 for who may not see it."""
    match, player = match_of(request, pk)
    if match.game != KEY:
        raise Http404("another game")
    return of_match(request, match, player)


def of_match(request: HttpRequest, match: Match, player: Player | None) -> AtMatch:
    """A match that the visitor may see."""
    seats = list(match.seats.select_related("player__merged_into").order_by("number"))
    return AtMatch(
        request=request,
        match=match,
        rules=Rules.from_options(match.rules),
        seats=seats,
        player=player,
        may=allowed(player, match) if player else frozenset(),
    )
