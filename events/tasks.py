"""Celery task that numbers events which the recording process could not number."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from events.numbering import publish


@shared_task
def number_waiting() -> None:
    publish(at=timezone.now())
