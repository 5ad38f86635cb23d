"""The form for a hand from a real table, filled in step by step and kept between pages."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from dominoes.engine import HandSheet, Held
from leagues.pages.forms import FormDraft, parse_number, typed_text

LEFT, MOVES, SCORE = "left", "moves", "score"
# Tiles left, moves, or totals alone.
INPUT_MODES: Final = (LEFT, MOVES, SCORE)
BLOCKED: Final = "blocked"
MAX_TEXT: Final = 40
MAX_TILES: Final = 200
MAX_MOVES: Final = 600
# Fields that several input modes have, each with its own values.
SHARED: Final = ("out", "who", "tiles", "pips")


@dataclass(slots=True)
class HandForm(FormDraft):
    """A hand as far as it is entered, with all values as typed.

    `way`: the input mode. `out`: a seat, “blocked” or empty. `leader`, `who` (whose tiles are
    shown): a seat or empty. `tiles`, `pips`: by seat. `tile`: a tapped tile without an end.
    `totals`: by seat, if only these are entered. `place`: the number of the hand it replaces,
    -1 for a new one. `others`: the values of `SHARED` fields in the other input modes.
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
    others: dict[str, dict[str, Any]] = field(default_factory=dict)

    def switch(self, way: str) -> None:
        """Open another input mode with what was entered there.

        Each mode has its own hands. What was left in one must not contradict the other.
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

    def fill(self, sent: QueryDict, players: int) -> None:
        """Apply submitted fields. Missing ones stay unchanged."""
        for name in ("out", "leader", "who"):
            if name in sent:
                setattr(self, name, typed_text(sent, name))
        for seat in map(str, range(players)):
            # an unticked box sends nothing: the field of pips says that the seat was asked for
            if f"pips-{seat}" in sent:
                self.pips[seat] = typed_text(sent, f"pips-{seat}")
                tiles = sent.getlist(f"held-{seat}")[:MAX_TILES]
                self.tiles[seat] = [str(tile)[:MAX_TEXT] for tile in tiles]
        if "total-0" in sent:
            self.totals = [typed_text(sent, f"total-{seat}") for seat in range(players)]

    def give(self, tile: str, seat: int) -> None:
        """Assign a tile that is in several hands to one of them."""
        for other, tiles in self.tiles.items():
            if other != str(seat):
                self.tiles[other] = [held for held in tiles if held != tile]

    def written(self, players: int, asked: Collection[int]) -> HandSheet:
        """Return the hand for the referee, with what is left at the seats that are asked for.

        Other seats may still have values from before, for example of a move that was undone.
        """
        by_moves = self.way == MOVES
        return HandSheet(
            leader=parse_number(self.leader) if by_moves else None,
            out=None if by_moves else self.out_seat,
            blocked=self.out == BLOCKED,
            held=tuple(self._held(seat) if seat in asked else Held() for seat in range(players)),
            moves=tuple(self.moves) if by_moves else (),
        )

    def _held(self, seat: int) -> Held:
        tiles, pips = self.tiles.get(str(seat)), parse_number(self.pips.get(str(seat), ""))
        return Held(tiles=tuple(tiles) if tiles else None, pips=pips)

    def misread(self, asked: Iterable[int]) -> dict[int, str]:
        typed = {seat: self.pips.get(str(seat), "") for seat in asked}
        return {
            seat: _("“%(text)s” is not a valid number of pips.") % {"text": text}
            for seat, text in typed.items()
            if text and parse_number(text) is None
        }

    def read_totals(self) -> tuple[list[int], str]:
        """Return the totals, or a message about the first invalid one."""
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
