"""Strict parsing of the values of a result file, and of the players of a result."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Sequence
from dataclasses import dataclass, replace
from decimal import Decimal

from core.names.text import clean, clean_lines, comparison_key
from core.spreadsheets import encodings
from core.spreadsheets.kinds import LABELS, kind_of
from leagues.exchange.formats.results import (
    MAX_POINTS,
    MAX_ROUND,
    MAX_SEATS,
    MIN_SEATS,
    Alternatives,
    Code,
    InvalidValue,
    Remark,
    ResultRecord,
    SeatRecord,
    fingerprint,
    places_in_order,
)
from leagues.exchange.formats.times import Moment

MAX_BYTES = 16 * 1024 * 1024
MAX_SUM_LENGTH = 1_000

# Matches an integer, which may have up to two decimal zeros. `12.0` is an integer, but `12.000` is
# rejected, because it may mean twelve thousand.
_NUMBER = re.compile(r"[+-]?0*[0-9]{1,15}([.,]0{1,2})?")
_SUM = re.compile(r"[+-]?[0-9]{1,10}([.,][0-9]{1,2})?([+-][0-9]{1,10}([.,][0-9]{1,2})?){0,99}[+-]?")
_TERM = re.compile(r"[+-]?[0-9]+(?:[.,][0-9]+)?")


def decode(data: bytes | str) -> str:
    """Decode a file.

    Raises `InvalidValue` if it is too large, not a text file, or in an unknown encoding.
    """
    if len(data) > MAX_BYTES:
        raise InvalidValue(Code.SIZE, most=MAX_BYTES)
    if isinstance(data, str):
        return data.removeprefix("\ufeff")
    if (kind := kind_of(data)) is not None:
        raise InvalidValue(Code.KIND, kind=LABELS[kind])
    try:
        return encodings.decode(data).text
    except encodings.UnknownEncoding as error:
        raise InvalidValue(Code.GARBLED, word=error.word) from None
    except encodings.DamagedText as error:
        raise InvalidValue(Code.ENCODING, encoding=error.encoding) from None


def parse_json(data: bytes | str) -> object:
    text = decode(data)
    try:
        return json.loads(text)
    except (ValueError, RecursionError):
        raise InvalidValue(Code.NOT_JSON) from None


def parse_text(value: object, field: str, most: int, *, lines: bool = False) -> str:
    """Return a text in the normalised form in which it is stored (`core.names.text`).

    None becomes an empty text. Line breaks are allowed only if `lines` is True. Raises
    `InvalidValue` for other types, texts that are too long, and control characters.
    """
    if value is None:
        return ""
    if not isinstance(value, str):
        raise InvalidValue(Code.SHAPE, field=field)
    if len(value) > 4 * most + 100:
        raise InvalidValue(Code.TEXT, field=field)
    try:
        value.encode()
    except UnicodeEncodeError:
        raise InvalidValue(Code.TEXT, field=field) from None
    text = clean_lines(value) if lines else clean(value)
    controls = any(unicodedata.category(sign) == "Cc" for sign in value if not sign.isspace())
    if len(text) > most or controls:
        raise InvalidValue(Code.TEXT, field=field)
    return text


def parse_number(value: object, field: str, *, least: int = -MAX_POINTS) -> int | None:
    """Return an integer, or None if there is no value. Raises `InvalidValue` for other values."""
    if value is None or value == "":
        return None
    if isinstance(value, float) and value.is_integer() and abs(value) <= MAX_POINTS:
        value = int(value)
    if isinstance(value, str) and _NUMBER.fullmatch(value.strip()):
        value = int(value.strip().replace(",", ".").partition(".")[0])
    if isinstance(value, bool) or not isinstance(value, int):
        raise InvalidValue(Code.NUMBER, field=field, value=value)
    if not least <= value <= MAX_POINTS:
        raise InvalidValue(Code.NUMBER, field=field, value=value)
    return value


def parse_round(value: object) -> int | None:
    """Return the number of a round, or None if there is no value.

    Raises `InvalidValue` for other values.
    """
    try:
        number = parse_number(value, "round", least=1)
    except InvalidValue:
        raise InvalidValue(Code.ROUND, value=value) from None
    if number is not None and number > MAX_ROUND:
        raise InvalidValue(Code.ROUND, value=value)
    return number


def parse_score(value: object, field: str) -> Decimal | None:
    """Return a score, or None if there is no value. Raises `InvalidValue` for other values.

    A score may be a fraction or a sum such as `3+20+5`. A sum may end with a plus or minus sign
    that a player left there.
    """
    if value is None or value == "":
        return None
    if isinstance(value, float):
        value = str(value)
    if not isinstance(value, str):
        number = parse_number(value, field)
        return None if number is None else Decimal(number)
    written = "".join(value.split())
    if not written:
        return None
    if len(written) > MAX_SUM_LENGTH or not _SUM.fullmatch(written):
        raise InvalidValue(Code.NUMBER, field=field, value=value)
    terms = (Decimal(term.replace(",", ".")) for term in _TERM.findall(written))
    total = sum(terms, Decimal(0))
    if abs(total) > MAX_POINTS:
        raise InvalidValue(Code.NUMBER, field=field, value=value)
    return total


@dataclass(frozen=True, slots=True, kw_only=True)
class WrittenSeat:
    """A player of a match as written in a file.

    `side` is the label of the player's side, or None for a player without partners. `rank` is lower
    for a better place, or None if the file does not contain it.
    """

    player: str
    identity: str = ""
    side: object = None
    rank: int | None = None
    points: int | None = None


def seat_records(written: Sequence[WrittenSeat]) -> tuple[SeatRecord, ...]:
    """Return the seats of a match with sides numbered in seating order and with places.

    Raises `InvalidValue` if the sides or places are invalid.
    """
    if not MIN_SEATS <= len(written) <= MAX_SEATS:
        raise InvalidValue(Code.SEATS, seats=len(written))
    _check_nobody_twice(written)
    sides = _sides(written)
    written = _with_points_of_sides(written, sides)
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
    played: Moment,
    game: str,
    seats: Sequence[WrittenSeat],
    league: str = "",
    location: str = "",
    note: str = "",
    origin: tuple[str, str] = ("", ""),
    remarks: tuple[Remark, ...] = (),
    alternatives: Alternatives = (),
    round_number: int | None = None,
) -> ResultRecord:
    """Build the record of a result. Raises `InvalidValue` if its players, sides or places are
    invalid.

    Without a key, a fingerprint of the result becomes its key. `origin` are the ids of the site and
    league that exported the result. A result with a `round_number` and a single player is a bye.
    """
    is_bye = round_number is not None and len(seats) == 1
    records = _seat_of_bye(seats[0]) if is_bye else seat_records(seats)
    # Fingerprints are calculated from the points as noted in the file. They therefore do not change
    # if the import leaves points out or corrects them.
    noted = [
        record._replace(points=seat.points) for record, seat in zip(records, seats, strict=True)
    ]
    # The key of a bye consists of its round and player. Earlier versions ignored rounds, so their
    # fingerprints are calculated without the round.
    own = fingerprint(played.at, game, noted, round_number)
    former = fingerprint(played.in_utc if round_number is None else played.at, game, noted)
    return ResultRecord(
        key=own if is_bye else key or own,
        former_key="" if key or is_bye else former,
        played_at=played.at,
        day_only=played.day_only,
        game=game,
        seats=records,
        league=league,
        location=location,
        note=note,
        site=origin[0],
        league_id=origin[1],
        remarks=remarks,
        alternatives=alternatives,
        round=round_number,
    )


def _seat_of_bye(written: WrittenSeat) -> tuple[SeatRecord, ...]:
    """Return the seat of a player with a bye. Raises `InvalidValue` if the line has a place or
    points.

    Such a line belongs to a match whose other lines are elsewhere in the file.
    """
    if written.rank is not None or written.points is not None:
        raise InvalidValue(Code.BYE)
    return (SeatRecord(player=written.player, side=0, place=1, identity=written.identity),)


def _check_nobody_twice(written: Sequence[WrittenSeat]) -> None:
    """Raise `InvalidValue` if a player has two seats in the match.

    Players are compared by identity or, without one, by name. Players without a name are all
    different.
    """
    seen: set[tuple[str, str]] = set()
    for seat in written:
        who = (seat.identity, "" if seat.identity else comparison_key(seat.player))
        if who in seen and who != ("", ""):
            raise InvalidValue(Code.NAMES, player=seat.player)
        seen.add(who)


def _sides(written: Sequence[WrittenSeat]) -> list[int]:
    numbers: dict[object, int] = {}
    sides = []
    for index, seat in enumerate(written):
        label = ("own", index) if seat.side is None else ("side", seat.side)
        sides.append(numbers.setdefault(label, len(numbers)))
    if len(numbers) < MIN_SEATS:
        raise InvalidValue(Code.SIDES, side=1)
    return sides


def _with_points_of_sides(
    written: Sequence[WrittenSeat], sides: Sequence[int]
) -> list[WrittenSeat]:
    """Return the seats with points for all partners if the file has points for only one of them."""
    noted: dict[int, set[int]] = {}
    for seat, side in zip(written, sides, strict=True):
        if seat.points is not None:
            noted.setdefault(side, set()).add(seat.points)
    of_side = {side: points.pop() for side, points in noted.items() if len(points) == 1}
    return [
        replace(seat, points=of_side.get(side, seat.points))
        for seat, side in zip(written, sides, strict=True)
    ]


def _ranks(written: Sequence[WrittenSeat], sides: Sequence[int]) -> dict[int, int]:
    """Return the rank of each side. Raises `InvalidValue` if there are neither all ranks nor all
    points.

    The ranks of the file are used if all players have one. Otherwise the side with the most points
    is first.
    """
    by_rank = {seat.rank for seat in written}
    if None not in by_rank:
        return _of_sides([seat.rank or 0 for seat in written], sides)
    if by_rank != {None} or any(seat.points is None for seat in written):
        raise InvalidValue(Code.PLACES)
    return _of_sides([-(seat.points or 0) for seat in written], sides)


def _of_sides(ranks: Sequence[int], sides: Sequence[int]) -> dict[int, int]:
    rank_by_side: dict[int, int] = {}
    for rank, side in zip(ranks, sides, strict=True):
        if rank_by_side.setdefault(side, rank) != rank:
            raise InvalidValue(Code.SIDES, side=side + 1)
    return rank_by_side
