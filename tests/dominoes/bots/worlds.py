"""Hands under way, for bots to look at."""

from __future__ import annotations

from hypothesis import strategies as st

from dominoes.engine import Hand
from tests.dominoes.engine.strategies import hands, numbers, seeds


@st.composite
def under_way(draw: st.DrawFn) -> Hand:
    """A hand of any rule set in which a number of moves have been played, and which goes on."""
    hand, random = draw(hands()), numbers(draw(seeds()).chance("moves"))
    for _ in range(draw(st.integers(0, 30))):
        after = hand.copy()
        codes = after.legal_codes()
        after.play_code(codes[int(random() * len(codes))])
        if after.turn is None:
            break
        hand = after
    return hand
