"""What is counted over many games: a witness that counts it, and sums."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from typing import Any, TypeAlias

from eltoro.engine import CardPlayed, DayOver, Event, Game, Rules, State, Town

Sums: TypeAlias = defaultdict[str, float]


def sums() -> Sums:
    """Nothing counted yet."""
    return defaultdict(float)


@dataclass
class Tally:
    """Sums over games of one number of players.

    `first`: games won by seat 0, which begins, and `favourite`, by a seat that was watched;
    a shared win in equal parts. `highest`, `lowest`: totals of winners and of last ones. `moves`:
    decisions of all players. `began`, `trampled`: runners of all days; `bulls`: at the end of each.
    `laid`: destination cards on the map, by key; `arrived`: runners there; `reached`: players with
    a runner there. `played`: cards by key. `weighed`: uses of a card that were weighed; `gained`:
    points that these were worth to who played it, `taken`: points they took from all others.
    """

    games: int = 0
    moves: int = 0
    first: float = 0
    favourite: float = 0
    highest: int = 0
    lowest: int = 0
    days: int = 0
    began: int = 0
    trampled: int = 0
    bulls: int = 0
    laid: Sums = field(default_factory=sums)
    arrived: Sums = field(default_factory=sums)
    reached: Sums = field(default_factory=sums)
    played: Sums = field(default_factory=sums)
    weighed: Sums = field(default_factory=sums)
    gained: Sums = field(default_factory=sums)
    taken: Sums = field(default_factory=sums)

    def __add__(self, other: Tally) -> Tally:
        """Both together."""
        names = [one.name for one in fields(self)]
        return Tally(**{name: _sum(getattr(self, name), getattr(other, name)) for name in names})

    def see(self, event: Event, game: State) -> None:
        """The witness of a game: its cards and days."""
        if isinstance(event, CardPlayed):
            self.played[game.rules.cards[event.card].key] += 1
        elif isinstance(event, DayOver):
            self.see_day(game.town(), game.rules)

    def see_day(self, town: Town, rules: Rules) -> None:
        """A day that has been scored."""
        self.days += 1
        self.bulls += len(town.bulls)
        self.began += sum(map(len, town.runners))
        self.trampled += sum(own.count(None) for own in town.runners)
        for end, kind in zip(rules.board.rows[-1], town.destinations, strict=True):
            there = [
                sum(die is not None and die.space == end for die in own) for own in town.runners
            ]
            key = rules.destinations[kind].key
            self.laid[key] += 1
            self.arrived[key] += sum(there)
            self.reached[key] += sum(map(bool, there))

    def see_end(self, game: Game, favourite: int = 0) -> None:
        """A game that is over, and which seat was watched."""
        self.games += 1
        self.moves += len(game.log)
        self.first += won(game.places, 0)
        self.favourite += won(game.places, favourite)
        self.highest += max(game.points)
        self.lowest += min(game.points)


def won(places: tuple[int, ...], seat: int) -> float:
    """The seat's part of the win."""
    return (places[seat] == 1) / places.count(1)


def _sum(mine: Any, theirs: Any) -> Any:
    if not isinstance(mine, Mapping):
        return mine + theirs
    both = sums()
    for part in (mine, theirs):
        for key, value in part.items():
            both[key] += value
    return both
