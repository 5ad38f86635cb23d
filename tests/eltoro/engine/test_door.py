"""The public interface of the El Toro engine: its example works, and games can be serialised."""

from __future__ import annotations

import doctest
import pickle
from copy import deepcopy

from eltoro import engine
from eltoro.engine import PROFILES, DataError, Game, IllegalMove, Move, random_move
from fairness import Seed


def test_example_in_the_documentation_of_the_el_toro_engine_works() -> None:
    results = doctest.testmod(engine, optionflags=doctest.ELLIPSIS)
    assert results.attempted > 10
    assert not results.failed


def test_public_names_of_the_el_toro_engine_exist_and_are_listed_once() -> None:
    assert len(set(engine.__all__)) == len(engine.__all__)
    assert all(hasattr(engine, name) for name in engine.__all__)


def test_copied_or_unpickled_game_continues_like_the_original() -> None:
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


def test_moves_and_errors_can_be_pickled() -> None:
    move = Move.read("play elbow b1")
    assert pickle.loads(pickle.dumps(move)) == move
    for error in (
        IllegalMove("trampled", runner="a1"),
        DataError("number", "f", 3, column="row", value="x"),
    ):
        again = pickle.loads(pickle.dumps(error))
        assert (str(again), again.code, again.params) == (str(error), error.code, error.params)


def test_every_error_has_a_ruling_and_a_message() -> None:
    for code, (ruling, sentence) in engine.REASONS.items():
        assert ruling.startswith("E-"), code
        assert sentence[-1] in ".:", code
