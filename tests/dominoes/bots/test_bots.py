"""Domino bots make legal moves, use only what their seat can see, and are deterministic."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from dominoes.bots import BOTS
from dominoes.engine import PROFILES, Deal, Hand, Move, MoveKind, bits, read_tile
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
def test_bots_play_whole_hands_without_an_illegal_move(hand: Hand, names: list[str]) -> None:
    """`Hand.play` accepts every move of a bot, for all rule sets and domino sets (Rulings D-1 to
    D-9).
    """
    dice = chance()
    while hand.turn is not None:
        bot = BOTS[names[hand.turn]]
        hand.play(bot.choose(hand.view(hand.turn), dice, LITTLE), hand.turn)
    assert hand.outcome is not None


@given(under_way(), seeds(), st.sampled_from(sorted(BOTS)))
@settings(max_examples=examples(60), deadline=None)
def test_bot_moves_do_not_depend_on_hidden_tiles(hand: Hand, seed: Seed, name: str) -> None:
    """If two deals look the same from a seat, the bot in this seat makes the same move in both."""
    assert hand.turn is not None
    view = hand.view(hand.turn)
    other = another_world(hand, seed.chance("world")).view(hand.turn)
    if view == other:
        bot = BOTS[name]
        assert bot.choose(view, chance(), LITTLE) == bot.choose(other, chance(), LITTLE)


def another_world(hand: Hand, dice: Chance) -> Hand:
    """Return a hand with the same moves in which the hidden tiles are dealt differently.

    Returns the given hand if some move would be illegal after the exchange.
    """
    hidden = [
        tile
        for seat in range(hand.players)
        if seat != hand.turn
        for tile in bits(hand.held_tiles(seat))
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
def test_bots_play_the_same_hand_again_with_the_same_seed(name: str, profile: str) -> None:
    """Without a clock, a move depends only on the bot's view of the hand and its random numbers."""
    logs = []
    for _ in range(2):
        hand = Hand.deal(PROFILES[profile], 2, chance("hand/1"))
        dice = [chance("bot/0"), chance("bot/1")]
        while hand.turn is not None:
            seat = hand.turn
            hand.play(BOTS[name].choose(hand.view(seat), dice[seat], LITTLE))
        logs.append(hand.codes)
    assert logs[0] == logs[1]


def test_maestro_bot_stops_thinking_when_its_time_is_up() -> None:
    """The fake clock advances by 10 ms at each reading.

    The time limit is 50 ms, so the bot reads the clock six times.
    """
    hand = Hand.deal(PROFILES["rulebook"], 2, chance("hand/1"))
    readings: list[float] = []

    def clock() -> float:
        readings.append(0.01 * len(readings))
        return readings[-1]

    BOTS["maestro"].choose(hand.view(hand.turn), chance(), 50, clock)
    assert len(readings) == 6


@pytest.mark.parametrize("name", sorted(BOTS))
def test_bots_reject_the_view_of_a_spectator(name: str) -> None:
    hand = Hand.deal(PROFILES["rulebook"], 2, chance("hand/1"))
    with pytest.raises(ValueError, match="not this seat's turn"):
        BOTS[name].choose(hand.view(None), chance(), LITTLE)


def test_greedy_bot_plays_its_heaviest_tile_and_keeps_matadors() -> None:
    """The open end is a 1, which the tiles 6-2, 6-5 and 6-1 fit.

    The bot must play the 6-5: it is the heaviest, and the 6-1 is a matador (a tile that fits any
    end).
    """
    hand = table("1|1 0|0/6|2 6|5 6|1", "1|1", hand_size=3)
    assert BOTS["greedy"].choose(hand.view(1), chance(), 0).tile == read_tile("6|5")


def test_greedy_bot_plays_a_matador_rather_than_draw() -> None:
    """Both ends are 5, which only the matador 4-3 fits.

    Drawing is legal too (Ruling D-5), but would add pips.
    """
    hand = table("5|5 0|0/6|6 4|3", "5|5", "1|1 2|2 3|3", hand_size=2)
    assert Move(MoveKind.DRAW) in hand.legal()
    assert BOTS["greedy"].choose(hand.view(1), chance(), 0).tile == read_tile("4|3")


def test_keeper_bot_leaves_an_end_that_its_opponent_could_not_match() -> None:
    """The opponent passed when both ends were 1, so it has no 6.

    The light 4-1 leaves a 1 again, the heavy 5-4 leaves a 5: the keeper bot plays the 4-1, the
    greedy bot the 5-4.
    """
    held = "1|1 6|6 4|1 5|4/3|1 5|5 2|2 4|4"
    hand = table(held, "1|1 pass >6|6 >1|3", boneyard="pass", hand_size=4)
    assert BOTS["greedy"].choose(hand.view(0), chance(), 0).tile == read_tile("5|4")
    assert BOTS["keeper"].choose(hand.view(0), chance(), 0).tile == read_tile("4|1")


@pytest.mark.parametrize("name", ["greedy", "keeper", "maestro"])
def test_bots_go_out_with_a_matador_although_they_may_pass(name: str) -> None:
    """Playing the last tile wins the hand (Ruling D-7), although a player who only has a matador
    may pass (Ruling D-5).
    """
    hand = table("5|5 3|3/2|2 4|3", "5|5 >2|2 pass", boneyard="pass", hand_size=2)
    assert Move(MoveKind.PASS) in hand.legal()
    assert BOTS[name].choose(hand.view(1), chance(), 20).tile == read_tile("4|3")


def test_maestro_bot_keeps_the_matador_with_which_it_goes_out() -> None:
    """Both ends need a 6, and no player holds a 6 except in the 6-1.

    The player with the last matador goes out, so the bot must play the 6-1 only as its last tile.
    """
    hand = table("1|1 6|1/5|5 4|4", "1|1 pass", boneyard="pass", hand_size=2)
    assert BOTS["maestro"].choose(hand.view(0), chance(), 20).tile == read_tile("6|1")
