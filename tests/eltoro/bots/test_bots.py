"""Bots play by the rules, from their view alone, and the same way every time."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from eltoro.bots import BOTS
from eltoro.engine import PROFILES, Game
from fairness import Seed
from tests.eltoro.bots.games import after, chance, playing, under_way
from tests.properties import examples

LITTLE = 1


@pytest.mark.slow
@given(under_way(), st.sampled_from(sorted(BOTS)))
@settings(max_examples=examples(120), deadline=None)
def test_bots_play_by_the_rules(game: Game, name: str) -> None:
    """On any board, on any day, at tables of two to six: nothing is refused."""
    for _ in range(4):
        if game.turn is None:
            break
        game.play(BOTS[name].choose(game.view(game.turn), chance(), LITTLE), game.turn)


@pytest.mark.parametrize("profile", sorted(PROFILES))
@pytest.mark.parametrize("players", [2, 3, 6])
def test_bots_play_whole_games(profile: str, players: int) -> None:
    """From the first deal to the last day, all bots at one table."""
    seed = Seed(players.to_bytes(32, "big"))
    game, dice = Game.new(PROFILES[profile], players, seed), chance()
    names = sorted(BOTS)
    while game.turn is not None:
        bot = BOTS[names[game.turn % len(names)]]
        game.play(bot.choose(game.view(game.turn), dice, LITTLE), game.turn)
    assert game.over


@given(under_way(), st.sampled_from(sorted(BOTS)), st.integers(0, 2**32))
@settings(max_examples=examples(60), deadline=None)
def test_hidden_cards_change_nothing(game: Game, name: str, number: int) -> None:
    """Other hands and another deck behind the same view: the bot does the same."""
    assert game.turn is not None
    other = another_world(game, number)
    view, same = game.view(game.turn), other.view(game.turn)
    assert view == same
    assert BOTS[name].choose(view, chance(), LITTLE) == BOTS[name].choose(same, chance(), LITTLE)


def another_world(game: Game, number: int) -> Game:
    """The same game with the cards nobody at this seat has seen dealt otherwise."""
    twin = game.copy()
    others = [hand for seat, hand in enumerate(twin.hands) if seat != twin.turn]
    cards = Seed(number.to_bytes(32, "big")).chance("world").shuffled(sum(others, twin.deck))
    for hand in others:
        hand[:], cards = cards[: len(hand)], cards[len(hand) :]
    twin.deck[:] = cards
    return twin


@given(under_way(), st.sampled_from(sorted(BOTS)))
@settings(max_examples=examples(30), deadline=None)
def test_the_same_chance_brings_the_same_move(game: Game, name: str) -> None:
    """Without a clock nothing but view and chance decide."""
    view = game.view(game.turn)
    assert BOTS[name].choose(view, chance(), 5) == BOTS[name].choose(view, chance(), 5)


@pytest.mark.parametrize("name", sorted(BOTS))
def test_who_is_not_asked_makes_no_move(name: str) -> None:
    game = after(10)
    assert game.turn is not None
    for seat in (None, (game.turn + 1) % 4):
        with pytest.raises(ValueError, match="not this seat's turn"):
            BOTS[name].choose(game.view(seat), chance(), LITTLE)


def test_the_lookout_stops_when_the_clock_says_so() -> None:
    """A clock that goes on by 10 ms whenever it is read, and 50 ms to think."""
    game = playing()
    readings: list[float] = []

    def clock() -> float:
        readings.append(0.01 * len(readings))
        return readings[-1]

    BOTS["lookout"].choose(game.view(game.turn), chance(), 50, clock)
    assert len(readings) <= 6


def test_without_time_the_lookout_still_answers() -> None:
    game = playing()
    game.play(BOTS["lookout"].choose(game.view(game.turn), chance(), 0), game.turn)


@pytest.mark.parametrize("name", sorted(BOTS))
def test_what_is_in_nobodys_hand_is_not_played(name: str) -> None:
    """A view with another hand: the bot plays from that one."""
    game = playing()
    view = replace(game.view(game.turn), hand=(0, 0, 3))
    keys = {view.rules.cards[0].key, view.rules.cards[3].key}
    assert BOTS[name].choose(view, chance(), LITTLE).card in keys
