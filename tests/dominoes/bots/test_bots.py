"""Bots play by the rules, from their view alone, and the same way every time."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dominoes.bots import BOTS
from dominoes.engine import PROFILES, Deal, Hand, Kind, Move, bits, read_tile
from fairness import Chance, Seed
from tests.dominoes.bots.worlds import under_way
from tests.dominoes.engine.strategies import hands, seeds
from tests.dominoes.engine.table import table
from tests.properties import examples

LITTLE = 1


def chance(label: str = "bot") -> Chance:
    return Seed(bytes(32)).chance(label)


@pytest.mark.slow
@given(hands(), st.lists(st.sampled_from(sorted(BOTS)), min_size=8, max_size=8))
@settings(max_examples=examples(25), deadline=None)
def test_bots_play_whole_hands_by_the_rules(hand: Hand, names: list[str]) -> None:
    """Whatever the rule set and the set: `Hand.play` refuses nothing (Rulings D-1 to D-9)."""
    dice = chance()
    while hand.turn is not None:
        bot = BOTS[names[hand.turn]]
        hand.play(bot.choose(hand.view(hand.turn), dice, LITTLE), hand.turn)
    assert hand.outcome is not None


@given(under_way(), seeds(), st.sampled_from(sorted(BOTS)))
@settings(max_examples=examples(60), deadline=None)
def test_hidden_tiles_change_nothing(hand: Hand, seed: Seed, name: str) -> None:
    """Two worlds that look the same from a seat: the bot there does the same in both."""
    assert hand.turn is not None
    view = hand.view(hand.turn)
    other = another_world(hand, seed.chance("world")).view(hand.turn)
    if view == other:
        bot = BOTS[name]
        assert bot.choose(view, chance(), LITTLE) == bot.choose(other, chance(), LITTLE)


def another_world(hand: Hand, dice: Chance) -> Hand:
    """The same moves with the tiles dealt otherwise that have not been seen, where that can be."""
    hidden = [
        tile for seat in range(hand.players) if seat != hand.turn for tile in bits(hand.held(seat))
    ]
    hidden += hand.boneyard
    swap = dict(zip(hidden, dice.shuffled(hidden), strict=True))
    dealt = Deal.of(
        [[swap.get(tile, tile) for tile in bits(held)] for held in hand.dealt.hands],
        [swap.get(tile, tile) for tile in hand.dealt.boneyard],
        hand.dealt.leader,
    )
    twin = Hand(hand.rules, dealt)
    try:
        for code in hand.codes:
            twin.play_code(code)
    except ValueError:
        return hand
    return twin


@pytest.mark.parametrize("name", sorted(BOTS))
@pytest.mark.parametrize("profile", ["rulebook", "crosswise_open", "draw"])
def test_the_same_chance_brings_the_same_hand(name: str, profile: str) -> None:
    """Without a clock nothing but view and chance decide."""
    logs = []
    for _ in range(2):
        hand = Hand.deal(PROFILES[profile], 2, chance("hand/1"))
        dice = [chance("bot/0"), chance("bot/1")]
        while hand.turn is not None:
            seat = hand.turn
            hand.play(BOTS[name].choose(hand.view(seat), dice[seat], LITTLE))
        logs.append(hand.codes)
    assert logs[0] == logs[1]


def test_the_maestro_stops_when_the_clock_says_so() -> None:
    """A clock that goes on by 10 ms whenever it is read, and 50 ms to think."""
    hand = Hand.deal(PROFILES["rulebook"], 2, chance("hand/1"))
    readings: list[float] = []

    def clock() -> float:
        readings.append(0.01 * len(readings))
        return readings[-1]

    BOTS["maestro"].choose(hand.view(hand.turn), chance(), 50, clock)
    assert len(readings) == 6


@pytest.mark.parametrize("name", sorted(BOTS))
def test_a_watcher_is_asked_for_no_move(name: str) -> None:
    hand = Hand.deal(PROFILES["rulebook"], 2, chance("hand/1"))
    with pytest.raises(ValueError, match="not this seat's turn"):
        BOTS[name].choose(hand.view(None), chance(), LITTLE)


def test_the_greedy_sheds_the_heaviest_and_keeps_matadors() -> None:
    """At a 1 the 6|2 fits, the 6|5 too, which is heavier, and the 6|1, which is a matador."""
    hand = table("1|1 0|0/6|2 6|5 6|1", "1|1", hand_size=3)
    assert BOTS["greedy"].choose(hand.view(1), chance(), 0).tile == read_tile("6|5")


def test_the_greedy_plays_a_matador_before_it_draws() -> None:
    """Nothing fits a 5 but the 4|3: drawing, which is legal (Ruling D-5), would add pips."""
    hand = table("5|5 0|0/6|6 4|3", "5|5", "1|1 2|2 3|3", hand_size=2)
    assert Move(Kind.DRAW) in hand.legal()
    assert BOTS["greedy"].choose(hand.view(1), chance(), 0).tile == read_tile("4|3")


def test_the_keeper_blocks_with_what_the_other_has_shown_to_lack() -> None:
    """Seat 1 passed at two 1s: it has no 6. The light 4|1 leaves 1s again, the heavy 5|4 a 5."""
    held = "1|1 6|6 4|1 5|4/3|1 5|5 2|2 4|4"
    hand = table(held, "1|1 pass >6|6 >1|3", boneyard="pass", hand_size=4)
    assert BOTS["greedy"].choose(hand.view(0), chance(), 0).tile == read_tile("5|4")
    assert BOTS["keeper"].choose(hand.view(0), chance(), 0).tile == read_tile("4|1")


@pytest.mark.parametrize("name", ["greedy", "keeper", "maestro"])
def test_goes_out_with_a_matador_when_it_can(name: str) -> None:
    """The last tile wins the hand (Ruling D-7); to pass with a matador is legal (D-5)."""
    hand = table("5|5 3|3/2|2 4|3", "5|5 >2|2 pass", boneyard="pass", hand_size=2)
    assert Move(Kind.PASS) in hand.legal()
    assert BOTS[name].choose(hand.view(1), chance(), 20).tile == read_tile("4|3")


def test_the_maestro_keeps_the_matador_that_wins() -> None:
    """Both ends ask for a 6, which nobody holds: whoever has the last matador goes out."""
    hand = table("1|1 6|1/5|5 4|4", "1|1 pass", boneyard="pass", hand_size=2)
    assert BOTS["maestro"].choose(hand.view(0), chance(), 20).tile == read_tile("6|1")
