"""Numbering of events so that readers who continue from a number miss nothing.

A number taken inside the transaction of an event would do harm. Of two transactions the one
with the higher number may commit first. A reader would go past the lower number and never see
it. So a row is stored without a number. Later a process locks the tally, gives all committed
rows the next numbers and commits. The lock is held until the numbers are visible, so they
appear in order and without gaps: a reader at N will find nothing new at or below N, in
whatever order transactions end, on any number of machines.

On PostgreSQL the tally's row is the lock, and the next statement sees all that was committed
before (READ COMMITTED). SQLite has a single writer.
"""

from __future__ import annotations

import datetime as dt
from typing import Final

from django.db import transaction
from django.db.models import Q, QuerySet

from events.models import Event, Tally
from events.sql import number_events
from live import pubsub

BATCH_SIZE: Final = 5000
# Events numbered in one transaction. The lock is held for about 20 ms with this many.
BROADCAST_KIND: Final = "events"


def publish(*, at: dt.datetime) -> int:
    """Number all events due at `at`, notify the feed and return how many were numbered."""
    return number_waiting(at=at) if waiting_events(at).exists() else 0


def number_waiting(*, at: dt.datetime) -> int:
    """Publish if any event is waiting. Return how many were numbered."""
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
