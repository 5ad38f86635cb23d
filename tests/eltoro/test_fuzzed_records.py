"""Thousands of games with mishaps in their records, replayed by the engine and by the oracle.

Both must agree on the first move that is illegal, and on all that went before it; nothing else is
ever raised. `TOWN_LOGS` is how many records.
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
from tests.eltoro.oracle.translation import rules_of, seen, shown

LOGS = int(os.environ.get("TOWN_LOGS", "1500"))
MISHAPS_EACH = 10
HARMLESS = ("nothing", "end_early")


def engine_start(game: engine.Game, record: Record) -> int:
    """How many moves the engine makes, until one is no move or refused; nothing else is raised."""
    for at, text in enumerate(record):
        if refusal_of(game, text):
            return at
    return len(record)


def agree_on(setting: Setting, record: Record) -> int:
    """How many moves stand, on which both must agree, as on everything after them."""
    rules, course = rules_of(setting), setting.begin(drawn=False)
    game = engine.Game.new(rules, setting.players, Seed(setting.seed))
    play_all(course, record)
    stands = len(course.moves)
    assert engine_start(game, record) == stands, (setting, record[: stands + 1])
    assert seen(rules, game.town()) == shown(course.town)
    compare_end(game, course)
    return stands


def compare_end(game: engine.Game, course: Course) -> None:
    """What came of it."""
    assert game.over == (course.town.phase == "over")
    if game.over:
        assert list(game.points) == totals(course.town)
        assert list(game.places) == places(course.town)


@pytest.mark.parametrize("mutation", MUTATIONS, ids=lambda mutation: mutation.__name__)
def test_a_mutated_record_stands_as_far_as_the_oracle_lets_it(mutation: Mutation) -> None:
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


def test_records_of_nothing_but_garbage() -> None:
    chance = Seed(bytes(32)).chance("garbage")
    for _ in range(LOGS // 20):
        setting = some_setting(chance)
        words = ["start", "play", "discard", "elbow", "churros", "", *garbage(["x"], chance)]
        words += [some_target(chance) for _ in range(4)]
        record = [" ".join(chance.shuffled(words)[: chance.below(5)]) for _ in range(4)]
        agree_on(setting, record)


@pytest.mark.slow
def test_a_record_with_a_flaw_is_no_record() -> None:
    """`replay` accepts whole what the oracle accepts whole, and nothing else."""
    chance = Seed(bytes(32)).chance("replays")
    for _ in range(LOGS // 60):
        setting = some_setting(chance)
        record = chance.pick(MUTATIONS)(stroll(setting.begin(drawn=False), chance), chance)
        whole = play_all(setting.begin(drawn=False), record) is None
        try:
            moves = [engine.Move.read(text) for text in record]
            engine.replay(rules_of(setting), setting.players, Seed(setting.seed), moves)
        except (engine.NotationError, engine.IllegalMove):
            assert not whole, record
        else:
            assert whole, record
