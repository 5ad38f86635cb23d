"""Numbering of events, so that readers who continue after a number miss no event.

If the transaction of an event took the next number itself, the transaction with the higher number
could commit first. A reader would continue after the higher number and never see the lower one. So
events are stored without a number. Later a process locks the counter (`Tally`), gives the next
numbers to all committed events, and commits. The lock is held until the numbers are visible, so
they appear in order and without gaps. A reader who has reached N will find no new event at or below
N, in whatever order transactions end, on any number of machines.

On PostgreSQL the counter's row is the lock, and the next statement sees everything that was
committed before (READ COMMITTED). SQLite has a single writer.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from events.models import Event, Tally
from events.sql import number_events
from live import pubsub

# Maximum number of events numbered in one transaction. For this number of events, the lock is held
# for about 20 ms.
BATCH_SIZE: Final = 5000
BROADCAST_KIND: Final = "events"


def publish(*, at: dt.datetime) -> int:
    """Number all events due at `at`, notify the live feed and return how many were numbered.

    Does not take the lock if no event is waiting.
    """
    return number_waiting(at=at) if waiting_events(at).exists() else 0


def number_waiting(*, at: dt.datetime) -> int:
    """Number all events due at `at`, notify the live feed and return how many were numbered."""
    given = now = _number_batch(at)
    while now == BATCH_SIZE:
        given += (now := _number_batch(at))
    if given:
        pubsub.publish(BROADCAST_KIND, pubsub.ALL_KEYS)
    return given


def waiting_events(at: dt.datetime) -> QuerySet[Event]:
    return Event.objects.filter(Q(due=None) | Q(due__lte=at), number=None)


@transaction.atomic
def _number_batch(at: dt.datetime) -> int:
    return number_events(at, BATCH_SIZE)


def newest_number() -> int:
    last: int | None = Tally.objects.filter(pk=1).values_list("last", flat=True).first()
    return last or 0
