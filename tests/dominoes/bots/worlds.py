"""Random unfinished hands of dominoes, used as input for bots."""

from __future__ import annotations

from hypothesis import strategies as st

from dominoes.engine import Hand
from tests.dominoes.engine.strategies import hands, numbers, seeds


@st.composite
def under_way(draw: st.DrawFn) -> Hand:
    """Generate an unfinished hand of any rule set in which some moves have been played."""
    hand, random = draw(hands()), numbers(draw(seeds()).chance("moves"))
    for _ in range(draw(st.integers(0, 30))):
        after = hand.copy()
        codes = after.legal_codes()
        after.play_code(codes[int(random() * len(codes))])
        if after.turn is None:
            break
        hand = after
    return hand
