"""Hypothesis strategies for domino rule sets, seeds and newly dealt hands."""

from __future__ import annotations

from collections.abc import Callable

from hypothesis import strategies as st

from dominoes.engine import Hand, Rules, domino_set
from fairness import Chance, Seed

MOST_PLAYERS = 8


@st.composite
def rule_sets(draw: st.DrawFn) -> Rules:
    """Generate rule sets with any options, from the double-two set to the double-eighteen set."""
    highest, partners = draw(st.integers(2, 18)), draw(st.booleans())
    most = len(domino_set(highest)) // (4 if partners else 2)
    return Rules(
        highest=highest,
        hand_size=draw(st.integers(1, min(most, 12))),
        partners=partners,
        lead=draw(st.sampled_from(["draw", "winner", "highest_double"])),
        set_highest_double=draw(st.booleans()),
        boneyard=draw(st.sampled_from(["draw", "pass"])),
        free_pass=draw(st.booleans()),
        out_wins=draw(st.booleans()),
        target=draw(st.integers(1, 200)),
        matadors=draw(
            st.sampled_from(["inline", "crosswise_open", "crosswise_on_blank", "crosswise_stub"])
        ),
    )


@st.composite
def seeds(draw: st.DrawFn) -> Seed:
    """Generate any seed of 32 bytes."""
    return Seed(draw(st.binary(min_size=32, max_size=32)))


@st.composite
def hands(draw: st.DrawFn) -> Hand:
    """Generate a newly dealt hand of any rule set, with at most eight players."""
    rules = draw(rule_sets())
    players = draw(st.sampled_from([count for count in rules.seats if count <= MOST_PLAYERS]))
    return Hand.deal(rules, players, draw(seeds()).chance("hand/1"))


def numbers(chance: Chance) -> Callable[[], float]:
    """Return a function that draws random numbers from 0 up to, but not including, 1."""
    return lambda: chance.below(1 << 24) / (1 << 24)
