"""Tests of ruling I-1: legal decks, errors in decks, and numbers made of two cards."""

from __future__ import annotations

from collections import Counter
from fractions import Fraction
from itertools import permutations

import pytest

from corridas.engine import Card, CardEntry, Deck, DeckError, Kill, Kind
from tests.corridas.engine.ring import deck, deck_lines


@pytest.mark.parametrize(
    ("text", "reading"),
    [
        ("VERÓNICA", CardEntry("VERÓNICA", 0, Kind.PLAIN)),
        ("VERÓNICA+", CardEntry("VERÓNICA", 1, Kind.PLAIN)),
        ("DESARME-", CardEntry("DESARME", -1, Kind.PLAIN)),
        ("DESARME−", CardEntry("DESARME", -1, Kind.PLAIN)),
        (" PASE DE PECHO + ", CardEntry("PASE DE PECHO", 1, Kind.PLAIN)),
        ("BULL", CardEntry("BULL", 0, Kind.BULL)),
        ("CLAVAR", CardEntry("CLAVAR", 0, Kind.CLAVAR)),
        ("CLAVAR+", CardEntry("CLAVAR", 1, Kind.CLAVAR)),
        ("CLAVAR-", CardEntry("CLAVAR", -1, Kind.CLAVAR)),
        ("HERIDA", CardEntry("HERIDA", 0, Kind.HERIDA)),
    ],
)
def test_i_1_card_entries_are_parsed_and_written_back(text: str, reading: CardEntry) -> None:
    assert CardEntry.parse(text) == reading
    assert CardEntry.parse(str(reading)) == reading


@pytest.mark.parametrize("text", ["", "  ", "+", " -"])
def test_card_entry_without_a_word_is_rejected(text: str) -> None:
    with pytest.raises(DeckError, match="has no words"):
        CardEntry.parse(text)


@pytest.mark.parametrize(
    ("text", "kill"),
    [
        ("ESTOCADA 0", Kill("ESTOCADA", 0)),
        ("MEDIA -6", Kill("MEDIA", -6)),
        ("MEDIA −6", Kill("MEDIA", -6)),
        ("PINCHAZO HONDO  -12", Kill("PINCHAZO HONDO", -12)),
    ],
)
def test_i_1_kill_entries_are_parsed_and_written_back(text: str, kill: Kill) -> None:
    assert Kill.parse(text) == kill
    assert Kill.parse(str(kill)) == kill


@pytest.mark.parametrize("text", ["ESTOCADA", "ESTOCADA 1", "ESTOCADA +3", "-6", "", "MEDIA -x"])
def test_i_1_kill_entry_without_a_modifier_of_0_or_less_is_rejected(text: str) -> None:
    with pytest.raises(DeckError, match=r"0 or less \(Ruling I-1\)"):
        Kill.parse(text)


def test_card_and_deck_are_written_as_they_were_parsed() -> None:
    text = "4 | VERÓNICA+ | BULL | NATURAL- | EMBISTE+ | MEDIA -6"
    assert str(Card.parse(31, text)) == text
    lines = "\n".join(deck_lines("4d 1s=VERÓNICA+ kill=MEDIA_-6"))
    assert str(Deck.parse(lines)) == lines


@pytest.mark.parametrize(
    "text",
    [
        "4 | VERÓNICA | BREGA | NATURAL | EMBISTE",
        "4 | VERÓNICA | BREGA | NATURAL | EMBISTE | MEDIA -6 | MORE",
        "x | VERÓNICA | BREGA | NATURAL | EMBISTE | MEDIA -6",
        "",
    ],
    ids=["four readings", "six readings", "no number", "nothing"],
)
def test_i_1_a_card_is_a_number_and_five_readings(text: str) -> None:
    with pytest.raises(DeckError, match=r"Card 12: .* five readings \(Ruling I-1\)"):
        Card.parse(12, text)


MISPRINTS = [
    ("0a 1s=CLAVAR", "Card 0, 1s: CLAVAR has no place there (Ruling I-1)."),
    ("0b 3s=CLAVAR+", "Card 1, 3s: CLAVAR has no place there (Ruling I-1)."),
    ("1a bull=CLAVAR", "Card 7, BULL: CLAVAR has no place there (Ruling I-1)."),
    ("1b 1s=HERIDA", "Card 8, 1s: HERIDA has no place there (Ruling I-1)."),
    ("2a 2s=HERIDA", "Card 14, 2s: HERIDA has no place there (Ruling I-1)."),
    ("9g 3s=HERIDA", "Card 69, 3s: HERIDA has no place there (Ruling I-1)."),
    ("3a bull=BULL", "Card 21, BULL: BULL has no place there (Ruling I-1)."),
    ("4a 1s=BULL+", "Card 28, 1s: BULL scores nothing: no sign (Ruling I-1)."),
    ("5a 2s=BULL-", "Card 35, 2s: BULL scores nothing: no sign (Ruling I-1)."),
    ("6a bull=HERIDA-", "Card 42, BULL: HERIDA scores nothing: no sign (Ruling I-1)."),
    ("0a number=1", "The number 0 is on 6 cards, not on seven (Ruling I-1)."),
    ("9a number=10", "The number 9 is on 6 cards, not on seven (Ruling I-1)."),
]


@pytest.mark.slow
@pytest.mark.parametrize(("printed", "fault"), MISPRINTS, ids=[m[0] for m in MISPRINTS])
def test_i_1_error_names_the_card_and_the_misprinted_entry(printed: str, fault: str) -> None:
    with pytest.raises(DeckError) as refusal:
        deck(printed)
    assert str(refusal.value) == fault


@pytest.mark.parametrize("size", [0, 1, 69, 71])
def test_i_1_deck_without_seventy_cards_is_rejected(size: int) -> None:
    lines = [*deck_lines(), deck_lines()[0]][:size]
    with pytest.raises(DeckError, match=rf"70 cards, this one {size} \(Ruling I-1\)"):
        Deck.parse("\n".join(lines))


@pytest.mark.parametrize("left", [0, 1])
def test_i_1_deck_with_fewer_than_two_clavars_is_rejected(left: int) -> None:
    blanks = ["9d 2s=QUIEBRO", "9e 2s=QUIEBRO", "9f 2s=QUIEBRO", "9g 2s=QUIEBRO"]
    with pytest.raises(DeckError, match=rf"two cards read CLAVAR under 2s, here {left} \(Rul"):
        deck(*blanks[: 4 - left])
    assert sum(card.second.kind is Kind.CLAVAR for card in deck(*blanks[:2]).cards) == 2


def test_i_1_modifier_above_0_is_rejected_even_if_not_parsed() -> None:
    pack = list(deck().cards)
    pack[5] = pack[5]._replace(kill=Kill("ESTOCADA", 1))
    with pytest.raises(DeckError, match=r"Card 5, KILL: ESTOCADA 1 is above 0 \(Ruling I-1\)"):
        Deck(pack)


def test_i_1_deck_with_cards_out_of_order_is_rejected() -> None:
    pack = list(deck().cards)
    pack[3], pack[4] = pack[4], pack[3]
    with pytest.raises(DeckError, match="Card 4 is in place 3"):
        Deck(pack)


def test_i_1_single_cards_are_uniform_but_two_card_numbers_are_not() -> None:
    one = Counter(deck().numbers)
    two = Counter(10 * tens + units for tens, units in permutations(deck().numbers, 2))
    odds = {number: Fraction(ways, 70 * 69) for number, ways in two.items()}
    assert set(one.values()) == {7}
    assert set(odds) == set(range(100))
    for number, chance in odds.items():
        assert chance == (Fraction(6, 690) if number % 11 == 0 else Fraction(7, 690))


@pytest.mark.parametrize(
    ("low", "high", "odds"),
    [(1, 9, Fraction(63, 690)), (10, 19, Fraction(69, 690)), (1, 100, Fraction(1))],
)
def test_i_1_probability_of_a_range_matches_counted_pairs(
    low: int, high: int, odds: Fraction
) -> None:
    doubles = sum(number % 100 % 11 == 0 for number in range(low, high + 1))
    assert Fraction(7 * (high - low + 1) - doubles, 690) == odds
    ways = Counter(10 * t + u or 100 for t, u in permutations(deck().numbers, 2))
    assert Fraction(sum(ways[n] for n in range(low, high + 1)), 70 * 69) == odds
