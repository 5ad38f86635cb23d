"""The domino oracle on ends of hands, scores and possible scoresheets (Rulings D-6 to D-10)."""

from __future__ import annotations

import pytest

from tests.dominoes.oracle.bare_pips import could_be_held
from tests.dominoes.oracle.hand import RefusedMoveError, is_dead, is_over, make_move
from tests.dominoes.oracle.open_log import could_be, could_begin, faults_of
from tests.dominoes.oracle.reading import choices, dealt, hand_after, move, tiles
from tests.dominoes.oracle.score import add_hand, match_winner, new_match, score_hand, score_pips
from tests.dominoes.oracle.tiles import Options, options

PASSING = options(highest=6, hand_size=2, boneyard="pass")


def test_oracle_ends_a_hand_when_a_player_has_no_tile_left() -> None:
    hand = hand_after(dealt(PASSING, ["6|6 1|2", "0|0 1|1"]), "6|6 <1|1 >1|2")
    assert (is_over(hand), hand.out, choices(hand)) == (True, 0, "")
    assert score_hand(hand).points == [0, 0]  # a player left with just the 0|0 ties at zero
    out_wins = dealt(options(**{**PASSING, "out_wins": True}), ["6|6 1|2", "0|0 1|1"])
    assert score_hand(hand_after(out_wins, "6|6 <1|1 >1|2")).winner == 0


def test_oracle_ends_a_hand_when_all_players_have_passed_in_turn() -> None:
    hand = hand_after(dealt(PASSING, ["6|6 2|2", "5|5 2|3"]), "6|6 pass")
    assert is_dead(hand)
    assert not is_over(hand)
    assert is_over(hand_after(hand, "pass"))
    assert (score_hand(hand).pips, score_hand(hand).points) == ([4, 15], [11, 0])


def test_oracle_resets_the_count_of_passes_when_a_tile_is_played() -> None:
    hand = hand_after(dealt(PASSING, ["6|6 2|2", "5|5 2|3", "1|4 4|4"]), "6|6 pass >1|4 pass")
    assert (hand.passes, is_over(hand)) == (1, False)


def test_oracle_rejects_a_move_after_the_end_of_the_hand() -> None:
    hand = hand_after(dealt(PASSING, ["6|6 1|2", "0|0 1|1"]), "6|6 <1|1 >1|2")
    with pytest.raises(RefusedMoveError):
        make_move(hand, move("pass", PASSING))


@pytest.mark.parametrize(
    ("held", "changes", "out", "points"),
    [
        ([10, 3, 7], {}, None, [0, 14, 0]),
        ([10, 3, 3], {}, None, [0, 0, 0]),
        ([10, 0, 0], {}, 1, [0, 0, 0]),
        ([10, 0, 0], {"out_wins": True}, 1, [0, 10, 0]),
        ([10, 3, 3], {"out_wins": True}, None, [0, 0, 0]),
        ([12, 30], {"partners": True}, 0, [18, 0]),
        ([30, 12], {"partners": True}, 0, [0, 18]),
        ([30, 12], {"partners": True, "out_wins": True}, 0, [0, 0]),
        ([12, 30], {"partners": True, "out_wins": True}, 0, [18, 0]),
    ],
)
def test_oracle_scores_a_hand_by_ruling_d7(
    held: list[int], changes: dict[str, object], out: int | None, points: list[int]
) -> None:
    assert score_pips(options(**changes), held, out).points == points


def test_oracle_adds_up_the_pips_of_partners() -> None:
    rules = options(hand_size=2, boneyard="pass", partners=True)
    hand = dealt(rules, ["6|6 1|2", "1|1 0|1", "5|5 3|5", "4|4 0|2"])
    score = score_hand(hand_after(hand, "6|6 <1|1 pass pass >1|2"))
    assert (score.pips, score.points, score.winner) == ([18, 11], [0, 7], 1)


def test_oracle_adds_up_a_match_by_ruling_d8() -> None:
    match = new_match(options(target=20), 3)
    add_hand(match, score_pips(match.rules, [10, 3, 7], None), None)
    assert (match_winner(match), match.last_winners) == (None, [1])
    add_hand(match, score_pips(match.rules, [3, 3, 7], None), None)
    assert (match.totals, match.last_winners) == ([0, 14, 0], [])
    add_hand(match, score_pips(match.rules, [10, 2, 0], 2), 2)
    add_hand(match, score_pips(match.rules, [10, 0, 2], 1), 1)
    assert (match.totals, match_winner(match)) == ([0, 26, 12], 1)


TINY = options(highest=2, hand_size=2, boneyard="pass")
FULL = options(highest=2, hand_size=3)
DRAWING = options(highest=2, hand_size=1)


@pytest.mark.parametrize(
    ("rules", "log", "stands"),
    [
        (TINY, "0|2 pass pass", True),
        (TINY, "0|2 >1|1 <1|2", True),
        (TINY, "0|2", False),  # the players hold a tile that fits
        (TINY, "0|2 pass", False),
        (TINY, "0|2 >1|1 >1|1", False),
        (TINY, "0|2 >0|1", False),
        (TINY, "1|1 pass <2|2 pass >0|2", False),
        (FULL, "1|1 pass <2|2 pass pass", False),  # seat 1 holds the 0|1
        (TINY, "1|1 pass <2|2", True),
        (FULL, "1|1 pass <2|2 <0|1 >2|0", True),
        (TINY, "1|1 pass pass", True),
        (TINY, "3|3 pass pass", False),
        (TINY, "draw 0|2 pass pass", False),
        (DRAWING, "0|0", True),
        (DRAWING, "0|0 draw", False),
    ],
)
def test_oracle_accepts_moves_exactly_if_some_deal_makes_them_legal(
    rules: Options, log: str, stands: bool
) -> None:
    moves = [move(text, rules) for text in log.split()]
    assert could_be(rules, 2, 0, moves) == stands, faults_of(rules, 2, 0, moves)


def test_oracle_checks_moves_against_the_remaining_tiles() -> None:
    moves = [move(text, TINY) for text in ("1|1", "pass", "pass")]
    assert could_be(TINY, 2, 0, moves, [tiles("0|0"), tiles("0|1 1|2")])
    assert not could_be(TINY, 2, 0, moves, [tiles("2|2"), tiles("0|1 1|2")])  # the 2|2 fitted
    assert not could_be(TINY, 2, 0, moves, [tiles("0|0"), tiles("0|1")])
    assert not could_be(TINY, 2, 0, moves, [tiles("0|1"), tiles("0|1 1|2")])


@pytest.mark.parametrize(
    ("held", "out", "possible"),
    [
        ([0, 12], 0, True),
        ([0, 0], 0, True),
        ([0, 0], None, False),  # only one player can hold the 0|0
        ([0, 0, 5], 0, True),
        ([0, 0, 0], 0, False),
        ([1, 1], None, False),  # both would need the 0|1
        ([2, 2], None, True),
        ([1, 2, 1], None, False),
        ([0, 169], 0, False),
        ([3, 12], 0, False),  # the player who went out holds nothing
    ],
)
def test_oracle_judges_remaining_pips_by_ruling_d10(
    held: list[int], out: int | None, possible: bool
) -> None:
    assert could_be_held(options(), held, out) == possible


def test_players_cannot_hold_more_pips_than_were_dealt_if_nobody_draws() -> None:
    rules = options(boneyard="pass", hand_size=2)
    assert could_be_held(rules, [0, 23], 0)
    assert not could_be_held(rules, [0, 24], 0)
    assert could_be_held(options(hand_size=2), [0, 24], 0)


def test_oracle_checks_moves_against_the_dealt_tiles() -> None:
    moves = [move(text, TINY) for text in ("1|1", "pass", "pass")]
    assert could_be(TINY, 2, 0, moves, dealt=[tiles("1|1 0|0"), None])
    assert could_be(TINY, 2, 0, moves, dealt=[tiles("1|1 0|0"), tiles("0|1 1|2")])
    assert not could_be(TINY, 2, 0, moves, dealt=[tiles("1|1 2|2"), None])
    assert not could_be(TINY, 2, 0, moves, dealt=[tiles("0|0 0|1"), None])
    assert not could_be(TINY, 2, 0, moves, [tiles("0|0"), None], [tiles("1|1 0|1"), None])
    assert could_begin(TINY, 2, 0, moves[:2])
    assert not could_begin(TINY, 2, 0, moves[1:])
