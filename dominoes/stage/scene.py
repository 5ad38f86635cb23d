"""A hand of Matador as one seat, or a watcher, sees it: everything the page draws."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final

from django.utils.translation import gettext as _

from dominoes.engine import Kind, PublicMove, Side, View, bits, domino_set
from dominoes.stage import sentences
from dominoes.stage.picture import DrawnTile, draw_tile, draw_train
from dominoes.stage.rack import build_rack
from leagues.text import join_with_and

MAX_AROUND_RING: Final = 3
"""Players who find room around the ring; more stand in a row."""
MAX_BACKS: Final = 7
"""Tiles drawn from behind beside a player's name at most."""
BACK_STEP: Final = 17
"""Units from one of them to the next."""
FULL_BAR: Final = 100
"""Units of a bar that has reached the target."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """Somebody at the table. `at` is where they stand: `west`, `north`, `east` or `you`.

    `just`: what they did with the last move.
    """

    number: int
    name: str
    note: str
    at: str
    count: int
    turn: bool
    just: str

    @property
    def held(self) -> str:
        """How many tiles they hold, the word alone."""
        return sentences.tile_word(self.count)

    @property
    def backs(self) -> tuple[int, ...]:
        """Where their tiles stand side by side, seen from behind, in units."""
        return tuple(range(0, min(self.count, MAX_BACKS) * BACK_STEP, BACK_STEP))

    @property
    def backs_box(self) -> str:
        """The viewBox around those."""
        return f"-2 -1 {len(self.backs) * BACK_STEP + 1} 32"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """One move told: its number in the hand from 1, whose it was, and the sentence."""

    number: int
    seat: int
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Score:
    """A side's points of the match, as a bar and in figures."""

    seats: tuple[tuple[int, str], ...]
    points: int
    bar: int
    won: int | None
    leads: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealedHand:
    """What a seat holds, face up: at the end of a hand, or when it is replayed."""

    number: int
    name: str
    tiles: tuple[DrawnTile, ...]
    pips: int
    winner: bool = False


def build_scene(
    view: View | None,
    *,
    names: Sequence[str] = (),
    notes: Sequence[str] = (),
    hands: int = 0,
    chosen: Mapping[str, str] | None = None,
    revealed: Sequence[int] | None = None,
) -> dict[str, Any]:
    """What `dominoes/_table.html` draws of a view; nothing before the first hand (None).

    `names`: the players by seat; `notes`: a word under each, such as that a bot plays for them.
    `hands`: hands that are over. `chosen`: the fields of a move that was refused, to be kept.
    `revealed`: every seat's tiles as bit sets, only where a hand that is over is replayed.
    """
    if view is None:
        return {}
    table = _Table(view, names, notes)
    return {
        **table.told(),
        "view": view,
        "seats": table.seats(),
        "crowd": view.players - (view.seat is not None) > MAX_AROUND_RING,
        "you": view.seat,
        "train": draw_train(view),
        "rack": build_rack(view, chosen or {}) if view.seat is not None else None,
        "revealed": [table.shown(seat, held) for seat, held in enumerate(revealed or ())],
        "boneyard": view.boneyard,
        "drawing": view.rules.boneyard == "draw",
        "scores": table.scores(),
        "hands": hands,
        "target": view.rules.target,
    }


class _Table:
    """A view with the names of who sits there."""

    def __init__(self, view: View, names: Sequence[str], notes: Sequence[str]) -> None:
        self.view = view
        self.sides = view.rules.sides(view.players)
        blank = [""] * view.players
        self.notes = [*notes, *blank][: view.players]
        told = [*names, *blank][: view.players]
        self.names = _unique_names(
            [n or _("Seat %(number)s") % {"number": s + 1} for s, n in enumerate(told)]
        )

    def told(self) -> dict[str, Any]:
        """The hand in words: its moves, whose turn it is, what may be laid, how it ended."""
        view = self.view
        return {
            "log": self.log(),
            "word": self.word(),
            "turn": self.turn_sentence(),
            "ends": sentences.ends_sentence(view.ends)
            if view.ends and view.turn is not None
            else "",
            "outcome": self.outcome(),
        }

    def seats(self) -> list[Seat]:
        """Everybody in turn order, beginning after who looks; who looks comes last."""
        view = self.view
        start = 0 if view.seat is None else view.seat + 1
        order = [(start + step) % view.players for step in range(view.players)]
        others = order if view.seat is None else order[:-1]
        places = dict(zip(others, _positions_around(len(others)), strict=True))
        return [self._seat(seat, places.get(seat, "you")) for seat in order]

    def _seat(self, seat: int, at: str) -> Seat:
        return Seat(
            number=seat,
            name=self.names[seat],
            note=self.notes[seat],
            at=at,
            count=self.view.counts[seat],
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
        return _("just laid %(tile)s") % {"tile": sentences.laid_tile_name(self.view.rules, move)}

    def log(self) -> list[LogLine]:
        """Every move of the hand, told, the first one first."""
        return [self._line(number, told) for number, told in enumerate(self.view.log, start=1)]

    def _line(self, number: int, told: PublicMove) -> LogLine:
        name = self.names[told.seat]
        text = sentences.move_sentence(self.view.rules, told, name)
        return LogLine(number=number, seat=told.seat, name=name, text=text)

    def word(self) -> LogLine | None:
        """The last move told, with what its end is now; None before the first."""
        view = self.view
        if not view.log:
            return None
        last, told = self._line(len(view.log), view.log[-1]), view.log[-1]
        if told.move.side is None or view.ends is None:
            return last
        end = sentences.end_sentence(view.ends[0 if told.move.side is Side.LEFT else 1])
        return replace(last, text=f"{last.text} {end}")

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
        return join_with_and([self.names[seat] for seat in self.sides[side]])

    def scores(self) -> list[Score]:
        """The match so far, side by side; in the order of the seats."""
        view, totals = self.view, self.view.totals
        best = max(totals)
        return [
            Score(
                seats=tuple((seat, self.names[seat]) for seat in seats),
                points=totals[side],
                bar=max(0, min(FULL_BAR, FULL_BAR * totals[side] // view.rules.target)),
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
            "ended": sentences.ending_sentence(view.outcome, self.names),
            "won": sentences.winner_sentence(view.outcome, sides),
            "sum": sentences.points_sum(view.outcome),
            "winner": "" if view.outcome.winner is None else sides[view.outcome.winner],
            "points": max(view.outcome.points),
            "rests": [self._rest(seat) for seat in range(view.players)],
        }

    def shown(self, seat: int, held: int) -> RevealedHand:
        """The tiles of a seat, face up, while a hand is replayed."""
        return RevealedHand(
            number=seat,
            name=self.names[seat],
            tiles=tuple(draw_tile(self.view.rules, tile) for tile in bits(held)),
            pips=domino_set(self.view.rules.highest).pips(held),
        )

    def _rest(self, seat: int) -> RevealedHand:
        view, outcome = self.view, self.view.outcome
        assert outcome is not None
        assert view.revealed is not None
        won = outcome.winner is not None and seat in self.sides[outcome.winner]
        return replace(self.shown(seat, view.revealed[seat]), winner=won)


def _unique_names(names: Sequence[str]) -> list[str]:
    """The names; those that several bear are numbered in the order of the seats."""
    return [
        f"{name} {names[: seat + 1].count(name)}" if names.count(name) > 1 else name
        for seat, name in enumerate(names)
    ]


def _positions_around(others: int) -> list[str]:
    """Where others stand, in turn order: the next player to the left."""
    if others == 1:
        return ["north"]
    return ["west", *["north"] * (others - 2), "east"]
