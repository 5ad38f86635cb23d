"""Layout of the train in its drawing: tiles never overlap, neighbours touch and no tile moves."""

from __future__ import annotations

from itertools import combinations, pairwise

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dominoes.engine import PROFILES, Hand, LaidTile, Rules
from dominoes.stage.picture import HALF, PlacedTile, arrange_train, pip_dots
from fairness import Seed
from tests.properties import examples

READINGS = ("inline", "crosswise_open", "crosswise_on_blank", "crosswise_stub")
SETS = st.sampled_from([(2, 2), (6, 7), (6, 3), (7, 7), (9, 7), (12, 7), (15, 9), (18, 7)])


def trains(rules: Rules, players: int, seed: int) -> list[tuple[LaidTile, ...]]:
    """Return the train after every move of a randomly played hand."""
    chance = Seed(seed.to_bytes(32, "big")).chance("hand/1")
    choice = Seed(seed.to_bytes(32, "big")).chance("choices")
    hand = Hand.deal(rules, players, chance)
    found = []
    while legal := hand.legal():
        hand.play(legal[choice.below(len(legal))])
        found.append(hand.view(None).train)
    return found


def overlap(one: PlacedTile, other: PlacedTile) -> float:
    """Return by how many units two tiles overlap, in the direction in which they overlap less."""
    wide = (one.width + other.width) / 2 - abs(one.x - other.x)
    high = (one.height + other.height) / 2 - abs(one.y - other.y)
    return min(wide, high)


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(SETS, st.sampled_from(READINGS), st.integers(0, 2**32), st.sampled_from(["draw", "pass"]))
def test_drawn_tiles_never_overlap_and_neighbours_touch(
    size: tuple[int, int], reading: str, seed: int, boneyard: str
) -> None:
    rules = Rules.from_options(
        {"highest": size[0], "hand_size": size[1], "matadors": reading, "boneyard": boneyard}
    )
    train = trains(rules, 2, seed)[-1]
    layout = arrange_train(train, rules.highest)
    everything = [*layout.tiles, layout.left, layout.right]
    for one, other in combinations(everything, 2):
        assert overlap(one, other) <= 0.01, (one, other)
    for one, other in pairwise([layout.left, *layout.tiles, layout.right]):
        assert overlap(one, other) >= -10.01, (one, other)


@settings(max_examples=examples(25), deadline=None)
@given(st.sampled_from(READINGS), st.integers(0, 2**32))
def test_drawn_tile_keeps_its_place_when_more_tiles_are_played(reading: str, seed: int) -> None:
    rules = Rules.from_options({"matadors": reading})
    before: dict[int, PlacedTile] = {}
    for train in trains(rules, 2, seed):
        now = {tile.laid.tile: tile for tile in arrange_train(train, 6).tiles if tile.laid}
        for tile, placed in before.items():
            assert abs(placed.x - now[tile].x) < 0.01
            assert abs(placed.y - now[tile].y) <= HALF / 2
        before = now


@pytest.mark.parametrize("name", sorted(PROFILES))
def test_touching_halves_add_up_or_belong_to_a_matador(name: str) -> None:
    """Ruling D-4 is checked in the drawing of the train."""
    rules = PROFILES[name]
    if rules.matadors != "inline":
        return
    players = 4 if rules.partners else 2
    for seed in range(12):
        tiles = arrange_train(trains(rules, players, seed)[-1], 6).tiles
        for one, other in pairwise(tiles):
            touching = facing(one, other)
            matador = {one.first + one.second, other.first + other.second} & {0, 7}
            assert sum(touching) == 7 or matador, (one, other)


def facing(one: PlacedTile, other: PlacedTile) -> tuple[int, int]:
    """Return the two halves of neighbouring tiles that are closest to each other in the drawing."""

    def halves(tile: PlacedTile) -> list[tuple[float, float, int]]:
        if tile.standing:
            return [(tile.x, tile.y - 12, tile.first), (tile.x, tile.y + 12, tile.second)]
        return [(tile.x - 12, tile.y, tile.first), (tile.x + 12, tile.y, tile.second)]

    pairs = [
        (abs(x - u) + abs(y - v), a, b) for x, y, a in halves(one) for u, v, b in halves(other)
    ]
    _distance, a, b = min(pairs, key=lambda pair: pair[0])
    return a, b


def test_half_of_a_crosswise_stub_in_line_is_the_one_to_be_matched() -> None:
    """Under the rule `crosswise_stub` (Ruling D-9), one half of a matador is in the row and the
    other sticks out.
    """
    found = 0
    for seed in range(40):
        tiles = arrange_train(trains(PROFILES["crosswise_stub"], 2, seed)[-1], 6).tiles
        for place, tile in enumerate(tiles):
            if tile.laid is None or tile.laid.lie != "stub":
                continue
            beside = tiles[place - 1 if tile.arm > 0 else place + 1]
            row = beside.y if not beside.standing or beside.across else None
            if row is None or beside.across:
                continue
            in_line = tile.first if tile.y > row else tile.second
            outward = tile.laid.right if tile.arm > 0 else tile.laid.left
            assert in_line == outward
            found += 1
    assert found > 10


def test_half_of_a_tile_has_as_many_dots_as_pips() -> None:
    assert [len(pip_dots(half)) for half in range(10)] == list(range(10))
    assert not pip_dots(10)
