"""Strict parsing of values, and of the seats of a result."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, time, tzinfo

from leagues.exchange.formats.results import (
    MAX_POINTS,
    MAX_SEATS,
    MIN_SEATS,
    Code,
    Refused,
    ResultRecord,
    SeatRecord,
    fingerprint,
    places_in_order,
)

MAX_BYTES = 16 * 1024 * 1024
# Assumed time of matches for which only the day is known.
NOON = time(12)

_NUMBER = re.compile(r"[+-]?[0-9]{1,15}(\.0{1,9})?")
_SUM = re.compile(r"[+-]?[0-9]{1,9}([+-][0-9]{1,9}){0,99}")
_TERM = re.compile(r"[+-]?[0-9]+")
_DATE = re.compile(
    r"(19|20|21)[0-9]{2}-[01][0-9]-[0-3][0-9]"
    r"([T ][0-2][0-9]:[0-5][0-9](:[0-5][0-9](\.[0-9]{1,6})?)?(Z|[+-][0-2][0-9]:[0-5][0-9])?)?"
)
_WHOLE_DAY = len("2026-03-05")


def decode(data: bytes | str) -> str:
    """Decode a file. Raises `Refused` if it is too large or not UTF-8."""
    if len(data) > MAX_BYTES:
        raise Refused(Code.SIZE, most=MAX_BYTES)
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    try:
        return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        raise Refused(Code.ENCODING) from None


def parse_json(data: bytes | str) -> object:
    text = decode(data)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise Refused(Code.NOT_JSON) from None


def parse_text(value: object, field: str, most: int, *, lines: bool = False) -> str:
    """Return normalised text without surrounding space. None becomes empty text.

    Line breaks are allowed only with `lines`. Raises `Refused` for other types, texts that are too
    long, and control characters.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise Refused(Code.SHAPE, field=field)
    if len(value) > 4 * most + 100:
        raise Refused(Code.TEXT, field=field)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise Refused(Code.TEXT, field=field) from None
    composed = unicodedata.normalize("NFC", value)
    kept = [" ".join(line.split()) for line in composed.splitlines()]
    text = ("\n" if lines else " ").join(kept).strip()
    if len(text) > most or any(unicodedata.category(sign) == "Cc" for sign in text if sign != "\n"):
        raise Refused(Code.TEXT, field=field)
    return text


def parse_number(value: object, field: str, *, least: int = -MAX_POINTS) -> int | None:
    """Return an integer or None. Raises `Refused` for other values."""
    if value is None or value == "":
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) <= MAX_POINTS:
        value = int(value)
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = int(value.strip().partition(".")[0])
    if isinstance(value, bool) or not isinstance(value, int):
        raise Refused(Code.NUMBER, field=field, value=value)
    if not least <= value <= MAX_POINTS:
        raise Refused(Code.NUMBER, field=field, value=value)
    return value


def parse_sum(value: object, field: str) -> int | None:
    """Return a number, or the value of a sum such as `3+20+5`, or None."""
    if isinstance(value, str):
        written = "".join(value.split())
        if len(written) <= 1_000 and _SUM.fullmatch(written):
            return parse_number(sum(map(int, _TERM.findall(written))), field)
        return parse_number(written, field)
    return parse_number(value, field)


def parse_moment(value: object, zone: tzinfo) -> datetime:
    """Return a time in UTC. Times without a zone are in `zone`, a date alone means its noon."""
    if not isinstance(value, str) or not _DATE.fullmatch(value.strip()):
        raise Refused(Code.DATE, value=value)
    try:
        moment = datetime.fromisoformat(value.strip())
        if len(value.strip()) == _WHOLE_DAY:
            moment = datetime.combine(moment, NOON)
        return (moment if moment.tzinfo else moment.replace(tzinfo=zone)).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refused(Code.DATE, value=value) from None


def format_moment(moment: datetime) -> str:
    return moment.astimezone(UTC).isoformat().replace("+00:00", "Z")


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSeat:
    """A seat as written in a file.

    `side` is a label, or None for a side alone. `rank` is lower for better, or None if not given.
    """

    player: str
    identity: str = ""
    side: object = None
    rank: int | None = None
    points: int | None = None


def seat_records(written: Sequence[WrittenSeat]) -> tuple[SeatRecord, ...]:
    """Number the sides in seating order and sort places. Raises `Refused`."""
    if not MIN_SEATS <= len(written) <= MAX_SEATS:
        raise Refused(Code.SEATS, seats=len(written))
    _check_nobody_twice(written)
    sides = _sides(written)
    ranks = _ranks(written, sides)
    places = dict(zip(ranks, places_in_order(list(ranks.values())), strict=True))
    return tuple(
        SeatRecord(
            player=seat.player,
            identity=seat.identity,
            side=side,
            place=places[side],
            points=seat.points,
        )
        for seat, side in zip(written, sides, strict=True)
    )


def result_record(
    *,
    key: str,
    played_at: datetime,
    game: str,
    seats: Sequence[WrittenSeat],
    league: str = "",
    location: str = "",
    note: str = "",
) -> ResultRecord:
    """Build a result. Without a key its fingerprint is used. Raises `Refused`."""
    records = seat_records(seats)
    return ResultRecord(
        key=key or fingerprint(played_at, game, records),
        played_at=played_at,
        game=game,
        seats=records,
        league=league,
        location=location,
        note=note,
    )


def _check_nobody_twice(written: Sequence[WrittenSeat]) -> None:
    """Compare players by identity, or by name without one. Unknown players are all different."""
    seen: set[tuple[str, str]] = set()
    for seat in written:
        who = (seat.identity, "" if seat.identity else seat.player.casefold())
        if who in seen and who != ("", ""):
            raise Refused(Code.NAMES, player=seat.player)
        seen.add(who)


def _sides(written: Sequence[WrittenSeat]) -> list[int]:
    numbers: dict[object, int] = {}
    sides = []
    for index, seat in enumerate(written):
        label = ("own", index) if seat.side is None else ("side", seat.side)
        sides.append(numbers.setdefault(label, len(numbers)))
    if len(numbers) < MIN_SEATS:
        raise Refused(Code.SIDES, side=1)
    return sides


def _ranks(written: Sequence[WrittenSeat], sides: Sequence[int]) -> dict[int, int]:
    """Rank each side: as written if all have ranks, else by points, highest first."""
    by_rank = {seat.rank for seat in written}
    if None not in by_rank:
        return _of_sides([seat.rank or 0 for seat in written], sides)
    if by_rank != {None} or any(seat.points is None for seat in written):
        raise Refused(Code.PLACES)
    return _of_sides([-(seat.points or 0) for seat in written], sides)


def _of_sides(ranks: Sequence[int], sides: Sequence[int]) -> dict[int, int]:
    rank_by_side: dict[int, int] = {}
    for rank, side in zip(ranks, sides, strict=True):
        if rank_by_side.setdefault(side, rank) != rank:
            raise Refused(Code.SIDES, side=side + 1)
    return rank_by_side
