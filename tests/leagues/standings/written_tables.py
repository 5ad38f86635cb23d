"""Tournaments written as tables with a line for each player and a code for each round.

`+Ana` is a win against Ana, `=Ana` a draw, `-Ana` a loss; `+Ana*` and `-Ana*` are forfeits won and
lost. `w` or `b` in front names the first or second seat. `.` is a round in which nothing is
recorded. The other codes are those of `KINDS`.
"""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Mapping, Sequence
from typing import Final

from leagues.standings.ranking import StandingsRow, compute_standings
from leagues.standings.scoring import Placing, Scoring, StandingsEntry, UnplayedKind, UnplayedRound
from leagues.standings.tallies import Calendar, RulesVersion
from leagues.standings.tie_breaks import TieBreak

NOW: Final = dt.datetime(2026, 3, 5, 20, tzinfo=dt.UTC)
KINDS: Final = {
    "bye": UnplayedKind.BYE,
    "excused": UnplayedKind.EXCUSED,
    "absent": UnplayedKind.ABSENT,
    "late": UnplayedKind.NOT_ENTERED,
    "left": UnplayedKind.LEFT,
    "void": UnplayedKind.VOID,
}
PLACES: Final = {"+": (1, 2), "=": (1, 1), "-": (2, 1)}
MATCH: Final = re.compile(r"([wb]?)([+=-])(\w+)(\*?)")


def standings(
    table: str,
    *tie_breaks: TieBreak,
    scoring: Scoring | None = None,
    fixed: bool = False,
) -> dict[str, StandingsRow]:
    """Return the rows by name of a tournament written as text."""
    lines = [line.split() for line in table.strip().splitlines()]
    rounds = {name: words for name, *words in lines}
    return standings_of(rounds, *tie_breaks, scoring=scoring, fixed=fixed)


def standings_of(
    rounds: Mapping[str, Sequence[str]],
    *tie_breaks: TieBreak,
    scoring: Scoring | None = None,
    fixed: bool = False,
) -> dict[str, StandingsRow]:
    """Return the rows by name under the current rules, from the codes of each player,
    best first.
    """
    called = dict(enumerate(rounds, start=1))
    entries, placings = recorded(rounds)
    rows = compute_standings(
        entries,
        placings,
        scoring=scoring or Scoring(sides=2),
        tie_breaks=tie_breaks,
        rules=RulesVersion.CURRENT,
        calendar=Calendar(rounds=max(map(len, rounds.values())), fixed=fixed),
    )
    return {called[row.player]: row for row in rows}


def recorded(rounds: Mapping[str, Sequence[str]]) -> tuple[list[StandingsEntry], list[Placing]]:
    """Return entries and placings of players numbered from 1.

    Each round is played on a day of its own.
    """
    numbers = {name: number for number, name in enumerate(rounds, start=1)}
    entries, placings = [], []
    for name, words in rounds.items():
        missed = []
        for number, word in enumerate(words, start=1):
            if word in KINDS:
                missed.append(UnplayedRound(number, KINDS[word]))
            elif word != ".":
                placings += _match(numbers, name, word, number)
        entries.append(StandingsEntry(player=numbers[name], unplayed=tuple(missed)))
    return entries, placings


def _match(numbers: Mapping[str, int], name: str, word: str, number: int) -> list[Placing]:
    """Return a match once, from the code of the player with the lower number."""
    found = MATCH.fullmatch(word)
    assert found, word
    seat, sign, rival, forfeit = found.groups()
    if numbers[rival] < numbers[name]:
        return []
    own_seat = 1 if seat == "b" else 0
    own_place, rival_place = PLACES[sign]
    return [
        Placing(
            match=f"{number}/{name}",
            player=numbers[who],
            seat=at,
            side=at,
            place=place,
            when=NOW + dt.timedelta(days=number),
            round=number,
            forfeit=bool(forfeit),
        )
        for who, at, place in ((name, own_seat, own_place), (rival, 1 - own_seat, rival_place))
    ]
