"""The JSON formats of scoresheets: read by `parser` and published for API clients.

There is one format for each kind of scoresheet. Seats are numbered from 0. The number of `players`
must be known to read a scoresheet.
"""

from __future__ import annotations

import re
from typing import Annotated, Any, Final, Literal, TypeVar

from pydantic import AfterValidator, BeforeValidator, Field, ValidationInfo, WithJsonSchema
from pydantic_core import PydanticCustomError

from core.documents.schema import Document, Items, Schema, between, first
from eltoro.tabletop.sheets.reading import SEAT_LETTERS, RecordedDay, Sheet, SheetKind

MAX_DAYS: Final = 12
MAX_ITEMS: Final = 12
MAX_MOVES: Final = 2000
# Maximum number of characters of a key or a move.
MAX_TEXT: Final = 120
ASIDE_PATTERN: Final = re.compile(r"[a-f][1-9][0-9]?>[^\s=>/]+")
# Larger numbers are replaced by this number, which is too large to be valid. It has more digits
# than a form field accepts, so error messages can quote the complete input.
MAX_NUMBER: Final = 10**100


def _players(info: ValidationInfo) -> int:
    """Return the number of players from the validation context."""
    context: dict[str, int] = info.context or {}
    return context["players"]


def _all(value: object, count: int) -> tuple[object, ...]:
    if not isinstance(value, list) or len(value) != count:
        raise PydanticCustomError("items", "not a list of {count}", {"count": count})
    return tuple(value)


def _all_seats(value: object, info: ValidationInfo) -> tuple[object, ...]:
    return _all(value, _players(info))


def _all_destinations(value: object, info: ValidationInfo) -> tuple[object, ...]:
    laid = info.data.get("destinations")
    return () if laid is None else _all(value, len(laid))  # None if the destinations are invalid


def _runner_of_table(text: str, info: ValidationInfo) -> str:
    players = _players(info)
    if not ASIDE_PATTERN.fullmatch(text) or SEAT_LETTERS.index(text[0]) >= players:
        raise PydanticCustomError("runner", "not a runner of this table and where it went")
    return text


def _as_list(faces: object) -> Any:
    if faces is None:
        return []
    return faces if isinstance(faces, list) else [faces]


def _or_one_or_none(schema: Schema) -> None:
    several = dict(schema)
    schema.clear()
    schema["anyOf"] = [several["items"], several, {"type": "null"}]


T = TypeVar("T")
BySeat = Annotated[
    tuple[T, ...],
    BeforeValidator(_all_seats),
    Field(json_schema_extra={"minItems": 2, "maxItems": 6}),
]
Number = Annotated[int, between(-MAX_NUMBER, MAX_NUMBER)]
Text = Annotated[str, first(MAX_TEXT)]
Face = Annotated[Number, Field(json_schema_extra={"minimum": 1, "maximum": 6})]
Faces = Annotated[
    tuple[Face, ...],
    Items(MAX_ITEMS, silent=True),
    BeforeValidator(_as_list),
    Field(json_schema_extra=_or_one_or_none),
]


class Points(Document):
    kind: Literal["points"]
    days: Annotated[
        tuple[BySeat[Number], ...],
        Items(MAX_DAYS, silent=True),
        Field(description="The points of each day by seat: the weakest evidence."),
    ]

    def to_sheet(self, players: int) -> Sheet:
        return Sheet(way=SheetKind.POINTS, points=self.days)


class ArrivalsOfDay(Document):
    destinations: Annotated[
        tuple[Text, ...],
        Items(MAX_ITEMS, silent=True),
        Field(description="The keys of the five that lay out.", json_schema_extra={"maxItems": 5}),
    ]
    arrived: Annotated[
        BySeat[Annotated[tuple[Number, ...], BeforeValidator(_all_destinations)]],
        Field(description="By seat, how many runners at each of them."),
    ]
    gained: Annotated[BySeat[Number], Field(description="Points by action cards.")] = ()
    dice: Annotated[
        BySeat[Faces], Field(description="What was rolled for an effect of the day before.")
    ] = ()
    aside: Annotated[
        tuple[Annotated[Text, AfterValidator(_runner_of_table)], ...],
        Items(MAX_MOVES),
        WithJsonSchema({}),  # the schema does not restrict this field
        Field(description="A list of runners that a card led aside, and where to: `a1>molino`."),
    ] = ()

    def to_day(self, players: int) -> RecordedDay:
        return RecordedDay(
            destinations=self.destinations,
            arrived=self.arrived,
            gained=self.gained or (0,) * players,
            dice=self.dice or ((),) * players,
            aside=self.aside,
        )


class Arrivals(Document):
    kind: Literal["arrivals"]
    days: Annotated[tuple[ArrivalsOfDay, ...], Items(MAX_DAYS, silent=True)]

    def to_sheet(self, players: int) -> Sheet:
        days = tuple(day.to_day(players) for day in self.days)
        return Sheet(way=SheetKind.ARRIVALS, days=days)


class Log(Document):
    kind: Literal["log"]
    seed: Annotated[Text, Field(json_schema_extra={"pattern": "^[0-9a-f]{64}$"})]
    moves: Annotated[tuple[Text, ...], Items(MAX_MOVES)]

    def to_sheet(self, players: int) -> Sheet:
        return Sheet(way=SheetKind.LOG, seed=self.seed, moves=self.moves)


FORMATS: Final[dict[Any, type[Points | Arrivals | Log]]] = {
    SheetKind.POINTS: Points,
    SheetKind.ARRIVALS: Arrivals,
    SheetKind.LOG: Log,
}
