"""Celery task of the API."""

from celery import shared_task
from django.utils import timezone

from api.idempotency import delete_old_responses


@shared_task
def forget() -> None:
    delete_old_responses(at=timezone.now())
