"""What workers do for people: ids in, one call each."""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils import timezone

from accounts import exports, leaving
from accounts.exports import making
from accounts.notices import letters, reading
from workers import send

log = logging.getLogger(__name__)


@shared_task
def send_letters() -> None:
    """Send the letters that are due."""
    letters.send_due()


@shared_task
def make_export(export_id: int) -> None:
    """Make a copy of a person's data."""
    try:
        exports.make(export_id, clock=timezone.now)
    except Exception as error:
        log.exception("Export %s broke down", export_id)
        exports.finish(export_id, at=timezone.now(), error=f"{type(error).__name__}: {error}")


@shared_task
def sweep_people() -> None:
    """Delete accounts whose week is over, make copies that got lost, forget what is old."""
    now = timezone.now()
    leaving.depart_due(at=now)
    for export in making.lost(at=now):
        send(make_export, export)
    exports.forget_old(at=now)
    reading.forget_old(at=now)
