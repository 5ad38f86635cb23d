"""Thousands of scoresheets with mistakes are judged by the referee and by the oracle.

The referee must accept and reject the same scoresheets as the oracle and must never crash. The
environment variable `TOWN_LOGS` sets the number of scoresheets.
"""

from __future__ import annotations

import os
from copy import deepcopy
from typing import Any

import pytest

from eltoro.tabletop.sheets import OF_THE_DECK, ScoresheetReading, read_evening, referee
from fairness import Chance, Seed
from tests.eltoro.oracle import evenings, sheets
from tests.eltoro.oracle.course import Course, play_all
from tests.eltoro.oracle.evenings import MISHAPS, ODD_THINGS, Mishap, Sheet, something_odd
from tests.eltoro.oracle.limits import Limits
from tests.eltoro.oracle.mutations import MUTATIONS
from tests.eltoro.oracle.papers import read_cards, read_destinations
from tests.eltoro.oracle.shelf import Setting
from tests.eltoro.oracle.stacked import some_setting
from tests.eltoro.oracle.strolling import stroll
from tests.eltoro.oracle.town import places
from tests.eltoro.oracle.translation import engine_rules

LOGS = int(os.environ.get("TOWN_LOGS", "1500"))
MISHAPS_EACH = 20


def played(chance: Chance, *, drawn: bool = False) -> tuple[Setting, Course]:
    """Return a finished random game, with positions of its days if `drawn` is set."""
    setting = some_setting(chance)
    course = setting.begin(drawn=drawn)
    stroll(course, chance)
    return setting, course


def reading_of(setting: Setting, sheet: Sheet) -> ScoresheetReading:
    """Return the referee's reading, after checking that leagues receive the same judgement."""
    rules = engine_rules(setting)
    reading = read_evening(rules, setting.players, sheet)
    told = referee.judge(rules=rules.options(), seats=setting.players, sheet=sheet)
    assert told.over == (reading.ending is not None)
    assert len(told.objections) == len(reading.objections)
    assert all(objection.sentence for objection in told.objections)
    assert reading.ending is None or told.places == reading.ending.places
    return reading


def ours(setting: Setting, course: Course, sheet: Sheet) -> sheets.SheetReading:
    """Return the oracle's reading of a scoresheet with arrivals."""
    most = sheets.most_gained_by(read_cards(setting.cards), course.town.board["steps"])
    kinds = read_destinations(setting.destinations)
    return sheets.read_arrivals(sheet, kinds, setting.players, setting.days, most)


def agree_on(setting: Setting, course: Course, sheet: Sheet) -> bool:
    """Check that referee and oracle agree, and return whether the scoresheet is accepted."""
    reading, expected = reading_of(setting, sheet), ours(setting, course, sheet)
    stands = expected.places is not None
    if stands and Limits(setting).arrivals_are_impossible(sheet):
        stands = False  # the cards of one deck give fewer points
    if stands and reading.contradictions:  # after a shuffle the oracle is less exact
        assert all(fault.code in OF_THE_DECK for fault in reading.contradictions), (setting, sheet)
        return False
    assert (reading.ending is not None) == stands, (setting, sheet)
    if reading.ending is not None:
        assert [list(day.points) for day in reading.days] == expected.points
        assert list(reading.ending.places) == expected.places
    return stands


@pytest.mark.slow
@pytest.mark.parametrize("mishap", MISHAPS, ids=lambda mishap: mishap.__name__)
def test_referee_accepts_the_same_arrivals_as_the_oracle(mishap: Mishap) -> None:
    chance = Seed(bytes(32)).chance(f"arrivals/{mishap.__name__}")
    verdicts = []
    for _ in range(LOGS // len(MISHAPS) // MISHAPS_EACH + 1):
        setting, course = played(chance, drawn=True)
        true = evenings.as_arrivals(course, setting.seed)
        for _ in range(MISHAPS_EACH):
            sheet = deepcopy(true)
            mishap(sheet, setting, chance)
            verdicts.append(agree_on(setting, course, sheet))
    assert any(verdicts) or mishap in (evenings.a_day_more_or_less, evenings.another_laying)
    assert all(verdicts) == (mishap is evenings.leave_unchanged)


def test_played_evening_can_be_submitted_as_points_arrivals_or_moves() -> None:
    """Whatever the cards, the referee must accept a played evening, with the same result in each
    form.
    """
    chance = Seed(bytes(32)).chance("evenings")
    for _ in range(LOGS // 100):
        setting, course = played(chance, drawn=True)
        for sheet in (
            evenings.as_points(course),
            evenings.as_arrivals(course, setting.seed),
            evenings.as_log(course, setting.seed),
        ):
            reading = reading_of(setting, sheet)
            assert reading.ending is not None, (setting, sheet, reading.objections)
            assert [list(day.points) for day in reading.days] == course.town.points
            assert list(reading.ending.places) == places(course.town)


def test_referee_accepts_only_readable_and_possible_points() -> None:
    chance = Seed(bytes(32)).chance("points")
    refused = 0
    for _ in range(LOGS // 100):
        setting, course = played(chance)
        for _ in range(MISHAPS_EACH):
            sheet = evenings.as_points(course)
            if chance.below(2):
                something_odd(sheet, setting, chance)
            elif sheet["days"]:
                row = chance.pick(sheet["days"])
                row[chance.below(len(row))] += chance.pick([-900, -1, 1, 900])
            refused += points_are_refused(setting, sheet)
    assert refused > LOGS // 30


def points_are_refused(setting: Setting, sheet: Sheet) -> bool:
    """Return whether the referee rejects a scoresheet of points.

    It must reject all that the oracle cannot read.
    """
    reading = reading_of(setting, sheet)
    expected = sheets.read_points(sheet, setting.players, setting.days)
    if reading.ending is None:
        return True
    assert expected.places == list(reading.ending.places), sheet
    assert all(-100 < points < 200 for day in reading.days for points in day.points)
    return False


def test_submitted_moves_are_checked_up_to_the_first_illegal_one() -> None:
    chance = Seed(bytes(32)).chance("records")
    for _ in range(LOGS // 100):
        setting, course = played(chance)
        sheet = evenings.as_log(course, setting.seed)
        sheet["moves"] = chance.pick(MUTATIONS)(sheet["moves"], chance)
        again = setting.begin(drawn=False)
        whole = play_all(again, sheet["moves"]) is None
        reading = reading_of(setting, sheet)
        paths = [objection.path for objection in reading.objections]
        assert paths == ([] if whole else [f"moves/{len(again.moves)}"])


def random_json(chance: Chance, depth: int = 3) -> Any:
    """Return random JSON."""
    if not depth or not chance.below(3):
        return chance.pick(ODD_THINGS)
    if chance.below(2):
        return [random_json(chance, depth - 1) for _ in range(chance.below(4))]
    keys = ["kind", "days", "destinations", "arrived", "gained", "dice", "seed", "moves"]
    return {chance.pick(keys): random_json(chance, depth - 1) for _ in range(chance.below(5))}


def test_referee_answers_absurd_el_toro_scoresheets_without_crashing() -> None:
    chance = Seed(bytes(32)).chance("absurd")
    for _ in range(LOGS):
        sheet = random_json(chance)
        if isinstance(sheet, dict):
            sheet["kind"] = chance.pick(["points", "arrivals", "log", "log ", None])
        rules = chance.pick([{}, {"days": 1}, {"days": "x"}, {"board": "sea"}, random_json(chance)])
        seats = chance.pick([2, 3, 6, 0, 7, -1])
        told = referee.judge(rules=rules, seats=seats, sheet=sheet)
        assert not told.over
        assert all(objection.sentence for objection in told.objections)
