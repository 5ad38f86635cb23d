"""A recorded hand of dominoes, its tiles, and the referee's objections and conclusions."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Final, Literal

from dominoes.engine.errors import NotationError
from dominoes.engine.moves import read_tile
from dominoes.engine.scoring import HandOutcome
from dominoes.engine.tiles import DominoSet, bits, write_tile

Param = str | int | tuple[int, ...] | tuple[str, ...]
Evidence = Literal["score", "open", "sheet", "log"]


@dataclass(frozen=True, slots=True, kw_only=True)
class FinalTiles:
    """The tiles that a player holds at the end of a hand: as tiles in notation, as the sum of their
    pips, or as both.

    `tiles` is None if the tiles are not recorded, and empty if the player holds no tiles.
    """

    tiles: tuple[str, ...] | None = None
    pips: int | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class HandSheet:
    """One hand as the players recorded it, perhaps with errors.

    `leader`: the seat that played the first tile, if known. `out`: the seat that has no tiles left.
    `blocked`: True if all passed (Ruling D-6). `held`: the tiles left, by seat. `moves`: all moves
    in notation, draws without their tile, empty if not recorded. `deal`: the tiles dealt to each
    seat, known if the hand was played on a website.
    """

    leader: int | None = None
    out: int | None = None
    blocked: bool = False
    held: tuple[FinalTiles, ...] = ()
    moves: tuple[str, ...] = ()
    deal: tuple[tuple[str, ...], ...] | None = None


# The ruling on which each objection is based, by code.
RULINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "players": "D-2",
        "no_seat": "D-2",
        "seats_held": "D-2",
        "out_and_blocked": "D-6",
        "who_out": "D-6",
        "who_led": "D-3",
        "no_tile": "D-1",
        "twice": "D-1",
        "shared": "D-1",
        "played_and_held": "D-1",
        "played_twice": "D-1",
        "held_unknown": "D-7",
        "out_holds": "D-6",
        "holds_none": "D-6",
        "log_out": "D-6",
        "log_blocked": "D-6",
        "log_open": "D-6",
        "log_drawing": "D-6",
        "not_blocked": "D-6",
        "nobody_led": "D-3",
        "double_led": "D-3",
        "no_train": "D-4",
        "no_block": "D-6",
        "went_on": "D-6",
        "count": "D-2",
        "too_many_tiles": "D-5",
        "too_many_drawn": "D-5",
        "pips_negative": "D-7",
        "pips_sum": "D-7",
        "pips_high": "D-10",
        "pips_low": "D-10",
        "pips_none": "D-10",
        "pips_together": "D-10",
        "no_move": "D-4",
        "must_lead": "D-3",
        "led": "D-3",
        "no_sum": "D-4",
        "blank": "D-4",
        "no_sum_across": "D-9",
        "matador_only": "D-9",
        "blank_inward": "D-9",
        "only_matadors_across": "D-9",
        "never_across": "D-9",
        "inline_after_across": "D-9",
        "must_lie_across": "D-9",
        "no_drawing": "D-5",
        "boneyard_closed": "D-5",
        "must_draw": "D-5",
        "could_play": "D-5",
        "highest_double": "D-3",
        "highest_double_other": "D-3",
        "not_dealt": "D-2",
        "bad_deal": "D-2",
        "leader_winner": "D-3",
        "moves_of_another": "D-3",
        "after_target": "D-8",
        "two_winners": "D-8",
        "total_absurd": "D-8",
        "totals_differ": "D-8",
        "totals_side": "D-2",
        "nothing": "D-8",
        "unreadable": "",
    }
)

# Codes of objections that only ask for missing information.
MISSING: Final = frozenset({"who_out", "who_led", "held_unknown", "log_open", "nothing"})


@dataclass(frozen=True, slots=True)
class Objection:
    """An objection of the referee: an error or missing information.

    `path`: its location, such as `held/1`, `moves/7` or `out`. `params`: values for its message,
    with seats as numbers and tiles in notation.
    """

    path: str
    code: str
    params: Mapping[str, Param] = field(default_factory=dict)

    @property
    def ruling(self) -> str:
        """The ruling on which the objection is based."""
        return RULINGS[self.code]

    @property
    def missing(self) -> bool:
        """True if the objection only asks for missing information."""
        return self.code in MISSING


@dataclass(frozen=True, slots=True)
class RefereeConclusion:
    """A conclusion that the referee draws from a scoresheet and shows to the players.

    Codes: `out`, `blocked`, `tiles`, `pips`, `only_blank`, `follows`, `log`, `undecided`.
    """

    path: str
    code: str
    params: Mapping[str, Param] = field(default_factory=dict)


@dataclass(frozen=True, slots=True, kw_only=True)
class HandReading:
    """The result of checking one recorded hand.

    `outcome` is None while there are objections. `pips` and `tiles` (bit sets) are by seat, None if
    unknown. `evidence` is `log` if every move was replayed, `open` if the search for tiles with the
    recorded pips reached its limit, otherwise `sheet`.
    """

    objections: tuple[Objection, ...] = ()
    lines: tuple[RefereeConclusion, ...] = ()
    evidence: Evidence = "sheet"
    outcome: HandOutcome | None = None
    leader: int | None = None
    pips: tuple[int | None, ...] = ()
    tiles: tuple[int | None, ...] = ()

    @property
    def complete(self) -> bool:
        """True if no information is missing and there is no error."""
        return not self.objections

    @property
    def contradictions(self) -> tuple[Objection, ...]:
        """The objections that contradict the rules, without requests for missing information."""
        return tuple(objection for objection in self.objections if not objection.missing)


# Maximum number of characters quoted from the input.
MAX_QUOTED = 40


def quoted(text: str) -> str:
    """Return a text for use in an objection. A long text is cut and ends with an ellipsis."""
    return text if len(text) <= MAX_QUOTED else f"{text[:MAX_QUOTED]}…"


class HeldTiles:
    """The tiles that each seat holds at the end.

    `tiles` (a bit set) and `pips` are by seat, None if unknown.
    """

    def __init__(self, tiles: DominoSet, held: Sequence[FinalTiles]) -> None:
        self.set = tiles
        self.tiles: list[int | None] = [None] * len(held)
        self.pips: list[int | None] = [None] * len(held)
        self.objections: list[Objection] = []
        for seat, what in enumerate(held):
            self._read(seat, what)
        self._find_shared()

    def record_hand(self, seat: int, tiles: int) -> None:
        """Record that a seat held exactly these tiles."""
        self.tiles[seat] = tiles
        self.pips[seat] = self.set.pips(tiles)

    def known_tiles(self) -> int:
        """Return all tiles known to be in hands at the end, as a bit set."""
        known_tiles = 0
        for tiles in self.tiles:
            known_tiles |= tiles or 0
        return known_tiles

    def _read(self, seat: int, what: FinalTiles) -> None:
        if what.tiles is not None:
            self.record_hand(seat, self._read_tiles(seat, what.tiles))
        if what.pips is None:
            return
        if what.pips < 0:
            self._object(seat, "pips_negative", pips=what.pips)
        elif self.pips[seat] is None:
            self.pips[seat] = what.pips
        elif self.pips[seat] != what.pips:
            self._object(seat, "pips_sum", pips=what.pips, sum=self.pips[seat] or 0)

    def _read_tiles(self, seat: int, written: Sequence[str]) -> int:
        tiles = 0
        for text in written[: len(self.set) + 1]:
            tile = read_set_tile(self.set, text)
            if tile is None:
                self._object(seat, "no_tile", tile=quoted(text), highest=self.set.highest)
            elif tiles >> tile & 1:
                self._object(seat, "twice", tile=write_tile(tile))
            else:
                tiles |= 1 << tile
        return tiles

    def _find_shared(self) -> None:
        """Add an objection for every tile that is recorded in two hands."""
        owners: dict[int, int] = {}
        for seat, tiles in enumerate(self.tiles):
            for tile in bits(tiles or 0):
                other = owners.setdefault(tile, seat)
                if other != seat:
                    self._object(seat, "shared", tile=write_tile(tile), other=other)

    def _object(self, seat: int, code: str, **params: str | int) -> None:
        self.objections.append(Objection(f"held/{seat}", code, {"seat": seat, **params}))


def read_set_tile(tiles: DominoSet, text: str) -> int | None:
    """Return the number of a tile in notation, or None if the set has no such tile."""
    try:
        tile = read_tile(text)
    except NotationError:
        return None
    return tile if tile < len(tiles) else None
