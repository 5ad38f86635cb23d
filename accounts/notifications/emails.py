"""Notification emails with one-click unsubscribe (RFC 8058)."""

from __future__ import annotations

import logging
import smtplib
from typing import TYPE_CHECKING, Final

from django.conf import settings
from django.core.mail import EmailMessage
from django.template.loader import render_to_string
from django.urls import reverse
from django.utils import translation

from accounts.models import Notice
from accounts.notifications.kinds import notification_text
from accounts.notifications.tokens import make_unsubscribe_token
from accounts.time_zones import override_zone_for

if TYPE_CHECKING:
    from accounts.models import User

log = logging.getLogger(__name__)

# Maximum number of emails that one task sends. A periodic task sends the remaining emails.
BATCH_SIZE: Final = 200
MAX_ATTEMPTS: Final = 3
# Maximum length of the subject line of an email, in characters.
MAX_SUBJECT_LENGTH: Final = 120


def send_due(limit: int = BATCH_SIZE) -> int:
    """Send notification emails that are due, oldest first, and return how many were sent."""
    due = Notice.objects.filter(mail=Notice.Mail.DUE).order_by("pk")
    return sum(_send_email(number) for number in due.values_list("pk", flat=True)[:limit])


def _send_email(number: int) -> bool:
    """Mark an email as sent, then send it, so that a worker that dies cannot cause a second copy.

    No transaction is open while the mail server answers. Returns True if the email was sent.
    """
    due = Notice.objects.filter(pk=number, mail=Notice.Mail.DUE)
    row = due.select_related("user").first()
    if row is None or not due.update(mail=Notice.Mail.SENT):
        return False
    if _deliver(row):
        return True
    tries = row.tries + 1
    back = Notice.Mail.DUE if tries < MAX_ATTEMPTS else Notice.Mail.FAILED
    Notice.objects.filter(pk=number).update(mail=back, tries=tries)
    return False


def _deliver(row: Notice) -> bool:
    if not row.user.email or not row.user.is_active:
        return True
    try:
        build_email(row, row.user).send()
    except (OSError, smtplib.SMTPException) as error:
        log.warning("The letter of notice %s was not sent: %s", row.pk, error)
        return False
    return True


def build_email(row: Notice, user: User) -> EmailMessage:
    site = settings.SITE_URL
    way_out = site + reverse("notices_unsubscribe", args=[make_unsubscribe_token(user, row.kind)])
    with translation.override(user.language or settings.LANGUAGE_CODE), override_zone_for(user):
        text = notification_text(row.kind, row.data)
        body = render_to_string(
            "accounts/letter.txt",
            {"text": text, "link": site + row.link if row.link else "", "way_out": way_out},
        )
    return EmailMessage(
        subject=" ".join(text.split())[:MAX_SUBJECT_LENGTH],
        body=body,
        to=[user.email],
        headers={
            "List-Unsubscribe": f"<{way_out}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
