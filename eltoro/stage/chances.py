"""Where each runner will arrive and what it risks: exact, as if no more cards were played."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from django.template.defaultfilters import floatformat

from eltoro.engine import Odds, Rules, Town, odds
from eltoro.stage.marks import runner_id
from eltoro.words import space_name
from leagues.members.marks import mark_of_seat


@dataclass(frozen=True, slots=True, kw_only=True)
class Chance:
    """A runner's chances in per cent, as they are shown; `points` expected, to a tenth."""

    runner: str
    shape: str
    name: str
    face: int
    space: str
    arrives: tuple[str, ...]
    trampled: str
    points: str


def all_odds(town: Town, rules: Rules) -> dict[tuple[int, int], Odds]:
    """The odds of every runner that stands in town, by seat and number."""
    return {
        (seat, number): odds(town, rules, seat, number)
        for seat, own in enumerate(town.runners)
        for number, die in enumerate(own)
        if die is not None and die.space >= 0
    }


def chances(
    town: Town, rules: Rules, found: dict[tuple[int, int], Odds], names: Sequence[str]
) -> list[Chance]:
    """The odds of every runner as rows of a table, seat by seat."""
    return [_row(town, rules, runner, one, names) for runner, one in found.items()]


def _row(
    town: Town, rules: Rules, runner: tuple[int, int], one: Odds, names: Sequence[str]
) -> Chance:
    seat, number = runner
    die = town.runners[seat][number]
    assert die is not None
    return Chance(
        runner=runner_id(seat, number),
        shape=str(mark_of_seat(seat) + 1),
        name=names[seat],
        face=die.face,
        space=space_name(rules, die.space, town.destinations),
        arrives=tuple(map(_percent, one.arrives)),
        trampled=_percent(one.trampled),
        points=floatformat(one.points, 1),
    )


def _percent(share: float) -> str:
    """Whole per cent; empty for what cannot be, and never 0 or 100 for what is not."""
    if not share:
        return ""
    return str(min(99, max(1, round(100 * share)))) if share < 1 else "100"
