"""Tie-breaks: what parts players of the same score, in the order the organiser picked."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from fractions import Fraction
from itertools import accumulate

from fairness import Seed
from leagues.standings.tally import Tally

LOT_RANGE = 1 << 62
Tallies = Mapping[int, Tally]


class TieBreak(StrEnum):
    """A named way to part players of the same score; more is better unless it says otherwise.

    `head_to_head`: share of the meetings among those who are level, if each met every other.
    `wins`: matches won. `margin`: points for less points against. `points`: points for.
    `fewest_played`: fewer matches are better. `buchholz`: sum of the opponents' scores.
    `median_buchholz`: the same without the best and the weakest opponent.
    `sonneborn_berger`: scores of those beaten, and half of those drawn with. `best_single`: most
    points in one match. `cumulative`: sum of the score as it stood after every match, which
    favours early success. `lots`: drawn.
    """

    HEAD_TO_HEAD = "head_to_head"
    WINS = "wins"
    MARGIN = "margin"
    POINTS = "points"
    FEWEST_PLAYED = "fewest_played"
    BUCHHOLZ = "buchholz"
    MEDIAN_BUCHHOLZ = "median_buchholz"
    SONNEBORN_BERGER = "sonneborn_berger"
    BEST_SINGLE = "best_single"
    CUMULATIVE = "cumulative"
    LOTS = "lots"


def draw_lots(players: Iterable[int], seed: Seed) -> dict[int, int]:
    """A lot for each player, the higher the better: it stays the same whoever else joins."""
    return {player: seed.chance(f"lot/{player}").below(LOT_RANGE) for player in players}


def _opponents(tally: Tally, everyone: Tallies) -> list[Fraction]:
    """The scores of all opponents; a bye counts as one of the own strength, to harm nobody."""
    return [everyone[rival].score for rival, _ in tally.met] + [tally.score] * tally.byes


def _buchholz(tally: Tally, everyone: Tallies) -> Fraction:
    return sum(_opponents(tally, everyone), Fraction(0))


def _median_buchholz(tally: Tally, everyone: Tallies) -> Fraction:
    scores = _opponents(tally, everyone)
    if len(scores) < 3:
        return Fraction(0)
    return sum(scores, Fraction(0)) - min(scores) - max(scores)


def _sonneborn_berger(tally: Tally, everyone: Tallies) -> Fraction:
    return sum((share * everyone[rival].score for rival, share in tally.met), Fraction(0))


def _cumulative(tally: Tally, _: Tallies) -> Fraction:
    return sum(accumulate(tally.gains), Fraction(0))


_VALUES: dict[TieBreak, Callable[[Tally, Tallies], Fraction]] = {
    TieBreak.WINS: lambda tally, _: Fraction(tally.won),
    TieBreak.MARGIN: lambda tally, _: Fraction(tally.points - tally.against),
    TieBreak.POINTS: lambda tally, _: Fraction(tally.points),
    TieBreak.FEWEST_PLAYED: lambda tally, _: Fraction(-tally.played),
    TieBreak.BUCHHOLZ: _buchholz,
    TieBreak.MEDIAN_BUCHHOLZ: _median_buchholz,
    TieBreak.SONNEBORN_BERGER: _sonneborn_berger,
    TieBreak.BEST_SINGLE: lambda tally, _: Fraction(tally.best or 0),
    TieBreak.CUMULATIVE: _cumulative,
}


def head_to_head(group: Sequence[Tally]) -> dict[int, Fraction] | None:
    """Each one's share of the meetings within the group; None where not all have met."""
    players = {tally.player for tally in group}
    shares = {}
    for tally in group:
        inside = [(rival, share) for rival, share in tally.met if rival in players]
        if len({rival for rival, _ in inside}) < len(players) - 1:
            return None
        total = sum((share for _, share in inside), Fraction(0))
        shares[tally.player] = total / max(1, len(inside))
    return shares


def break_values(
    name: TieBreak, group: Sequence[Tally], everyone: Tallies, lots: Mapping[int, int]
) -> dict[int, Fraction] | None:
    """The value of a tie-break for each of a level group; None where it can tell nothing."""
    if name is TieBreak.HEAD_TO_HEAD:
        return head_to_head(group)
    if name is TieBreak.LOTS:
        return {tally.player: Fraction(lots.get(tally.player, 0)) for tally in group}
    return {tally.player: _VALUES[name](tally, everyone) for tally in group}
