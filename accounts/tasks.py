"""Celery tasks for emails, exports and deletions."""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils import timezone

from accounts.account_deletion import operations as account_deletion
from accounts.data_export import operations as data_export
from accounts.models import Export
from accounts.notifications import emails
from accounts.notifications import operations as notifications
from core.jobs import describe, send

MAX_SENT_EXPORTS = 20
log = logging.getLogger(__name__)


@shared_task
def send_letters() -> None:
    emails.send_due()


@shared_task
def make_export(export_id: int) -> None:
    try:
        data_export.build_export(export_id, clock=timezone.now)
    except Exception as error:
        log.exception("Export %s broke down", export_id)
        Export.objects.fail(export_id, describe(error), at=timezone.now())


@shared_task
def sweep_people() -> None:
    now = timezone.now()
    account_deletion.delete_due_accounts(at=now)
    for export in Export.objects.sweep(at=now)[:MAX_SENT_EXPORTS]:
        send(make_export, export)
    data_export.delete_old_exports(at=now)
    notifications.delete_old_notifications(at=now)
