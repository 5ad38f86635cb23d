"""A player's view of a game contains its own cards and no hidden ones."""

from __future__ import annotations

import pytest

from eltoro.engine import PROFILES, Game, offers, random_move
from fairness import Seed

RULES = PROFILES["el-toro"]


def test_hands_are_visible_only_to_their_owners() -> None:
    game = Game.new(RULES, 4, Seed(bytes(32)))
    views = [game.view(seat) for seat in range(4)]
    assert [view.hand for view in views] == [tuple(sorted(hand)) for hand in game.hands]
    assert game.view(None).hand == ()
    assert all(view.town == game.town() for view in views)
    assert game.town().hand_sizes == (5, 5, 5, 5)
    assert game.town().deck_left == 52 - 20


def test_games_that_differ_only_in_hidden_cards_have_equal_views() -> None:
    """Neither the order of the deck nor the other hands may change the view."""
    game = Game.new(RULES, 3, Seed(bytes(32)))
    other = game.copy()
    other.deck.reverse()
    other.hands[1], other.hands[2] = other.hands[2], other.hands[1]
    assert game.view(0) == other.view(0)
    assert game.view(None) == other.view(None)


@pytest.mark.parametrize("seat", [-1, 2])
def test_view_of_an_el_toro_seat_that_does_not_exist_is_rejected(seat: int) -> None:
    with pytest.raises(ValueError, match="seat"):
        Game.new(RULES, 2, Seed(bytes(32))).view(seat)


def test_random_move_is_rejected_for_a_view_without_a_decision() -> None:
    game, chance = Game.new(RULES, 2, Seed(bytes(32))), Seed(bytes(32)).chance("any")
    for seat in (1, None):
        with pytest.raises(ValueError, match="decide"):
            random_move(game.view(seat), chance)
    with pytest.raises(ValueError, match="watcher"):
        offers(game.view(None), 0)
    game.play_out(lambda: 0.9)
    with pytest.raises(ValueError, match="over"):
        random_move(game, chance)
