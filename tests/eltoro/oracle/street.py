"""The rest of a step after the cards: movement and charge of the bulls, and the score of a day."""

from __future__ import annotations

from tests.eltoro.oracle.town import (
    PARITIES,
    Die,
    Town,
    faces_at,
    owner,
    runners_at,
    runners_of,
)


def way_of_bull(town: Town, die: Die) -> str:
    """Return the next space of a bull, which follows its parity only (Ruling E-5)."""
    assert die.space is not None
    ways = town.board["ways"][die.space]
    return ways["way"] if "way" in ways else ways[PARITIES[die.face % 2]]


def way_of_runner(town: Town, seat: int, die: Die) -> str:
    """Return the next space of a runner.

    If exactly one of the two path signs has a token of the runner's owner, this token decides.
    Otherwise the parity of the runner's face decides.
    """
    ways = town.board["ways"][str(die.space)]
    told = [p for p in ("even", "odd") if town.tokens.get(f"{die.space}/{p}") == seat]
    return ways[told[0]] if len(told) == 1 else way_of_bull(town, die)


def move_runners(town: Town) -> None:
    """Move all runners one row down."""
    for runner, die in town.runners.items():
        die.space = way_of_runner(town, owner(runner), die)


def move_bulls(town: Town) -> None:
    """Move all bulls one row down."""
    for die in town.bulls.values():
        die.space = way_of_bull(town, die)


def charge(town: Town) -> None:
    """Let the bulls charge: each runner with the same face as a bull on its space is rolled once
    (Ruling E-6).

    If they match a bull there again, they are trampled.
    """
    in_danger = [
        runner
        for space in town.board["spaces"]
        if faces_at(town, space)
        for runner in runners_at(town, space)
        if town.runners[runner].face in faces_at(town, space)
    ]
    for runner in in_danger:
        town.runners[runner].face = town.dice.roll()
    for runner in in_danger:
        if town.runners[runner].face in faces_at(town, town.runners[runner].space):
            del town.runners[runner]


def pass_token(town: Town) -> None:
    """Pass the first-player token to the left, also after the last step of a day (Ruling E-4)."""
    town.first = (town.first + 1) % town.players


def score_day(town: Town) -> None:
    """Add the points of all runners that arrived and store the effects that they earned.

    The effect of a destination counts once. There are no effects after the last day (Ruling E-7).
    """
    places = ["d1", "d2", "d3", "d4", "d5"]
    for seat in range(town.players):
        stands = [town.runners[runner].space for runner in runners_of(town, seat)]
        town.arrived[seat] = []
        for place, kind in zip(places, town.laid, strict=True):
            there = stands.count(place)
            town.points[-1][seat] += there * int(town.destinations[kind]["points"])
            if there and town.day < town.days:
                town.arrived[seat].append(kind)
