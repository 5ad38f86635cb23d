"""Results as JSON: one object, its format and version, and the results."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable
from datetime import UTC, tzinfo

from leagues.exchange.findings import Code, Finding, Reading, Refused, sorted_out
from leagues.exchange.records import (
    KEY_LENGTH,
    NAME_LENGTH,
    NOTE_LENGTH,
    TITLE_LENGTH,
    ResultRecord,
)
from leagues.exchange.seats import Written, result_record
from leagues.exchange.values import moment_of, number_of, parsed, text_of, written_moment

FORMAT = "temporada-results"
VERSION = 1
MOST_RESULTS = 20_000
Fields = dict[str, object]


def write_json(records: Iterable[ResultRecord]) -> str:
    """The file that holds these results; `read_json` gives back exactly them."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "results": [_written(record) for record in records],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def read_json(
    data: bytes | str,
    *,
    known: Collection[str] = (),
    game: str | None = None,
    zone: tzinfo = UTC,
) -> Reading:
    """What is in a file of results; never raises, whatever the file holds.

    `known`: keys of results already there. `game`: the only game wanted, and that of results
    that name none. `zone`: of times that name none.
    """
    try:
        results = _results(parsed(data))
    except Refused as refused:
        return Reading((refused.finding(),))
    found = [_finding(result, game, zone) for result in results[:MOST_RESULTS]]
    if len(results) > MOST_RESULTS:
        found.append(Refused(Code.ROWS, most=MOST_RESULTS).finding())
    return Reading(sorted_out(found, known))


def _written(record: ResultRecord) -> Fields:
    return {
        "key": record.key,
        "played_at": written_moment(record.played_at),
        "game": record.game,
        "league": record.league,
        "location": record.location,
        "note": record.note,
        "seats": [
            {
                "player": seat.player,
                "identity": seat.identity,
                "side": seat.side,
                "place": seat.place,
                "points": seat.points,
            }
            for seat in record.seats
        ],
    }


def _results(content: object) -> list[object]:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise Refused(Code.FORMAT)
    version = content.get("version")
    if isinstance(version, bool) or version != VERSION:
        raise Refused(Code.VERSION, version=version)
    results = content.get("results")
    if not isinstance(results, list):
        raise Refused(Code.SHAPE, field="results")
    return results


def _finding(result: object, game: str | None, zone: tzinfo) -> Finding:
    key = ""
    try:
        fields = object_of(result, "results")
        key = text_of(fields.get("key"), "key", KEY_LENGTH)
        record = _record(fields, key, game, zone)
    except Refused as refused:
        return refused.finding(key=key)
    return Finding(Code.NEW, key=record.key, record=record)


def _record(fields: Fields, key: str, game: str | None, zone: tzinfo) -> ResultRecord:
    seats = fields.get("seats")
    if not isinstance(seats, list):
        raise Refused(Code.SHAPE, field="seats")
    return result_record(
        key=key,
        played_at=moment_of(fields.get("played_at"), zone),
        game=wanted_game(text_of(fields.get("game"), "game", TITLE_LENGTH), game),
        seats=[_seat(object_of(seat, "seats")) for seat in seats[:100]],
        league=text_of(fields.get("league"), "league", TITLE_LENGTH),
        location=text_of(fields.get("location"), "location", TITLE_LENGTH),
        note=text_of(fields.get("note"), "note", NOTE_LENGTH, lines=True),
    )


def _seat(fields: Fields) -> Written:
    return Written(
        player=text_of(fields.get("player"), "player", NAME_LENGTH),
        identity=text_of(fields.get("identity"), "identity", KEY_LENGTH),
        side=number_of(fields.get("side"), "side", least=0),
        rank=number_of(fields.get("place"), "place", least=1),
        points=number_of(fields.get("points"), "points"),
    )


def object_of(value: object, field: str) -> Fields:
    """A JSON object; `Refused` where it is something else."""
    if not isinstance(value, dict):
        raise Refused(Code.SHAPE, field=field)
    return value


def wanted_game(named: str, game: str | None) -> str:
    """The game a result is of; `Refused` where another one is wanted."""
    if game and named and named != game:
        raise Refused(Code.OTHER_GAME, game=named)
    return named or game or ""
