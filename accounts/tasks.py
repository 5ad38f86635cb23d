"""Celery tasks for emails, exports and deletions."""

from __future__ import annotations

import logging

from celery import shared_task
from django.utils import timezone

from accounts.account_deletion import operations as account_deletion
from accounts.data_export import operations as data_export
from accounts.notifications import emails
from accounts.notifications import operations as notifications
from jobs import send

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
        data_export.finish_export(
            export_id, at=timezone.now(), error=f"{type(error).__name__}: {error}"
        )


@shared_task
def sweep_people() -> None:
    """Delete due accounts, restart lost exports, and delete old notifications and exports."""
    now = timezone.now()
    account_deletion.delete_due_accounts(at=now)
    for export in data_export.reset_lost_exports(at=now):
        send(make_export, export)
    data_export.delete_old_exports(at=now)
    notifications.delete_old_notifications(at=now)
