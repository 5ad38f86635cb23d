"""A result as it goes in and out of files, and what makes two of them the same."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from hashlib import sha256

FEWEST_SEATS, MOST_SEATS = 2, 6
MOST_POINTS = 1_000_000_000

NAME_LENGTH = 60
KEY_LENGTH = 80
TITLE_LENGTH = 100
NOTE_LENGTH = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRecord:
    """One who sat at the match. `player`: the name, empty for somebody unknown.

    `identity`: what names the person across files, may be empty. `side`: from 0 in the order in
    which the sides sit. `place`: of the side, from 1, level sides alike, the next after all
    before it. `points`: of the side, None where nobody wrote them down.
    """

    player: str
    side: int
    place: int
    points: int | None = None
    identity: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRecord:
    """One result. `key` names it across files; `seats` are in the order of the table.

    `played_at` is aware, in UTC. `game`: its slug, or its name where the file is another
    program's.
    """

    key: str
    played_at: datetime
    game: str
    seats: tuple[SeatRecord, ...]
    league: str = ""
    location: str = ""
    note: str = ""


def fingerprint(played_at: datetime, game: str, seats: Sequence[SeatRecord]) -> str:
    """The key of a result that was given none: the same figures have the same."""
    content = [
        played_at.astimezone(UTC).isoformat(),
        game,
        [[seat.player, seat.identity, seat.side, seat.place, seat.points] for seat in seats],
    ]
    written = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return f"sha256:{sha256(written.encode()).hexdigest()}"


def places_in_order(ranks: Sequence[int]) -> list[int]:
    """Places from ranks (lower is better) of the sides: level ones alike, then as many skipped."""
    return [1 + sum(other < rank for other in ranks) for rank in ranks]
