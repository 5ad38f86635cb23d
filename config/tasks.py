"""Celery task that warns administrators of problems of the site."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from server.health import notifications


@shared_task
def warn() -> None:
    notifications.notify_superusers(at=timezone.now())
