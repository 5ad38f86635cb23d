"""Celery tasks of the app. They take ids and call one function each."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING, Any

from celery import shared_task
from django import db
from django.core.cache import cache
from django.utils import timezone
from kombu.exceptions import OperationalError

from core.jobs import DATABASE_ERRORS, send, wait_for_database
from corridas import card_chances, notifications
from corridas.archive import jobs
from corridas.circuits import copy_job
from corridas.models import Bundle
from corridas.simulation.breakdowns import LASTING, UNEXPECTED, sentence_of
from corridas.simulation.play import TRIES, note_failure, play_on_air
from corridas.simulation.post import post_due
from corridas.simulation.run import note_breakdown, run_on
from corridas.simulation.sweep import evenings_due, lost_corridas, lost_runs, next_for_the_sand
from corridas.tabletop import lending
from fairness import Seed
from live import pubsub

if TYPE_CHECKING:
    from celery import Task

log = logging.getLogger(__name__)

RETRY_AFTER = 2  # seconds
AGAIN_AFTER = 3  # seconds
SENT_TTL = 300  # seconds that the time of resending is cached
# All kinds of event channels for corridas. `broadcast.source` defines them.
CHANNELS = ("corrida-en", "corrida-es", "corrida-en-bloodless", "corrida-es-bloodless")


def send_again(task: Task[Any, Any], keys: Sequence[int], *, at: dt.datetime) -> None:
    """Send messages again for waiting jobs whose messages were lost.

    Messages are processed in the order in which they were sent, so the oldest jobs are those
    without a message. If the queue contains as many messages as jobs wait, none is sent, because
    that would only make a long queue longer.
    """
    short = len(keys) - backlog(task) if keys else 0
    if short <= 0:
        return
    marks = {key: f"sent-again/{task.name}/{key}" for key in keys}
    now = at.timestamp()
    stored = cache.get_many(marks.values())
    sent = {key: stored.get(mark, 0.0) for key, mark in marks.items()}
    due = [key for key in keys if sent[key] <= now - AGAIN_AFTER]
    for key in sorted(due, key=sent.__getitem__)[:short]:
        if not send(task, key):
            return
        cache.set(marks[key], now, SENT_TTL)


def backlog(task: Task[Any, Any]) -> int:
    """Return the number of messages in a task's queue, or 0 if the message broker is
    unavailable.
    """
    app = task.app
    queue = app.amqp.router.route({}, task.name)["queue"]
    kind = app.connection()  # not opened: only its error classes are needed
    away: tuple[type[BaseException], ...] = (*kind.connection_errors, *kind.channel_errors)
    away = (OperationalError, *away)
    try:
        with app.connection_or_acquire() as line:
            queue_state = line.default_channel.queue_declare(queue.name, passive=True)
    except away:
        return 0  # an empty queue does not exist for the broker
    return int(queue_state.message_count)


@shared_task(bind=True, max_retries=TRIES)
def play_corrida(self: Task[[int], None], corrida_id: int) -> None:
    """Play a queued corrida and start its broadcast.

    An unavailable database does not count as a failed attempt.
    """
    try:
        play_on_air(corrida_id, at=timezone.now())
    except DATABASE_ERRORS as error:
        wait_for_database(self, error)
    except Exception as error:
        log.exception("Corrida %s could not be played", corrida_id)
        lasting = isinstance(error, LASTING)
        if note_failure(corrida_id, sentence_of(error), lasting=lasting):
            raise self.retry(countdown=RETRY_AFTER, exc=error) from error
        return
    _notify_viewers(corrida_id)


@shared_task(bind=True)
def run_season(self: Task[[int], None], run_id: int) -> None:
    try:
        run_on(run_id, clock=timezone.now, fresh=Seed.fresh, on_end=notifications.run_ended)
    except DATABASE_ERRORS as error:
        wait_for_database(self, error)
    except Exception as error:
        log.exception("Run %s broke down", run_id)
        note_breakdown(
            run_id,
            sentence_of(error),
            at=timezone.now(),
            on_failure=notifications.run_broken,
            lasting=isinstance(error, LASTING),
        )


@shared_task
def make_bundle(bundle_id: int) -> None:
    _bundle(jobs.make_file, bundle_id)


@shared_task
def bring_bundle(bundle_id: int) -> None:
    _bundle(jobs.import_file, bundle_id)


def _bundle(job: Callable[..., bool], key: int) -> None:
    try:
        job(key, clock=timezone.now)
    except Exception as error:
        log.exception("Bundle %s broke down", key)
        jobs.note_breakdown(key, UNEXPECTED, at=timezone.now(), lasting=isinstance(error, LASTING))


@shared_task
def sweep_bundles() -> None:
    now = timezone.now()
    for key in jobs.lost(Bundle.Way.OUT, at=now):
        send(make_bundle, key)
    for key in jobs.lost(Bundle.Way.IN, at=now):
        send(bring_bundle, key)


@shared_task
def copy_circuit(copy_id: int) -> None:
    try:
        copy_job.make_copy(copy_id, clock=timezone.now, fresh=Seed.fresh)
    except (db.OperationalError, db.InterfaceError) as error:
        # The database cannot store the error now. The periodic task `sweep` sends the job again.
        log.warning("Copy %s waits for the database: %s", copy_id, error)
    except Exception as error:
        log.exception("Copy %s broke down", copy_id)
        copy_job.note_breakdown(copy_id, at=timezone.now(), lasting=isinstance(error, LASTING))


@shared_task
def remove_copy(copy_id: int) -> None:
    copy_job.remove_copy(copy_id, clock=timezone.now)


@shared_task
def sweep_copies() -> None:
    now = timezone.now()
    send_again(copy_circuit, copy_job.lost_copies(at=now), at=now)
    send_again(remove_copy, copy_job.leftover_copies(at=now), at=now)
    copy_job.forget_copies(at=now)


@shared_task(bind=True)
def count_scores(self: Task[[int], None], scores_id: int) -> None:
    try:
        card_chances.count_scores(scores_id, clock=timezone.now)
    except DATABASE_ERRORS as error:
        wait_for_database(self, error)


@shared_task(bind=True)
def fill_chances(self: Task[[int], None], circuit_id: int) -> None:
    try:
        card_chances.fill_circuit(circuit_id)
    except DATABASE_ERRORS as error:
        wait_for_database(self, error)


@shared_task
def sweep_chances() -> None:
    now = timezone.now()
    send_again(count_scores, card_chances.lost_scores(at=now), at=now)
    send_again(fill_chances, card_chances.circuits_to_fill(), at=now)


@shared_task
def sweep() -> None:
    """Post results of finished broadcasts, resend lost jobs, and start scheduled broadcasts."""
    now = timezone.now()
    posted = post_due(at=now)
    _notify_viewers(*posted)
    notifications.seasons_over_after(posted, at=now)
    for corrida in lending.overdue(at=now, fresh=Seed.fresh):
        send(play_corrida, corrida)
    for corrida in next_for_the_sand(at=now, fresh=Seed.fresh, on_winter=notifications.winter_over):
        send(play_corrida, corrida)
    send_again(play_corrida, lost_corridas(at=now), at=now)
    send_again(run_season, lost_runs(at=now), at=now)


@shared_task
def evenings() -> None:
    for corrida in evenings_due(
        at=timezone.now(), fresh=Seed.fresh, on_winter=notifications.winter_over
    ):
        send(play_corrida, corrida)


def _notify_viewers(*corridas: int) -> None:
    if corridas:
        pubsub.publish_all([(kind, str(key)) for key in corridas for kind in CHANNELS])
