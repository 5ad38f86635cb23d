"""The engine agrees with the independent rules checker (oracle) on every move, hand and score.

All boards are compared. The environment variable `TOWN_ROUNDS` sets how many rounds of seeded games
are played; one round is a game for each board and number of players.
"""

from __future__ import annotations

import os
import pickle

import pytest

from eltoro import engine
from fairness import Chance, Seed
from tests.eltoro.notation import read_town
from tests.eltoro.oracle.choices import is_legal, legal_moves
from tests.eltoro.oracle.course import play, play_all
from tests.eltoro.oracle.odds import late_throws
from tests.eltoro.oracle.papers import read_cards
from tests.eltoro.oracle.retelling import Retelling
from tests.eltoro.oracle.shelf import (
    BOARDS,
    CARDS,
    DESTINATIONS,
    Setting,
    any_setting,
    some_seed,
)
from tests.eltoro.oracle.side_by_side import (
    BothTowns,
    changeable_state,
    differences,
    play_side_by_side,
)
from tests.eltoro.oracle.stacked import some_board, some_setting, stacked_setting
from tests.eltoro.oracle.strolling import some_move
from tests.eltoro.oracle.town import places
from tests.eltoro.oracle.translation import engine_rules, oracle_position, visible_position

ROUNDS = int(os.environ.get("TOWN_ROUNDS", "1"))
SEED = Seed(bytes(32))
MOST_THROWS = 5**2


@pytest.mark.parametrize("players", range(2, 7))
@pytest.mark.parametrize("at", range(len(BOARDS)))
def test_engine_plays_games_with_shipped_cards_like_the_oracle(at: int, players: int) -> None:
    """Games have one, two or three days in turn, so three rounds cover all combinations."""
    board = sorted(BOARDS)[at]
    chance = SEED.chance(f"shipped/{board}/{players}")
    for turn in range(ROUNDS):
        days, seed = 3 - (at + players + turn) % 3, some_seed(chance)
        setting = Setting(BOARDS[board], CARDS, DESTINATIONS, players, days, seed)
        play_side_by_side(setting, chance)


@pytest.mark.parametrize("table", range(20))
def test_engine_plays_games_with_modified_boards_and_cards_like_the_oracle(table: int) -> None:
    chance = SEED.chance(f"stacked/{table}")
    for _ in range(ROUNDS):
        play_side_by_side(stacked_setting(chance), chance)


def some_way_on(both: BothTowns, chance: Chance, moves: int) -> None:
    """Make this many random moves in a game, or fewer if the game ends before."""
    for _ in range(moves):
        if both.town.waiting:
            both.play(some_move(both.town, chance))


@pytest.mark.parametrize("table", range(30))
def test_engine_accepts_the_same_single_targets_as_the_oracle(table: int) -> None:
    """Every target that can be written is tried alone, whether it exists or not."""
    chance = SEED.chance(f"targets/{table}")
    for _ in range(ROUNDS):
        both = BothTowns(some_setting(chance))
        some_way_on(both, chance, chance.below(40))
        if both.town.phase == "cards":
            both.try_all_targets(chance, 200)


@pytest.mark.parametrize("table", range(20))
def test_engine_offers_exactly_the_legal_targets_of_a_card(table: int) -> None:
    chance = SEED.chance(f"offers/{table}")
    both = BothTowns(some_setting(chance))
    while both.town.waiting:
        if both.town.phase == "cards" and not chance.below(8):
            both.compare_offers(chance.pick(both.town.hands[both.town.waiting[0]]))
        both.play(some_move(both.town, chance))


@pytest.mark.parametrize("table", range(10))
def test_engine_accepts_every_legal_move_of_a_small_game(table: int) -> None:
    """Targets are tried in every order."""
    chance = SEED.chance(f"small/{table}")
    both = BothTowns(any_setting(chance)._replace(players=2, days=2))
    some_way_on(both, chance, chance.below(24))
    for text in chance.shuffled(legal_moves(both.town))[:150]:
        assert not both.refuses(text), text


@pytest.mark.parametrize("table", range(20))
def test_random_moves_of_the_engine_are_legal_and_replayable(table: int) -> None:
    """The engine plays the random moves without checking them.

    They must be legal when they are replayed from the record of the game.
    """
    chance = SEED.chance(f"random/{table}")
    setting = some_setting(chance)
    course = setting.begin()
    game = engine.Game.new(engine_rules(setting), setting.players, Seed(setting.seed))
    while game.turn is not None:
        move = engine.random_move(game.view(game.turn), chance)
        assert is_legal(course.town, str(move)), move
        play(course, str(move))
        game.play(move)
    record = [str(move) for move in game.log]
    assert record == course.moves
    again = engine.replay(
        engine_rules(setting), setting.players, Seed(setting.seed), map(engine.Move.read, record)
    )
    assert (again.points, again.places, again.town()) == (game.points, game.places, game.town())


@pytest.mark.parametrize("table", range(30))
def test_fast_play_out_makes_only_moves_that_the_oracle_allows(table: int) -> None:
    """`play_out` finishes a game quickly from its beginning or from any later position."""
    chance = SEED.chance(f"played out/{table}")
    for _ in range(ROUNDS):
        both = BothTowns(some_setting(chance))
        some_way_on(both, chance, chance.below(2) * chance.below(60))
        before, made = changeable_state(both.rules, both.engine), len(both.course.moves)
        game = both.engine.copy()
        game.play_out(lambda: chance.below(2**32) / 2**32)
        assert changeable_state(both.rules, both.engine) == before
        record = [str(move) for move in game.log]
        assert record[:made] == both.course.moves
        assert play_all(both.course, record[made:]) is None, record
        assert (
            differences(oracle_position(both.rules, game.town()), visible_position(both.town)) == {}
        )
        assert (game.is_over, list(game.places)) == (True, places(both.town))


@pytest.mark.parametrize("table", range(6))
def test_copied_or_unpickled_game_accepts_the_same_moves_as_the_original(table: int) -> None:
    """The game is copied and pickled in the middle.

    Copy and original must then accept the same moves.
    """
    chance = SEED.chance(f"page_cache/{table}")
    both = BothTowns(some_setting(chance))
    some_way_on(both, chance, chance.below(60))
    twins = [both.engine.copy(), pickle.loads(pickle.dumps(both.engine))]
    some_way_on(both, chance, 20)
    for twin in twins:
        for text in both.course.moves[len(twin.log) :]:
            twin.play(engine.Move.read(text))
        assert changeable_state(both.rules, twin) == changeable_state(both.rules, both.engine)


@pytest.mark.parametrize("table", range(12))
def test_position_can_be_reconstructed_from_events_alone(table: int) -> None:
    """The reconstruction is compared with the real position at every decision."""
    chance = SEED.chance(f"events/{table}")
    setting = some_setting(chance)
    rules = engine_rules(setting)
    told, course = Retelling(rules, setting.players), setting.begin(drawn=False)
    game = engine.Game.new(rules, setting.players, Seed(setting.seed), witness=told)
    while game.turn is not None:
        assert told.agrees(oracle_position(rules, game.town()))
        text = some_move(course.town, chance)
        game.play(engine.Move.read(text), witness=told)
        play(course, text)
    assert told.agrees(oracle_position(rules, game.town()))


@pytest.mark.parametrize("table", range(12))
def test_random_position_can_be_written_and_read_without_loss(table: int) -> None:
    """Only points by day and the discards are not part of the notation."""
    chance = SEED.chance(f"written/{table}")
    both = BothTowns(some_setting(chance))
    some_way_on(both, chance, chance.below(60))
    town = both.engine.town()
    again = read_town(engine.write_town(town, both.rules), both.rules)
    lost = {name for name in town.__slots__ if getattr(town, name) != getattr(again, name)}
    assert lost <= {"day_points", "discards"}, engine.write_town(town, both.rules)


@pytest.mark.parametrize("table", range(30))
def test_chances_of_every_runner_equal_those_of_the_oracle(table: int) -> None:
    chance = SEED.chance(f"odds/{table}")
    both = BothTowns(some_setting(chance))
    some_way_on(both, chance, chance.below(60))
    if both.town.phase == "cards":
        for runner in sorted(both.town.runners):
            both.compare_odds(runner)


@pytest.mark.parametrize("table", range(12))
def test_chances_in_the_morning_include_the_bulls_still_to_come(table: int) -> None:
    chance = SEED.chance(f"morning/{table}")
    both = BothTowns(some_setting(chance))
    for _ in range(chance.below(2) * 200):
        some_way_on(both, chance, 1)
        if both.town.phase == "morning" and both.town.day > 1:
            break
    if both.town.phase == "morning" and len(list(late_throws(both.town))) <= MOST_THROWS:
        for runner in [name for name, die in both.town.runners.items() if die.space][:3]:
            both.compare_odds(runner)


def test_modified_decks_contain_every_shipped_card() -> None:
    """Tests can only compare the effects of cards that are played.

    The modified decks make sure that rare cards are played often enough.
    """
    chance, played = SEED.chance("coverage"), set[str]()
    for _ in range(40):
        played |= set(read_cards(stacked_setting(chance).cards))
    assert played == set(read_cards(CARDS))


def test_randomly_generated_boards_are_valid() -> None:
    chance = SEED.chance("towns")
    for _ in range(20):
        assert engine.read_board(some_board(chance)).steps >= 1
