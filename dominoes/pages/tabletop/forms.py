"""Draft of a hand played with real dominoes.

It is filled in step by step and stored between pages.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from dominoes.engine import FinalTiles, HandSheet
from leagues.pages.forms import FormDraft, parse_number, typed_text

LEFT, MOVES, SCORE = "left", "moves", "score"
# The input modes of a hand: tiles left in the hands, all moves, or totals of the match only.
INPUT_MODES: Final = (LEFT, MOVES, SCORE)
BLOCKED: Final = "blocked"
MAX_TEXT: Final = 40
MAX_TILES: Final = 200
# Fields of the form that exist in several input modes. Each mode stores its own values of these
# fields.
SHARED: Final = ("out", "who", "tiles", "pips")


@dataclass(slots=True)
class HandForm(FormDraft):
    """A partly entered hand. All values are stored as typed.

    `way`: the input mode. `out`: the seat that has no tiles left, “blocked” or empty. `leader`: the
    seat that led, or empty. `who`: the seat whose tiles are shown, or empty. `tiles`, `pips`: by
    seat. `tile`: a tapped tile for which no end of the train was chosen yet. `totals`: by seat, if
    only totals are entered. `place`: the number of the saved hand that this hand replaces, -1 for a
    new hand. `others`: the values of `SHARED` fields in the other input modes.
    """

    way: str = LEFT
    out: str = ""
    leader: str = ""
    who: str = ""
    tiles: dict[str, list[str]] = field(default_factory=dict)
    pips: dict[str, str] = field(default_factory=dict)
    moves: list[str] = field(default_factory=list)
    tile: str = ""
    totals: list[str] = field(default_factory=list)
    place: int = -1
    others: dict[str, dict[str, object]] = field(default_factory=dict)

    def switch(self, way: str) -> None:
        """Change to another input mode and restore what was entered in that mode.

        Every mode stores its own tiles left in the hands, so that values from one mode cannot
        contradict another mode.
        """
        if way == self.way:
            return
        self.others[self.way] = {name: getattr(self, name) for name in SHARED}
        empty = {name: getattr(type(self)(), name) for name in SHARED}
        for name, value in {**empty, **self.others.pop(way, {})}.items():
            setattr(self, name, value)
        self.way = way

    @property
    def out_seat(self) -> int | None:
        return parse_number(self.out)

    def apply_fields(self, sent: QueryDict, players: int) -> None:
        """Apply the submitted fields of the form. Missing fields stay unchanged."""
        for name in ("out", "leader", "who"):
            if name in sent:
                setattr(self, name, typed_text(sent, name))
        for seat in map(str, range(players)):
            # An unticked checkbox sends nothing. If the field for pips was sent, the form contained
            # this seat.
            if f"pips-{seat}" in sent:
                self.pips[seat] = typed_text(sent, f"pips-{seat}")
                tiles = sent.getlist(f"held-{seat}")[:MAX_TILES]
                self.tiles[seat] = [str(tile)[:MAX_TEXT] for tile in tiles]
        if "total-0" in sent:
            self.totals = [typed_text(sent, f"total-{seat}") for seat in range(players)]

    def assign_tile(self, tile: str, seat: int) -> None:
        """Assign a tile that is ticked for several seats to one of them."""
        for other, tiles in self.tiles.items():
            if other != str(seat):
                self.tiles[other] = [held for held in tiles if held != tile]

    def to_hand_sheet(self, players: int, asked: Collection[int]) -> HandSheet:
        """Return the hand for the referee, with the remaining tiles of the `asked` seats only.

        Other seats may still have values from before, for example from a move that was undone.
        """
        by_moves = self.way == MOVES
        return HandSheet(
            leader=parse_number(self.leader) if by_moves else None,
            out=None if by_moves else self.out_seat,
            blocked=self.out == BLOCKED,
            held=tuple(
                self._final_tiles(seat) if seat in asked else FinalTiles()
                for seat in range(players)
            ),
            moves=tuple(self.moves) if by_moves else (),
        )

    def _final_tiles(self, seat: int) -> FinalTiles:
        tiles, pips = self.tiles.get(str(seat)), parse_number(self.pips.get(str(seat), ""))
        return FinalTiles(tiles=tuple(tiles) if tiles else None, pips=pips)

    def misread(self, asked: Iterable[int]) -> dict[int, str]:
        typed = {seat: self.pips.get(str(seat), "") for seat in asked}
        return {
            seat: _("“%(text)s” is not a valid number of pips.") % {"text": text}
            for seat, text in typed.items()
            if text and parse_number(text) is None
        }

    def read_totals(self) -> tuple[list[int], str]:
        """Return the totals, or an empty list and a message about the first invalid total."""
        numbers = [parse_number(text) for text in self.totals]
        for text, number in zip(self.totals, numbers, strict=True):
            if number is None:
                return [], _("“%(text)s” is not a valid number of points.") % {"text": text}
        return [number for number in numbers if number is not None], ""


def form_of_hand(hand: Mapping[str, Any], place: int) -> HandForm:
    hand_form = HandForm(place=place, way=MOVES if hand.get("moves") else LEFT)
    leader, out = hand.get("leader"), hand.get("out")
    hand_form.leader = "" if leader is None else str(leader)
    hand_form.out = BLOCKED if hand.get("blocked") else "" if out is None else str(out)
    hand_form.moves = list(hand.get("moves") or [])
    for seat, held in enumerate(hand.get("held") or []):
        hand_form.tiles[str(seat)] = list((held or {}).get("tiles") or [])
        pips = (held or {}).get("pips")
        hand_form.pips[str(seat)] = "" if pips is None else str(pips)
    return hand_form
