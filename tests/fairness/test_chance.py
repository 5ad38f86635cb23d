"""The stream of Ruling F-1, followed by hand, and the fair numbers and shuffles read from it."""

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
    """The bytes of an event as Ruling F-1 writes them down."""
    return shake_256(seed.value + b"\x00" + label.encode("utf-8")).digest(length)


def fisher_yates(items: list[int], chance: Chance) -> list[int]:
    """From the top, one whole number below each size at a time."""
    for size in range(len(items), 1, -1):
        other = chance.below(size)
        items[size - 1], items[other] = items[other], items[size - 1]
    return items


def chi_square(seen: Iterable[int], expected: float) -> float:
    """How far counts lie from being all alike."""
    return sum((count - expected) ** 2 / expected for count in seen)


@pytest.mark.parametrize("label", LABELS)
def test_f_1_bytes_are_those_of_the_stream_far_past_the_first_reading(label: str) -> None:
    chance = SEED.chance(label)
    assert bytes(chance.below(256) for _ in range(3000)) == stream(label, 3000)


def test_f_1_the_stream_of_a_known_seed() -> None:
    chance = Seed(bytes(32)).chance("lidia/1")
    assert bytes(chance.below(256) for _ in range(16)).hex() == "ec02dcbc55a33fdf5d7b2d74e10ba3b4"


def test_f_1_wider_numbers_take_whole_bytes_big_endian() -> None:
    chance, drawn = SEED.chance("wide"), stream("wide", 9)
    assert chance.below(1 << 16) == int.from_bytes(drawn[:2], "big")
    assert chance.below(1 << 24) == int.from_bytes(drawn[2:5], "big")
    assert chance.below(1 << 32) == int.from_bytes(drawn[5:9], "big")


def test_f_1_one_possibility_reads_nothing() -> None:
    chance = SEED.chance("one")
    assert [chance.below(1) for _ in range(5)] == [0] * 5
    assert chance.below(256) == stream("one", 1)[0]


@pytest.mark.parametrize("bound", [*range(2, 21), 52, 70, 100, 128, 129, 200, 255, 256])
def test_f_1_rejection_leaves_every_number_as_many_bytes(bound: int) -> None:
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
def test_f_1_dice_in_bulk_are_the_dice_one_by_one(counts: list[int]) -> None:
    bulk, single = SEED.chance("dice"), SEED.chance("dice")
    for count in counts:
        assert list(bulk.dice(count)) == [single.roll() for _ in range(count)]
        assert bulk.below(1 << 16) == single.below(1 << 16)


def test_f_1_a_word_is_a_number_of_four_bytes() -> None:
    words, numbers = SEED.chance("words"), SEED.chance("words")
    assert [words.word() for _ in range(700)] == [numbers.below(1 << 32) for _ in range(700)]
    assert words.below(1 << 24) == numbers.below(1 << 24)


@pytest.mark.parametrize("bound", [257, 1000, 40000, 65535])
def test_f_1_rejection_of_pairs_of_bytes(bound: int) -> None:
    chance, walked = SEED.chance("pairs"), stream("pairs", 8000)
    pairs = [int.from_bytes(walked[at : at + 2], "big") for at in range(0, 8000, 2)]
    limit = 65536 // bound * bound
    expected = [pair % bound for pair in pairs if pair < limit]
    assert [chance.below(bound) for _ in expected] == expected


@pytest.mark.parametrize("bound", [0, -1, -256])
def test_there_is_no_number_below(bound: int) -> None:
    with pytest.raises(ValueError, match=f"below {bound}"):
        SEED.chance("none").below(bound)


@given(seeds, st.integers(1, 1 << 40))
def test_every_number_lies_below_its_bound(seed: Seed, bound: int) -> None:
    assert 0 <= seed.chance("bound").below(bound) < bound


@given(seeds, st.integers(0, 300))
def test_f_1_a_shuffle_is_fisher_yates_from_the_top(seed: Seed, size: int) -> None:
    expected = fisher_yates(list(range(size)), seed.chance("shuffle"))
    assert seed.chance("shuffle").shuffled(range(size)) == expected


@pytest.mark.parametrize("size", [2, 70, 256, 257, 400])
def test_f_1_what_follows_a_shuffle_reads_on_where_it_ended(size: int) -> None:
    by_shuffle, by_hand = SEED.chance("on"), SEED.chance("on")
    for _ in range(12):
        items = list(range(size))
        by_shuffle.shuffle(items)
        assert items == fisher_yates(list(range(size)), by_hand)
        assert by_shuffle.below(1000) == by_hand.below(1000)


def test_shuffled_leaves_what_it_was_given_alone() -> None:
    deck = list(range(70))
    again = SEED.chance("copy").shuffled(deck)
    assert deck == list(range(70))
    assert sorted(again) == deck != again
    assert SEED.chance("copy").shuffled(reversed(deck)) != again


def test_dice_are_even() -> None:
    chance = SEED.chance("dice")
    faces = Counter(chance.roll() for _ in range(60_000))
    assert sorted(faces) == [1, 2, 3, 4, 5, 6]
    assert chi_square(faces.values(), 10_000) < 25.7  # one in ten thousand, 5 degrees of freedom


def test_orders_of_four_are_even() -> None:
    chance = SEED.chance("four")
    orders = Counter(tuple(chance.shuffled("abcd")) for _ in range(24_000))
    assert set(orders) == set(permutations("abcd"))
    assert chi_square(orders.values(), 1000) < 55.5  # one in ten thousand, 23 degrees of freedom


@pytest.mark.parametrize("sides", [1, 2, 6, 10, 20])
def test_a_roll_shows_every_side_from_one(sides: int) -> None:
    chance = SEED.chance("sides")
    assert {chance.roll(sides) for _ in range(600)} == set(range(1, sides + 1))


def test_f_1_labels_are_independent() -> None:
    streams = {label: [SEED.chance(label).below(256)] for label in LABELS}
    chances = {label: SEED.chance(label) for label in LABELS}
    for position in range(40):
        for label in sorted(LABELS, key=lambda name: (position % 3, name)):
            streams[label] += [chances[label].below(256)]
    for label in LABELS:
        assert bytes(streams[label][1:]) == stream(label, 40)
    assert len({bytes(drawn) for drawn in streams.values()}) == len(LABELS)


@given(seeds, seeds)
def test_f_1_another_seed_is_another_stream(one: Seed, other: Seed) -> None:
    alike = [one.chance("x").shuffled(range(70)), other.chance("x").shuffled(range(70))]
    assert (alike[0] == alike[1]) == (one.value == other.value)


@given(seeds, st.lists(st.integers(0, 50), min_size=1, max_size=12).filter(any))
def test_weighted_is_a_place_along_the_weights_laid_end_to_end(
    seed: Seed, weights: list[int]
) -> None:
    laid = [index for index, weight in enumerate(weights) for _ in range(weight)]
    mark = seed.chance("weight").below(len(laid))
    assert seed.chance("weight").weighted(weights) == laid[mark]


def test_a_weight_of_nought_is_never_taken() -> None:
    chance = SEED.chance("nought")
    assert {chance.weighted([0, 3, 0, 1, 0]) for _ in range(400)} == {1, 3}


@pytest.mark.parametrize("weights", [[], [0], [0, 0, 0]])
def test_no_weight_at_all_is_refused(weights: list[int]) -> None:
    with pytest.raises(ValueError, match="below 0"):
        SEED.chance("empty").weighted(weights)


@pytest.mark.slow
@given(seeds, st.lists(st.text(), min_size=1, max_size=300))
def test_pick_takes_the_item_at_a_number_below(seed: Seed, items: list[str]) -> None:
    assert seed.chance("pick").pick(items) == items[seed.chance("pick").below(len(items))]


def test_nothing_can_be_picked_from_nothing() -> None:
    with pytest.raises(ValueError, match="below 0"):
        SEED.chance("pick").pick([])


@pytest.mark.parametrize("length", [0, 31, 33])
def test_f_1_a_seed_is_thirty_two_bytes(length: int) -> None:
    with pytest.raises(ValueError, match=f"32 bytes long, this one {length}"):
        Seed(bytes(length))


def test_a_seed_does_not_show_itself() -> None:
    assert repr(SEED) == "Seed(<32 bytes>)"
    assert SEED.value.hex() not in repr(SEED)


def test_fresh_seeds_differ() -> None:
    fresh = {Seed.fresh().value for _ in range(64)}
    assert len(fresh) == 64
    assert {len(value) for value in fresh} == {32}
