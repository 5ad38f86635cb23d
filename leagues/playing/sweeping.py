"""What falls due by itself at tables: found by their deadlines, done or handed to workers."""

from __future__ import annotations

import datetime as dt
import logging

from django.db.models import Q

from leagues.models import Table
from leagues.playing.bots import LOST_AFTER
from leagues.playing.change import BotTurn, Change, Event, changing
from leagues.playing.ending import count_result
from leagues.playing.log import read
from leagues.playing.rounds import Fresh, deal_next
from leagues.playing.seating import close, stand_in

log = logging.getLogger(__name__)

AT_ONCE = 200
"""Tables looked after in one sweep; the others come with the next."""


def sweep(*, at: dt.datetime, fresh: Fresh) -> list[BotTurn]:
    """Deal rounds, let bots stand in, close what was abandoned; the bots that are to move.

    Results that everybody may know by now take effect. A table at which something goes wrong does
    not hold up the others.
    """
    playing = Q(state__in=Table.ACTIVE, deadline__lte=at)
    due = Table.objects.filter(playing | Q(counts_at__lte=at)).order_by("deadline")
    turns = []
    for table_id in list(due.values_list("pk", flat=True)[:AT_ONCE]):
        try:
            turns.append(look_after(table_id, at=at, fresh=fresh))
        except Exception:
            log.exception("Table %s cannot be looked after", table_id)
    return [turn for turn in turns if turn is not None]


def look_after(table_id: int, *, at: dt.datetime, fresh: Fresh) -> BotTurn | None:
    """Do what is due at a table; whose bot is to move."""
    with changing(table_id, at=at) as change:
        deadline, counts_at = change.table.deadline, change.table.counts_at
        if counts_at is not None:
            _let_it_count(change, counts_at)
            return None
        if deadline is None or deadline > at:
            return None
        if change.awaited.what == "bot":
            return _find_bot(change, deadline)
        _act(change, fresh)
    return change.bot_turn


def _let_it_count(change: Change, counts_at: dt.datetime) -> None:
    """Whoever watches has seen the end of a table by then."""
    if counts_at <= change.at:
        count_result(change, read(change.table.pk).present())
        change.tell(Event.COUNTED)


def _find_bot(change: Change, deadline: dt.datetime) -> BotTurn | None:
    """A bot that is late: its message was lost, or its worker died. Sent again now and then."""
    if deadline > change.at - LOST_AFTER:
        return None
    Table.objects.filter(pk=change.table.pk).update(deadline=change.at)
    return BotTurn(change.table.pk, change.table.moves_made, change.at)


def _act(change: Change, fresh: Fresh) -> None:
    what, seat, _ = change.awaited
    if what in {"players", "anybody"}:
        close(change)
    elif what == "round":
        deal_next(change, fresh=fresh)
    elif what == "person" and seat is not None:
        stand_in(change, seat, Event.TIMED_OUT)
