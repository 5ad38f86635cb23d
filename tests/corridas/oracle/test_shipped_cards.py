"""The shipped deck and matador cards are legal, and both implementations of the rules agree on
them.
"""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any, cast

import pytest
from hypothesis import given
from hypothesis import strategies as st

from fairness import Seed
from tests.corridas.oracle.cases import ALL_RULES, plaza_ratings, seeds
from tests.corridas.oracle.legality import deck_faults, matador_faults
from tests.corridas.oracle.paper import CardText, MatadorText
from tests.corridas.oracle.worlds import World, agree_under, many_rules, some_rules

DATA = Path(__file__).parents[3] / "corridas" / "data"


def rows(name: str) -> list[dict[str, str]]:
    """Return the rows of a shipped CSV file."""
    with (DATA / name).open(newline="", encoding="utf-8") as table:
        return list(csv.DictReader(table))


def shipped_deck() -> list[CardText]:
    """Return the shipped deck of seventy cards as plain text."""
    printed = [{**row, "number": int(row["number"])} for row in rows("deck.csv")]
    return [cast(CardText, card) for card in printed]


def full_date(text: str) -> str | None:
    """Return a full date, or None.

    Of some matadors only the year is known, which is not a date (I-14).
    """
    return text if text.count("-") == 2 else None


def shipped_matadors() -> list[MatadorText]:
    """Return all shipped matador cards, with name and alternativa from the table of careers."""
    careers = {row["slug"]: row for row in rows("matadors.csv")}
    cards: list[dict[str, Any]] = [
        {
            **row,
            "rating": int(row["rating"]),
            "name": careers[row["matador"]]["name"],
            "alternativa": full_date(careers[row["matador"]]["alternativa"]),
        }
        for row in rows("cards.csv")
    ]
    return [cast(MatadorText, card) for card in cards]


DECK, MATADORS = shipped_deck(), shipped_matadors()


def test_i_1_shipped_deck_is_legal() -> None:
    assert deck_faults(DECK) == []


@pytest.mark.parametrize("card", MATADORS, ids=lambda card: card["name"])
def test_i_13_shipped_matador_cards_cover_1_to_100_once(card: MatadorText) -> None:
    assert matador_faults(card) == []


cartels = st.lists(
    st.sampled_from(MATADORS), min_size=3, max_size=3, unique_by=lambda card: card["name"]
)


@pytest.mark.slow
@some_rules
@given(cartels, plaza_ratings, seeds)
def test_engine_and_oracle_agree_on_the_shipped_cards(
    matadors: list[MatadorText], plaza_rating: int, seed: Seed
) -> None:
    agree_on(matadors, plaza_rating, seed)


@pytest.mark.nightly
@many_rules
@given(cartels, plaza_ratings, seeds)
def test_engine_and_oracle_agree_on_many_cartels_of_shipped_cards(
    matadors: list[MatadorText], plaza_rating: int, seed: Seed
) -> None:
    agree_on(matadors, plaza_rating, seed)


def agree_on(matadors: list[MatadorText], plaza_rating: int, seed: Seed) -> None:
    world = World(DECK, matadors, plaza_rating)
    for options in ALL_RULES:
        agree_under(world, options, seed)
