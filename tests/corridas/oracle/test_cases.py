"""The Hypothesis strategies generate legal decks and cards, and illegal ones are recognised."""

from __future__ import annotations

import pytest
from hypothesis import given

from tests.corridas.oracle.cases import ALL_RULES, cuadrillas, decks
from tests.corridas.oracle.hand import deck, matador
from tests.corridas.oracle.legality import deck_faults, matador_faults
from tests.corridas.oracle.paper import CardText, MatadorText


@pytest.mark.slow
@given(decks())
def test_generated_decks_are_legal(pack: list[CardText]) -> None:
    assert deck_faults(pack) == []


@given(cuadrillas())
def test_generated_matador_cards_are_legal(matadors: list[MatadorText]) -> None:
    assert [matador_faults(card) for card in matadors] == [[], [], []]


def test_rule_options_have_twelve_combinations() -> None:
    assert len({tuple(rules.items()) for rules in ALL_RULES}) == 12


@pytest.mark.parametrize(
    ("entry", "text", "fault"),
    [
        ("first", "CLAVAR", "CLAVAR under first"),
        ("third", "HERIDA", "HERIDA under third"),
        ("bull", "BULL", "BULL under bull"),
        ("bull", "HERIDA+", "HERIDA cannot score"),
        ("second", "BULL-", "BULL cannot score"),
        ("kill", "ESTOCADA 1", "a KILL modifier above 0"),
    ],
)
def test_i_1_faults_of_single_cards_are_found(entry: str, text: str, fault: str) -> None:
    pack = deck(_0a={entry: text})
    assert deck_faults(pack) == [f"card 0: {fault}"]


def test_i_1_faults_of_whole_decks_are_found() -> None:
    pack = deck(_9d={"second": "PAR"}, _9e={"second": "PAR"}, _9f={"second": "PAR"})
    assert deck_faults(pack) == ["fewer than two cards read CLAVAR"]
    assert deck_faults(deck()[1:]) == ["69 cards instead of 70", "6 cards of digit 0"]


def test_i_13_overlaps_and_gaps_of_ranges_are_found() -> None:
    card = matador(bronca="2-11")
    assert matador_faults(card) == ["1 stands 0 times", "11 stands 2 times"]
