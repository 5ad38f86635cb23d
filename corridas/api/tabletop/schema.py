"""The JSON schema of a scoresheet of Indulto.

No member is required, because an incomplete sheet can be saved. The referee reports what is
missing.
"""

from __future__ import annotations

from typing import Final

from api.types import JSONObject
from corridas.engine import (
    BULLS,
    DECK_SIZE,
    MARKS,
    MATADORS,
    RANGES,
    STROKES,
    Crowd,
    Ending,
    Trophy,
)
from corridas.tabletop.operations import GAME
from corridas.tabletop.sheets.frame import MAX_NAME, MAX_NUMBER, MAX_RATING, PLAZA_RATINGS
from corridas.tabletop.sheets.points import MAX_ENTRIES, MAX_POINTS
from corridas.tabletop.sheets.shape import MAX_CARDS
from leagues.games import schema as game_schema

Schema = JSONObject
NULL: Final[Schema] = {"type": "null"}
NAME: Final[Schema] = {"type": "string", "maxLength": MAX_NAME}


def _integer_schema(low: int, high: int, text: str = "") -> Schema:
    schema: Schema = {"type": ["integer", "null"], "minimum": low, "maximum": high}
    return schema | ({"description": text} if text else {})


def _array_schema(of: Schema, most: int, text: str = "") -> Schema:
    schema: Schema = {"type": "array", "maxItems": most, "items": of}
    return schema | ({"description": text} if text else {})


def _object(title: str, text: str, members: Schema) -> Schema:
    return {"title": title, "type": "object", "description": text, "properties": members}


PLACE: Final = _integer_schema(0, MATADORS - 1)
POINTS: Final = _integer_schema(-MAX_POINTS, MAX_POINTS)
ENTRIES: Final = _array_schema({"type": "integer", "minimum": -9, "maximum": 9}, MAX_ENTRIES)
SIDE: Final[Schema] = {
    "description": "The points of one side: a sum, the entries, or both.",
    "anyOf": [
        POINTS,
        ENTRIES,
        _object("IndultoEntries", "Entries and their sum.", {"entries": ENTRIES, "sum": POINTS}),
    ],
}
PEOPLE: Final[Schema] = {
    "began": PLACE | {"description": "Who began, by place of appearance."},
    "injured": _array_schema(
        {"type": "integer", "minimum": 0, "maximum": MATADORS - 1},
        MATADORS,
        "Who was hurt, in the order in which they came onto the sand.",
    ),
    "finished": PLACE | {"description": "Who finished, by place of appearance."},
}
ENDING: Final[Schema] = {"enum": [*(ending.value for ending in Ending), None]}
DRAWN: Final = _integer_schema(0, 100, "As drawn; 0 is 100.")
RESULT: Final[Schema] = {
    "totals": _array_schema(POINTS, 2, "Of matador and bull."),
    "final": POINTS | {"description": "Before the plaza's rating."},
    "score": POINTS | {"description": "After it."},
    "modified": POINTS | {"description": "The number read on the card."},
    "trophy": _integer_schema(0, max(Trophy), "1 an ear, 2 two ears, 3 a tail."),
    "vuelta": {"type": ["boolean", "null"]},
    "crowd": _integer_schema(1, max(Crowd)),
    "ending": ENDING,
}
SHEET_OF_LIDIA: Final = _object(
    "IndultoLidiaSheet",
    "The rulebook's scoresheet of one lidia. It may also contain the totals that follow from it.",
    {
        "tercios": _array_schema(_array_schema(SIDE, 2, "Matador and bull."), 3, "By tercio."),
        "kill": _array_schema(POINTS, STROKES, "The modifiers, stroke by stroke."),
        "avisos": _integer_schema(0, MAX_POINTS),
        "avisos_points": POINTS,
        "indulto": DRAWN,
        "number": DRAWN,
        "marks": _array_schema(
            _integer_schema(0, MAX_POINTS), 3, f"By tercio; {MARKS} in the first and third."
        ),
        **PEOPLE,
        **RESULT,
    },
)
SCORE_OF_LIDIA: Final = _object(
    "IndultoLidiaScore",
    "The result of one lidia alone: the weakest evidence.",
    {
        "ending": ENDING,
        "modified": RESULT["modified"],
        "avisos": _integer_schema(0, MAX_POINTS),
        "kill": POINTS | {"description": "The sum of its modifiers."},
        "totals": RESULT["totals"],
        **PEOPLE,
    },
)
LIDIA: Final = _object(
    "IndultoLidia",
    "One bull: the cards in the order drawn, the sheet, both, or the result alone.",
    {
        "cards": {
            "type": ["array", "null"],
            "maxItems": MAX_CARDS,
            "items": {"type": "integer", "minimum": 0, "maximum": DECK_SIZE - 1},
            "description": "Places in the deck.",
        },
        "sheet": {"anyOf": [SHEET_OF_LIDIA, NULL]},
        "score": {"anyOf": [SCORE_OF_LIDIA, NULL]},
    },
)
MATADOR: Final = _object(
    "IndultoCartelCard",
    "A matador of the cartel and his card.",
    {
        "name": NAME,
        "key": NAME | {"description": "The slug of a matador who has a namesake."},
        "rating": _integer_schema(0, MAX_RATING),
        "alternativa": {"type": ["string", "null"], "description": "The day, as 1913-10-16."},
        "ranges": {
            "type": "object",
            "properties": {name: {"type": "string"} for name in RANGES},
            "additionalProperties": False,
        },
    },
)
SHEET: Final[Schema] = {
    "$schema": "https://json-schema.org/draft/2020-12/schema",
    "title": "IndultoSheet",
    "description": "A corrida at a real table.",
    "type": "object",
    "properties": {
        "plaza": _object(
            "IndultoPlaza",
            "Where it was.",
            {"name": NAME, "rating": _integer_schema(*PLAZA_RATINGS)},
        ),
        "date": {"type": "string", "description": "The day, as 2026-05-15."},
        "deck": {"type": ["string", "null"], "description": "Its digest; the site's without."},
        "cartel": _array_schema(MATADOR, MATADORS, "In the order of appearance."),
        "bulls": _array_schema(
            _object(
                "IndultoBull",
                "As it was called.",
                {"name": NAME, "number": _integer_schema(0, MAX_NUMBER)},
            ),
            BULLS,
            "By turn.",
        ),
        "leads": _array_schema(
            _integer_schema(0, MATADORS - 1),
            MATADORS,
            "The seat that leads each matador of the cartel.",
        ),
        "lidias": _array_schema(LIDIA, BULLS, "By turn."),
    },
}


def register_sheet_schema() -> None:
    """Register the schema of scoresheets for API clients.

    A game at a real table has no moves and no view, so only the sheet has a schema.
    """
    game_schema.register_schema(
        GAME,
        game_schema.GameSchema(
            sheet=lambda: SHEET, move="", view=lambda position, seat, revealed: None
        ),
    )
