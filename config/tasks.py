"""What workers do for those who run the site."""

from __future__ import annotations

from celery import shared_task
from django.utils import timezone

from config.health import notifications


@shared_task
def warn() -> None:
    """Tell admins of a disk that is nearly full and of a broker that was restarted."""
    notifications.notify_superusers(at=timezone.now())
