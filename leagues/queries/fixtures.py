"""Who is to meet whom: rounds and fixtures as pages show them."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass

from django.db.models import Prefetch, QuerySet

from leagues.models import Fixture, FixtureSeat, League, Match, Player, Round
from leagues.queries.people import belongs_to
from leagues.queries.results import Seated


@dataclass(frozen=True, kw_only=True)
class FixtureLine:
    """One fixture: who sits there, and its match, once there is one."""

    fixture: Fixture
    seats: tuple[Seated, ...]
    match: Match | None

    @property
    def waiting(self) -> bool:
        """Whether it is still to be played."""
        return self.fixture.state in Fixture.TO_PLAY

    def overdue(self, at: dt.datetime) -> bool:
        """Whether its deadline has passed while it is still to be played."""
        return self.waiting and self.fixture.deadline < at

    def involves(self, person: int) -> bool:
        """Whether a person sits there."""
        return any(seat.player.pk == person for seat in self.seats)


@dataclass(frozen=True, kw_only=True)
class RoundLines:
    """A round with its fixtures, and who sits out."""

    round: Round
    fixtures: tuple[FixtureLine, ...]

    @property
    def open(self) -> int:
        """How many fixtures are still to be played."""
        return sum(line.waiting for line in self.fixtures)


def rounds(league: League) -> list[RoundLines]:
    """All rounds of a league in order; three queries whatever their number."""
    chosen = Round.objects.filter(league=league).order_by("number")
    return [_lines(one) for one in chosen.prefetch_related(_fixtures())]


def current_round(league: League) -> RoundLines | None:
    """The first round with something to play, else the last; None before the first is drawn."""
    chosen = Round.objects.filter(league=league)
    waiting = chosen.filter(fixtures__state__in=Fixture.TO_PLAY).distinct().order_by("number")
    found = waiting.prefetch_related(_fixtures()).first() or (
        chosen.order_by("-number").prefetch_related(_fixtures()).first()
    )
    return _lines(found) if found else None


def of_player(player: Player) -> list[FixtureLine]:
    """Fixtures still to be played by a person, the most urgent first; two queries."""
    mine = FixtureSeat.objects.filter(belongs_to(player)).values("fixture")
    chosen = with_seats().filter(pk__in=mine, state__in=Fixture.TO_PLAY)
    chosen = chosen.filter(round__league__closed_at=None).select_related("round__league")
    return [_line(fixture) for fixture in chosen.order_by("deadline", "pk")]


def with_seats() -> QuerySet[Fixture]:
    """Fixtures with round, match and people at hand; two queries whatever their number."""
    seats = FixtureSeat.objects.select_related("player__merged_into").order_by("number")
    rows = Fixture.objects.select_related("match", "round__league")
    return rows.prefetch_related(Prefetch("seats", seats))


def _fixtures() -> Prefetch[str, QuerySet[Fixture], str]:
    return Prefetch("fixtures", with_seats().order_by("number"))


def _lines(found: Round) -> RoundLines:
    return RoundLines(round=found, fixtures=tuple(_line(one) for one in found.fixtures.all()))


def _line(fixture: Fixture) -> FixtureLine:
    seats = tuple(_seated(seat) for seat in fixture.seats.all())
    return FixtureLine(fixture=fixture, seats=seats, match=getattr(fixture, "match", None))


def _seated(seat: FixtureSeat) -> Seated:
    person = seat.player.merged_into or seat.player
    return Seated(player=person, side=seat.number, place=None, points=None)


def line_of(key: int) -> FixtureLine:
    """One fixture with its seats; raises `Fixture.DoesNotExist`. Two queries."""
    return _line(with_seats().get(pk=key))


def with_fixtures(rounds: QuerySet[Round]) -> QuerySet[Round]:
    """These rounds with their fixtures and people at hand; three queries."""
    return rounds.prefetch_related(_fixtures())


def lines_of(found: Round) -> RoundLines:
    """The lines of a round of `with_fixtures`; no query."""
    return _lines(found)


def line_from(fixture: Fixture) -> FixtureLine:
    """The line of a fixture of `with_seats`; no query."""
    return _line(fixture)
