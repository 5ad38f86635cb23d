"""Safe, alive or out: what a cut after so many places already means for each player.

Nothing is claimed that is not certain as the fixtures stand. Where tie-breaks would have to
decide, or the search for an answer grows too long, a player is alive.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from fractions import Fraction

from leagues.standings.race import UNITS, Race, Undecided
from leagues.standings.scoring import Kind, Scoring


class State(StrEnum):
    """`safe`: cannot be caught; `alive`: still open; `out`: cannot get there any more."""

    SAFE = "safe"
    ALIVE = "alive"
    OUT = "out"


@dataclass(frozen=True, slots=True, kw_only=True)
class Cut:
    """A line after `after` places (from 1), and the players of each match still to be played.

    `fixtures` must be all that is still to come, as in a round robin; where more may follow,
    there is no cut. `draws`: whether a match can end level; True claims less and is never wrong.
    `sides`: whether players of one side win together.
    """

    after: int
    fixtures: Sequence[Sequence[int]] = ()
    draws: bool = True
    sides: bool = False


def decided(place: int, sharing: int, cut: Cut) -> State:
    """The state when all is played: `sharing` players, one included, stand on `place`."""
    if place > cut.after:
        return State.OUT
    return State.SAFE if place + sharing - 1 <= cut.after else State.ALIVE


def states(scores: Mapping[int, Fraction], scoring: Scoring, cut: Cut) -> dict[int, State]:
    """The state of each player after these scores, with matches still to be played."""
    if scoring.kind is Kind.POINTS or scoring.bye:
        return dict.fromkeys(scores, State.ALIVE)
    reach = _Reach.of(scores, scoring, cut)
    race = _race(scores, scoring, cut)
    return {player: _state(player, reach, race, cut.after) for player in scores}


@dataclass(frozen=True, slots=True)
class _Reach:
    """The least and the most each player can end with, match by match and no further."""

    least: Mapping[int, Fraction]
    most: Mapping[int, Fraction]

    @classmethod
    def of(cls, scores: Mapping[int, Fraction], scoring: Scoring, cut: Cut) -> _Reach:
        worths = {Fraction(0), Fraction(1)} if scoring.kind is Kind.BEATEN else {Fraction(0)}
        worths |= set() if scoring.kind is Kind.BEATEN else set(scoring.by_place)
        worths |= set() if scoring.draw is None else {scoring.draw}
        left = Counter(player for fixture in cut.fixtures for player in set(fixture))
        return cls(
            {player: score + left[player] * min(worths) for player, score in scores.items()},
            {player: score + left[player] * max(worths) for player, score in scores.items()},
        )

    def state(self, player: int, after: int) -> State:
        others = [rival for rival in self.least if rival != player]
        if sum(self.most[rival] >= self.least[player] for rival in others) < after:
            return State.SAFE
        if sum(self.least[rival] > self.most[player] for rival in others) >= after:
            return State.OUT
        return State.ALIVE


def _race(scores: Mapping[int, Fraction], scoring: Scoring, cut: Cut) -> Race | None:
    """The race where each match is one win to deal out, else None: then reach alone decides."""
    pairs = all(len(set(fixture)) == 2 for fixture in cut.fixtures)
    win = scoring.by_place[0] if scoring.by_place else Fraction(0)
    one_win = win > 0 and not any(scoring.by_place[1:]) and scoring.draw in {None, win / 2}
    if scoring.kind is Kind.BEATEN:
        one_win, win = pairs, Fraction(1)
    if cut.sides or not one_win or (scoring.draw is not None and not pairs):
        return None
    units = {player: score * UNITS / win for player, score in scores.items()}
    if any(unit.denominator != 1 for unit in units.values()):
        return None
    return Race.of(
        {player: int(unit) for player, unit in units.items()}, cut.fixtures, draws=cut.draws
    )


def _state(player: int, reach: _Reach, race: Race | None, after: int) -> State:
    bounded = reach.state(player, after)
    if bounded is not State.ALIVE or race is None:
        return bounded
    try:
        if not race.can_be_among(player, after):
            return State.OUT
    except Undecided:
        return State.ALIVE
    try:
        return State.ALIVE if race.can_be_caught(player, after) else State.SAFE
    except Undecided:
        return State.ALIVE
