"""The morning of a day, in the order that Ruling E-3 prescribes."""

from __future__ import annotations

from fairness import Chance
from tests.eltoro.oracle.papers import pack_of_destinations
from tests.eltoro.oracle.town import (
    MOST_BULLS,
    SEATS,
    Die,
    RefusedMoveError,
    Town,
    effect_of,
    runners_of,
    turn_order,
)

RUNNERS_EACH = {2: 9, 3: 8, 4: 6, 5: 6, 6: 6}
STARTS = ["2", "3", "4", "5", "6"]
DESTINATIONS_LAID = 5
BULLS = 6


def wake_up(town: Town) -> None:
    """Begin a new day, up to the point where players place their own 1s."""
    town.day += 1
    town.step = 0
    town.phase = "morning"
    town.dice = Chance(town.seed, f"day/{town.day}")
    town.points.append([0] * town.players)
    pay_effects(town)
    lay_destinations(town)
    town.bulls = {}
    for at, start in enumerate(STARTS, start=1):
        town.bulls[f"T{at}"] = Die(start, town.dice.roll())
    roll_runners(town)
    town.waiting = [seat for seat in turn_order(town) if unplaced(town, seat)]


def pay_effects(town: Town) -> None:
    """Pay effects of the previous day; their points belong to the new day (Rulings E-7 and E-9)."""
    for seat in turn_order(town):
        for kind in town.arrived[seat]:
            line = town.destinations[kind]
            if line["effect"] == "die":
                face = town.dice.roll()
                town.points[-1][seat] += face if face % 2 == 0 else -1
            if line["effect"] == "points":
                town.points[-1][seat] += int(line["amount"])


def lay_destinations(town: Town) -> None:
    """Shuffle all ten destination cards and lay out five from the end of the pile."""
    pile = pack_of_destinations(town.destinations)
    town.dice.shuffle(pile)
    town.laid = [pile.pop() for _ in range(DESTINATIONS_LAID)]


def runners_today(town: Town, seat: int) -> int:
    """Return how many runners a player has today, at least one (Ruling E-1)."""
    return max(1, RUNNERS_EACH[town.players] + effect_of(town, seat, "runner"))


def roll_runners(town: Town) -> None:
    """Roll all runners, also trampled ones. A runner that shows a 1 is placed later."""
    town.runners = {}
    for seat in turn_order(town):
        for at in range(1, runners_today(town, seat) + 1):
            face = town.dice.roll()
            town.runners[f"{SEATS[seat]}{at}"] = Die(None if face == 1 else str(face), face)


def unplaced(town: Town, seat: int) -> list[str]:
    """Return the player's runners that show a 1 and are not placed yet."""
    return [r for r in runners_of(town, seat) if town.runners[r].space is None]


def check_start(town: Town, seat: int, wishes: list[str]) -> None:
    """Check that a move places all own 1s on starting spaces."""
    for wish in wishes:
        if wish.count(">") != 1 or wish.partition(">")[2] not in STARTS:
            raise RefusedMoveError("E-3", f"{wish} is no placing")
    if sorted(wish.partition(">")[0] for wish in wishes) != sorted(unplaced(town, seat)):
        raise RefusedMoveError("E-3", "not the own 1s, each once")


def do_start(town: Town, wishes: list[str]) -> None:
    """Place the 1s, which keep their face."""
    for wish in wishes:
        runner, _, start = wish.partition(">")
        town.runners[runner].space = start


def let_late_bulls_in(town: Town) -> None:
    """Add the sixth bull and those of effects, up to ten bulls in all.

    Each goes to the starting space with the number rolled; a 1 is rolled again.
    """
    more = sum(effect_of(town, seat, "bull") for seat in range(town.players))
    for at in range(BULLS, min(MOST_BULLS, BULLS + more) + 1):
        face = town.dice.roll()
        while face == 1:
            face = town.dice.roll()
        town.bulls[f"T{at}"] = Die(str(face), face)
