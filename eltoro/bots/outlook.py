"""Expected points at the end of the day for El Toro bots, and their value to one player."""

from __future__ import annotations

from collections.abc import Sequence
from math import exp
from typing import Final

from eltoro.bots.streets import DieWays, Sign, Streets, streets_of
from eltoro.engine import FACES, DecisionKind, Die, Move, View

# Lead in points that makes a victory e times as likely. The first number is the lead at the end of
# the game, and the second number is added for each day that is left. Fitted to 191 games of four
# greedy bots.
TEMPER: Final = (0.8, 4.6)


def pending_ask(view: View) -> DecisionKind:
    """Return the decision that the view's seat must make. Raises `ValueError` if there is none."""
    if view.seat is None or view.ask is None or view.turn != view.seat:
        raise ValueError("It is not this seat's turn.")
    return view.ask


class Outlook:
    """A player's view of the game as numbers, with the expected value of each die.

    It contains no hidden information. `dice`: places by seat and number, -1 for runners that are
    trampled or not yet placed. `weights`: value of a point of each seat, which is 1 for the player
    and negative for others. It is the more negative, the likelier a player is to win. `ranks`: the
    spaces of the current row. `worth`: by seat, the value of arriving at each destination, by
    default its points.
    """

    def __init__(self, view: View, worth: Sequence[Sequence[float]] | None = None) -> None:
        town = view.town
        assert view.seat is not None
        self.view, self.seat = view, view.seat
        self.streets: Streets = streets_of(view.rules.board)
        self.bulls = tuple(self._place_number(bull) for bull in town.bulls)
        self.dice = tuple(tuple(self._place_number(die) for die in dice) for dice in town.runners)
        self.row = self.streets.board.spaces[town.bulls[0].space].row
        begins = self.streets.begins
        self.ranks = range(begins[self.row] // FACES, begins[self.row + 1] // FACES)
        self.worth = worth or [points_of(view)] * view.players
        self.signs = [
            frozenset(sign for sign, owner in town.tokens.items() if owner == seat)
            for seat in range(view.players)
        ]
        self._values: dict[tuple[int, ...], list[list[float]]] = {}
        self.now = self.values(self.bulls)
        self.weights = self._weights()

    def _place_number(self, die: Die | None) -> int:
        return (
            -1 if die is None or die.space < 0 else self.streets.place_number(die.space, die.face)
        )

    def key(self, rank: int) -> str:
        return self.streets.board.spaces[self.streets.spaces[rank]].key

    def is_ahead(self, space: int) -> bool:
        return self.streets.board.spaces[space].row >= self.row

    def ways(self, seat: int) -> DieWays:
        return self.streets.ways(self.signs[seat])

    def values(self, bulls: Sequence[int]) -> list[list[float]]:
        """Return the expected value of a die, by seat and place, if the bulls are at
        these places.
        """
        threats = self.streets.threats(bulls)
        key = tuple(threats)
        if key not in self._values:
            self._values[key] = self._calculate_values(threats)
        return self._values[key]

    def _calculate_values(self, threats: list[int]) -> list[list[float]]:
        """Calculate the expected values of dice from the faces of the bulls that will charge on
        each space (`threats`).

        Seats with the same streets and the same values of destinations share one list.
        """
        shared: dict[tuple[frozenset[Sign], int], list[float]] = {}
        prospects = []
        for seat, worth in enumerate(self.worth):
            key = (self.signs[seat], id(worth))
            if key not in shared:
                ways = self.ways(seat)
                shared[key] = self.streets.prospects(ways, threats, worth, self.row)
            prospects.append(shared[key])
        return prospects

    def with_signs(self, seat: int, signs: frozenset[Sign]) -> float:
        """Return how many points the player gains, with the weights of all seats, if the tokens of
        a seat are on these path signs.
        """
        streets = self.streets
        threats, worth = streets.threats(self.bulls), self.worth[seat]
        value = streets.prospects(streets.ways(signs), threats, worth, self.row)
        before = self.now[seat]
        change = sum(value[place] - before[place] for place in self.dice[seat] if place >= 0)
        return self.weights[seat] * change

    def with_bulls(self, bulls: Sequence[int], *, only: int | None = None) -> float:
        """Return how many points the player gains, with the weights of all seats, if the bulls are
        at these places.

        It is the gain of all seats, or of seat `only`.
        """
        after, change = self.values(bulls), 0.0
        for seat, weight in enumerate(self.weights):
            if only is None or seat == only:
                new, old = after[seat], self.now[seat]
                change += weight * sum([new[p] - old[p] for p in self.dice[seat] if p >= 0])
        return change

    def expected(self, seat: int) -> float:
        value = self.now[seat]
        return sum(value[place] for place in self.dice[seat] if place >= 0)

    def _weights(self) -> list[float]:
        """Return the value of a point of each seat to the player.

        The player's own points have the value 1. Points of others reduce the player's chance to
        win, so they have negative values.
        """
        ahead = [self.view.town.totals[seat] + self.expected(seat) for seat in self._seats()]
        left = self.view.rules.days - self.view.town.day + 1
        temper = TEMPER[0] + TEMPER[1] * (left - self.row / self.streets.board.steps)
        top = max(ahead)
        odds = [exp((points - top) / temper) for points in ahead]
        others = sum(odds) - odds[self.seat]
        return [1.0 if s == self.seat else -odds[s] / others for s in self._seats()]

    def _seats(self) -> range:
        return range(self.view.players)


def points_of(view: View) -> tuple[float, ...]:
    kinds = view.rules.destinations
    return tuple(float(kinds[which].points) for which in view.town.destinations)


def best_start(outlook: Outlook) -> Move:
    """Return the move that places the player's runners that show 1 on the best space.

    The values are averaged over all rolls of the sixth bull (Ruling E-3).
    """
    hopes = {rank: _expected_gain(outlook, rank) for rank in outlook.ranks}
    best = max(hopes, key=lambda rank: hopes[rank])
    waiting = [number for number, place in enumerate(outlook.dice[outlook.seat], 1) if place < 0]
    name = outlook.key(best)
    letter = "abcdef"[outlook.seat]
    return Move.start(*(f"{letter}{number}>{name}" for number in waiting))


def _expected_gain(outlook: Outlook, rank: int) -> float:
    gain = 0.0
    for face in range(1, FACES):  # the sixth bull shows 2 to 6 and begins on that space
        sixth = FACES * outlook.ranks[face - 1] + face
        gain += outlook.values((*outlook.bulls, sixth))[outlook.seat][FACES * rank]
    return gain
