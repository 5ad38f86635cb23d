"""Sets of dominoes, their matching number and their matadors (Ruling D-1).

A matador is a tile that fits any end.
"""

from __future__ import annotations

import pytest

from dominoes.engine import NotationError, bit_set, bits, domino_set, read_tile, write_tile
from tests.dominoes.engine.table import tiles

SETS = range(2, 19)


@pytest.mark.parametrize("highest", SETS)
def test_ruling_d_1_double_n_set_contains_every_pair_of_halves_once(highest: int) -> None:
    found = domino_set(highest)
    assert len(found) == (highest + 1) * (highest + 2) // 2
    assert len(set(found.tiles)) == len(found)
    assert all(0 <= low <= high <= highest for low, high in found.tiles)
    assert highest + 1 == found.N
    assert found.all.bit_count() == len(found)
    assert found.doubles.bit_count() == highest + 1


@pytest.mark.parametrize("highest", SETS)
def test_ruling_d_1_halves_of_matadors_add_up_to_the_matching_number_or_zero(highest: int) -> None:
    found = domino_set(highest)
    sums = [sum(halves) for halves in found.tiles]
    matadors = [tile for tile, pips in enumerate(sums) if pips in (0, found.N)]
    assert bits(found.matadors) == matadors
    assert len(matadors) == (highest + 1) // 2 + 1


@pytest.mark.parametrize(
    ("highest", "size", "matadors"),
    [
        (6, 28, "0|0 6|1 5|2 4|3"),
        (9, 55, "0|0 9|1 8|2 7|3 6|4 5|5"),
        (12, 91, "0|0 12|1 11|2 10|3 9|4 8|5 7|6"),
    ],
)
def test_ruling_d_1_sets_of_the_rulebook_have_the_published_matadors(
    highest: int, size: int, matadors: str
) -> None:
    assert len(domino_set(highest)) == size
    assert domino_set(highest).matadors == bit_set(tiles(matadors))


@pytest.mark.parametrize("highest", [-1, 0, 1, 19, 100])
def test_ruling_d_1_set_outside_double_two_to_double_eighteen_is_rejected(highest: int) -> None:
    with pytest.raises(ValueError, match="n is from 2 to 18"):
        domino_set(highest)


def test_tile_has_the_same_number_in_every_set() -> None:
    for highest in SETS:
        found = domino_set(highest)
        assert found.tiles == domino_set(18).tiles[: len(found)]
        assert all(
            found.index(*halves) == found.index(*reversed(halves)) == tile
            for tile, halves in enumerate(found.tiles)
        )
    with pytest.raises(ValueError, match=r"no tile 7\|0"):
        domino_set(6).index(0, 7)


def test_pips_of_a_set_of_tiles_are_added_up() -> None:
    found = domino_set(18)
    for start in range(len(found)):
        some = range(start, len(found), 7)
        assert found.pips(bit_set(some)) == sum(sum(found.tiles[tile]) for tile in some)
    assert domino_set(6).pips(domino_set(6).all) == 168
    assert domino_set(6).pips(0) == 0


def test_every_tile_can_be_written_and_read() -> None:
    for tile, (low, high) in enumerate(domino_set(18).tiles):
        assert write_tile(tile) == f"{high}|{low}"
        assert read_tile(f"{low}|{high}") == read_tile(f" {high}-{low}") == tile


@pytest.mark.parametrize("text", ["", "6", "6|", "19|0", "6|3|1", "²|1", "-1|3", "6||3", "a|b"])
def test_invalid_text_is_rejected_as_a_tile(text: str) -> None:
    with pytest.raises(NotationError, match="no tile"):
        read_tile(text)
