"""Tests of rulings I-13 and I-14: the ranges on a matador's card and the order of appearance."""

from __future__ import annotations

from itertools import permutations
from typing import Any

import pytest

from corridas.engine import (
    CardError,
    CartelError,
    CorridaSetup,
    Crowd,
    MatadorCard,
    Range,
    Rules,
    Trophy,
    cartel_json,
)
from tests.corridas.engine.ring import PLAIN, deck, matador, setup, three


@pytest.mark.parametrize(
    ("text", "low", "high", "size"),
    [("81-94", 81, 94, 14), ("7", 7, 7, 1), ("1-100", 1, 100, 100), (" 5-5 ", 5, 5, 1)],
)
def test_i_13_ranges_are_parsed_and_written_back(text: str, low: int, high: int, size: int) -> None:
    extent = Range.parse(text)
    assert (extent.low, extent.high, extent.size) == (low, high, size)
    assert [number for number in range(102) if number in extent] == list(range(low, high + 1))
    assert Range.parse(str(extent)) == extent


def test_i_13_empty_range_contains_no_number() -> None:
    empty = Range.parse("-")
    assert (empty.size, str(empty)) == (0, "-")
    assert not [number for number in range(102) if number in empty]


@pytest.mark.parametrize("text", ["", "x", "1-", "-9", "1-2-3", "1 - 5", "1,5", "1000", "٣٣٣٣"])
def test_i_13_text_that_is_not_a_range_is_rejected(text: str) -> None:
    with pytest.raises(CardError, match=r"is not a range; write .* \(Ruling I-13\)"):
        Range.parse(text)


@pytest.mark.parametrize("text", ["0", "0-5", "101", "90-101", "9-3"])
def test_i_13_range_that_descends_or_leaves_1_to_100_is_rejected(text: str) -> None:
    with pytest.raises(CardError, match=rf"“{text}” does not run upwards .*I-13"):
        Range.parse(text)


MISPRINTS = [
    ({"bronca": "1-11"}, "A: 11 is in BRONCA and in PITOS (Ruling I-13)."),
    ({"oreja": "80-90"}, "A: 80 is in OREJA and in OVACION (Ruling I-13)."),
    ({"rabo": "97-100"}, "A: 97 is in DOS_OREJAS and in RABO (Ruling I-13)."),
    ({"bronca": "2-10"}, "A: no range covers 1 (Ruling I-13)."),
    ({"rabo": "-"}, "A: no range covers 98-100 (Ruling I-13)."),
    ({"pitos": "12-24", "rabo": "99-100"}, "A: no range covers 11, 25, 98 (Ruling I-13)."),
    ({"silencio": "-", "rabo": "98-99"}, "A: no range covers 26-50, 100 (Ruling I-13)."),
]


@pytest.mark.parametrize(("printed", "fault"), MISPRINTS, ids=[str(m[0]) for m in MISPRINTS])
def test_i_13_error_names_overlaps_and_gaps_of_ranges(printed: dict[str, Any], fault: str) -> None:
    with pytest.raises(CardError) as refusal:
        matador(**printed)
    assert str(refusal.value) == fault


def test_i_13_vuelta_aviso_and_indulto_ranges_may_overlap_others() -> None:
    card = matador(vuelta="1-100", aviso="1-100", indulto="50")
    assert card.ranges() == {**PLAIN, "vuelta": "1-100", "aviso": "1-100", "indulto": "50"}


def test_i_13_trophy_ranges_may_be_below_the_verdict_ranges() -> None:
    card = matador(oreja="1-10", bronca="81-90")
    ear, shouts = card.outcome(5), card.outcome(85)
    assert (ear[0], ear[-1]) == (Trophy.OREJA, None)
    assert (shouts[0], shouts[-1]) == (Trophy.NONE, Crowd.BRONCA)


def test_i_13_each_number_from_1_to_100_has_one_outcome() -> None:
    card = matador()
    for number in range(1, 101):
        outcome = card.outcome(number)
        trophy, crowd = outcome[0], outcome[-1]
        name = (crowd or trophy).name.lower()
        assert number in Range.parse(PLAIN[name])
        assert (crowd is None) == (trophy is not Trophy.NONE)


def test_matador_rating_below_0_is_rejected() -> None:
    with pytest.raises(CardError, match="A: a rating of -1 is below 0"):
        matador(rating=-1)
    assert matador(rating=0).rating == 0


DECOMPOSED = "A\u0301lvaro"
ORDERS: list[tuple[str, list[MatadorCard]]] = [
    ("rating", [matador("Z", 90), matador("M", 80), matador("A", 70)]),
    ("alternativa", [
        matador("Z", 80, "1865-10-15"),
        matador("M", 80, "1865-10-16"),
        matador("A", 80, "1912-01-01"),
    ]),
    ("unknown is latest", [
        matador("Z", 80, "2024-12-31"), matador("A", 80), matador("B", 80)
    ]),
    ("rating before alternativa", [
        matador("Z", 81), matador("A", 80, "1700-01-01"), matador("B", 80, "1800-01-01")
    ]),
    ("name", [matador("Ana", 80), matador("Bea", 80), matador("ana", 80)]),
    ("code points, not letters", [matador("Zeta", 80), matador("Álvaro", 80), matador("ñ", 80)]),
    ("key of namesakes", [
        matador("Ana", 80), matador("Bea", 80, key="bea"), matador("Bea", 80, key="bea-2")
    ]),
    ("name before key", [
        matador("Ana", 80, key="z"), matador("Bea", 80, key="a"), matador("Bea", 80, key="b")
    ]),
    ("NFC form", [matador("Zeta", 80), matador(DECOMPOSED, 80), matador("Ángel", 80)]),
]  # fmt: skip


@pytest.mark.parametrize("expected", [o[1] for o in ORDERS], ids=[f"I-14 {o[0]}" for o in ORDERS])
def test_i_14_matadors_appear_by_rating_alternativa_name_and_key(
    expected: list[MatadorCard],
) -> None:
    for matadors in permutations(expected):
        given = setup(matadors=matadors)
        assert [card.identity for card in given.order] == [card.identity for card in expected]


def cartel(*matadors: MatadorCard, plaza: int = 1) -> CorridaSetup:
    return CorridaSetup(rules=Rules(), deck=deck(), plaza_rating=plaza, matadors=matadors)


@pytest.mark.parametrize(("names", "twice"), [("AAB", "A"), ("ABB", "B"), ("CAC", "C")])
def test_cartel_with_the_same_matador_twice_is_rejected(names: str, twice: str) -> None:
    matadors = [matador(name, 90 - n) for n, name in enumerate(names)]
    with pytest.raises(CartelError, match=f"{twice} is on the cartel twice"):
        cartel(*matadors)


def test_i_14_matadors_of_one_name_may_share_a_cartel_if_keys_differ() -> None:
    old, young = matador("Álvaro", 90, key="alvaro"), matador("A\u0301lvaro", 80, key="alvaro-2")
    assert cartel(young, old, matador("B", 85)).order == (old, matador("B", 85), young)
    with pytest.raises(CartelError, match="Álvaro is on the cartel twice"):
        cartel(old, matador("A\u0301lvaro", 70, key="alvaro"), matador("B", 85))


def test_cartel_json_has_keys_only_for_matadors_of_one_name() -> None:
    men = (matador("A", key="a"), matador("B", 80, key="b"), matador("B", 70, key="b-2"))
    written = cartel_json(men)
    assert [card.get("key") for card in written] == [None, "b", "b-2"]
    assert written[0] == men[0].to_json()
    read = [MatadorCard.from_json(card) for card in written]
    assert [card.identity for card in read] == [("A", ""), ("B", "b"), ("B", "b-2")]
    assert cartel_json(men[:2]) == [card.to_json() for card in men[:2]]


@pytest.mark.parametrize("count", [0, 1, 2, 4])
def test_cartel_without_exactly_three_matadors_is_rejected(count: int) -> None:
    with pytest.raises(CartelError, match=f"has three matadors, this one {count}"):
        cartel(*(*three(), matador("D"))[:count])


@pytest.mark.parametrize("rating", [-1, 0, 4])
def test_i_12_plaza_rating_outside_1_to_3_is_rejected(rating: int) -> None:
    with pytest.raises(CartelError, match=f"rated 1, 2 or 3, not {rating}"):
        cartel(*three(), plaza=rating)
