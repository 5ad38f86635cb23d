"""Celery tasks that replay all ended items with the current engines (revalidations)."""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils import timezone

from actas import revalidation
from actas.models import Revalidation
from core.jobs import describe, send

log = logging.getLogger(__name__)


@shared_task
def revalidate(key: int) -> None:
    """Continue a revalidation (a replay of finished games) for a while.

    Then queue the rest behind other waiting tasks.
    """
    try:
        more = revalidation.resume(key, clock=timezone.now)
    except Exception as error:
        log.exception("Revalidation %s broke down", key)
        Revalidation.objects.fail(key, describe(error), at=timezone.now())
        return
    if more:
        send(revalidate, key)


@shared_task
def begin_revalidation() -> None:
    send(revalidate, revalidation.start_revalidation(at=timezone.now()).pk)


@shared_task
def sweep_revalidations() -> None:
    """Queue revalidations whose task was lost or whose worker has died."""
    for key in Revalidation.objects.sweep(at=timezone.now()):
        send(revalidate, key)
