"""Record events in the transaction in which they happen."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from json import JSONEncoder
from typing import Final, NamedTuple

from django.db import connection, transaction

from api.types import JSON
from events.kinds import kinds
from events.numbering import number_waiting
from events.sql import insert_events

# Maximum length of an event's data as JSON, in characters.
MAX_DATA_LENGTH: Final = 4000


class NewEvent(NamedTuple):
    """An event to record. The fields are those of `models.Event`."""

    kind: str
    subject: str
    data: Mapping[str, JSON]
    at: dt.datetime
    circuit: int | None = None
    league: int | None = None
    due: dt.datetime | None = None


_encode = JSONEncoder(ensure_ascii=False, separators=(",", ":")).encode


def record_event(
    *,
    kind: str,
    subject: str,
    at: dt.datetime,
    data: Mapping[str, JSON],
    circuit: int | None = None,
    league: int | None = None,
    due: dt.datetime | None = None,
) -> None:
    """Record one event. See `record_events`."""
    record_events([NewEvent(kind, subject, data, at, circuit, league, due)])


def record_events(news: Sequence[NewEvent]) -> None:
    """Record events in this order in the current transaction. Number them after the commit.

    A rollback discards the events. Raises ValueError for an unregistered kind and for data longer
    than `MAX_DATA_LENGTH`.
    """
    if not news:
        return
    when = cache(connection.ops.adapt_datetimefield_value)  # many events have the same time
    insert_events([_row(item, when) for item in news])
    _number_on_commit(news[-1].at)


def _number_on_commit(at: dt.datetime) -> None:
    """Number waiting events after the commit.

    If that fails, a periodic task numbers the events later, so the request does not fail.
    """

    def tell() -> None:
        number_waiting(at=at)

    transaction.on_commit(tell, robust=True)


def _row(new_event: NewEvent, when: Callable[[dt.datetime | None], object]) -> tuple[object, ...]:
    if new_event.kind not in kinds:
        raise ValueError(f"Nobody registered the kind {new_event.kind!r}.")
    data = _encode(new_event.data)
    if len(data) > MAX_DATA_LENGTH:
        raise ValueError(
            f"{new_event.kind} {new_event.subject} has {len(data)} characters of data."
        )
    return (
        new_event.kind,
        new_event.subject,
        data,
        when(new_event.at),
        new_event.circuit,
        new_event.league,
        when(new_event.due),
    )
