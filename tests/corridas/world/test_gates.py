"""Gates of reserved corridas at their limits (winter, closing, eve)."""

from __future__ import annotations

import datetime as dt
from itertools import count

import pytest

from corridas.world.gates import (
    DueGate,
    Gate,
    ReservedDay,
    Stage,
    closing_day,
    due_gate,
    played_until,
)

D = dt.date
FIRST = D(2031, 9, 7)


def reserved(
    stage: Stage, day: dt.date = FIRST, closes: dt.date | None = None, key: int = 1
) -> ReservedDay:
    return ReservedDay(key, day, closes or closing_day(FIRST, D.min), stage)


def test_a_feria_closes_thirty_days_before_its_first_day() -> None:
    assert closing_day(FIRST, D(2031, 1, 1)) == D(2031, 8, 8)
    assert closing_day(FIRST, D(2031, 8, 8)) == D(2031, 8, 8)
    # Taken too late for that, it closes today.
    assert closing_day(FIRST, D(2031, 8, 9)) == D(2031, 8, 9)


@pytest.mark.parametrize(
    ("stage", "last", "gate"),
    [
        (Stage.WINTER, D(2030, 12, 31), Gate.WINTER),
        (Stage.SEASON, D(2031, 8, 8), Gate.CLOSING),
        (Stage.CLOSED, D(2031, 9, 6), Gate.EVE),
    ],
)
def test_a_gate_lies_before_the_day_after_its_last_day(
    stage: Stage, last: dt.date, gate: Gate
) -> None:
    row = reserved(stage)
    following = last + dt.timedelta(days=1)
    assert due_gate(last, [row]) is None
    assert due_gate(following, [row]) == DueGate(gate, (1,))
    assert due_gate(following + dt.timedelta(days=20), [row]) == DueGate(gate, (1,))
    assert played_until(last, [row]) == last
    assert played_until(last - dt.timedelta(days=40), [row]) == last
    assert played_until(following, [row]) == D.max


def test_a_corrida_whose_gates_are_passed_stops_nobody() -> None:
    row = reserved(Stage.OVER)
    assert due_gate(D(2032, 1, 1), [row]) is None
    assert played_until(D(2031, 1, 1), [row]) == D.max


def test_the_days_of_a_feria_close_together_and_have_an_eve_each() -> None:
    days = [FIRST + dt.timedelta(days=number) for number in range(3)]
    closing = [reserved(Stage.SEASON, day, key=key) for key, day in zip(count(1), days)]
    assert due_gate(D(2031, 8, 9), closing) == DueGate(Gate.CLOSING, (1, 2, 3))
    eves = [reserved(Stage.CLOSED, day, key=key) for key, day in zip(count(1), days)]
    assert due_gate(days[0], eves) == DueGate(Gate.EVE, (1,))
    assert due_gate(days[2], eves) == DueGate(Gate.EVE, (1,)), "the earliest comes first"
    assert due_gate(days[2], eves[1:]) == DueGate(Gate.EVE, (2,))
    assert played_until(D(2031, 8, 9), eves) == D(2031, 9, 6)


def test_a_feria_of_january_closes_in_winter_and_has_no_other_gate_before() -> None:
    closes = {D(2031, 1, 30): D(2030, 12, 31), D(2031, 1, 31): D(2031, 1, 1)}
    for day, closing in closes.items():
        assert closing_day(day, D.min) == closing
    [(early, in_winter), (late, in_season)] = closes.items()
    rows = [
        reserved(Stage.WINTER, early, in_winter, 1),
        reserved(Stage.WINTER, late, in_season, 2),
    ]
    assert due_gate(D(2030, 12, 31), rows) is None
    assert due_gate(D(2031, 1, 1), rows[:1]) == DueGate(Gate.CLOSING, (1,))
    assert due_gate(D(2031, 1, 1), rows[1:]) == DueGate(Gate.WINTER, (2,))
    assert due_gate(D(2031, 1, 1), rows) == DueGate(Gate.WINTER, (2,)), "the winter ends first"
