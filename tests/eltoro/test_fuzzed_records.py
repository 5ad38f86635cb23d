"""Thousands of games with mistakes in their moves, replayed by engine and oracle.

Both must agree on the first illegal move and on the position before it, and no other exception may
be raised. The environment variable `TOWN_LOGS` sets the number of games.
"""

from __future__ import annotations

import os

import pytest

from eltoro import engine
from fairness import Seed
from tests.eltoro.oracle.course import Course, play_all
from tests.eltoro.oracle.mutations import MUTATIONS, Mutation, Record, garbage, some_target
from tests.eltoro.oracle.shelf import Setting
from tests.eltoro.oracle.side_by_side import refusal_of
from tests.eltoro.oracle.stacked import some_setting
from tests.eltoro.oracle.strolling import stroll
from tests.eltoro.oracle.town import places, totals
from tests.eltoro.oracle.translation import engine_rules, oracle_position, visible_position
from tests.properties import FULL

LOGS = int(os.environ.get("TOWN_LOGS", "1500" if FULL else "600"))
MISHAPS_EACH = 10
HARMLESS = ("nothing", "end_early")


def engine_start(game: engine.Game, record: Record) -> int:
    """Return how many moves the engine accepts before the first invalid or illegal one.

    No other exception may be raised.
    """
    for at, text in enumerate(record):
        if refusal_of(game, text):
            return at
    return len(record)


def agree_on(setting: Setting, record: Record) -> int:
    """Check that engine and oracle accept the same number of moves and reach the same state.

    Returns this number.
    """
    rules, course = engine_rules(setting), setting.begin(drawn=False)
    game = engine.Game.new(rules, setting.players, Seed(setting.seed))
    play_all(course, record)
    stands = len(course.moves)
    assert engine_start(game, record) == stands, (setting, record[: stands + 1])
    assert oracle_position(rules, game.town()) == visible_position(course.town)
    compare_end(game, course)
    return stands


def compare_end(game: engine.Game, course: Course) -> None:
    """Check that engine and oracle have the same points and places at the end."""
    assert game.is_over == (course.town.phase == "over")
    if game.is_over:
        assert list(game.points) == totals(course.town)
        assert list(game.places) == places(course.town)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_engine_rejects_the_same_move_of_an_altered_game_as_the_oracle(mutation: Mutation) -> None:
    chance = Seed(bytes(32)).chance(f"records/{mutation.__name__}")
    broken = 0
    for _ in range(LOGS // len(MUTATIONS) // MISHAPS_EACH + 1):
        setting = some_setting(chance)
        setting = setting._replace(days=1 + chance.below(setting.days))
        record = stroll(setting.begin(drawn=False), chance)
        for _ in range(MISHAPS_EACH):
            mutated = mutation(record, chance)
            broken += agree_on(setting, mutated) < len(mutated)
    assert (broken == 0) == (mutation.__name__ in HARMLESS)


def test_engine_and_oracle_agree_on_moves_of_random_words() -> None:
    chance = Seed(bytes(32)).chance("garbage")
    for _ in range(LOGS // 20):
        setting = some_setting(chance)
        words = ["start", "play", "discard", "elbow", "churros", "", *garbage(["x"], chance)]
        words += [some_target(chance) for _ in range(4)]
        record = [" ".join(chance.shuffled(words)[: chance.below(5)]) for _ in range(4)]
        agree_on(setting, record)


@pytest.mark.slow
def test_game_with_an_illegal_move_cannot_be_replayed() -> None:
    """`replay` must accept exactly the games that the oracle accepts as a whole."""
    chance = Seed(bytes(32)).chance("replays")
    for _ in range(LOGS // 60):
        setting = some_setting(chance)
        record = chance.pick(MUTATIONS)(stroll(setting.begin(drawn=False), chance), chance)
        whole = play_all(setting.begin(drawn=False), record) is None
        try:
            moves = [engine.Move.read(text) for text in record]
            engine.replay(engine_rules(setting), setting.players, Seed(setting.seed), moves)
        except (engine.NotationError, engine.IllegalMove):
            assert not whole, record
        else:
            assert whole, record
