"""The domino oracle is compared with the examples of the rulebook and each ruling on play."""

from __future__ import annotations

import pytest

from tests.dominoes.oracle.hand import possible_leaders
from tests.dominoes.oracle.reading import choices, dealt, hand_after, tiles
from tests.dominoes.oracle.tiles import all_tiles, is_matador, options, possible_players, sides


@pytest.mark.parametrize(
    ("highest", "matadors"),
    [
        (6, "0|0 1|6 2|5 3|4"),
        (9, "0|0 1|9 2|8 3|7 4|6 5|5"),
        (12, "0|0 1|12 2|11 3|10 4|9 5|8 6|7"),
        (2, "0|0 1|2"),
        (3, "0|0 1|3 2|2"),
    ],
)
def test_oracle_has_the_matadors_that_ruling_d1_defines(highest: int, matadors: str) -> None:
    assert [t for t in all_tiles(highest) if is_matador(t, highest)] == tiles(matadors)
    assert len(all_tiles(highest)) == (highest + 1) * (highest + 2) // 2


def test_oracle_allows_the_numbers_of_players_of_ruling_d2() -> None:
    assert possible_players(options()) == [2, 3, 4]
    assert possible_players(options(partners=True)) == [4]
    assert possible_players(options(highest=9)) == [2, 3, 4, 5, 6, 7]
    assert sides(options(partners=True), 4) == [[0, 2], [1, 3]]


def test_oracle_selects_leaders_by_ruling_d3() -> None:
    hands = [tiles("1|2 4|4"), tiles("0|0 6|6"), tiles("1|1 3|5")]
    assert possible_leaders(options(), hands, [2], 2) == [0, 1, 2]
    assert possible_leaders(options(lead="winner"), hands, [2], 1) == [2]
    assert possible_leaders(options(lead="winner"), hands, [], 1) == [0, 1, 2]
    assert possible_leaders(options(lead="winner"), hands, [0, 2], 2) == [2]
    assert possible_leaders(options(lead="winner"), hands, [0, 2], 1) == [0, 2]
    assert possible_leaders(options(lead="highest_double"), hands, [2], 2) == [1]
    assert possible_leaders(options(lead="highest_double"), [[(0, 1)], [(1, 2)]], [], None) == [
        0,
        1,
    ]


@pytest.mark.parametrize(
    ("changes", "held", "expected"),
    [
        ({}, "1|2 0|0 3|3", "0|0 1|2 2|1 3|3"),
        ({"free_pass": True}, "1|2", "1|2 2|1"),
        ({"set_highest_double": True}, "1|2 0|0 3|3", "3|3"),
        ({"set_highest_double": True}, "1|2 0|0", "0|0"),
        ({"set_highest_double": True}, "1|2", "1|2 2|1"),
        ({"lead": "highest_double"}, "1|2 0|0 3|3", "3|3"),
    ],
)
def test_oracle_allows_only_leads_that_the_options_permit(
    changes: dict[str, object], held: str, expected: str
) -> None:
    hand = dealt(options(**changes), [held, "5|5"])
    assert choices(hand) == expected


# The first half of the leading tile becomes the left end of the train.
PLACING = [
    ("inline", "4|6", "3|3", "<3|3"),
    ("inline", "4|6", "4|4", "draw"),
    ("inline", "4|6", "3|5", "<5|3"),
    ("inline", "4|6", "1|3", "<1|3 >1|3"),
    ("inline", "4|6", "2|5", "<2|5 <5|2 >2|5 >5|2 draw"),
    ("inline", "4|6", "0|0", "<0|0 >0|0 draw"),
    ("inline", "0|0", "1|5", "draw"),
    ("inline", "0|0", "2|5", "<2|5 <5|2 >2|5 >5|2 draw"),
    ("crosswise_open", "4|6", "2|5", "<2+5 <2|5 <5|2 >2+5 >2|5 >5|2 draw"),
    ("crosswise_open", "4|6", "0|0", "<0+0 <0|0 >0+0 >0|0 draw"),
    ("crosswise_open", "2|5", "5|6", "<6|5"),
    ("crosswise_on_blank", "4|6", "2|5", "<2|5 <5|2 >2|5 >5|2 draw"),
    ("crosswise_on_blank", "0|6", "2|5", "<2+5 >2|5 >5|2 draw"),
    ("crosswise_on_blank", "0|0", "1|6", "<1+6 >1+6 draw"),
    ("crosswise_on_blank", "0|0", "0|5", "draw"),
    ("crosswise_stub", "4|6", "2|5", "<2+5 <5+2 >2+5 >5+2 draw"),
    ("crosswise_stub", "4|6", "0|0", "<0+0 >0+0 draw"),
    ("crosswise_stub", "4|6", "3|5", "<5|3"),
]


@pytest.mark.parametrize(("matadors", "lead", "held", "expected"), PLACING)
def test_oracle_accepts_fitting_tiles_by_rulings_d4_and_d9(
    matadors: str, lead: str, held: str, expected: str
) -> None:
    hand = dealt(options(matadors=matadors), [f"{lead} 6|6", held])
    assert choices(hand_after(hand, lead)) == expected


AFTER_A_MATADOR = [
    # If a matador lies across at an end, the next tile may match either of its halves: the 2 with a
    # 5, or the 5 with a 2. The next matador must then lie in line.
    ("crosswise_open", "6|6 >2+5", "2|4 5|6 3|3", ">2|4 >5|6"),
    ("crosswise_open", "6|6 >2+5", "3|4", "<3+4 <3|4 <4|3 >3|4 >4|3 draw"),
    ("crosswise_open", "6|6 >0+0", "2|4 1|5", "<5|1"),
    ("crosswise_open", "6|6 >0+0", "2|5", "<2+5 <2|5 <5|2 >2|5 >5|2 draw"),
    # After a matador across on a blank, a tile with a blank must follow, and its other half is the
    # new end. The only matador that fits is the 0|0.
    ("crosswise_on_blank", "6|0 >2+5", "0|4 5|5", ">0|4"),
    ("crosswise_on_blank", "6|0 >2+5", "3|4", "<3|4 <4|3 draw"),
    ("crosswise_on_blank", "6|0 >2+5", "0|0", "<0|0 >0|0 draw"),
    ("crosswise_on_blank", "6|0 >0+0", "0|5", ">0|5"),
    # Under the rule crosswise_stub, the next tile must match the outward half, which lies in line
    # with the train.
    ("crosswise_stub", "6|6 >2+5", "2|4 5|6", ">2|4"),
    ("inline", "6|6 >2|5", "2|4 5|6", ">2|4"),
]


@pytest.mark.parametrize(("matadors", "moves", "held", "expected"), AFTER_A_MATADOR)
def test_oracle_accepts_fitting_tiles_after_a_matador(
    matadors: str, moves: str, held: str, expected: str
) -> None:
    lead, play = moves.split()
    placed = play[1:].replace("+", "|")
    hand = dealt(options(matadors=matadors), [f"{lead} 1|4", f"{placed} 4|4", held])
    assert choices(hand_after(hand, moves)) == expected


def test_end_after_a_matador_and_a_blank_is_the_other_half_of_the_blank_tile() -> None:
    rules = options(matadors="crosswise_on_blank")
    hand = dealt(rules, ["0|6 0|0 1|1", "2|5 5|5 2|2"])
    assert choices(hand_after(hand, "6|0 >2+5 >0|0")) == "draw"
    hand = dealt(rules, ["0|6 0|4 1|1", "2|5 3|5 2|2"])
    assert choices(hand_after(hand, "6|0 >2+5 >0|4")) == ">3|5"


def test_oracle_lets_players_draw_until_a_tile_fits_or_two_are_left() -> None:
    rules = options(highest=2, hand_size=1)  # of six tiles two are dealt and two can be drawn
    stuck = hand_after(dealt(rules | {"hand_size": 2}, ["0|2 0|1", "2|2"], "0|0 1|1"), "0|2")
    assert choices(stuck) == "draw"
    assert choices(hand_after(stuck, "draw")) == "<0|0 >0|0 pass"
    able = hand_after(dealt(rules, ["1|1 0|0", "0|1"], "2|2"), "1|1")
    assert choices(able) == "draw"
    assert choices(hand_after(able, "draw")) == "<2|2 >2|2"


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, ">4|4"),
        ({"boneyard": "pass"}, ">4|4"),
        ({"free_pass": True}, ">4|4 draw pass"),
        ({"free_pass": True, "boneyard": "pass"}, ">4|4 pass"),
    ],
)
def test_player_with_a_fitting_tile_must_play_by_ruling_d5(
    changes: dict[str, object], expected: str
) -> None:
    hand = dealt(options(**changes), ["2|3 6|6", "4|4"])
    assert choices(hand_after(hand, "2|3")) == expected


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({}, "<0|0 >0|0 draw"),
        ({"boneyard": "pass"}, "<0|0 >0|0 pass"),
        ({"free_pass": True}, "<0|0 >0|0 draw pass"),
    ],
)
def test_player_need_not_play_a_matador(changes: dict[str, object], expected: str) -> None:
    hand = dealt(options(**changes), ["2|3 6|6", "0|0 1|1"])
    assert choices(hand_after(hand, "2|3")) == expected
