"""Random seasons for tests of standings: matches, forfeits and rounds without a match."""

from __future__ import annotations

import datetime as dt
from dataclasses import dataclass
from fractions import Fraction
from typing import Final

from fairness import Chance, Seed
from leagues.standings.ranking import Criteria, RankingOrder, StandingsRow, order_of, rows_of
from leagues.standings.scoring import (
    Placing,
    Scoring,
    ScoringKind,
    StandingsEntry,
    UnplayedKind,
    UnplayedRound,
)
from leagues.standings.tallies import Calendar, RulesVersion
from leagues.standings.tie_breaks import TieBreak

START: Final = dt.datetime(2026, 3, 5, 20, tzinfo=dt.UTC)
MISSED: Final = (
    UnplayedKind.BYE,
    UnplayedKind.EXCUSED,
    UnplayedKind.ABSENT,
    UnplayedKind.NOT_ENTERED,
    UnplayedKind.LEFT,
    UnplayedKind.VOID,
)
SEED: Final = Seed(bytes(range(32)))
FORMATS: Final = ("ladder", "round_robin", "swiss")


@dataclass(frozen=True, kw_only=True)
class Season:
    """A season with its order of players and its rows of standings."""

    entries: tuple[StandingsEntry, ...]
    placings: tuple[Placing, ...]
    by: Criteria
    order: RankingOrder
    rows: tuple[StandingsRow, ...]


def scorings(sides: int | None) -> list[Scoring]:
    half, three = Fraction(1, 2), Fraction(3)
    return [
        Scoring(sides=sides),
        Scoring(by_place=(three,), draw=Fraction(1), sides=sides),
        Scoring(by_place=tuple(map(Fraction, (4, 3, 2, 1))), bye=half, sides=sides),
        Scoring(kind=ScoringKind.BEATEN, sides=sides),
        Scoring(kind=ScoringKind.POINTS, bye=Fraction(5), sides=sides),
    ]


def random_season(number: int, rules: RulesVersion, league_format: str) -> Season:
    chance = SEED.chance(f"season/{number}/{rules}/{league_format}")
    seats, people = 2 + chance.below(3), list(range(1, 2 + chance.below(8) + 1))
    scoring = chance.pick(scorings(seats if rules is RulesVersion.CURRENT else None))
    rounds = chance.below(7)
    missed: dict[int, list[UnplayedRound]] = {player: [] for player in people}
    placings: list[Placing] = []
    for drawn in range(1, rounds + 1):
        waiting = chance.shuffled(people)
        while len(waiting) >= 2 and chance.below(10):
            size = min(len(waiting), chance.pick((2, seats)))
            table, waiting = waiting[:size], waiting[size:]
            numbered = drawn if league_format != "ladder" else 0
            placings += _match(chance, f"{drawn}/{table[0]}", table, numbered, drawn)
        if league_format == "ladder":
            continue
        for player in waiting:
            kind = chance.pick(MISSED) if league_format == "swiss" else UnplayedKind.BYE
            missed[player].append(UnplayedRound(drawn, kind))
    entries = tuple(
        StandingsEntry(
            player=player,
            unplayed=tuple(missed[player]),
            withdrawn=(withdrawn := chance.below(10) == 0),
            ranked_last=withdrawn and rules is RulesVersion.FINAL,
        )
        for player in people
    )
    names = chance.shuffled(TieBreak)[: chance.below(5)]
    by = Criteria(
        scoring=scoring,
        tie_breaks=names,
        lots={player: chance.below(1000) for player in people},
        rules=rules,
        calendar=Calendar(
            rounds=0 if league_format == "ladder" else rounds, fixed=league_format != "swiss"
        ),
    )
    order = order_of(entries, placings, **by)
    rows = rows_of(order, scoring, None)
    return Season(entries=entries, placings=tuple(placings), by=by, order=order, rows=rows)


def _match(chance: Chance, name: str, table: list[int], number: int, day: int) -> list[Placing]:
    forfeit = number > 0 and chance.below(7) == 0
    points = [0] * len(table) if forfeit else [chance.below(5) for _ in table]
    came = 1 + chance.below(len(table) - 1)
    places = [
        (1 if seat < came else came + 1) if forfeit else 1 + sum(other > own for other in points)
        for seat, own in enumerate(points)
    ]
    return [
        Placing(
            match=name,
            player=player,
            seat=seat,
            side=seat,
            place=places[seat],
            points=points[seat],
            when=START + dt.timedelta(days=day),
            round=number,
            forfeit=forfeit,
        )
        for seat, player in enumerate(table)
    ]
