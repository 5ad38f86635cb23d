"""The head of a submitted corrida: plaza, day, cartel, bulls, and which player leads each
matador.
"""

from __future__ import annotations

from typing import Any

import pytest

from corridas.tabletop.sheets import Bull, State, judge
from tests.corridas.tabletop.sheets.afternoon import DECK, USUAL
from tests.corridas.tabletop.sheets.paper import RANGES, frame
from tests.corridas.tabletop.sheets.test_referee import changed

WRONG, MISSING = State.CONTRADICTED, State.MISSING
CASES: list[Any] = [
    # Each case: path to change; new value; path of the finding (None: accepted); its state; its
    # ruling.
    ("plaza/name", "X" * 60, None, None, ""),
    ("plaza/name", "X" * 61, "plaza/name", WRONG, ""),
    ("plaza/name", "Las\nVentas", "plaza/name", WRONG, ""),
    ("plaza/name", "  ", "plaza/name", WRONG, ""),
    ("plaza/name", 7, "plaza/name", WRONG, ""),
    ("plaza/name", None, "plaza/name", MISSING, ""),
    ("plaza/name", "", "plaza/name", MISSING, ""),
    ("plaza/rating", 0, "plaza/rating", WRONG, "I-12"),
    ("plaza/rating", 1, None, None, ""),
    ("plaza/rating", 3, None, None, ""),
    ("plaza/rating", 4, "plaza/rating", WRONG, "I-12"),
    ("plaza/rating", True, "plaza/rating", WRONG, "I-12"),
    ("plaza/rating", None, "plaza/rating", MISSING, "I-12"),
    ("date", "2024-02-29", None, None, ""),
    ("date", "2026-02-29", "date", WRONG, ""),
    ("date", 20260515, "date", WRONG, ""),
    ("date", None, "date", MISSING, ""),
    ("cartel/0/rating", 1000, None, None, ""),
    ("cartel/0/rating", 1001, "cartel/0", WRONG, "I-14"),
    ("cartel/2/rating", 0, None, None, ""),
    ("cartel/2/rating", -1, "cartel/2", WRONG, "I-14"),
    ("cartel/2/rating", None, "cartel/2", MISSING, "I-14"),
    ("cartel/1/name", "", "cartel/1", MISSING, "I-14"),
    ("cartel/1/name", "B" * 61, "cartel/1", WRONG, "I-14"),
    ("cartel/1/name", "Ana", "cartel", WRONG, ""),
    ("cartel/1/rating", 90, None, None, ""),  # tied, so by name: Ana, Blas
    ("cartel/1/rating", 91, "cartel/0", WRONG, "I-14"),
    ("cartel/2/rating", 81, "cartel/1", WRONG, "I-14"),
    ("cartel/1/alternativa", "2001-05-01", None, None, ""),
    ("cartel/1/alternativa", "2001-13-01", "cartel/1/ranges", WRONG, "I-13"),
    ("cartel/1/alternativa", 2001, "cartel/1/ranges", WRONG, "I-13"),
    ("cartel/2/ranges/rabo", "96-99", "cartel/2/ranges", WRONG, "I-13"),
    ("cartel/2/ranges/rabo", "95-100", "cartel/2/ranges", WRONG, "I-13"),
    ("cartel/2/ranges/rabo", "96-101", "cartel/2/ranges", WRONG, "I-13"),
    ("cartel/2/ranges/rabo", None, "cartel/2/ranges", WRONG, "I-13"),
    ("cartel/2/ranges/aviso", "90-100", None, None, ""),
    ("cartel/2/ranges/aviso", "100-90", "cartel/2/ranges", WRONG, "I-13"),
    ("cartel/2/ranges", None, "cartel/2/ranges", WRONG, "I-13"),
    ("bulls/0/number", 0, None, None, ""),
    ("bulls/0/number", 999, None, None, ""),
    ("bulls/0/number", 1000, "bulls/0", WRONG, ""),
    ("bulls/0/number", -1, "bulls/0", WRONG, ""),
    ("bulls/5/number", None, "bulls/5", MISSING, ""),
    ("bulls/5/name", "", "bulls/5", MISSING, ""),
    ("bulls/5", {"name": "Toro 4", "number": 14}, "bulls/5", WRONG, "I-15"),
    ("bulls/5", {"name": "Toro 4", "number": 15}, None, None, ""),
    ("bulls/5", {"name": "Toro 5", "number": 14}, None, None, ""),
    ("leads", [0, 0, 0], None, None, ""),
    ("leads", [2, 1, 0], None, None, ""),
    ("leads", [0, 1, 3], "leads", WRONG, ""),
    ("leads", [0, -1, 0], "leads", WRONG, ""),
    ("leads", [0, True, 0], "leads", WRONG, ""),
    ("leads", [0, 1], "leads", WRONG, ""),
    ("leads", [0, 1, 0, 1], "leads", WRONG, ""),
    ("leads", [], "leads", MISSING, ""),
    ("leads", None, "leads", MISSING, ""),
]


@pytest.mark.parametrize(("at", "value", "path", "state", "ruling"), CASES)
def test_each_figure_of_the_head_is_checked(
    at: str, value: Any, path: str | None, state: State | None, ruling: str
) -> None:
    reading = judge(USUAL, DECK, changed(frame(), at, value))
    found = {line.path: (line.state, line.ruling) for line in reading.lines}
    assert found == ({} if path is None else {path: (state, ruling)})
    head = (path or "").split("/")[0]
    assert (reading.setup is None) == (head == "cartel" or path == "plaza/rating")
    assert (reading.bulls == ()) == (head == "bulls" and ruling != "I-15")
    assert (reading.leads == ()) == (head == "leads")


@pytest.mark.parametrize(("part", "ruling"), [("cartel", "I-14"), ("bulls", "I-14")])
def test_fourth_matador_and_seventh_bull_are_rejected(part: str, ruling: str) -> None:
    sheet = frame()
    sheet[part].append({**sheet[part][0], "name": "Dora", "rating": 1})
    found = {line.path: (line.state, line.ruling) for line in judge(USUAL, DECK, sheet).lines}
    assert found == {part: (WRONG, ruling)}


def test_cartel_order_of_equal_ratings_is_by_alternativa() -> None:
    """An unknown date of the alternativa counts as the latest (Ruling I-14)."""
    for first, second, path in (
        ("2001-05-01", "2001-05-02", None),
        ("2001-05-02", "2001-05-01", "cartel/0"),
        ("2001-05-02", None, None),
        (None, "2001-05-01", "cartel/0"),
    ):
        sheet = changed(frame(), "cartel/1/rating", 90)
        sheet["cartel"][0]["alternativa"], sheet["cartel"][1]["alternativa"] = first, second
        found = [line.path for line in judge(USUAL, DECK, sheet).lines]
        assert found == ([] if path is None else [path])


def test_head_of_a_sheet_gives_plaza_and_cartel() -> None:
    reading = judge(USUAL, DECK, frame(aviso="90-100"))
    assert reading.setup is not None
    assert reading.setup.plaza_rating == 1
    assert [card.name for card in reading.setup.order] == ["Ana", "Blas", "Carla"]
    assert reading.setup.order[0].ranges() == {**RANGES, "aviso": "90-100"}
    assert reading.bulls[5] == Bull("Toro 5", 15)
    assert reading.leads == (0, 1, 2)


@pytest.mark.parametrize("sheet", [None, [], "sheet", 7, {"lidias": 3}, {"cartel": {"0": {}}}])
def test_malformed_sheet_is_read_as_an_empty_one(sheet: Any) -> None:
    reading = judge(USUAL, DECK, sheet)
    assert not reading.stands
    paths = [line.path for line in reading.lines]
    assert paths[:3] == ["plaza/name", "plaza/rating", "date"]
    assert {line.lidia for line in reading.lines} == {None}
