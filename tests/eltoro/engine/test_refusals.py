"""Illegal moves are rejected with a code and a ruling, and do not change the game."""

from __future__ import annotations

import pytest

from eltoro.engine import REASONS, Game, IllegalMove, Move, write_town
from tests.eltoro.engine.table import RULES, table
from tests.eltoro.engine.test_effects import EVERY, FULL, HEAD, TOKENS, TOWN

TEN = f"{HEAD} | a fuente:1 | b fuente:2 | T" + " torre:2" * 10
CASES = [
    ("play elbow b1 b2", "too_many"),
    ("play elbow a1", "not_other"),
    ("play roll-own b1", "not_own"),
    ("play roll b3", "trampled"),
    ("play roll b4", "no_runner"),
    ("play roll c1", "no_runner"),
    ("play roll a1 a1", "twice"),
    ("play roll a1+", "bad_target"),
    ("play roll T1", "bad_target"),
    ("play roll a01", "bad_target"),
    ("play step a1", "bad_target"),
    ("play step a2-", "past_end"),
    ("play step a3+", "past_end"),
    ("play step a1+ a1-", "twice"),
    ("play step b3+", "trampled"),
    ("play eye a1=7", "bad_target"),
    ("play eye b1=3", "not_own"),
    ("play hats a1", "bad_target"),
    ("play hats a1~a2", "not_other"),
    ("play hats b1~a1", "not_own"),
    ("play hats a1~b3", "trampled"),
    ("play hats a1~b9", "no_runner"),
    ("play hats a1~b1 a2~b1", "twice"),
    ("play siesta a1", "no_targets"),
    ("play crush @fuente @torre", "too_many"),
    ("play crush @2", "not_in_row"),
    ("play crush @nowhere", "no_space"),
    ("play crush fuente", "bad_target"),
    ("play fire T3", "no_bull"),
    ("play fire T11", "bad_target"),
    ("play fire T1 T1", "twice"),
    ("play fire a1", "bad_target"),
    ("play cape T2+", "past_end"),
    ("play cape T1", "bad_target"),
    ("play cape T9-", "no_bull"),
    ("play bell T1>torre", "not_neighbour"),
    ("play bell T1>molino", "not_neighbour"),
    ("play bell T1", "no_space"),
    ("play stray @molino", "not_in_row"),
    ("play sign torre", "no_sign"),
    ("play sign naranjo/odd", "no_sign"),
    ("play sign torre/odd torre/odd", "own_sign"),
    ("play sign torre/odd>fuente/odd", "token_left"),
    ("play sweep fuente/odd", "no_token"),
    ("play sweep fuente/odd fuente/odd", "twice"),
    ("play bullfight", "no_card"),
    ("play even a1", "not_held"),
    ("start a1>2", "ask_card"),
    ("discard", "ask_card"),
]
HANDS = "elbow roll-own roll step eye hats siesta crush fire cape bell stray sign sweep"


def error_of_move(game: Game, move: str, seat: int | None = None) -> IllegalMove:
    """Return the error of an illegal move after checking that position, hands and log are
    unchanged.
    """
    before = (write_town(game.town(), game.rules), game.hands, list(game.log), game.turn)
    hands = [hand.copy() for hand in game.hands]
    with pytest.raises(IllegalMove) as error:
        game.play(Move.read(move), seat, witness=lambda event, _: pytest.fail(str(event)))
    assert game.witness is None
    after = (write_town(game.town(), game.rules), hands, list(game.log), game.turn)
    assert after == before
    code = error.value.code
    assert error.value.ruling == REASONS[code][0]
    assert (
        str(error.value) == f"{REASONS[code][1] % error.value.params} (Ruling {error.value.ruling})"
    )
    return error.value


@pytest.mark.parametrize(("move", "code"), CASES)
def test_card_with_invalid_targets_is_rejected(move: str, code: str) -> None:
    assert error_of_move(table(TOWN, f"{HANDS} / siesta", rules=EVERY), move).code == code


@pytest.mark.parametrize(
    ("town", "move", "code"),
    [
        (TOKENS, "play sign mercado/even", "own_sign"),
        (FULL, "play sign fuente/even", "no_token_left"),
        (FULL, "play sign fuente/odd>fuente/even", "not_your_token"),
        (FULL, "play sign torre/odd>fuente/even", "not_your_token"),
        (FULL, "play sign mercado/even>torre/even", "own_sign"),
        (TEN, "play stray @torre", "ten_bulls"),
        (TEN.removesuffix(" torre:2"), "play stray @torre @fuente", "ten_bulls"),
    ],
)
def test_ruling_e_5_and_e_1_limits_of_tokens_and_bulls_are_enforced(
    town: str, move: str, code: str
) -> None:
    assert error_of_move(table(town, "sign stray / siesta", rules=EVERY), move).code == code


MORNING = "day 1 step 0 morning first a | a 1 2:2 1 | b 1 x | T 2:1 3:1 4:1 5:1 6:1"


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("start a1>4", "ones_left"),
        ("start a1>4 a2>4 a3>4", "not_a_one"),
        ("start a1>4 a3>4 b1>4", "not_a_one"),
        ("start a1>4 a1>5 a3>4", "twice"),
        ("start a1>4 a3>fuente", "no_start"),
        ("start a1>4 a3", "no_start"),
        ("start a1>4 a9>4", "not_a_one"),
        ("play siesta", "ask_start"),
        ("discard", "ask_start"),
    ],
)
def test_ruling_e_3_all_own_1s_must_be_placed_on_starting_spaces(move: str, code: str) -> None:
    assert error_of_move(table(MORNING, "siesta / siesta"), move).code == code


@pytest.mark.parametrize(
    ("move", "code"),
    [
        ("discard elbow elbow", "not_held"),
        ("discard scare", "not_held"),
        ("discard bullfight", "no_card"),
        ("play elbow", "ask_discard"),
        ("start a1>2", "ask_discard"),
    ],
)
def test_ruling_e_8_player_can_discard_only_held_cards(move: str, code: str) -> None:
    evening = "day 1 step 4 evening first a | a d1:2 | b x | T d2:1"
    assert error_of_move(table(evening, "elbow siesta / siesta"), move).code == code


def test_ruling_e_4_players_must_play_in_turn() -> None:
    game = table(TOWN, "siesta / siesta", (1, 2, 3), rules=EVERY)
    assert error_of_move(game, "play siesta", seat=1).code == "not_your_turn"
    game.play(Move.read("play siesta"), seat=0)
    assert error_of_move(game, "play siesta", seat=0).code == "not_your_turn"


def test_ruling_e_9_no_move_is_accepted_after_the_end() -> None:
    game = table(TOWN, rules=RULES)
    game.play_out(lambda: 0.5)
    assert error_of_move(game, "discard").code == "over"


def test_move_rejected_for_one_player_can_be_legal_for_another() -> None:
    move = Move.read("play elbow b1")
    for turn, code in ((0, ""), (1, "not_other")):
        town = TOWN.replace("first a", f"first {'ab'[turn]}")
        game = table(town, "elbow / elbow", (1,), rules=EVERY)
        if code:
            with pytest.raises(IllegalMove) as error:
                game.play(move)
            assert error.value.code == code
        else:
            game.play(move)
