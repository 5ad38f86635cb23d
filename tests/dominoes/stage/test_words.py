"""Moves, open ends and rejected moves of dominoes as sentences."""

from __future__ import annotations

import string

import pytest
from django.utils import translation

from dominoes.engine import End, HandOutcome, IllegalMove, Move, PublicMove, Rules
from dominoes.stage import sentences

RULES = Rules()


def end_of_train(
    *halves: int, needs: tuple[int, ...], matadors: bool = True, across: bool = False
) -> End:
    return End(halves, needs, matadors, across, 0)


THREE, BLANK = end_of_train(3, needs=(4,)), end_of_train(0, needs=())


@pytest.fixture(autouse=True)
def _english() -> None:
    translation.activate("en")


def test_rejection_messages_write_tiles_with_a_hyphen() -> None:
    error = IllegalMove("no_sum", tile="6|3", inward=6, end=2, sum=7)
    assert sentences.refusal_sentence(error) == "The 6-3 does not fit: 6 and 2 do not add up to 7."
    assert sentences.refusal_sentence(IllegalMove("highest_double", tile="5|5")).startswith(
        "The player who leads must lay the 5-5"
    )


@pytest.mark.parametrize(
    ("move", "ends", "sentence"),
    [
        (">4|1", (BLANK, THREE), "ana laid 4-1 on the right: 4 and 3 make seven."),
        ("<1|4", (THREE, BLANK), "ana laid 4-1 on the left: 4 and 3 make seven."),
        (">2|5", (BLANK, BLANK), "ana laid the matador 2-5 on the right, next to the blank."),
        (">2+5", (BLANK, THREE), "ana laid the matador 5-2 crosswise on the right, next to the 3."),
        ("6|3", None, "ana laid the 6-3 as the first tile."),
        ("draw", (BLANK, THREE), "ana drew a tile."),
        ("pass", (BLANK, THREE), "ana passed."),
    ],
)
def test_move_of_a_player_is_described_in_a_sentence(
    move: str, ends: tuple[End, End] | None, sentence: str
) -> None:
    assert sentences.move_sentence(RULES, PublicMove(0, Move.read(move), ends), "ana") == sentence


def test_blank_next_to_a_matador_across_is_described_without_a_sum() -> None:
    """Under the option `crosswise_on_blank` (Ruling D-9), a tile beside such a matador must have a
    blank, and no sum has to match.
    """
    rules = Rules(matadors="crosswise_on_blank")
    across = end_of_train(2, 5, needs=(0,), matadors=False, across=True)
    told = sentences.move_sentence(rules, PublicMove(0, Move.read(">0|6"), (BLANK, across)), "ana")
    assert told == "ana laid 0-6 on the right, with its blank next to the crosswise 2-5."
    assert sentences.end_flag(across) == "needs blank"


def test_open_end_says_which_tiles_it_needs() -> None:
    assert sentences.end_flag(end_of_train(1, needs=(6,))) == "needs 6"
    assert sentences.end_flag(BLANK) == "matadors only"
    both = end_of_train(2, 5, needs=(2, 5), across=True)
    assert sentences.end_flag(both) == "needs 2 or 5"
    assert sentences.end_need(both) == "needs a 2 or a 5"
    assert sentences.end_sentence(end_of_train(1, needs=(6,))) == "The new end is 1 and needs a 6."
    assert sentences.end_sentence(BLANK) == "The new end is blank and takes only matadors."
    assert sentences.end_sentence(both).startswith(
        "Both halves of the tile at this end are open (2 or 5)"
    )


@pytest.mark.parametrize(("half", "said"), [(6, "a 6"), (8, "an 8"), (11, "an 11"), (18, "an 18")])
def test_numbers_have_the_correct_english_article(half: int, said: str) -> None:
    assert sentences.half_with_article(half) == said


def test_calculation_of_the_points_of_a_hand_is_shown() -> None:
    """The winner gets the pips of all others minus its own (Ruling D-7)."""
    won = HandOutcome(None, (25, 4, 13, 9), (25, 4, 13, 9), 1, (0, 43, 0, 0))
    assert sentences.points_sum(won) == "25 + 13 + 9 − 4 = 43"
    assert sentences.winner_sentence(won, ["a", "b", "c", "d"]) == (
        "b won the hand and scored 43 points."
    )
    assert sentences.ending_sentence(won, ["a", "b", "c", "d"]).startswith(
        "All players have passed: the hand is blocked."
    )
    tied = HandOutcome(0, (0, 0), (0, 0), None, (0, 0))
    assert sentences.points_sum(tied) == ""
    assert sentences.ending_sentence(tied, ["a", "b"]) == "a has no tiles left."
    low = HandOutcome(0, (9, 0, 3, 4), (12, 4), 0, (0, 0))
    assert sentences.points_sum(low).endswith(": a score can’t go below 0")


def test_numbers_below_twenty_are_spelled_out() -> None:
    assert {sentences.number_word(number).strip(string.ascii_letters) for number in range(20)} == {
        ""
    }
    assert sentences.number_word(20) == "20"
