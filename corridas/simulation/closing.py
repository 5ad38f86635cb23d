"""Broadcasts that are over, or cut short: their corridas are claimed and posted."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Sequence
from itertools import groupby
from operator import itemgetter

from django.db import connection, transaction

from corridas.models import Corrida, Season
from corridas.simulation.posting import post, stored
from disk import is_full

log = logging.getLogger(__name__)

TOGETHER = 50
"""Corridas posted in one transaction at most; everybody else's of the season wait for it."""


def post_now(corrida_id: int, *, at: dt.datetime) -> bool:
    """Post a corrida on air, whether or not it has been shown to the end; False if it is not.

    Counters, careers and injuries move in one transaction, once.
    """
    return bool(_post_together([corrida_id], at=at, waiting=True))


def post_due(*, at: dt.datetime) -> list[int]:
    """Post every corrida whose broadcast has ended by `at`; returns which were.

    Those of a season go together; what somebody else is posting is left to them. One that cannot
    be posted is written to the log and does not hold up the others.
    """
    due = Corrida.objects.on_air().filter(ends_at__lte=at).order_by("season_id", "date", "pk")
    posted: list[int] = []
    for _, found in groupby(due.values_list("season_id", "pk"), key=itemgetter(0)):
        keys = [key for _, key in found]
        for start in range(0, len(keys), TOGETHER):
            posted += _posted(keys[start : start + TOGETHER], at)
    return posted


def _posted(keys: Sequence[int], at: dt.datetime) -> list[int]:
    """Post corridas of a season together; where that fails, each by itself."""
    try:
        return _post_together(keys, at=at, waiting=False)
    except Exception as error:
        if is_full(error) or not connection.is_usable():
            raise  # the database cannot write: nothing is wrong with the corridas
        if len(keys) == 1:
            log.exception("Corrida %s cannot be posted", keys[0])
            return []
    return [key for one in keys for key in _posted([one], at)]


@transaction.atomic
def _post_together(keys: Sequence[int], *, at: dt.datetime, waiting: bool) -> list[int]:
    """Claim and post those of these corridas of one season that are on air; returns which.

    Somebody else who is at one of them is waited for, or it is left to them.
    """
    held = Corrida.objects.on_air().filter(pk__in=keys).select_for_update(skip_locked=not waiting)
    claimed = list(held.values_list("pk", flat=True))
    if not claimed:
        return []
    rows = Corrida.objects.filter(pk__in=claimed)
    rows.update(state=Corrida.State.POSTED, posted_at=at)
    played = stored(rows)
    season = Season.objects.select_for_update().get(pk__in=rows.values("season"))
    broken = [one.afternoon.pk for one in played if one.suspended]
    if broken:
        Corrida.objects.filter(pk__in=broken).update(state=Corrida.State.SUSPENDED)
    post(season, played, at=at)
    return claimed
