"""What is done by itself: answers kept for repeated requests are forgotten."""

from celery import shared_task
from django.utils import timezone

from api.operations import forget_acts


@shared_task
def forget() -> None:
    """Forget what is older than a day."""
    forget_acts(at=timezone.now())
