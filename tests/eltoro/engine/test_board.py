"""Reading boards, action cards and destinations from CSV; each broken rule has its own error (E-2,
E-10).
"""

from __future__ import annotations

import pytest

from eltoro.engine import (
    BOARDS,
    DECK,
    DESTINATIONS,
    EVEN,
    ODD,
    DataError,
    read_board,
    read_cards,
    read_destinations,
)
from eltoro.engine.rules import DATA

BOARD = (DATA / "boards" / "el-toro.csv").read_text("utf-8")
CARDS = (DATA / "cards.csv").read_text("utf-8")
PLACES = (DATA / "destinations.csv").read_text("utf-8")


@pytest.mark.parametrize("name", BOARDS)
def test_ruling_e_2_shipped_boards_are_valid(name: str) -> None:
    board = BOARDS[name]
    assert [board.spaces[space].key for space in board.rows[0]] == ["2", "3", "4", "5", "6"]
    assert [board.spaces[space].key for space in board.rows[-1]] == ["d1", "d2", "d3", "d4", "d5"]
    for space in board.spaces:
        assert all(board.spaces[way].row == space.row + 1 for way in space.ways)
        assert (
            len(set(space.ways))
            == len(space.ways)
            == (0 if space.row == board.steps else 1 + space.is_fork)
        )
    assert {parity for _, parity in board.signs} == {EVEN, ODD}


def test_ruling_e_10_there_are_52_action_cards_and_ten_destination_cards() -> None:
    assert sum(card.count for card in DECK) == 52
    assert sum(destination.count for destination in DESTINATIONS) == 10


def test_neighbours_of_a_space_are_those_beside_it_in_the_list() -> None:
    board = BOARDS["el-toro"]
    row = board.rows[1]
    assert board.neighbours(row[0]) == (row[1],)
    assert board.neighbours(row[1]) == (row[0], row[2])
    assert board.write_sign((board.find_space("fuente"), ODD)) == "fuente/odd"


FORK = "fuente,1,Fuente,,molino,naranjo"


def line_of(text: str, beginning: str) -> int:
    return next(n for n, line in enumerate(text.splitlines(), 1) if line.startswith(beginning))


@pytest.mark.parametrize(
    ("old", "new", "code", "at"),
    [
        (FORK, "fuente,1,Fuente,,molino,molino", "same_ways", "fuente"),
        (FORK, "fuente,1,Fuente,,molino,", "way", "fuente"),
        (FORK, "fuente,1,Fuente,lonja,molino,naranjo", "way", "fuente"),
        (FORK, "fuente,1,Fuente,,,", "no_way", "fuente"),
        (FORK, "fuente,1,Fuente,,molino,lonja", "way_rows", "fuente"),
        (FORK, "fuente,1,Fuente,,molino,nowhere", "way_to", "fuente"),
        (FORK, "fuente,1,Fuente,,molino,iglesia", "unreachable", "naranjo"),
        ("fuente,1,", "fuente,one,", "number", "fuente"),
        ("fuente,1,", "fuente,9,", "row", "fuente"),
        ("fuente,1,", "Fuente,1,", "key", "Fuente"),
        ("fuente,1,", f"{'f' * 31},1,", "key", "f" * 31),
        ("mercado,1,Mercado", "fuente,1,Mercado", "key_twice", "fuente"),
        ("6,0,6,mirador,,", "7,0,7,mirador,,", "starts", "7"),
        ("d5,4,,,,", "d6,4,,,,", "ends", "d6"),
        ("d1,4,,,,", "d1,4,,d2,,", "way_from_end", "d1"),
        ("space,row,", "space,line,", "columns", "space"),
        ("lonja,3,Lonja,,d2,d1", "lonja,3,Lonja,,d2,d1,,,,,,", "cells", "lonja"),
        ("lonja,3,Lonja,,d2,d1", "lonja,3,Lonja,d2,,", "unreachable", "d1"),
    ],
)  # fmt: skip
def test_ruling_e_2_error_in_a_board_names_file_line_and_code(
    old: str, new: str, code: str, at: str
) -> None:
    plain = "\n".join(",".join(row.split(",")[:6]) for row in BOARD.splitlines())
    broken = plain.replace(old, new, 1)
    assert broken != plain
    with pytest.raises(DataError) as refused:
        read_board(broken, "mine.csv")
    error = refused.value
    assert (error.code, error.file, error.ruling) == (code, "mine.csv", "E-2")
    wanted = len(broken.splitlines()) and {
        "key_twice": 1 + line_of(broken, at), "columns": 1,
    }.get(code, line_of(broken, at))  # fmt: skip
    assert error.line == wanted, str(error)
    assert str(error).startswith(f"mine.csv, line {wanted}: ")


@pytest.mark.parametrize("text", ["", "space,row,name,way,even,odd\n"])
def test_ruling_e_2_empty_board_is_rejected(text: str) -> None:
    with pytest.raises(DataError, match="E-2"):
        read_board(text)


def test_ruling_e_2_board_with_too_many_spaces_is_rejected() -> None:
    more = "".join(f"x{number},1,,lonja,,\n" for number in range(43))
    with pytest.raises(DataError) as refused:
        read_board(BOARD.splitlines()[0].replace(",x,y", "") + "\n" + more)
    assert refused.value.code == "spaces"


@pytest.mark.parametrize(
    ("old", "new", "code"),
    [
        ("second-wind,5,", "second-wind,4,", "cards"),
        ("second-wind,5,", "second-wind,0,", "count"),
        ("second-wind,5,roll,2,own", "second-wind,5,fly,2,own", "effect"),
        ("second-wind,5,roll,2,own", "second-wind,5,roll,,own", "amount"),
        ("second-wind,5,roll,2,own", "second-wind,5,roll,0,own", "amount"),
        ("second-wind,5,roll,2,own", "second-wind,5,roll,2,mine", "whose"),
        ("second-wind,5,roll,2,own,", "second-wind,5,roll,2,own,yes", "round"),
        ("second-wind,5,roll,2,own", "second-wind,5,roll-all,2,own", "no_amount"),
        ("second-wind,5,roll,2,own", "second-wind,5,bull-roll,2,own", "whose"),
    ],
)
def test_ruling_e_10_error_in_the_action_cards_names_line_and_code(
    old: str, new: str, code: str
) -> None:
    plain = ORDINARY.replace(old, new, 1)
    assert plain != ORDINARY
    with pytest.raises(DataError) as refused:
        read_cards(plain, "deck.csv")
    assert (refused.value.code, refused.value.ruling) == (code, "E-10")
    assert refused.value.line == (0 if code == "cards" else 2)


ORDINARY = """card,count,effect,amount,whose,round,name,name_es
second-wind,5,roll,2,own,,Second wind,Segundo aire
siesta,47,roll-all,,own,,Siesta,Siesta
"""


@pytest.mark.parametrize(
    ("row", "code"),
    [
        ("inn,9,3,,,Inn,Venta", "cards"),
        ("inn,10,3,sleep,1,Inn,Venta", "effect"),
        ("inn,10,3,card,,Inn,Venta", "amount"),
        ("inn,10,3,bull,-1,Inn,Venta", "amount"),
        ("inn,10,3,die,2,Inn,Venta", "no_amount"),
        ("inn,10,many,,,Inn,Venta", "number"),
    ],
)
def test_ruling_e_10_invalid_destination_cards_are_rejected(row: str, code: str) -> None:
    with pytest.raises(DataError) as refused:
        read_destinations(f"destination,count,points,effect,amount,name,name_es\n{row}\n")
    assert refused.value.code == code
