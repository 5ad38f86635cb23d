"""Queues the pending recalculations of ratings."""

from __future__ import annotations

from django.utils import timezone

from core.jobs import enqueue
from leagues.models import Recount


def send_recounts() -> None:
    for recount in Recount.objects.sweep(at=timezone.now()):
        enqueue("leagues.tasks.recount_ratings", recount)
