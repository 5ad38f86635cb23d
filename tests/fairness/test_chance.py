"""The random stream of Ruling F-1, recomputed here, and the numbers and shuffles read from it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from hashlib import shake_256
from itertools import permutations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairness import Chance, Seed

SEED = Seed(bytes(range(32)))
LABELS = ("sorteo", "lidia/1", "hand/7", "", "capote/ñ")
seeds = st.binary(min_size=32, max_size=32).map(Seed)


def stream(label: str, length: int, seed: Seed = SEED) -> bytes:
    """Return the bytes of an event's random stream, computed as Ruling F-1 describes it."""
    return shake_256(seed.value + b"\x00" + label.encode("utf-8")).digest(length)


def fisher_yates(items: list[int], chance: Chance) -> list[int]:
    """Shuffle from the last item down, with one random number below each size."""
    for size in range(len(items), 1, -1):
        other = chance.below(size)
        items[size - 1], items[other] = items[other], items[size - 1]
    return items


def chi_square(seen: Iterable[int], expected: float) -> float:
    """Return the chi-square statistic of counts that should all be equal."""
    return sum((count - expected) ** 2 / expected for count in seen)


@pytest.mark.parametrize("label", LABELS)
def test_f_1_random_bytes_equal_those_of_the_described_stream(label: str) -> None:
    chance = SEED.chance(label)
    assert bytes(chance.below(256) for _ in range(3000)) == stream(label, 3000)


def test_f_1_random_bytes_of_a_known_seed() -> None:
    chance = Seed(bytes(32)).chance("lidia/1")
    assert bytes(chance.below(256) for _ in range(16)).hex() == "ec02dcbc55a33fdf5d7b2d74e10ba3b4"


def test_f_1_larger_numbers_take_whole_bytes_in_big_endian_order() -> None:
    chance, drawn = SEED.chance("wide"), stream("wide", 9)
    assert chance.below(1 << 16) == int.from_bytes(drawn[:2], "big")
    assert chance.below(1 << 24) == int.from_bytes(drawn[2:5], "big")
    assert chance.below(1 << 32) == int.from_bytes(drawn[5:9], "big")


def test_f_1_number_below_1_reads_no_byte() -> None:
    chance = SEED.chance("one")
    assert [chance.below(1) for _ in range(5)] == [0] * 5
    assert chance.below(256) == stream("one", 1)[0]


@pytest.mark.parametrize("bound", [*range(2, 21), 52, 70, 100, 128, 129, 200, 255, 256])
def test_f_1_rejection_gives_every_number_equally_many_bytes(bound: int) -> None:
    chance, walked = SEED.chance("walk"), stream("walk", 6000)
    meaning: dict[int, int] = {}
    rejected = set()
    for byte in walked:
        if byte < 256 - 256 % bound:
            assert meaning.setdefault(byte, number := chance.below(bound)) == number
        else:
            rejected.add(byte)
    assert len(meaning) + len(rejected) == 256
    assert Counter(meaning.values()) == dict.fromkeys(range(bound), 256 // bound)


@pytest.mark.parametrize("counts", [[1] * 300, [0, 24, 5, 7, 2], [2000], [36] * 40, [255, 256, 1]])
def test_f_1_many_dice_at_once_equal_single_rolls(counts: list[int]) -> None:
    bulk, single = SEED.chance("dice"), SEED.chance("dice")
    for count in counts:
        assert list(bulk.dice(count)) == [single.roll() for _ in range(count)]
        assert bulk.below(1 << 16) == single.below(1 << 16)


def test_f_1_word_equals_a_number_of_four_bytes() -> None:
    words, numbers = SEED.chance("words"), SEED.chance("words")
    assert [words.word() for _ in range(700)] == [numbers.below(1 << 32) for _ in range(700)]
    assert words.below(1 << 24) == numbers.below(1 << 24)


@pytest.mark.parametrize("bound", [257, 1000, 40000, 65535])
def test_f_1_numbers_of_two_bytes_use_rejection(bound: int) -> None:
    chance, walked = SEED.chance("pairs"), stream("pairs", 8000)
    pairs = [int.from_bytes(walked[at : at + 2], "big") for at in range(0, 8000, 2)]
    limit = 65536 // bound * bound
    expected = [pair % bound for pair in pairs if pair < limit]
    assert [chance.below(bound) for _ in expected] == expected


@pytest.mark.parametrize("bound", [0, -1, -256])
def test_number_below_0_or_less_is_rejected(bound: int) -> None:
    with pytest.raises(ValueError, match=f"below {bound}"):
        SEED.chance("none").below(bound)


@given(seeds, st.integers(1, 1 << 40))
def test_every_random_number_is_below_its_bound(seed: Seed, bound: int) -> None:
    assert 0 <= seed.chance("bound").below(bound) < bound


@given(seeds, st.integers(0, 300))
def test_f_1_shuffle_is_fisher_yates_from_the_last_item_down(seed: Seed, size: int) -> None:
    expected = fisher_yates(list(range(size)), seed.chance("shuffle"))
    assert seed.chance("shuffle").shuffled(range(size)) == expected


@pytest.mark.parametrize("size", [2, 70, 256, 257, 400])
def test_f_1_numbers_after_a_shuffle_continue_its_stream(size: int) -> None:
    by_shuffle, by_hand = SEED.chance("on"), SEED.chance("on")
    for _ in range(12):
        items = list(range(size))
        by_shuffle.shuffle(items)
        assert items == fisher_yates(list(range(size)), by_hand)
        assert by_shuffle.below(1000) == by_hand.below(1000)


def test_shuffled_does_not_change_its_argument() -> None:
    deck = list(range(70))
    again = SEED.chance("copy").shuffled(deck)
    assert deck == list(range(70))
    assert sorted(again) == deck != again
    assert SEED.chance("copy").shuffled(reversed(deck)) != again


def test_all_faces_of_a_die_are_equally_likely() -> None:
    chance = SEED.chance("dice")
    faces = Counter(chance.roll() for _ in range(60_000))
    assert sorted(faces) == [1, 2, 3, 4, 5, 6]
    assert chi_square(faces.values(), 10_000) < 25.7  # one in ten thousand, 5 degrees of freedom


def test_all_orders_of_four_items_are_equally_likely() -> None:
    chance = SEED.chance("four")
    orders = Counter(tuple(chance.shuffled("abcd")) for _ in range(24_000))
    assert set(orders) == set(permutations("abcd"))
    assert chi_square(orders.values(), 1000) < 55.5  # one in ten thousand, 23 degrees of freedom


@pytest.mark.parametrize("sides", [1, 2, 6, 10, 20])
def test_die_shows_every_side_from_1(sides: int) -> None:
    chance = SEED.chance("sides")
    assert {chance.roll(sides) for _ in range(600)} == set(range(1, sides + 1))


def test_f_1_labels_give_independent_streams() -> None:
    streams = {label: [SEED.chance(label).below(256)] for label in LABELS}
    chances = {label: SEED.chance(label) for label in LABELS}
    for position in range(40):
        for label in sorted(LABELS, key=lambda name: (position % 3, name)):
            streams[label] += [chances[label].below(256)]
    for label in LABELS:
        assert bytes(streams[label][1:]) == stream(label, 40)
    assert len({bytes(drawn) for drawn in streams.values()}) == len(LABELS)


@given(seeds, seeds)
def test_f_1_another_seed_gives_another_stream(one: Seed, other: Seed) -> None:
    alike = [one.chance("x").shuffled(range(70)), other.chance("x").shuffled(range(70))]
    assert (alike[0] == alike[1]) == (one.value == other.value)


@given(seeds, st.lists(st.integers(0, 50), min_size=1, max_size=12).filter(any))
def test_weighted_choice_is_a_position_along_the_added_weights(
    seed: Seed, weights: list[int]
) -> None:
    laid = [index for index, weight in enumerate(weights) for _ in range(weight)]
    mark = seed.chance("weight").below(len(laid))
    assert seed.chance("weight").weighted(weights) == laid[mark]


def test_item_of_weight_0_is_never_chosen() -> None:
    chance = SEED.chance("nought")
    assert {chance.weighted([0, 3, 0, 1, 0]) for _ in range(400)} == {1, 3}


@pytest.mark.parametrize("weights", [[], [0], [0, 0, 0]])
def test_weights_that_add_up_to_0_are_rejected(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="below 0"):
        SEED.chance("empty").weighted(weights)


@pytest.mark.slow
@given(seeds, st.lists(st.text(), min_size=1, max_size=300))
def test_pick_returns_the_item_at_a_random_number(seed: Seed, items: list[str]) -> None:
    assert seed.chance("pick").pick(items) == items[seed.chance("pick").below(len(items))]


def test_picking_from_an_empty_list_is_rejected() -> None:
    with pytest.raises(ValueError, match="below 0"):
        SEED.chance("pick").pick([])


@pytest.mark.parametrize("length", [0, 31, 33])
def test_f_1_seed_must_have_32_bytes(length: int) -> None:
    with pytest.raises(ValueError, match=f"32 bytes long, this one {length}"):
        Seed(bytes(length))


def test_seed_is_not_shown_by_repr() -> None:
    assert repr(SEED) == "Seed(<32 bytes>)"
    assert SEED.value.hex() not in repr(SEED)


def test_fresh_seeds_differ() -> None:
    fresh = {Seed.fresh().value for _ in range(64)}
    assert len(fresh) == 64
    assert {len(value) for value in fresh} == {32}
