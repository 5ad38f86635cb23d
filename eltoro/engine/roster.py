"""Who has which die on a day: all runners in one row, seat after seat, each by number."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import accumulate
from typing import TYPE_CHECKING, Any, Final

from eltoro.engine.cards import Whose
from eltoro.engine.dice import EVERY_BYTE, FACES, SIGNS
from eltoro.engine.moves import Ask, Made, Move, write_runner

if TYPE_CHECKING:
    from eltoro.engine.tables import Tables

MOST_KEPT: Final = 20_000
"""So many moves are kept in memory for a roster, then it begins anew."""


class Roster:
    """The runners of a day.

    `begins`: where each seat's begin, and where all end. `seats`, `names`: by index. `index`: by
    name; `turns`, `sets`: index and turn, or face, by target. `spans`: by owner, by seat, the
    indexes of the runners a card may be for. `turned`: by first player, all in turn order.
    `ranks`: by first player, by runner, a number that grows in turn order; its low byte the index.
    """

    __slots__ = (
        "begins",
        "counts",
        "index",
        "kept",
        "names",
        "ranks",
        "seats",
        "sets",
        "spans",
        "tables",
        "total",
        "turned",
        "turns",
    )

    def __init__(self, tables: Tables, counts: Sequence[int]) -> None:
        self.tables = tables
        self.counts = tuple(counts)
        self.begins = (0, *accumulate(self.counts))
        self.total = self.begins[-1]
        self.seats = tuple(seat for seat, count in enumerate(self.counts) for _ in range(count))
        self.names = tuple(
            write_runner(seat, number)
            for seat, count in enumerate(self.counts)
            for number in range(1, count + 1)
        )
        self.index = {name: at for at, name in enumerate(self.names)}
        self.turns = {
            f"{name}{sign}": (at, by) for name, at in self.index.items() for sign, by in SIGNS
        }
        self.sets = {
            f"{name}={face}": (at, face)
            for name, at in self.index.items()
            for face in range(1, FACES + 1)
        }
        every = tuple(range(self.total))
        seats = range(len(self.counts))
        own = [every[self.begins[seat] : self.begins[seat + 1]] for seat in seats]
        others = [every[: self.begins[seat]] + every[self.begins[seat + 1] :] for seat in seats]
        self.turned = [every[begin:] + every[:begin] for begin in self.begins[:-1]]
        self.ranks = [
            tuple((at - begin) % self.total * EVERY_BYTE + at for at in every)
            for begin in self.begins[:-1]
        ]
        self.spans = {Whose.OWN: own, Whose.OTHER: others, Whose.ANY: [every for _ in seats]}
        self.kept: dict[tuple[int, int, tuple[Any, ...]], Move] = {}

    def move(self, card: int, seat: int, aimed: tuple[Any, ...]) -> Move:
        """The move that plays a card at these, made once and kept; `aimed` as `Play` reads it."""
        key = (card, seat, aimed)
        move = self.kept.get(key)
        if move is None:
            tables = self.tables
            targets = tables.plays[card].write(self, aimed) if aimed else ()
            move = self._keep(key, Move(Ask.CARD, tables.keys[card], tuple(targets)))
        return move

    def _keep(self, key: tuple[int, int, tuple[Any, ...]], move: Move) -> Move:
        card, seat, aimed = key
        move.keep(Made(self, seat, card, aimed))
        if len(self.kept) > MOST_KEPT:
            self.kept.clear()
        self.kept[key] = move
        return move

    def other(self, kind: Ask, seat: int, aimed: tuple[Any, ...]) -> Move:
        """The move that places 1s, (index, space) each, or discards cards; made once and kept."""
        key = (-1 if kind is Ask.START else -2, seat, aimed)
        move = self.kept.get(key)
        if move is None:
            if kind is Ask.START:
                spaces, names = self.tables.rules.board.spaces, self.names
                targets = tuple(f"{names[at]}>{spaces[space].key}" for at, space in aimed)
            else:
                targets = tuple(self.tables.keys[index] for index in aimed)
            move = self._keep(key, Move(kind, "", targets))
        return move
