"""Every round that ended at a table of the site, looked at when the archive is played again."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterator
from functools import partial
from typing import TYPE_CHECKING

from actas.revalidating import Item, Shelf, register
from leagues.models import TableRound
from leagues.playing.log import read
from leagues.playing.verifying import verify_round

if TYPE_CHECKING:
    from django.db.models import QuerySet

    from fairness import Difference

CHUNK = 100


def offer() -> None:
    """Have rounds looked at; which engine played them is for their games to say."""
    register(Shelf(kind="rounds", engine="", count=_count, items=_items))


def _rounds(since: dt.date | None) -> QuerySet[TableRound]:
    ended = TableRound.objects.filter(ended_at__isnull=False)
    return ended if since is None else ended.filter(ended_at__date__gte=since)


def _count(since: dt.date | None) -> int:
    return _rounds(since).count()


def _items(since: dt.date | None, after: int) -> Iterator[Item]:
    while True:
        rows = _rounds(since).filter(pk__gt=after).order_by("pk").select_related("table")
        chunk = list(rows[:CHUNK])
        for row in chunk:
            subject = f"{row.table.game} {row.table_id}/{row.number}"
            yield Item(row.pk, subject, partial(_check, row.table_id, row.number))
        if len(chunk) < CHUNK:
            return
        after = chunk[-1].pk


def _check(table: int, number: int) -> tuple[Difference, ...]:
    return tuple(verify_round(read(table), number))
