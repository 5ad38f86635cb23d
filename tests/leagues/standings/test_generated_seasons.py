"""Standings of generated seasons equal those of a second implementation on every day.

`LEAGUE_SEASONS` is the number of seasons (default 50). `LEAGUE_SEASON` plays a single season.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from fractions import Fraction
from graphlib import TopologicalSorter
from itertools import permutations
from typing import Any, Final

import pytest
from django.db import transaction

from leagues.models import League
from leagues.pages.standings.explained import standings_rules
from leagues.standings.queries import StandingsBasis, standings_basis
from leagues.text import score
from tests.databases import seeded
from tests.leagues.standings.generated_seasons import Season
from tests.leagues.standings.second.facts import Facts
from tests.leagues.standings.second.first_rules import FirstTable
from tests.leagues.standings.second.reading import facts_of, settings_of
from tests.leagues.standings.second.rounds import RoundKind, worth
from tests.leagues.standings.second.table import StandingsRow, StandingsTable

pytestmark = pytest.mark.django_db

SEASONS: Final = int(os.environ.get("LEAGUE_SEASONS", "50"))
ONE: Final = os.environ.get("LEAGUE_SEASON", "")
# Seasons of a test.
BATCH: Final = 5
# The kinds of rounds without a match, in the order in which the page of rules of each league format
# lists them.
LISTED: Final = {
    "ladder": (),
    "round_robin": (RoundKind.BYE, RoundKind.FORFEIT_WON, RoundKind.FORFEIT_LOST),
    "swiss": (
        *(RoundKind.BYE, RoundKind.EXCUSED, RoundKind.FORFEIT_WON, RoundKind.FORFEIT_LOST),
        *(RoundKind.ABSENT, RoundKind.ABSENT, RoundKind.ABSENT, RoundKind.VOID),
    ),
}
# Values of “above the line” when everything has been played. None means tied at the line.
ABOVE: Final = {"safe": True, "out": False, "alive": None}


def batches() -> list[Any]:
    """Return the numbers of the seasons of each test."""
    if ONE:
        return [pytest.param(range(int(ONE), int(ONE) + 1), id=f"season {ONE}")]
    starts = range(0, SEASONS, BATCH)
    numbers = [range(start, min(start + BATCH, SEASONS)) for start in starts]
    return [pytest.param(some, id=f"{some[0]}-{some[-1]}") for some in numbers]


@pytest.mark.nightly_on("postgresql")
@pytest.mark.slow
@pytest.mark.parametrize("numbers", batches())
def test_both_implementations_of_standings_agree_on_every_day(
    numbers: range, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> None:
    # Standings do not read ratings, and updating ratings would take a fifth of the time.
    monkeypatch.setattr("leagues.ratings.pools.count_from", lambda *_args, **_options: None)
    outcomes: Counter[str] = Counter()
    for number in numbers:
        with undone(), seeded(f"season {number}"):
            comparison = Comparison(Season(number))
            try:
                comparison.run()
            except BaseException as error:
                error.add_note(comparison.described())
                raise
            outcomes += comparison.outcomes
    for outcome, count in outcomes.items():
        record_property(outcome, count)
    print(" ".join(f"{outcome}={count}" for outcome, count in sorted(outcomes.items())))  # noqa: T201


@contextmanager
def undone() -> Iterator[None]:
    """Roll back everything that is saved in the block."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)


class Comparison:
    """The standings of a season, by the site and by the second implementation."""

    def __init__(self, season: Season) -> None:
        self.season = season
        self.outcomes: Counter[str] = Counter()
        self.day = "founded"
        # For pairs of players whose order only drawing lots decides: whether the first player is
        # ahead.
        self.lots: dict[tuple[int, int], bool] = {}

    def run(self) -> None:
        self.compare_rules()
        days = []
        for day in self.season.play():
            self.day = f"on {day}"
            self.compare(*self.read())
            days.append(day)
        basis, known = self.read()
        for day in days:
            self.day = f"looking back at {day}"
            moment = self.season.league.end_of(day)
            self.compare(basis.until_time(moment), known.until(moment))
        self.check_lots()
        self.outcomes["seasons"] += 1
        self.outcomes += self.season.done

    def read(self) -> tuple[StandingsBasis, Facts]:
        league = League.objects.get(pk=self.season.league.pk)
        return standings_basis(league), facts_of(league, self.season.left_after_end)

    def compare_rules(self) -> None:
        """Check that the page of rules shows the points that the second implementation uses."""
        league = self.season.league
        printed = [figure for _kind, figure in standings_rules(league).unplayed]
        settings = settings_of(league)
        kinds = LISTED[settings.format][: 1 if self.season.first_rules else None]
        listed = [
            kind for kind in kinds if kind is not RoundKind.EXCUSED or settings.absences_allowed
        ]
        assert printed == [score(worth(settings, kind)) for kind in listed]

    def compare(self, basis: StandingsBasis, known: Facts) -> None:
        rows = basis.rows()
        place = {row.player: row.place for row in rows}
        kind = FirstTable if self.season.first_rules else StandingsTable
        second = kind(replace(known, lots={key: Fraction(-at) for key, at in place.items()}))
        ended = basis.complete and not basis.to_play and basis.cut is not None
        self.check(
            [row_of_site(row, ended=ended) for row in sorted(rows, key=lambda row: row.player)],
            [wanted(row, ended=ended) for row in sorted(second.rows(), key=lambda row: row.player)],
        )
        assert [row.place for row in rows] == sorted(place.values())
        for group in second.level_before_lots:
            for player, other in permutations(group, 2):
                assert place[player] != place[other]
                ahead = place[player] < place[other]
                assert self.lots.setdefault((player, other), ahead) == ahead

    def check(self, left: list[dict[str, Any]], right: list[dict[str, Any]]) -> None:
        assert left == right
        self.outcomes["tables"] += 1
        self.outcomes["rows"] += len(left)

    def check_lots(self) -> None:
        """Check that a single order of all players agrees with the order by lots on every day."""
        order: TopologicalSorter[int] = TopologicalSorter()
        for (player, other), ahead in self.lots.items():
            if ahead:
                order.add(other, player)
        order.prepare()

    def described(self) -> str:
        season, league = self.season, self.season.league
        return (
            f"Season {season.number}, {self.day}: rules {league.standings_rules}, {league.format}, "
            f"{league.seats} seats, {league.profile}, {league.scoring}, {league.tie_breaks}, "
            f"cut {league.cut}; "
            f"{dict(season.done)}\nRun it alone: LEAGUE_SEASON={season.number} .venv/bin/pytest "
            "tests/leagues/standings/test_generated_seasons.py"
        )


def row_of_site(row: Any, *, ended: bool) -> dict[str, Any]:
    """Return a row of the site's standings as a dictionary."""
    return {
        "player": row.player,
        "place": row.place if row.placed else None,
        "score": row.score,
        "breaks": {str(name): value for name, value in row.breaks.items()},
        "byes": row.byes,
        "withdrawn": row.withdrawn,
        "counts": row.has_enough_matches,
        "above": ABOVE.get(str(row.state)) if ended and row.placed else None,
    }


def wanted(row: StandingsRow, *, ended: bool) -> dict[str, Any]:
    """Return a row of the second implementation as a dictionary."""
    return {
        "player": row.player,
        "place": row.place,
        "score": row.score,
        "breaks": dict(row.breaks),
        "byes": row.byes,
        "withdrawn": row.withdrawn,
        "counts": row.counts,
        "above": row.above if ended else None,
    }
