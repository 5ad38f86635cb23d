"""The card that decided a lidia: no card that could still be drawn would have changed the
result.
"""

from __future__ import annotations

from typing import NamedTuple

import pytest

from corridas.engine import Deck
from corridas.stage.decision import cards_left, decide
from tests.corridas.stage.test_rare_afternoons import BRAVE, card

DECK = Deck.parse(BRAVE)  # the card at index N has the digit N % 10
# A final number of 50 brings applause, 51 to 59 an ovation. After a 5 as the tens digit, only one
# of the seven cards with a 0 would change the result.
NOUGHTS = bytes(range(0, 70, 10))
FIVE, THREE = 5, 3


class Row(NamedTuple):
    """The columns of a lidia that are needed here. Its score adds no points."""

    ending: str = "killed"
    score: int | None = 0
    number: int | None = 53


def decided(draws: bytes, earlier: bytes = b"") -> int | None:
    """Return how many cards before the last card a lidia was decided."""
    found = decide(Row(), draws, DECK, card("Ana", 80), earlier=earlier)
    return None if found is None else len(draws) - found.card


@pytest.mark.parametrize(
    ("before", "cards"),
    [
        (b"", 0),
        (NOUGHTS[:6], 0),
        (NOUGHTS, 1),
        # Removing cards with another digit from the deck does not matter.
        (bytes(place for place in range(70) if place % 10 == 7), 0),
    ],
)
def test_a_lidia_is_decided_when_no_remaining_card_can_change_its_result(
    before: bytes, cards: int
) -> None:
    assert decided(bytes([*before, FIVE, THREE])) == cards


def test_cards_drawn_in_earlier_lidias_are_missing_if_the_deck_is_not_reshuffled() -> None:
    assert decided(bytes([FIVE, THREE])) == 0
    assert decided(bytes([FIVE, THREE]), earlier=NOUGHTS) == 1
    assert decided(bytes([*NOUGHTS[4:], FIVE, THREE]), earlier=NOUGHTS[:4]) == 1
    assert decided(bytes([*NOUGHTS[4:6], FIVE, THREE]), earlier=NOUGHTS[:4]) == 0


def test_an_exhausted_deck_is_reshuffled_so_every_card_may_follow() -> None:
    """The five is the seventieth card drawn, so all cards of the deck may follow it."""
    others = bytes(place for place in range(70) if place != FIVE)
    assert decided(bytes([FIVE, THREE]), earlier=others) == 0
    # Only one card is left, the three, so no other card can follow the five.
    without = bytes(place for place in others if place != THREE)
    assert decided(bytes([FIVE, THREE]), earlier=without) == 1
    # The deck was exhausted long before, so only the cards drawn since then are missing.
    again = bytes([*range(70), *NOUGHTS])
    assert decided(bytes([FIVE, THREE]), earlier=again) == 1
    assert decided(bytes([FIVE, THREE]), earlier=again[:-1]) == 0


def test_the_cards_left_are_those_not_drawn_since_the_last_shuffle() -> None:
    assert cards_left(b"") == tuple(range(70))
    assert cards_left(bytes([3, 0])) == tuple(place for place in range(70) if place not in (0, 3))
    assert cards_left(bytes(range(69))) == (69,)
    assert cards_left(bytes(range(70))) == tuple(range(70))
    assert cards_left(bytes([*range(70), 7])) == tuple(place for place in range(70) if place != 7)


def test_impossible_draws_have_no_deciding_card() -> None:
    assert decided(bytes([FIVE, FIVE, THREE])) is None
    assert decided(bytes([FIVE, THREE]), earlier=bytes([FIVE])) is None
    assert decided(bytes([THREE])) is None
    assert decide(Row(number=54), bytes([FIVE, THREE]), DECK, card("Ana", 80)) is None
