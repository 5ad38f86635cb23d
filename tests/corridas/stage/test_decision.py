"""The card that decided a lidia, by the cards that could still have followed."""

from __future__ import annotations

from typing import NamedTuple

import pytest

from corridas.engine import Deck
from corridas.stage.decision import cards_left, decide
from tests.corridas.stage.test_rare_afternoons import BRAVE, card

DECK = Deck.parse(BRAVE)  # the card in place N has the digit N % 10
# 50 brings applause and 51 to 59 an ovation, so after a 5 only the seven noughts matter.
NOUGHTS = bytes(range(0, 70, 10))
FIVE, THREE = 5, 3


class Row(NamedTuple):
    """A lidia whose score adds nothing."""

    ending: str = "killed"
    score: int | None = 0
    number: int | None = 53


def decided(draws: bytes, earlier: bytes = b"") -> int | None:
    """Return how many cards before the last one decided a lidia."""
    found = decide(Row(), draws, DECK, card("Ana", 80), earlier=earlier)
    return None if found is None else len(draws) - found.card


@pytest.mark.parametrize(
    ("before", "cards"),
    [
        (b"", 0),
        (NOUGHTS[:6], 0),
        (NOUGHTS, 1),
        # Cards of other digits change nothing.
        (bytes(place for place in range(70) if place % 10 == 7), 0),
    ],
)
def test_the_first_card_decides_where_no_card_that_is_left_matters(
    before: bytes, cards: int
) -> None:
    assert decided(bytes([*before, FIVE, THREE])) == cards


def test_a_deck_that_is_not_shuffled_counts_the_lidias_before() -> None:
    assert decided(bytes([FIVE, THREE])) == 0
    assert decided(bytes([FIVE, THREE]), earlier=NOUGHTS) == 1
    assert decided(bytes([*NOUGHTS[4:], FIVE, THREE]), earlier=NOUGHTS[:4]) == 1
    assert decided(bytes([*NOUGHTS[4:6], FIVE, THREE]), earlier=NOUGHTS[:4]) == 0


def test_a_used_up_deck_is_shuffled_again() -> None:
    """The five is the seventieth card, so all of them may follow."""
    others = bytes(place for place in range(70) if place != FIVE)
    assert decided(bytes([FIVE, THREE]), earlier=others) == 0
    # One card is left: it is the three, and nothing else can follow.
    without = bytes(place for place in others if place != THREE)
    assert decided(bytes([FIVE, THREE]), earlier=without) == 1
    # The deck was used up long before: only the cards since then are out.
    again = bytes([*range(70), *NOUGHTS])
    assert decided(bytes([FIVE, THREE]), earlier=again) == 1
    assert decided(bytes([FIVE, THREE]), earlier=again[:-1]) == 0


def test_cards_that_may_follow() -> None:
    assert cards_left(b"") == tuple(range(70))
    assert cards_left(bytes([3, 0])) == tuple(place for place in range(70) if place not in (0, 3))
    assert cards_left(bytes(range(69))) == (69,)
    assert cards_left(bytes(range(70))) == tuple(range(70))
    assert cards_left(bytes([*range(70), 7])) == tuple(place for place in range(70) if place != 7)


def test_cards_that_cannot_have_been_drawn_decide_nothing() -> None:
    assert decided(bytes([FIVE, FIVE, THREE])) is None
    assert decided(bytes([FIVE, THREE]), earlier=bytes([FIVE])) is None
    assert decided(bytes([THREE])) is None
    assert decide(Row(number=54), bytes([FIVE, THREE]), DECK, card("Ana", 80)) is None
