"""Choosing a herd and its six bulls for a corrida: names, numbers, coats and legal weights."""

from collections import Counter
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from corridas.world.encierro import (
    BUSY_HERD,
    HIGHEST_NUMBER,
    EncierroError,
    Herd,
    NewBull,
    Span,
    Stock,
    choose_herd,
    draw_encierro,
)
from fairness import Chance, Seed

SPANS = {1: Span(460, 480, 600), 2: Span(435, 450, 570), 3: Span(410, 440, 540)}
STOCK = Stock(
    names=tuple(f"Bull {number}" for number in range(40)),
    coats=(("negro", 60), ("colorado", 25), ("jabonero", 5)),
    weights=SPANS,
)


def chance(label: object = "") -> Chance:
    return Seed(bytes(range(32))).chance(f"encierro/{label}")


@given(st.sampled_from([1, 2, 3]), st.integers(0, 500), st.sets(st.integers(1, HIGHEST_NUMBER)))
def test_six_bulls_have_legal_weights_and_different_numbers(
    category: int, label: int, used: set[int]
) -> None:
    bulls = draw_encierro(STOCK, category, used, chance(label))
    assert len(bulls) == 6
    assert len({bull.name for bull in bulls}) == 6
    assert len({bull.number for bull in bulls} - used) == 6
    span = SPANS[category]
    for bull in bulls:
        assert 1 <= bull.number <= HIGHEST_NUMBER
        assert span.minimum <= span.low <= bull.weight <= span.high
        assert bull.coat in dict(STOCK.coats)


def test_same_seed_gives_the_same_six_bulls() -> None:
    assert draw_encierro(STOCK, 1, (), chance()) == draw_encierro(STOCK, 1, (), chance())


def test_herd_uses_each_number_once_until_all_are_used() -> None:
    used: set[int] = set()
    for turn in range(HIGHEST_NUMBER // 6):
        used |= {bull.number for bull in draw_encierro(STOCK, 2, used, chance(turn))}
    assert len(used) == HIGHEST_NUMBER // 6 * 6
    with pytest.raises(EncierroError, match="nearly all of its 399 numbers"):
        draw_encierro(STOCK, 2, used, chance())


@pytest.fixture(scope="module")
def many() -> list[NewBull]:
    return [bull for turn in range(500) for bull in draw_encierro(STOCK, 1, (), chance(turn))]


def test_coats_of_bulls_have_the_frequencies_of_the_table(many: list[NewBull]) -> None:
    met = Counter(bull.coat for bull in many)
    for coat, frequency in STOCK.coats:
        expected = len(many) * frequency / 90
        assert abs(met[coat] - expected) < 4.5 * expected**0.5


def test_weights_of_bulls_are_concentrated_in_the_middle(many: list[NewBull]) -> None:
    weights = [bull.weight for bull in many]
    assert abs(sum(weights) / len(weights) - 540) < 3
    middle = sum(510 <= weight <= 570 for weight in weights)
    assert 0.70 < middle / len(weights) < 0.80
    assert min(weights) < 490 < 590 < max(weights)


@pytest.mark.parametrize(
    ("change", "message"),
    [
        ({"names": ("A", "B", "C", "D", "E")}, "six names"),
        ({"names": ("A", "B", "C", "D", "E", "F", "A")}, "each given once"),
        ({"names": ()}, "six names"),
        ({"coats": ()}, "there must be one"),
        ({"coats": (("negro", 0),)}, "frequency of 1"),
        ({"weights": {3: Span(410, 400, 500)}}, "category 3: 400-500 kg"),
        ({"weights": {3: Span(410, 450, 449)}}, "category 3: 450-449 kg"),
    ],
)
def test_bulls_from_invalid_tables_are_rejected(change: dict[str, Any], message: str) -> None:
    tables: dict[str, Any] = {
        "names": STOCK.names,
        "coats": STOCK.coats,
        "weights": STOCK.weights,
    }
    with pytest.raises(EncierroError, match=message):
        Stock(**tables | change)


HERDS = [Herd(key, "AM" if key % 4 == 0 else "EU") for key in range(40)]


def invited(category: int, herds: list[Herd]) -> Counter[int]:
    return Counter(choose_herd(category, "EU", herds, chance(turn)) for turn in range(1000))


@given(st.sampled_from([1, 2, 3]), st.sampled_from(["EU", "AM"]), st.integers(0, 500))
def test_bulls_come_from_the_continent_of_the_plaza(
    category: int, continent: str, label: int
) -> None:
    key = choose_herd(category, continent, HERDS, chance(label))
    assert HERDS[key].continent == continent


def test_famous_herds_are_chosen_more_often_by_large_plazas() -> None:
    share = {
        category: sum(many for key, many in invited(category, HERDS).items() if key < 13)
        for category in (1, 2, 3)
    }
    assert share[1] > 1.2 * share[2] > 1.2 * share[3]
    assert len(invited(1, HERDS)) > 20
    assert len(invited(3, HERDS)) == 30


def test_herd_that_has_sent_many_bulls_is_chosen_less_often() -> None:
    busy = [herd._replace(encierros=BUSY_HERD if herd.key == 1 else 0) for herd in HERDS]
    assert 2 * invited(1, busy)[1] < invited(1, HERDS)[1]


def test_continent_without_a_herd_is_an_error() -> None:
    with pytest.raises(EncierroError, match="no herd on the continent EU"):
        choose_herd(1, "EU", [Herd(1, "AM")], chance())
