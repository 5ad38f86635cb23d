"""Sheets that list nothing but pips (Ruling D-10): refused exactly where no tiles have them."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from dominoes.engine import HandSheet, Held, Reading, Rules, domino_set, judge_hand
from fairness import Chance, Seed
from tests.properties import examples

DRAW = Rules()
BLOCK = Rules(boneyard="pass")


def judged(rules: Rules, pips: tuple[int | None, ...], leader: int | None = None) -> Reading:
    """The answer to these pips; who has none went out."""
    out = pips.index(None) if None in pips else None
    held = tuple(Held(pips=held) for held in pips)
    written = HandSheet(leader=leader, out=out, blocked=out is None, held=held)
    return judge_hand(rules, len(pips), written)


HEAVIEST: list[Any] = [
    # rules, pips (None: went out), whether they stand
    # 28 tiles of 168 pips; two stay in the boneyard and one has been set: 25 tiles, 165 pips
    (DRAW, (83, 82), True),
    (DRAW, (83, 83), False),
    (DRAW, (114, 114), False),
    # two hands of seven and five drawn: 19 tiles, 145 pips
    (DRAW, (None, 73, 72), True),
    (DRAW, (None, 73, 73), False),
    # three hands of seven, one tile set, five drawn: 25 tiles
    (DRAW, (55, 55, 55), True),
    (DRAW, (55, 55, 56), False),
    # two hands of seven and the tile that somebody did not set: 13 tiles, 112 pips
    (BLOCK, (56, 56), True),
    (BLOCK, (56, 57), False),
    # three hands of seven: 21 tiles, 153 pips
    (BLOCK, (None, 51, 51, 51), True),
    (BLOCK, (None, 51, 51, 52), False),
    # everything but the 0-0
    (BLOCK, (42, 42, 42, 42), True),
    (BLOCK, (42, 42, 42, 43), False),
    # everything drawn but two: 52 tiles of the double-nine, 88 of the double-twelve
    (Rules(highest=9), (246, 246), True),
    (Rules(highest=9), (246, 247), False),
    (Rules(highest=12), (363, 363, 364), False),
    (Rules(highest=12), (363, 363, 363), True),
]


@pytest.mark.parametrize(("rules", "pips", "stands"), HEAVIEST)
def test_nobody_holds_more_than_the_heaviest_tiles(
    rules: Rules, pips: tuple[int | None, ...], stands: bool
) -> None:
    reading = judged(rules, pips)
    assert reading.complete == stands
    assert {found.ruling for found in reading.wrong} <= {"D-10", "D-3"}
    assert reading.evidence == "sheet"


def what_can_be_held(rules: Rules, players: int, out: int | None) -> set[tuple[int | None, ...]]:
    """Every line of pips that distinct tiles can leave, tried out tile by tile."""
    size, seats = rules.hand_size, range(players)
    rest = len(domino_set(rules.highest)) - players * size
    drawn = max(0, rest - 2) if rules.boneyard == "draw" else 0
    found = set()
    for leader in seats:
        free = [size - (seat == leader) for seat in seats]
        hands = {((0,) * players, (0,) * players)}
        for low, high in domino_set(rules.highest).tiles:
            hands |= {
                (_with(counts, seat, 1), _with(pips, seat, low + high))
                for counts, pips in hands
                for seat in seats
                if seat != out
            }
            hands = {(counts, pips) for counts, pips in hands if _over(counts, free) <= drawn}
        found |= {
            tuple(None if seat == out else pips[seat] for seat in seats)
            for counts, pips in hands
            if all(count or seat == out for seat, count in enumerate(counts))
        }
    return found


def _over(counts: tuple[int, ...], free: list[int]) -> int:
    """How many tiles must have been drawn."""
    return sum(max(0, count - most) for count, most in zip(counts, free, strict=True))


def _with(values: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*values[:seat], values[seat] + more, *values[seat + 1 :])


SMALL: list[Any] = [
    # highest double, hand size, players
    (2, 2, 2), (2, 3, 2), (2, 1, 2), (2, 1, 3), (2, 2, 3), (3, 2, 2), (3, 5, 2),
    pytest.param(3, 1, 3, marks=pytest.mark.slow), pytest.param(3, 3, 3, marks=pytest.mark.slow),
]  # fmt: skip


@pytest.mark.parametrize("out", [None, 0])
@pytest.mark.parametrize("boneyard", ["draw", "pass"])
@pytest.mark.parametrize(("highest", "size", "players"), SMALL)
def test_every_line_of_a_small_set_is_decided(
    highest: int, size: int, players: int, boneyard: Any, out: int | None
) -> None:
    """Those that tiles can have stand, all others are refused."""
    rules = Rules(highest=highest, hand_size=size, boneyard=boneyard)
    stand = what_can_be_held(rules, players, out)
    most = max((max(held or 0 for held in line) for line in stand), default=0)
    chance = Seed(bytes(32)).chance("lines")
    lines: Any = list(product(range(most + 2), repeat=players - (out is not None)))
    for line in chance.shuffled(lines)[: examples(200)]:
        pips = line if out is None else (None, *line)
        reading = judged(rules, pips)
        assert reading.complete == (pips in stand), pips
        assert reading.evidence == "sheet"


def some_line(rules: Rules, players: int, chance: Chance) -> tuple[tuple[int | None, ...], bool]:
    """What is left of a deal, sometimes miscounted; whether it is as it was dealt."""
    tiles = domino_set(rules.highest)
    order = chance.shuffled(range(len(tiles)))
    out, miscounted = chance.pick([None, 0]), chance.below(2) == 1
    pips: list[int | None] = []
    for seat in range(players):
        count = rules.hand_size - (seat == 1) - chance.pick([0, 0, 1, 4])
        held = sum(sum(tiles.tiles[order.pop()]) for _ in range(max(1, count)))
        wrong = chance.below(60) if miscounted else 0
        pips.append(None if seat == out else held + wrong)
    return tuple(pips), not miscounted


@pytest.mark.slow
@pytest.mark.parametrize("players", [2, 3, 4])
@pytest.mark.parametrize("highest", [6, 9, 12])
@pytest.mark.parametrize("boneyard", ["draw", "pass"])
def test_hardly_a_line_is_left_undecided(highest: int, boneyard: Any, players: int) -> None:
    """At most one in a hundred; and what was dealt is never refused."""
    rules = Rules(highest=highest, boneyard=boneyard)
    chance = Seed(bytes(32)).chance(f"{highest}/{boneyard}/{players}")
    undecided, lines = 0, examples(200)
    for _ in range(lines):
        pips, dealt = some_line(rules, players, chance)
        reading = judged(rules, pips, leader=chance.pick([None, 1]))
        assert reading.complete or not dealt, pips
        undecided += reading.evidence == "open"
    assert undecided * 100 <= lines


@pytest.mark.slow
def test_what_is_left_undecided_stands_and_says_so() -> None:
    """More players than the search can try every way for (Ruling I-18)."""
    rules = Rules(highest=18)
    reading = judged(rules, (None, *[126] * 26))
    assert (reading.complete, reading.evidence) == (True, "open")
    assert [line.path for line in reading.lines if line.code == "undecided"] == ["held"]
