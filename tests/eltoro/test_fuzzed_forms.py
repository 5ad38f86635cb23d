"""Thousands of scoresheets in all forms are judged by the referee and compared with the oracle.

The referee must accept every evening that was played and reject everything that the oracle proves
impossible. `tests/volume.py` sets how many scoresheets are tried.
"""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from functools import lru_cache, partial

from eltoro.tabletop.sheets import read_evening, referee
from fairness import Chance, Seed
from tests.eltoro.oracle import evenings
from tests.eltoro.oracle.course import Course, play_all
from tests.eltoro.oracle.evenings import MISHAPS, Sheet
from tests.eltoro.oracle.limits import Limits
from tests.eltoro.oracle.mutations import MUTATIONS
from tests.eltoro.oracle.shelf import Setting, any_setting
from tests.eltoro.oracle.stacked import some_setting
from tests.eltoro.oracle.strolling import stroll, stroll_for_points
from tests.eltoro.oracle.translation import engine_rules
from tests.volume import Tally, volumes

FORMS = ["points", "arrivals", "log"]
# Shares of the usual number of scoresheets, in a full run and in a nightly run. They are small
# because playing an evening takes a twentieth of a second.
PLAYED = {"every form": (0.15, 0.035)}
WRONG = {"points": (0.5, 0.25), "arrivals": (1, 0.6), "log": (0.15, 0.02)}
SLIPS_EACH = 50
Record = Callable[[str, object], None]


def played(chance: Chance) -> tuple[Setting, Course]:
    """Return a finished random evening, with shipped or modified boards and cards."""
    setting = any_setting(chance) if chance.below(3) else some_setting(chance)
    course = setting.begin()
    course.only = ("morning", "score")
    (stroll if chance.below(2) else stroll_for_points)(course, chance)
    return setting, course


def sheet_in_form(form: str, setting: Setting, course: Course) -> Sheet:
    """Return the scoresheet of an evening in this form."""
    if form == "points":
        return evenings.as_points(course)
    if form == "arrivals":
        return evenings.as_arrivals(course, setting.seed)
    return evenings.as_log(course, setting.seed)


def is_accepted(setting: Setting, sheet: Sheet) -> bool:
    """Return whether the referee accepts the scoresheet of a finished evening."""
    rules = engine_rules(setting).options()
    judged = referee.judge(rules=rules, seats=setting.players, sheet=sheet)
    return judged.over and not judged.objections


@lru_cache(maxsize=4)
def limits_of(setting: Setting) -> Limits:
    """Return the limits for points of an evening with these settings."""
    return Limits(setting)


def why_impossible(form: str, setting: Setting, sheet: Sheet) -> str | None:
    """Return why an evening is impossible, or `None` if nothing was proved."""
    if form == "log":
        again = setting.begin(drawn=False)
        if refused := play_all(again, sheet["moves"]):
            return f"{refused.ruling} a move that is rejected"
        return None if again.town.phase == "over" else "E-9 the evening is not over"
    limits = limits_of(setting)
    if form == "points":
        return limits.points_are_impossible(sheet)
    return limits.arrivals_are_impossible(sheet)


def sheet_and_settings(setting: Setting, sheet: Sheet) -> dict[str, object]:
    """Return the scoresheet and all settings that are not the shipped ones, for messages."""
    table = {"players": setting.players, "days": setting.days}
    shipped = any_setting(Seed(bytes(32)).chance("shipped"))
    others = {
        name: value
        for name, value in (("cards", setting.cards), ("destinations", setting.destinations))
        if value != getattr(shipped, name)
    }
    return {**table, "steps": limits_of(setting).steps, "sheet": sheet, **others}


@volumes(PLAYED)
def test_referee_accepts_scoresheets_of_played_evenings(
    form: str, part: int, wanted: int, record_property: Record
) -> None:
    chance = Seed(bytes(32)).chance(f"legal/{part}")
    tallies = {one: Tally(f"eltoro, {one}, legal", record_property, wanted) for one in FORMS}
    for _ in range(wanted):
        setting, course = played(chance)
        for one, tally in tallies.items():
            sheet = sheet_in_form(one, setting, course)
            assert one == "log" or why_impossible(one, setting, sheet) is None, sheet
            tally.add(
                form, partial(sheet_and_settings, setting, sheet), right=is_accepted(setting, sheet)
            )
    for tally in tallies.values():
        tally.check(at_least=wanted)


LEFT_OUT = {"parts left out": (0.25, 0.1)}
LEFT_OUT_EACH = 4


def with_parts_left_out(sheet: Sheet, chance: Chance) -> Sheet:
    """Leave out parts of the scoresheet: dice, cards without points, and the last days."""
    if not chance.below(4):
        sheet["days"] = sheet["days"][: 1 + chance.below(len(sheet["days"]))]
    if sheet["kind"] == "points":
        return sheet
    for day in sheet["days"]:
        for key in ("gained", "dice"):
            if not any(day[key]) and chance.below(2):
                del day[key]
        if "dice" in day and not chance.below(4):
            day["dice"][chance.below(len(day["dice"]))] = None
        leave_out_destinations(day, chance)
    return sheet


def leave_out_destinations(day: Sheet, chance: Chance) -> None:
    """Leave out destinations that no runner reached."""
    for at in reversed(range(5)):
        if not any(row[at] for row in day["arrived"]) and not chance.below(8):
            del day["destinations"][at]
            for row in day["arrived"]:
                del row[at]


@volumes(LEFT_OUT)
def test_referee_does_not_reject_evenings_with_missing_details(
    form: str, part: int, wanted: int, record_property: Record
) -> None:
    """It may ask for missing details.

    If it accepts the evening, the totals must be those that were played.
    """
    chance = Seed(bytes(32)).chance(f"legal/{form}/{part}")
    tally = Tally(f"eltoro, {form}, legal", record_property, wanted)
    while tally.more:
        setting, course = played(chance)
        totals = [sum(points) for points in zip(*course.town.points, strict=True)]
        judged = referee.judge_totals(rules=engine_rules(setting).options(), totals=totals)
        assert not judged.objections, sheet_and_settings(setting, {"totals": totals})
        for _ in range(LEFT_OUT_EACH):
            true = sheet_in_form(chance.pick(["points", "arrivals", "arrivals"]), setting, course)
            sheet = with_parts_left_out(true, chance)
            reading = read_evening(engine_rules(setting), setting.players, sheet)
            said = "accepted" if reading.ending else "asked"
            right = not reading.contradictions and (
                reading.ending is None or list(reading.ending.totals) == totals
            )
            tally.add(said, partial(sheet_and_settings, setting, sheet), right=right)
    tally.check(at_least=wanted)
    assert tally.judged["accepted"] >= tally.total / 4, tally.judged


def slip_of_points(sheet: Sheet, setting: Setting, chance: Chance) -> None:
    """Change points: swapped digits, wrong by a little or a lot, or exchanged between players."""
    row = chance.pick(sheet["days"])
    seat = chance.below(len(row))
    turned = int(str(abs(row[seat]))[::-1])
    near = row[seat] + chance.below(21) - 10
    row[seat] = chance.pick([near, turned, row[seat] * 10, 40 + chance.below(60), -row[seat] - 1])
    if not chance.below(3):
        chance.shuffle(row)


def slip_of_gains(sheet: Sheet, setting: Setting, chance: Chance) -> None:
    """Change the points from cards of several players and days, each of which is possible alone."""
    for day in sheet["days"]:
        for seat in range(setting.players):
            if chance.below(2):
                day["gained"][seat] = chance.below(7)


def slipped(form: str, true: Sheet, setting: Setting, chance: Chance) -> Sheet:
    """Return the scoresheet of an evening with a random mistake in it."""
    sheet = deepcopy(true)
    if form == "points":
        slip_of_points(sheet, setting, chance)
    elif form == "arrivals":
        chance.pick([*MISHAPS, slip_of_gains, slip_of_gains])(sheet, setting, chance)
    else:
        sheet["moves"] = chance.pick(MUTATIONS)(sheet["moves"], chance)
    return sheet


@volumes(WRONG)
def test_referee_rejects_scoresheets_of_impossible_evenings(
    form: str, part: int, wanted: int, record_property: Record
) -> None:
    chance = Seed(bytes(32)).chance(f"impossible/{form}/{part}")
    tally = Tally(f"eltoro, {form}, impossible", record_property, wanted)
    while tally.more:
        setting, course = played(chance)
        true = sheet_in_form(form, setting, course)
        for _ in range(SLIPS_EACH):
            sheet = slipped(form, true, setting, chance)
            reason = why_impossible(form, setting, sheet)
            if reason is not None:
                tally.add(
                    reason,
                    partial(sheet_and_settings, setting, sheet),
                    right=not is_accepted(setting, sheet),
                )
    tally.check(at_least=wanted)
