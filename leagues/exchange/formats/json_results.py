"""Reader and writer of results as a JSON object with format, version and results."""

from __future__ import annotations

import json
from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from datetime import UTC, tzinfo

from core.names.text import comparison_key
from leagues.exchange.formats.parsing import (
    WrittenSeat,
    parse_json,
    parse_number,
    parse_round,
    parse_text,
    result_record,
)
from leagues.exchange.formats.results import (
    MAX_KEY_LENGTH,
    MAX_NAME_LENGTH,
    MAX_NOTE_LENGTH,
    MAX_SEATS,
    MAX_TITLE_LENGTH,
    Code,
    FileReading,
    InvalidValue,
    ResultFinding,
    ResultRecord,
    description,
    mark_repeated,
)
from leagues.exchange.formats.times import format_moment, parse_moment

FORMAT = "temporada-results"
VERSION = 1
MAX_RESULTS = 20_000
Fields = dict[str, object]


@dataclass(frozen=True, slots=True)
class _File:
    """Settings for reading all results of a file.

    These are the accepted game, its other names, the time zone, and whether rounds are read.
    """

    game: str | None
    names: Collection[str]
    zone: tzinfo
    rounds: bool


def write_json(records: Iterable[ResultRecord]) -> str:
    """Write results as JSON. `read_json` returns exactly the same results."""
    content = {
        "format": FORMAT,
        "version": VERSION,
        "results": [_record_data(record) for record in records],
    }
    return json.dumps(content, ensure_ascii=False, indent=1) + "\n"


def read_json(
    data: bytes | str,
    *,
    game: str | None = None,
    names: Collection[str] = (),
    zone: tzinfo = UTC,
    rounds: bool = True,
) -> FileReading:
    """Read results from JSON. Never raises.

    `game` is the only accepted game and the default for results that do not name one. `names` are
    other names that the file may use for this game. `zone` is the time zone of times without one.
    If `rounds` is False, the rounds in the file are ignored.
    """
    try:
        results = _results(parse_json(data))
    except InvalidValue as refused:
        return FileReading((refused.finding(),))
    context = _File(game, names, zone, rounds)
    findings = [_finding(result, context) for result in results[:MAX_RESULTS]]
    if len(results) > MAX_RESULTS:
        findings.append(InvalidValue(Code.ROWS, most=MAX_RESULTS).finding())
    return FileReading(mark_repeated(findings))


def _record_data(record: ResultRecord) -> Fields:
    of_round: Fields = {} if record.round is None else {"round": record.round}
    return {
        "key": record.key,
        "played_at": format_moment(record.played_at),
        "game": record.game,
        "league": record.league,
        "location": record.location,
        "note": record.note,
        "site": record.site,
        "league_id": record.league_id,
        **of_round,
        "seats": [
            {
                "player": seat.player,
                "identity": seat.identity,
                "side": seat.side,
                "place": None if record.is_bye else seat.place,
                "points": seat.points,
            }
            for seat in record.seats
        ],
    }


def _results(content: object) -> list[object]:
    if not isinstance(content, dict) or content.get("format") != FORMAT:
        raise InvalidValue(Code.FORMAT)
    version = content.get("version")
    if isinstance(version, bool) or version != VERSION:
        raise InvalidValue(Code.VERSION, version=version)
    results = content.get("results")
    if not isinstance(results, list):
        raise InvalidValue(Code.SHAPE, field="results")
    return results


def _finding(result: object, context: _File) -> ResultFinding:
    key = about = ""
    try:
        fields = parse_object(result, "results")
        about = description(fields.get("played_at"), _players(fields))
        key = parse_text(fields.get("key"), "key", MAX_KEY_LENGTH)
        record = _record(fields, key, context)
    except InvalidValue as refused:
        return refused.finding(key=key, about=about)
    return ResultFinding(Code.NEW, key=record.key, record=record)


def _players(fields: Fields) -> Iterator[object]:
    seats = fields.get("seats")
    for seat in seats[:MAX_SEATS] if isinstance(seats, list) else ():
        if isinstance(seat, dict):
            yield seat.get("player")


def _record(fields: Fields, key: str, context: _File) -> ResultRecord:
    seats = fields.get("seats")
    if not isinstance(seats, list):
        raise InvalidValue(Code.SHAPE, field="seats")
    return result_record(
        key=key,
        played=parse_moment(fields.get("played_at"), context.zone),
        game=check_game(
            parse_text(fields.get("game"), "game", MAX_TITLE_LENGTH), context.game, context.names
        ),
        seats=[_seat(parse_object(seat, "seats")) for seat in seats[:100]],
        league=parse_text(fields.get("league"), "league", MAX_TITLE_LENGTH),
        location=parse_text(fields.get("location"), "location", MAX_TITLE_LENGTH),
        note=parse_text(fields.get("note"), "note", MAX_NOTE_LENGTH, lines=True),
        origin=(
            parse_text(fields.get("site"), "site", MAX_KEY_LENGTH),
            parse_text(fields.get("league_id"), "league_id", MAX_KEY_LENGTH),
        ),
        round_number=parse_round(fields.get("round")) if context.rounds else None,
    )


def _seat(fields: Fields) -> WrittenSeat:
    return WrittenSeat(
        player=parse_text(fields.get("player"), "player", MAX_NAME_LENGTH),
        identity=parse_text(fields.get("identity"), "identity", MAX_KEY_LENGTH),
        side=parse_number(fields.get("side"), "side", least=0),
        rank=parse_number(fields.get("place"), "place", least=1),
        points=parse_number(fields.get("points"), "points"),
    )


def parse_object(value: object, field: str) -> Fields:
    if not isinstance(value, dict):
        raise InvalidValue(Code.SHAPE, field=field)
    return value


def check_game(named: str, game: str | None, names: Collection[str]) -> str:
    """Return the key of the game of a result. Raises `InvalidValue` for a game other than `game`.

    A result without a name for its game belongs to `game`. `names` are other names of that game.
    """
    known = {comparison_key(name) for name in (game or "", *names)}
    if game and named and comparison_key(named) not in known:
        raise InvalidValue(Code.OTHER_GAME, game=named)
    return game or named
