"""Recounts of whole pools: begun by one worker, visible on the way, kept all at once."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable

from django.db import transaction
from django.db.models import F, Q, QuerySet

from leagues import ratings
from leagues.counting import pools
from leagues.models import League, Match, Pool, Recount

LOST_AFTER = dt.timedelta(minutes=2)
"""A recount that has said nothing for so long is begun again: it takes seconds."""
TRIES = 3
"""How often a pool that changes meanwhile is counted in the open, before all wait for it."""
HOURS_TO_OBJECT = 72
"""Hours after the confirmation in which a match among friends may be disputed."""

Told = Callable[[int], object]


def waiting() -> list[int]:
    """Recounts that nobody has begun."""
    return list(Recount.objects.filter(begun_at=None, ended_at=None).values_list("pk", flat=True))


def lost(*, at: dt.datetime) -> list[int]:
    """Recounts that a lost message, or a dead worker, left behind."""
    begun = Q(begun_at=None) | Q(begun_at__lte=at - LOST_AFTER)
    return list(Recount.objects.filter(begun, ended_at=None).values_list("pk", flat=True))


def recount(recount_id: int, *, clock: Callable[[], dt.datetime], told: Told | None = None) -> bool:
    """Count the pool of a recount from nothing; False where it is over or another does it.

    `told` hears, besides the row, how many results are counted.

    The counting itself locks nothing. Where results changed meanwhile it begins again; the last
    try holds the pool, and who confirms a match meanwhile waits.
    """
    row = _claim(recount_id, at=clock())
    if row is None:
        return False
    pool = pools.of_site(row.game) if row.league is None else pools.of_league(row.league)
    for _ in range(TRIES):
        if _count(pool, row, told, hold=False):
            break
    else:
        _count(pool, row, told, hold=True)
    Recount.objects.filter(pk=row.pk).update(ended_at=clock(), error="")
    return True


def _claim(recount_id: int, *, at: dt.datetime) -> Recount | None:
    free = Q(begun_at=None) | Q(begun_at__lte=at - LOST_AFTER)
    claimed = Recount.objects.filter(free, pk=recount_id, ended_at=None).update(begun_at=at, done=0)
    if not claimed:
        return None
    return Recount.objects.select_related("league").get(pk=recount_id)


def _count(pool: Pool, row: Recount, told: Told | None, *, hold: bool) -> bool:
    """Count and keep; False where the pool changed between the one and the other."""
    if hold:
        with transaction.atomic():
            Pool.objects.filter(pk=pool.pk).update(version=F("version"))  # takes the lock
            return _keep(pool, *_counted(pool, row, told))
    version = Pool.objects.values_list("version", flat=True).get(pk=pool.pk)
    ladder, taken = _counted(pool, row, told)
    with transaction.atomic():
        if not Pool.objects.filter(pk=pool.pk, version=version).update(version=F("version") + 1):
            return False
        return _keep(pool, ladder, taken)


def _counted(
    pool: Pool, row: Recount, told: Told | None
) -> tuple[ratings.Ladder, list[ratings.Step]]:
    outcomes = pools.outcomes_of(pools.results(pool))
    Recount.objects.filter(pk=row.pk).update(total=len(outcomes))
    return ratings.recount(outcomes, progress=_progress(row, told))


def _progress(row: Recount, told: Told | None) -> Callable[[int], None]:
    def note(done: int) -> None:
        if told:
            told(done)
        Recount.objects.filter(pk=row.pk).update(done=done)

    return note


def _keep(pool: Pool, ladder: ratings.Ladder, taken: list[ratings.Step]) -> bool:
    pools.steps(pool).delete()
    pools.rows(pool).delete()
    pools.store(pool, ladder, taken, set(ladder.skills))
    Pool.objects.filter(pk=pool.pk).update(stale=False)
    return True


def note_breakdown(recount_id: int, sentence: str, *, at: dt.datetime) -> None:
    """Write down why a recount broke off; the pool stays stale and can be asked for again."""
    Recount.objects.filter(pk=recount_id).update(ended_at=at, error=sentence[:300])


def finalise_due(*, at: dt.datetime) -> int:
    """Make final the confirmed matches whose hours to object are over; how many."""
    confirmed = Match.objects.filter(state=Match.State.CONFIRMED)
    hours = confirmed.exclude(league=None).values_list("league__hours_to_object", flat=True)
    windows = [(Q(league=None), HOURS_TO_OBJECT)]
    windows += [(Q(league__hours_to_object=each), each) for each in set(hours.order_by())]
    return sum(
        _finalise(confirmed.filter(those, confirmed_at__lte=at - dt.timedelta(hours=each)))
        for those, each in windows
    )


def _finalise(due: QuerySet[Match]) -> int:
    keys = dict(due.values_list("pk", "league"))
    if not keys:
        return 0
    still = Match.objects.filter(pk__in=keys, state=Match.State.CONFIRMED)
    done = still.update(state=Match.State.FINAL, version=F("version") + 1)
    League.objects.filter(pk__in={*keys.values()} - {None}).update(edition=F("edition") + 1)
    return done
