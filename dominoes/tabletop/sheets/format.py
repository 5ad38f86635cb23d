"""The JSON format of a scoresheet: read by `parser` and published for API clients.

A scoresheet contains a match as it was recorded, hand by hand. Tiles and moves are in the engine's
notation. Seats are numbered from 0. Every field is optional, and the referee reports which
information is missing.
"""

from __future__ import annotations

from typing import Annotated, Any, Final

from pydantic import BeforeValidator, ConfigDict, Field

from core.documents.schema import AT_ONCE, OR_NULL, Document, Items, Schema, between, first
from dominoes import engine

MAX_HANDS: Final = 500
# One move more than a hand can have, so that the referee names the first move too many.
MAX_MOVES: Final = engine.MAX_MOVES + 1
MAX_TILES: Final = 200
# Maximum number of seats. A set must have at least one tile for each seat, so this is the number of
# tiles of the largest set (Ruling D-2).
MAX_SEATS: Final = len(engine.domino_set(engine.RANGES["highest"][1]))
# Maximum number of characters of a tile or a move.
MAX_TEXT: Final = 40
# Larger pips and totals are replaced by this number, which is too large to be valid. It has more
# digits than a form field accepts, so error messages can quote the complete input.
MAX_NUMBER: Final = 10**100


def _one_of_members(schema: Schema) -> None:
    members = schema.pop("properties")
    schema["oneOf"] = [
        {"properties": {name: member}, "required": [name]} for name, member in members.items()
    ]


Number = Annotated[int, between(-MAX_NUMBER, MAX_NUMBER)]
Seat = Annotated[Number, Field(json_schema_extra={"minimum": 0, "maximum": 5})]
Text = Annotated[str, first(MAX_TEXT)]
Tile = Annotated[Text, Field(json_schema_extra={"pattern": r"^[0-9]{1,2}\|[0-9]{1,2}$"})]
Tiles = Annotated[tuple[Tile, ...], Items(MAX_TILES)]
Flag = Annotated[bool, BeforeValidator(lambda value: False if value is None else value)]
OR_EMPTY: Final = BeforeValidator(lambda value: value or [])
# The referee checks the number of seats, because most rules allow fewer seats than `MAX_SEATS`.
BY_SEAT: Final = Items(MAX_SEATS, silent=True)


class HeldTiles(Document):
    """The tiles left to a player, or their pips. If both are given, the referee compares them."""

    model_config = ConfigDict(json_schema_extra=_one_of_members)

    tiles: Tiles | None = None
    pips: Annotated[Number | None, Field(json_schema_extra={"minimum": 0})] = None


class Hand(Document):
    leader: Annotated[Seat | None, Field(description="Who set the first tile.")] = None
    out: Annotated[Seat | None, OR_NULL, Field(description="Who has no tile left.")] = None
    blocked: Annotated[Flag, Field(description="All passed in turn.")] = False
    held: Annotated[
        Annotated[tuple[Annotated[HeldTiles | None, AT_ONCE], ...], BY_SEAT] | None,
        Field(description="What each seat had left."),
    ] = None
    moves: Annotated[tuple[Text, ...], Items(MAX_MOVES), AT_ONCE, OR_EMPTY] = ()
    deal: Annotated[
        Annotated[tuple[Tiles, ...], BY_SEAT, AT_ONCE] | None,
        Field(description="The tiles dealt, by seat."),
    ] = None
    seed: Annotated[
        Any,
        Field(description="Of a hand played on a site.", json_schema_extra={"type": "string"}),
    ] = None

    def to_hand(self, players: int) -> engine.HandSheet:
        held = (None,) * players if self.held is None else self.held
        return engine.HandSheet(
            leader=self.leader,
            out=self.out,
            blocked=self.blocked,
            held=tuple(
                engine.FinalTiles()
                if what is None
                else engine.FinalTiles(tiles=what.tiles, pips=what.pips)
                for what in held
            ),
            moves=self.moves,
            deal=self.deal,
        )


class SheetFormat(Document):
    """A recorded match of dominoes, hand by hand or only by its totals."""

    hands: Annotated[tuple[Hand, ...], Items(MAX_HANDS), OR_EMPTY] = ()
    totals: Annotated[
        Annotated[tuple[Number, ...], BY_SEAT, AT_ONCE] | None,
        Field(description="Points by seat: alone the weakest evidence, beside hands held to them."),
    ] = None
    stopped: Annotated[Flag, Field(description="Ended before anybody reached the target.")] = False
