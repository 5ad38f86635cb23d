"""What a seat sees, and what it does not."""

from __future__ import annotations

import pytest

from eltoro.engine import PROFILES, Game, offers, random_move
from fairness import Seed

RULES = PROFILES["el-toro"]


def test_hands_are_seen_by_their_owners_only() -> None:
    game = Game.new(RULES, 4, Seed(bytes(32)))
    views = [game.view(seat) for seat in range(4)]
    assert [view.hand for view in views] == [tuple(sorted(hand)) for hand in game.hands]
    assert game.view(None).hand == ()
    assert all(view.town == game.town() for view in views)
    assert game.town().hand_sizes == (5, 5, 5, 5)
    assert game.town().deck_left == 52 - 20


def test_two_games_that_look_the_same_are_the_same_view() -> None:
    """What lies in the deck and in other hands shows nowhere."""
    game = Game.new(RULES, 3, Seed(bytes(32)))
    other = game.copy()
    other.deck.reverse()
    other.hands[1], other.hands[2] = other.hands[2], other.hands[1]
    assert game.view(0) == other.view(0)
    assert game.view(None) == other.view(None)


@pytest.mark.parametrize("seat", [-1, 2])
def test_there_is_no_such_seat(seat: int) -> None:
    with pytest.raises(ValueError, match="seat"):
        Game.new(RULES, 2, Seed(bytes(32))).view(seat)


def test_who_has_nothing_to_decide_makes_no_move() -> None:
    game, chance = Game.new(RULES, 2, Seed(bytes(32))), Seed(bytes(32)).chance("any")
    for seat in (1, None):
        with pytest.raises(ValueError, match="decide"):
            random_move(game.view(seat), chance)
    with pytest.raises(ValueError, match="watcher"):
        offers(game.view(None), 0)
    game.play_out(lambda: 0.9)
    with pytest.raises(ValueError, match="over"):
        random_move(game, chance)
