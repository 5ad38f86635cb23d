"""A hand of Matador as one seat, or a watcher, sees it: everything the page draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from django.utils.translation import gettext as _

from dominoes import words
from dominoes.engine import Kind, Said, Side, View, bits
from dominoes.stage.grid import HALF
from dominoes.stage.picture import Drawn, one, picture
from dominoes.stage.pips import DOTTED, symbols
from dominoes.stage.rack import rack

MARKS: Final = 6
"""Player marks there are; past six seats they repeat and the letter decides."""
BACKS: Final = 7
"""Tiles drawn from behind beside a player's name at most."""
FULL: Final = 100
"""Units of a bar that has reached the target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Somebody at the table. `at` is where they stand: `west`, `north`, `east` or `you`.

    `just`: what they did with the last move; `backs`: where to draw tiles from behind.
    """

    number: int
    name: str
    note: str
    mark: int
    letter: str
    at: str
    count: int
    held: str
    backs: tuple[int, ...]
    turn: bool
    just: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Line:
    """One move told: its number in the hand from 1, whose it was, and the sentence."""

    number: int
    seat: int
    mark: int
    letter: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A side's points of the match, as a bar and in figures."""

    seats: tuple[tuple[int, str, str], ...]
    names: str
    mark: int
    points: int
    bar: int
    won: int | None
    leads: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class Rest:
    """What a seat still held when the hand ended."""

    name: str
    mark: int
    letter: str
    tiles: tuple[Drawn, ...]
    pips: int
    out: bool
    winner: bool


def scene(
    view: View,
    *,
    names: Sequence[str] = (),
    notes: Sequence[str] = (),
    hands: int = 0,
    match_over: bool = False,
    chosen: Mapping[str, str] | None = None,
) -> dict[str, Any]:
    """What `dominoes/_table.html` draws of a view.

    `names`: the players by seat; `notes`: a word under each, such as that a bot plays for them.
    `hands`: hands that are over. `chosen`: the fields of a move that was refused, to be kept.
    """
    table = _Table(view, names, notes)
    return {
        "view": view,
        "seats": table.seats(),
        "you": view.seat,
        "train": picture(view),
        "log": table.log(),
        "word": table.word(),
        "turn": table.turn_sentence(),
        "ends": words.ends_now(view.ends) if view.ends and view.turn is not None else "",
        "rack": rack(view, chosen or {}) if view.seat is not None else None,
        "boneyard": view.boneyard,
        "drawing": view.rules.boneyard == "draw",
        "scores": table.scores(),
        "hands": hands,
        "target": view.rules.target,
        "outcome": table.outcome(),
        "match_over": match_over,
        "symbols": symbols(view.rules.highest),
        "dotted": DOTTED,
        "half": HALF,
    }


class _Table:
    """A view with the names of who sits there."""

    def __init__(self, view: View, names: Sequence[str], notes: Sequence[str]) -> None:
        self.view = view
        self.sides = view.rules.sides(view.players)
        blank = [""] * view.players
        self.notes = [*notes, *blank][: view.players]
        told = [*names, *blank][: view.players]
        self.names = [n or _("Seat %(number)s") % {"number": s + 1} for s, n in enumerate(told)]

    def mark(self, seat: int) -> tuple[int, str]:
        """The mark of a seat, 1 to 6, and the letter on it."""
        return seat % MARKS + 1, self.names[seat][:1].upper()

    def seats(self) -> list[Seat]:
        """Everybody in turn order, beginning after who looks; who looks comes last."""
        view = self.view
        start = 0 if view.seat is None else view.seat + 1
        order = [(start + step) % view.players for step in range(view.players)]
        others = order if view.seat is None else order[:-1]
        places = dict(zip(others, _around(len(others)), strict=True))
        return [self._seat(seat, places.get(seat, "you")) for seat in order]

    def _seat(self, seat: int, at: str) -> Seat:
        mark, letter = self.mark(seat)
        count = self.view.counts[seat]
        return Seat(
            number=seat,
            name=self.names[seat],
            note=self.notes[seat],
            mark=mark,
            letter=letter,
            at=at,
            count=count,
            held=words.tiles(count),
            backs=tuple(range(min(count, BACKS))),
            turn=self.view.turn == seat,
            just=self._just(seat),
        )

    def _just(self, seat: int) -> str:
        """What a seat has just done, in two words; empty for all but the last to move."""
        log = self.view.log
        if not log or log[-1].seat != seat:
            return ""
        move = log[-1].move
        if move.tile is None:
            return _("just drew") if move.kind is Kind.DRAW else _("just passed")
        return _("just laid %(tile)s") % {"tile": words.as_laid(self.view.rules, move)}

    def log(self) -> list[Line]:
        """Every move of the hand, told, the first one first."""
        return [self._line(number, told) for number, told in enumerate(self.view.log, start=1)]

    def _line(self, number: int, told: Said) -> Line:
        mark, letter = self.mark(told.seat)
        text = words.said(self.view.rules, told, self.names[told.seat])
        return Line(number=number, seat=told.seat, mark=mark, letter=letter, text=text)

    def word(self) -> Line | None:
        """The last move told, with what its end is now; None before the first."""
        view = self.view
        if not view.log:
            return None
        last, told = self._line(len(view.log), view.log[-1]), view.log[-1]
        if told.move.side is None or view.ends is None:
            return last
        end = words.end_now(view.ends[0 if told.move.side is Side.LEFT else 1])
        return Line(
            number=last.number,
            seat=last.seat,
            mark=last.mark,
            letter=last.letter,
            text=f"{last.text} {end}",
        )

    def turn_sentence(self) -> str:
        """Whose turn it is; empty when the hand is over."""
        turn = self.view.turn
        if turn is None:
            return ""
        if turn == self.view.seat:
            return _("Your turn")
        return _("%(who)s’s turn") % {"who": self.names[turn]}

    def side_name(self, side: int) -> str:
        """The players of a side."""
        return _(" and ").join(self.names[seat] for seat in self.sides[side])

    def scores(self) -> list[Score]:
        """The match so far, side by side; in the order of the seats."""
        view, totals = self.view, self.view.totals
        best = max(totals)
        return [
            Score(
                seats=tuple((*self.mark(seat), self.names[seat]) for seat in seats),
                names=self.side_name(side),
                mark=self.mark(seats[0])[0],
                points=totals[side],
                bar=max(0, min(FULL, FULL * totals[side] // view.rules.target)),
                won=view.outcome.points[side] if view.outcome else None,
                leads=totals[side] == best > 0,
            )
            for side, seats in enumerate(self.sides)
        ]

    def outcome(self) -> dict[str, Any] | None:
        """How the hand ended: who won, what everybody held, the sum; None while it goes on."""
        view = self.view
        if view.outcome is None or view.revealed is None:
            return None
        sides = [self.side_name(side) for side in range(len(self.sides))]
        return {
            "ended": words.ended(view.outcome, self.names),
            "won": words.won(view.outcome, sides),
            "sum": words.sum_of(view.outcome),
            "winner": "" if view.outcome.winner is None else sides[view.outcome.winner],
            "points": max(view.outcome.points),
            "rests": [self._rest(seat) for seat in range(view.players)],
        }

    def _rest(self, seat: int) -> Rest:
        view, outcome = self.view, self.view.outcome
        assert outcome is not None
        assert view.revealed is not None
        mark, letter = self.mark(seat)
        won = outcome.winner is not None and seat in self.sides[outcome.winner]
        return Rest(
            name=self.names[seat],
            mark=mark,
            letter=letter,
            tiles=tuple(one(view.rules, tile) for tile in bits(view.revealed[seat])),
            pips=outcome.pips[seat],
            out=outcome.out == seat,
            winner=won,
        )


def _around(others: int) -> list[str]:
    """Where others stand, in turn order: the next player to the left."""
    if others == 1:
        return ["north"]
    return ["west", *["north"] * (others - 2), "east"]
