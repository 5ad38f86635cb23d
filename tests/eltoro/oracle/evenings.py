"""Scoresheets of games played by the oracle, and random mistakes in them."""

from __future__ import annotations

from collections.abc import Callable
from copy import deepcopy
from typing import Any

from fairness import Chance
from tests.eltoro.oracle.course import Course
from tests.eltoro.oracle.papers import read_destinations
from tests.eltoro.oracle.shelf import Setting
from tests.eltoro.oracle.town import Town, runners_of, turn_order

Sheet = dict[str, Any]
Mishap = Callable[[Sheet, Setting, Chance], None]
ODD_THINGS: list[Any] = [
    None, True, -1, 0, 3, 7, 10**9, -(10**30), 1.5, "", "3", "bank", "d1", [], [1], [[]], {},
    {"days": []}, [None] * 5, ["bank"] * 5, "\u0663", float("nan"),
]  # fmt: skip


def as_points(course: Course) -> Sheet:
    """Return a scoresheet with the points of each day by seat."""
    return {"kind": "points", "days": deepcopy(course.town.points)}


def as_log(course: Course, seed: bytes) -> Sheet:
    """Return a scoresheet with the seed and all moves."""
    return {"kind": "log", "seed": seed.hex(), "moves": list(course.moves)}


def as_arrivals(course: Course, seed: bytes) -> Sheet:
    """Return a scoresheet with the runners counted every evening and dice rolled every morning."""
    mornings = [town for name, town in course.pictures if name == "morning"]
    scores = [town for name, town in course.pictures if name == "score"]
    days = [evening(*day, seed) for day in zip(mornings, scores, strict=True)]
    return {"kind": "arrivals", "days": days}


def evening(morning: Town, score: Town, seed: bytes) -> Sheet:
    """Return the part of the scoresheet for one day, from its morning and its score."""
    dice = morning_dice(morning, seed)
    seats = range(score.players)
    arrived = [[standing(score, seat).count(f"d{at}") for at in range(1, 6)] for seat in seats]
    worth = [int(score.destinations[kind]["points"]) for kind in score.laid]
    reached = [sum(n * p for n, p in zip(row, worth, strict=True)) for row in arrived]
    return {
        "destinations": [score.destinations[kind]["destination"] for kind in score.laid],
        "arrived": arrived,
        "gained": [score.points[-1][s] - reached[s] - morning.points[-1][s] for s in seats],
        "dice": [faces_value(faces) for faces in dice],
    }


def standing(town: Town, seat: int) -> list[str | None]:
    """Return the spaces of a player's runners."""
    return [town.runners[runner].space for runner in runners_of(town, seat)]


def morning_dice(town: Town, seed: bytes) -> list[list[int]]:
    """Return the dice that each player rolled for effects of the previous day.

    They are the first dice of the day.
    """
    dice, faces = Chance(seed, f"day/{town.day}"), [list[int]() for _ in range(town.players)]
    for seat in turn_order(town):
        for kind in town.arrived[seat]:
            if town.destinations[kind]["effect"] == "die":
                faces[seat].append(dice.roll())
    return faces


def faces_value(faces: list[int]) -> object:
    """Return the faces in the format of a scoresheet: `None` for no face, the number for a single
    face, and otherwise a list.
    """
    return faces if len(faces) > 1 else next(iter(faces), None)


def some_day(sheet: Sheet, chance: Chance) -> Sheet:
    """Return a random day of the scoresheet."""
    day: Sheet = chance.pick(sheet["days"])
    return day


def another_count(sheet: Sheet, setting: Setting, chance: Chance) -> None:
    """Change the number of runners of a player at a destination."""
    row = chance.pick(some_day(sheet, chance)["arrived"])
    row[chance.below(5)] += chance.pick([-2, -1, 1, 2, 3])


def another_place(sheet: Sheet, setting: Setting, chance: Chance) -> None:
    """Mix up the destinations of a player's runners, which also changes the effects."""
    chance.shuffle(chance.pick(some_day(sheet, chance)["arrived"]))


def another_seat(sheet: Sheet, setting: Setting, chance: Chance) -> None:
    """Change the scoresheet: exchange the runners of two players."""
    chance.shuffle(some_day(sheet, chance)["arrived"])


def another_destination(sheet: Sheet, setting: Setting, chance: Chance) -> None:
    """Replace a destination by another one, perhaps more often than there are cards."""
    kinds = [line["destination"] for line in read_destinations(setting.destinations)]
    laid = some_day(sheet, chance)["destinations"]
    laid[chance.below(5)] = chance.pick([*kinds, "beach"])


def another_laying(sheet: Sheet, setting: Setting, chance: Chance) -> None:
    """Change the scoresheet: add or remove a destination, so that six or four destinations are laid
    out.
    """
    laid = some_day(sheet, chance)["destinations"]
    laid.append(laid[0]) if chance.below(2) else laid.pop()


def another_gain(sheet: Sheet, setting: Setting, chance: Chance) -> None:
    """Change the points that a player gained from cards."""
    gained = some_day(sheet, chance)["gained"]
    gained[chance.below(len(gained))] += chance.pick([-3, -1, 1, 2, 20])


def another_die(sheet: Sheet, setting: Setting, chance: Chance) -> None:
    """Change the scoresheet: leave out a die, invent a die, or change its face."""
    dice = some_day(sheet, chance)["dice"]
    faces: list[Any] = [None, 0, 1, 2, 5, 6, 7, [], [3], [2, 4], [2, 9], [None]]
    dice[chance.below(len(dice))] = chance.pick(faces)


def days_mixed(sheet: Sheet, setting: Setting, chance: Chance) -> None:
    """Write down the days in another order."""
    chance.shuffle(sheet["days"])


def a_day_more_or_less(sheet: Sheet, setting: Setting, chance: Chance) -> None:
    """Leave out a day or write it down twice."""
    sheet["days"] = sheet["days"] + sheet["days"][:1] if chance.below(2) else sheet["days"][1:]


def something_missing(sheet: Sheet, setting: Setting, chance: Chance) -> None:
    """Leave out a part of a day."""
    day = some_day(sheet, chance)
    del day[chance.pick(sorted(day))]


def something_odd(sheet: Sheet, setting: Setting, chance: Chance) -> None:
    """Replace a random value by something absurd."""
    place: Any = sheet
    while True:
        keys = sorted(place) if isinstance(place, dict) else list(range(len(place)))
        if not keys:
            return
        key = chance.pick(keys)
        if not isinstance(place[key], (dict, list)) or not chance.below(3):
            place[key] = chance.pick(ODD_THINGS)
            return
        place = place[key]


def leave_unchanged(sheet: Sheet, setting: Setting, chance: Chance) -> None:
    """Leave the scoresheet unchanged."""


MISHAPS: list[Mishap] = [
    leave_unchanged, another_count, another_place, another_seat, another_destination,
    another_laying, another_gain, another_die, days_mixed, a_day_more_or_less,
    something_missing, something_odd,
]  # fmt: skip
