"""Everything that a page shows of a dominoes hand, as seen by a seat or a spectator."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Final, TypedDict

from django.utils.translation import gettext as _

from dominoes.engine import MoveKind, PublicMove, Side, View, bits, domino_set
from dominoes.stage import sentences
from dominoes.stage.picture import DrawnTile, TrainPicture, draw_tile, draw_train
from dominoes.stage.rack import Rack, build_rack
from leagues.text import join_with_and

# Maximum number of other players who are shown around the table. If there are more players, they
# are shown in a row.
MAX_AROUND_RING: Final = 3
# Maximum number of face-down tiles shown beside a player's name.
MAX_BACKS: Final = 7
# Drawing units between two face-down tiles.
BACK_STEP: Final = 17
# Length in units of the bar of a side that has reached the target.
FULL_BAR: Final = 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Seat:
    """A player at the game table.

    `at`: the position on the page: `west`, `north`, `east` or `you`. `just`: the last move of the
    hand as text, if this player made it.
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
        return sentences.tile_word(self.count)

    @property
    def backs(self) -> tuple[int, ...]:
        return tuple(range(0, min(self.count, MAX_BACKS) * BACK_STEP, BACK_STEP))

    @property
    def backs_box(self) -> str:
        return f"-2 -1 {len(self.backs) * BACK_STEP + 1} 32"


@dataclass(frozen=True, slots=True, kw_only=True)
class LogLine:
    """A move of the hand in words: its number from 1, its player, and a sentence."""

    number: int
    seat: int
    name: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class SideScore:
    """A side's points in the match, as a bar and a number."""

    seats: tuple[tuple[int, str], ...]
    points: int
    bar: int
    won: int | None
    leads: bool


@dataclass(frozen=True, slots=True, kw_only=True)
class RevealedHand:
    """The revealed tiles of a seat, at the end of a hand or in a replay."""

    number: int
    name: str
    tiles: tuple[DrawnTile, ...]
    pips: int
    winner: bool = False


class OutcomeContext(TypedDict):
    """Template context of the end of a hand: how it ended, the winner and the remaining tiles.

    `sum` is the calculation of the points in words. `winner` is empty on a tie.
    """

    ended: str
    won: str
    sum: str
    winner: str
    points: int
    rests: list[RevealedHand]


class SceneContext(TypedDict):
    """Template context of `dominoes/_table.html`.

    `word`: the last move in words. `turn`: whose turn it is, in words. `crowd`: True if there are
    too many players to show them around the table. `ends`: description of the ends, empty before
    the first tile and after the hand. `outcome`: None until the hand is over. `rack`: None for
    spectators. `revealed`: only in replays.
    """

    view: View
    you: int | None
    seats: list[Seat]
    crowd: bool
    log: list[LogLine]
    word: LogLine | None
    turn: str
    train: TrainPicture
    ends: str
    rack: Rack | None
    revealed: list[RevealedHand]
    outcome: OutcomeContext | None
    boneyard: int
    drawing: bool
    scores: list[SideScore]
    hands: int
    target: int


def build_scene(
    view: View,
    *,
    names: Sequence[str] = (),
    notes: Sequence[str] = (),
    hands: int = 0,
    chosen: Mapping[str, str] | None = None,
    revealed: Sequence[int] | None = None,
) -> SceneContext:
    """Return the context of `dominoes/_table.html`.

    `names`: the players by seat. `notes`: a remark for each player, for example that a bot plays.
    `hands`: number of finished hands. `chosen`: the fields of a rejected move, which the form shows
    again. `revealed`: every seat's tiles as bit sets, only in replays of finished hands.
    """
    table = _Table(view, names, notes)
    return {
        "view": view,
        "you": view.seat,
        "seats": table.seats(),
        "crowd": view.players - (view.seat is not None) > MAX_AROUND_RING,
        "log": table.log(),
        "word": table.word(),
        "turn": table.turn_sentence(),
        "train": draw_train(view),
        "ends": table.ends(),
        "rack": build_rack(view, chosen or {}) if view.seat is not None else None,
        "revealed": [table.revealed_hand(seat, held) for seat, held in enumerate(revealed or ())],
        "outcome": table.outcome(),
        "boneyard": view.boneyard,
        "drawing": view.rules.boneyard == "draw",
        "scores": table.scores(),
        "hands": hands,
        "target": view.rules.target,
    }


class _Table:
    """A view of a hand with the players' names, for building the template context."""

    def __init__(self, view: View, names: Sequence[str], notes: Sequence[str]) -> None:
        self.view = view
        self.sides = view.rules.sides(view.players)
        blank = [""] * view.players
        self.notes = [*notes, *blank][: view.players]
        given = [*names, *blank][: view.players]
        self.names = _unique_names(
            [name or _("Seat %(number)s") % {"number": n + 1} for n, name in enumerate(given)]
        )

    def seats(self) -> list[Seat]:
        """Return the players in turn order, beginning after the viewer. The viewer comes last."""
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
            just=self._last_action(seat),
        )

    def _last_action(self, seat: int) -> str:
        log = self.view.log
        if not log or log[-1].seat != seat:
            return ""
        move = log[-1].move
        if move.tile is None:
            return _("just drew") if move.kind is MoveKind.DRAW else _("just passed")
        return _("just laid %(tile)s") % {"tile": sentences.laid_tile_name(self.view.rules, move)}

    def log(self) -> list[LogLine]:
        return [self._line(number, entry) for number, entry in enumerate(self.view.log, start=1)]

    def _line(self, number: int, public_move: PublicMove) -> LogLine:
        name = self.names[public_move.seat]
        text = sentences.move_sentence(self.view.rules, public_move, name)
        return LogLine(number=number, seat=public_move.seat, name=name, text=text)

    def word(self) -> LogLine | None:
        """Return a sentence about the last move and the new end of the train, or None before the
        first move.
        """
        view = self.view
        if not view.log:
            return None
        last, entry = self._line(len(view.log), view.log[-1]), view.log[-1]
        if entry.move.side is None or view.ends is None:
            return last
        end = sentences.end_sentence(view.ends[0 if entry.move.side is Side.LEFT else 1])
        return replace(last, text=f"{last.text} {end}")

    def ends(self) -> str:
        if self.view.ends is None or self.view.turn is None:
            return ""
        return sentences.ends_sentence(self.view.ends)

    def turn_sentence(self) -> str:
        turn = self.view.turn
        if turn is None:
            return ""
        if turn == self.view.seat:
            return _("Your turn")
        return _("%(who)s’s turn") % {"who": self.names[turn]}

    def side_name(self, side: int) -> str:
        return join_with_and([self.names[seat] for seat in self.sides[side]])

    def scores(self) -> list[SideScore]:
        view, totals = self.view, self.view.totals
        best = max(totals)
        return [
            SideScore(
                seats=tuple((seat, self.names[seat]) for seat in seats),
                points=totals[side],
                bar=max(0, min(FULL_BAR, FULL_BAR * totals[side] // view.rules.target)),
                won=view.outcome.points[side] if view.outcome else None,
                leads=totals[side] == best > 0,
            )
            for side, seats in enumerate(self.sides)
        ]

    def outcome(self) -> OutcomeContext | None:
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
            "rests": [self._revealed_hand(seat) for seat in range(view.players)],
        }

    def revealed_hand(self, seat: int, held: int) -> RevealedHand:
        return RevealedHand(
            number=seat,
            name=self.names[seat],
            tiles=tuple(draw_tile(self.view.rules, tile) for tile in bits(held)),
            pips=domino_set(self.view.rules.highest).pips(held),
        )

    def _revealed_hand(self, seat: int) -> RevealedHand:
        view, outcome = self.view, self.view.outcome
        assert outcome is not None
        assert view.revealed is not None
        won = outcome.winner is not None and seat in self.sides[outcome.winner]
        return replace(self.revealed_hand(seat, view.revealed[seat]), winner=won)


def _unique_names(names: Sequence[str]) -> list[str]:
    """Return names by seat. Names that occur more than once get a number."""
    return [
        f"{name} {names[: seat + 1].count(name)}" if names.count(name) > 1 else name
        for seat, name in enumerate(names)
    ]


def _positions_around(others: int) -> list[str]:
    """Return the positions of the other players in turn order. The next player is to the left."""
    if others == 1:
        return ["north"]
    return ["west", *["north"] * (others - 2), "east"]
