"""From what was written about each seat to a result that holds together."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from leagues.exchange.findings import Code, Refused
from leagues.exchange.records import (
    FEWEST_SEATS,
    MOST_SEATS,
    ResultRecord,
    SeatRecord,
    fingerprint,
    places_in_order,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class Written:
    """What was written about one seat. `side`: a label, None for one of the own; `rank`: lower
    is better, None where nobody wrote it.
    """

    player: str
    identity: str = ""
    side: object = None
    rank: int | None = None
    points: int | None = None


def seat_records(written: Sequence[Written]) -> tuple[SeatRecord, ...]:
    """The seats of a result, sides numbered as they sit, places in order; raises `Refused`."""
    if not FEWEST_SEATS <= len(written) <= MOST_SEATS:
        raise Refused(Code.SEATS, seats=len(written))
    _nobody_twice(written)
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
    seats: Sequence[Written],
    league: str = "",
    location: str = "",
    note: str = "",
) -> ResultRecord:
    """A result from what was written; without a key it gets its fingerprint. Raises `Refused`."""
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


def _nobody_twice(written: Sequence[Written]) -> None:
    """Who has an identity goes by it; who has none by the name; the unknown are all others."""
    seen: set[tuple[str, str]] = set()
    for seat in written:
        who = (seat.identity, "" if seat.identity else seat.player.casefold())
        if who in seen and who != ("", ""):
            raise Refused(Code.NAMES, player=seat.player)
        seen.add(who)


def _sides(written: Sequence[Written]) -> list[int]:
    numbers: dict[object, int] = {}
    sides = []
    for index, seat in enumerate(written):
        label = ("own", index) if seat.side is None else ("side", seat.side)
        sides.append(numbers.setdefault(label, len(numbers)))
    if len(numbers) < FEWEST_SEATS:
        raise Refused(Code.SIDES, side=1)
    return sides


def _ranks(written: Sequence[Written], sides: Sequence[int]) -> dict[int, int]:
    """The rank of each side: as written for all, else by the points of all, most first."""
    by_rank = {seat.rank for seat in written}
    if None not in by_rank:
        return _of_sides([seat.rank or 0 for seat in written], sides)
    if by_rank != {None} or any(seat.points is None for seat in written):
        raise Refused(Code.PLACES)
    return _of_sides([-(seat.points or 0) for seat in written], sides)


def _of_sides(ranks: Sequence[int], sides: Sequence[int]) -> dict[int, int]:
    found: dict[int, int] = {}
    for rank, side in zip(ranks, sides, strict=True):
        if found.setdefault(side, rank) != rank:
            raise Refused(Code.SIDES, side=side + 1)
    return found
