"""What workers do: ids in, one call each."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from celery import shared_task
from django.utils import timezone
from kombu.exceptions import OperationalError

from leagues.counting import recounting

if TYPE_CHECKING:
    from celery import Task

log = logging.getLogger(__name__)


def send(task: Task[Any, Any], key: int) -> bool:
    """Tell the workers; False where the broker is away: the sweep finds the row later."""
    try:
        task.apply_async((key,), retry=False)
    except OperationalError as error:
        log.warning("The broker is away, %s(%s) waits: %s", task.name, key, error)
        return False
    return True


# Recounts -------------------------------------------------------------------------------


@shared_task
def recount_ratings(recount_id: int) -> None:
    """Count the ratings of a pool from nothing, saying how far it is."""
    try:
        recounting.recount(recount_id, clock=timezone.now)
    except Exception as error:
        log.exception("Recount %s broke down", recount_id)
        recounting.note_breakdown(recount_id, f"{type(error).__name__}: {error}", at=timezone.now())


def send_recounts() -> None:
    """Tell the workers of the recounts that nobody has begun."""
    for recount in recounting.waiting():
        send(recount_ratings, recount)


@shared_task
def sweep_results() -> None:
    """Make final what nobody objected to, and send out the recounts that got lost."""
    now = timezone.now()
    recounting.finalise_due(at=now)
    for recount in recounting.lost(at=now):
        send(recount_ratings, recount)
