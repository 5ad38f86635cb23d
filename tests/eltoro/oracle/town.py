"""The position of a game: where all dice, tokens and cards are, their owners, and who is next."""

from __future__ import annotations

from dataclasses import dataclass, field

from fairness import Chance
from tests.eltoro.oracle.papers import Board, Line

SEATS = "abcdef"
PARITIES = {0: "even", 1: "odd"}
TOKENS_EACH = 3
MOST_BULLS = 10


class RefusedMoveError(Exception):
    """A move that the rules do not allow: the ruling, and why."""

    def __init__(self, ruling: str, why: str) -> None:
        super().__init__(f"{why} (Ruling {ruling})")
        self.ruling = ruling


@dataclass
class Die:
    """A die on the board. A 1 that is not placed yet has no space."""

    space: str | None
    face: int


@dataclass
class Town:
    """Everything on the table, with all cards visible.

    `runners` and `bulls` are by name; trampled runners are missing. `tokens` maps a sign to the
    seat whose token is there. `arrived` contains the kinds of destinations that a seat reached on
    the previous day, once for each card. `waiting` are the seats that must decide, in order.
    """

    board: Board
    cards: dict[str, Line]
    destinations: list[Line]
    players: int
    days: int
    seed: bytes
    dice: Chance = field(compare=False)
    hands: list[list[str]]
    deck: list[str]
    arrived: list[list[int]]
    discards: list[str] = field(default_factory=list)
    reshuffles: int = 0
    day: int = 0
    step: int = 0
    phase: str = "morning"
    first: int = 0
    waiting: list[int] = field(default_factory=list)
    runners: dict[str, Die] = field(default_factory=dict)
    bulls: dict[str, Die] = field(default_factory=dict)
    tokens: dict[str, int] = field(default_factory=dict)
    laid: list[int] = field(default_factory=list)
    points: list[list[int]] = field(default_factory=list)


def turn_order(town: Town) -> list[int]:
    """Return all seats in turn order, beginning with the owner of the first-player token."""
    return [(town.first + place) % town.players for place in range(town.players)]


def owner(runner: str) -> int:
    """Return the seat to which a runner belongs."""
    return SEATS.index(runner[0])


def number(thing: str) -> int:
    """Return the number of a runner or bull."""
    return int(thing[1:])


def runners_of(town: Town, seat: int) -> list[str]:
    """Return a seat's runners that are on the board or must still be placed, by number."""
    return sorted((r for r in town.runners if owner(r) == seat), key=number)


def runners_at(town: Town, space: str) -> list[str]:
    """Return all runners on a space: by turn order of this step, then by number."""
    return [
        runner
        for seat in turn_order(town)
        for runner in runners_of(town, seat)
        if town.runners[runner].space == space
    ]


def bulls_at(town: Town, space: str | None) -> list[str]:
    """Return the bulls on a space, by number."""
    return sorted((b for b in town.bulls if town.bulls[b].space == space), key=number)


def faces_at(town: Town, space: str | None) -> list[int]:
    """Return the faces of the bulls on a space."""
    return [town.bulls[bull].face for bull in bulls_at(town, space)]


def tokens_left(town: Town, seat: int) -> int:
    """Return how many direction tokens a seat has not placed (Ruling E-5)."""
    return TOKENS_EACH - len([token for token in town.tokens.values() if token == seat])


def totals(town: Town) -> list[int]:
    """Return the total points of each seat."""
    return [sum(day[seat] for day in town.points) for seat in range(town.players)]


def places(town: Town) -> list[int]:
    """Return the places of all seats (Ruling E-9).

    The total points decide, then the points of the last day. Players who are tied in both share a
    place.
    """
    return places_by(totals(town), town.points[-1])


def places_by(total: list[int], last_day: list[int]) -> list[int]:
    """Return the place of each seat: one more than the number of better players."""
    did = list(zip(total, last_day, strict=True))
    return [1 + len([other for other in did if other > own]) for own in did]


def effect_of(town: Town, seat: int, effect: str) -> int:
    """Return the sum of one effect of the destinations reached on the previous day (Ruling E-7)."""
    lines = [town.destinations[kind] for kind in town.arrived[seat]]
    return sum(int(line["amount"] or 1) for line in lines if line["effect"] == effect)
