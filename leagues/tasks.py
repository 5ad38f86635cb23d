"""Celery tasks of leagues. Arguments are primary keys, and each task calls a single function."""

from __future__ import annotations

import logging
from typing import TYPE_CHECKING, Any

from celery import shared_task
from django.utils import timezone

from core.jobs import DATABASE_ERRORS, describe, wait_for_database
from fairness import Seed
from leagues import results
from leagues.models import Recount
from leagues.ratings import pools
from leagues.ratings.recounts import send_recounts
from leagues.tables import automation
from leagues.tables.bot_turns import wake
from leagues.webhooks import delivery

if TYPE_CHECKING:
    from celery import Task

log = logging.getLogger(__name__)


# Recalculations of ratings


@shared_task(bind=True)
def recount_ratings(self: Task[Any, Any], recount_id: int) -> None:
    try:
        pools.run_recount(recount_id, clock=timezone.now)
    except DATABASE_ERRORS as error:
        wait_for_database(self, error)
    except Exception as error:
        log.exception("Recount %s broke down", recount_id)
        Recount.objects.fail(recount_id, describe(error), at=timezone.now())


@shared_task
def sweep_results() -> None:
    results.finalise_due(at=timezone.now())
    send_recounts()


# Live tables


@shared_task(bind=True)
def play_bot(self: Task[Any, Any], table_id: int, moves_made: int) -> None:
    try:
        result = automation.play_bot_move(
            table_id, moves_made, clock=timezone.now, fresh=Seed.fresh
        )
    except DATABASE_ERRORS as error:
        wait_for_database(self, error)
    except Exception as error:
        log.exception("The bot of table %s broke down", table_id)
        automation.record_bot_failure(table_id, moves_made, describe(error), at=timezone.now())
        return
    if result is not None:
        wake(result.bot)


@shared_task
def sweep_tables() -> None:
    for turn in automation.sweep_due_tables(at=timezone.now(), fresh=Seed.fresh):
        wake(turn)


# Webhooks


@shared_task
def deliver_webhooks() -> None:
    delivery.deliver_due(clock=timezone.now)
