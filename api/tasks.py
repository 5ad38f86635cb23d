"""What is done by itself: answers kept for repeated requests are forgotten."""

from celery import shared_task
from django.utils import timezone

from api.idempotency import delete_old_responses


@shared_task
def forget() -> None:
    """Forget what is older than a day."""
    delete_old_responses(at=timezone.now())
