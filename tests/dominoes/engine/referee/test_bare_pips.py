"""Scoresheets with only pips are rejected exactly if no tiles have these pips (Ruling D-10)."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest

from dominoes.engine import FinalTiles, HandReading, HandSheet, Rules, domino_set, judge_hand
from fairness import Chance, Seed
from tests.properties import examples

DRAW = Rules()
BLOCK = Rules(boneyard="pass")


def reading_of(
    rules: Rules, pips: tuple[int | None, ...], leader: int | None = None
) -> HandReading:
    """Return the referee's answer to these pips.

    The player whose pips are `None` went out. If no pips are `None`, the hand was blocked.
    """
    out = pips.index(None) if None in pips else None
    held = tuple(FinalTiles(pips=held) for held in pips)
    written = HandSheet(leader=leader, out=out, blocked=out is None, held=held)
    return judge_hand(rules, len(pips), written)


HEAVIEST: list[Any] = [
    # Each case: the rules, the pips of each player (None: the player went out), and whether the
    # referee accepts these pips. The set has 28 tiles with 168 pips. Two tiles stay in the boneyard
    # and one tile was led. Players can therefore hold at most 25 tiles, which have at most 165
    # pips.
    (DRAW, (83, 82), True),
    (DRAW, (83, 83), False),
    (DRAW, (114, 114), False),
    # The players can hold two hands of seven tiles and five drawn tiles: 19 tiles, which have at
    # most 145 pips.
    (DRAW, (None, 73, 72), True),
    (DRAW, (None, 73, 73), False),
    # The players can hold three hands of seven tiles, less one tile that was led, and five drawn
    # tiles: 25 tiles.
    (DRAW, (55, 55, 55), True),
    (DRAW, (55, 55, 56), False),
    # The players can hold two hands of seven tiles, less one tile that was led: 13 tiles, which
    # have at most 112 pips.
    (BLOCK, (56, 56), True),
    (BLOCK, (56, 57), False),
    # The players can hold three hands of seven tiles: 21 tiles, which have at most 153 pips.
    (BLOCK, (None, 51, 51, 51), True),
    (BLOCK, (None, 51, 51, 52), False),
    # All 28 tiles are dealt. If the 0-0 was led, the others hold all 168 pips.
    (BLOCK, (42, 42, 42, 42), True),
    (BLOCK, (42, 42, 42, 43), False),
    # The players can draw all tiles except two, and one tile was led. They can therefore hold 52
    # tiles of the double-nine set, or 88 tiles of the double-twelve set.
    (Rules(highest=9), (246, 246), True),
    (Rules(highest=9), (246, 247), False),
    (Rules(highest=12), (363, 363, 364), False),
    (Rules(highest=12), (363, 363, 363), True),
]


@pytest.mark.parametrize(("rules", "pips", "stands"), HEAVIEST)
def test_pips_must_not_exceed_those_of_the_heaviest_tiles(
    rules: Rules, pips: tuple[int | None, ...], stands: bool
) -> None:
    reading = reading_of(rules, pips)
    assert reading.complete == stands
    assert {found.ruling for found in reading.contradictions} <= {"D-10", "D-3"}
    assert reading.evidence == "sheet"


def what_can_be_held(rules: Rules, players: int, out: int | None) -> set[tuple[int | None, ...]]:
    """Return all combinations of pips by seat that distinct tiles can leave, by trying them."""
    size, seats = rules.hand_size, range(players)
    rest = len(domino_set(rules.highest)) - players * size
    drawn = max(0, rest - 2) if rules.boneyard == "draw" else 0
    found = set()
    for leader in seats:
        free = [size - (seat == leader) for seat in seats]
        hands = {((0,) * players, (0,) * players)}
        for low, high in domino_set(rules.highest).tiles:
            hands |= {
                (_with_more_pips(counts, seat, 1), _with_more_pips(pips, seat, low + high))
                for counts, pips in hands
                for seat in seats
                if seat != out
            }
            hands = {
                (counts, pips) for counts, pips in hands if _least_drawn(counts, free) <= drawn
            }
        found |= {
            tuple(None if seat == out else pips[seat] for seat in seats)
            for counts, pips in hands
            if all(count or seat == out for seat, count in enumerate(counts))
        }
    return found


def _least_drawn(counts: tuple[int, ...], free: list[int]) -> int:
    """Return how many tiles the players must have drawn to hold these pips."""
    return sum(max(0, count - most) for count, most in zip(counts, free, strict=True))


def _with_more_pips(values: tuple[int, ...], seat: int, more: int) -> tuple[int, ...]:
    return (*values[:seat], values[seat] + more, *values[seat + 1 :])


SMALL: list[Any] = [
    # Each case: the highest half of the set, the tiles dealt to each player, and the number of
    # players.
    (2, 2, 2), (2, 3, 2), (2, 1, 2), (2, 1, 3), (2, 2, 3), (3, 2, 2), (3, 5, 2),
    pytest.param(3, 1, 3, marks=pytest.mark.slow), pytest.param(3, 3, 3, marks=pytest.mark.slow),
]  # fmt: skip


@pytest.mark.parametrize("out", [None, 0])
@pytest.mark.parametrize("boneyard", ["draw", "pass"])
@pytest.mark.parametrize(("highest", "size", "players"), SMALL)
def test_referee_decides_all_pips_of_small_sets_correctly(
    highest: int, size: int, players: int, boneyard: Any, out: int | None
) -> None:
    """Pips are accepted if some tiles have them and rejected otherwise."""
    rules = Rules(highest=highest, hand_size=size, boneyard=boneyard)
    stand = what_can_be_held(rules, players, out)
    most = max((max(held or 0 for held in line) for line in stand), default=0)
    chance = Seed(bytes(32)).chance("lines")
    lines: Any = list(product(range(most + 2), repeat=players - (out is not None)))
    for line in chance.shuffled(lines)[: examples(200)]:
        pips = line if out is None else (None, *line)
        reading = reading_of(rules, pips)
        assert reading.complete == (pips in stand), pips
        assert reading.evidence == "sheet"


def some_line(rules: Rules, players: int, chance: Chance) -> tuple[tuple[int | None, ...], bool]:
    """Return the pips of random remaining tiles, and whether they were counted correctly."""
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
def test_referee_can_decide_almost_all_pips_of_usual_sets(
    highest: int, boneyard: Any, players: int
) -> None:
    """At most one scoresheet in a hundred may remain undecided, and correct pips are never
    rejected.
    """
    rules = Rules(highest=highest, boneyard=boneyard)
    chance = Seed(bytes(32)).chance(f"{highest}/{boneyard}/{players}")
    undecided, lines = 0, examples(200)
    for _ in range(lines):
        pips, dealt = some_line(rules, players, chance)
        reading = reading_of(rules, pips, leader=chance.pick([None, 1]))
        assert reading.complete or not dealt, pips
        undecided += reading.evidence == "open"
    assert undecided * 100 <= lines


@pytest.mark.slow
def test_pips_that_the_referee_cannot_decide_are_accepted_as_undecided() -> None:
    """With 27 players the search cannot try all possibilities (Ruling I-18)."""
    rules = Rules(highest=18)
    reading = reading_of(rules, (None, *[126] * 26))
    assert (reading.complete, reading.evidence) == (True, "open")
    assert [line.path for line in reading.lines if line.code == "undecided"] == ["held"]
