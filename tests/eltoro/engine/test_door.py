"""The door to the engine: what it shows by example is so."""

from __future__ import annotations

import doctest
import pickle
from copy import deepcopy

from eltoro import engine
from eltoro.engine import PROFILES, DataError, Game, IllegalMove, Move, random_move
from fairness import Seed


def test_the_example_at_the_door_works() -> None:
    results = doctest.testmod(engine, optionflags=doctest.ELLIPSIS)
    assert results.attempted > 10
    assert not results.failed


def test_everything_at_the_door_is_there_once() -> None:
    assert len(set(engine.__all__)) == len(engine.__all__)
    assert all(hasattr(engine, name) for name in engine.__all__)


def test_a_game_can_be_put_away_and_taken_up_again() -> None:
    game, chance = Game.new(PROFILES["el-toro"], 3, Seed(bytes(32))), Seed(bytes(32)).chance("any")
    for _ in range(30):
        game.play(random_move(game, chance))
    for again in (pickle.loads(pickle.dumps(game)), deepcopy(game), game.copy()):
        assert again.town() == game.town()
        assert again.hands == game.hands
        move = random_move(game, Seed(bytes(32)).chance("next"))
        again.play(move)
        twin = game.copy()
        twin.play(move)
        assert twin.town() == again.town()
        assert len(twin.log) == len(game.log) + 1


def test_moves_and_refusals_can_be_put_away() -> None:
    move = Move.read("play elbow b1")
    assert pickle.loads(pickle.dumps(move)) == move
    for error in (
        IllegalMove("trampled", runner="a1"),
        DataError("number", "f", 3, column="row", value="x"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.code, again.params) == (str(error), error.code, error.params)


def test_every_reason_names_a_ruling_and_says_a_sentence() -> None:
    for code, (ruling, sentence) in engine.REASONS.items():
        assert ruling.startswith("E-"), code
        assert sentence[-1] in ".:", code
