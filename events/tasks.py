"""What workers do: number what has fallen due, and what was left without a number."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from events.numbering import publish


@shared_task
def number_waiting() -> None:
    """Number events that were held back until now, or whose writer died before numbering them."""
    publish(at=timezone.now())
