"""Bots of Running with the Bulls make legal moves, use only their view and are deterministic."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eltoro.bots import BOTS
from eltoro.engine import PROFILES, Game
from fairness import Seed
from tests.eltoro.bots.games import chance, game_after, playing, under_way
from tests.properties import examples

LITTLE = 1


@pytest.mark.slow
@given(under_way(), st.sampled_from(sorted(BOTS)))
@settings(max_examples=examples(120), deadline=None)
def test_bots_make_only_legal_moves(game: Game, name: str) -> None:
    """Checked for all boards and days, with two to six players."""
    for _ in range(4):
        if game.turn is None:
            break
        game.play(BOTS[name].choose(game.view(game.turn), chance(), LITTLE), game.turn)


@pytest.mark.parametrize("profile", sorted(PROFILES))
@pytest.mark.parametrize("players", [2, 3, 6])
def test_bots_can_play_whole_games_against_each_other(profile: str, players: int) -> None:
    """All bots play from the first deal to the last day."""
    seed = Seed(players.to_bytes(32, "big"))
    game, dice = Game.new(PROFILES[profile], players, seed), chance()
    names = sorted(BOTS)
    while game.turn is not None:
        bot = BOTS[names[game.turn % len(names)]]
        game.play(bot.choose(game.view(game.turn), dice, LITTLE), game.turn)
    assert game.is_over


@given(under_way(), st.sampled_from(sorted(BOTS)), st.integers(0, 2**32))
@settings(max_examples=examples(60), deadline=None)
def test_bot_moves_do_not_depend_on_hidden_cards(game: Game, name: str, number: int) -> None:
    """If other hands and the deck contain other cards but the view is the same, the move is the
    same.
    """
    assert game.turn is not None
    other = another_world(game, number)
    view, same = game.view(game.turn), other.view(game.turn)
    assert view == same
    assert BOTS[name].choose(view, chance(), LITTLE) == BOTS[name].choose(same, chance(), LITTLE)


def another_world(game: Game, number: int) -> Game:
    """Return the game with all cards that the player in turn cannot see dealt differently."""
    twin = game.copy()
    others = [hand for seat, hand in enumerate(twin.hands) if seat != twin.turn]
    cards = Seed(number.to_bytes(32, "big")).chance("world").shuffled(sum(others, twin.deck))
    for hand in others:
        hand[:], cards = cards[: len(hand)], cards[len(hand) :]
    twin.deck[:] = cards
    return twin


@given(under_way(), st.sampled_from(sorted(BOTS)))
@settings(max_examples=examples(30), deadline=None)
def test_bots_make_the_same_move_again_with_the_same_random_numbers(game: Game, name: str) -> None:
    """Without a clock, a move depends only on the bot's view and its random numbers."""
    view = game.view(game.turn)
    assert BOTS[name].choose(view, chance(), 5) == BOTS[name].choose(view, chance(), 5)


@pytest.mark.parametrize("name", sorted(BOTS))
def test_bots_reject_the_view_of_a_seat_that_is_not_in_turn(name: str) -> None:
    game = game_after(10)
    assert game.turn is not None
    for seat in (None, (game.turn + 1) % 4):
        with pytest.raises(ValueError, match="not this seat's turn"):
            BOTS[name].choose(game.view(seat), chance(), LITTLE)


def test_lookout_bot_stops_thinking_when_its_time_is_up() -> None:
    """The fake clock advances by 10 ms at each reading.

    The time limit is 50 ms, so the bot reads the clock at most six times.
    """
    game = playing()
    readings: list[float] = []

    def clock() -> float:
        readings.append(0.01 * len(readings))
        return readings[-1]

    BOTS["lookout"].choose(game.view(game.turn), chance(), 50, clock)
    assert len(readings) <= 6


def test_lookout_bot_returns_a_legal_move_even_without_thinking_time() -> None:
    game = playing()
    game.play(BOTS["lookout"].choose(game.view(game.turn), chance(), 0), game.turn)


@pytest.mark.parametrize("name", sorted(BOTS))
def test_bots_play_only_cards_of_the_hand_in_their_view(name: str) -> None:
    """The view is given another hand, and the bot must play a card of this hand."""
    game = playing()
    view = replace(game.view(game.turn), hand=(0, 0, 3))
    keys = {view.rules.cards[0].key, view.rules.cards[3].key}
    assert BOTS[name].choose(view, chance(), LITTLE).card in keys
