"""Gates: moments before which somebody who signs the matadors of a plaza has to decide.

The winter ends before the first corrida of the year. A feria closes at the end of its closing day.
The eve of a corrida ends with the day before it.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence
from enum import Enum
from typing import Final, NamedTuple

# The closing is this long before the first day of a feria.
CLOSES_BEFORE: Final = dt.timedelta(days=30)
# For this long before a corrida, hurt matadors can be replaced and the open place be filled.
EVE: Final = dt.timedelta(days=7)
# The reason of a run that stops at a gate.
REASON: Final = "gate"


class Gate(Enum):
    """A kind of gate. The values are stored."""

    WINTER = "winter"
    CLOSING = "closing"
    EVE = "eve"


class Stage(Enum):
    """Which gates of a corrida have been passed. The values are stored."""

    WINTER = "winter"
    SEASON = "season"
    CLOSED = "closed"
    OVER = "over"


class ReservedDay(NamedTuple):
    """A corrida whose matadors are signed one by one: its key, day, closing day and stage."""

    key: int
    day: dt.date
    closes_on: dt.date
    stage: Stage


class DueGate(NamedTuple):
    """A gate that lies before the next corrida, and the corridas that it concerns."""

    gate: Gate
    corridas: tuple[int, ...]


def closing_day(first: dt.date, today: dt.date) -> dt.date:
    """Return when a feria closes that begins on `first`: today, if that day is past."""
    return max(first - CLOSES_BEFORE, today)


def due_gate(day: dt.date, reserved: Iterable[ReservedDay]) -> DueGate | None:
    """Return the first gate that lies before the corridas of a day, or None if there is none.

    Corridas with the same gate on the same day are returned together.
    """
    waiting: dict[tuple[dt.date, int], list[int]] = {}
    for each in reserved:
        gate, last = _next(each), _last_day(each)
        if gate is not None and last is not None and last < day:
            waiting.setdefault((last, _ORDER[gate]), []).append(each.key)
    if not waiting:
        return None
    first = min(waiting)
    return DueGate(list(Gate)[first[1]], tuple(waiting[first]))


def played_until(day: dt.date, reserved: Sequence[ReservedDay]) -> dt.date:
    """Return the last day that can be played from `day` on before a gate has to be looked at."""
    days = [last for each in reserved if (last := _last_day(each)) is not None and last >= day]
    return min(days, default=dt.date.max)


_ORDER: Final = {gate: place for place, gate in enumerate(Gate)}


def _next(each: ReservedDay) -> Gate | None:
    """Return the next gate of a corrida. One that closes in winter has no gate before that."""
    match each.stage:
        case Stage.WINTER if each.closes_on > _end_of_winter(each):
            return Gate.WINTER
        case Stage.WINTER | Stage.SEASON:
            return Gate.CLOSING
        case Stage.CLOSED:
            return Gate.EVE
        case Stage.OVER:
            return None


def _end_of_winter(each: ReservedDay) -> dt.date:
    return dt.date(each.day.year - 1, 12, 31)


def _last_day(each: ReservedDay) -> dt.date | None:
    """Return the last day that is played before the next gate of a corrida."""
    match _next(each):
        case Gate.WINTER:
            return _end_of_winter(each)
        case Gate.CLOSING:
            return each.closes_on
        case Gate.EVE:
            return each.day - dt.timedelta(days=1)
        case None:
            return None
