"""Letters: a notice by mail, with a way out of it in every one."""

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
from accounts.notices.addresses import unsubscribing
from accounts.notices.kinds import sentence
from accounts.time_zones import in_zone_of

if TYPE_CHECKING:
    from accounts.models import User

log = logging.getLogger(__name__)

AT_ONCE: Final = 200
"""Letters one task sends; the sweep sends the rest."""
TRIES: Final = 3
SUBJECT: Final = 120
"""Characters of a subject line."""


def send_due(limit: int = AT_ONCE) -> int:
    """Send letters that are due, oldest first; returns how many went out."""
    due = Notice.objects.filter(mail=Notice.Mail.DUE).order_by("pk")
    return sum(_send(number) for number in due.values_list("pk", flat=True)[:limit])


def _send(number: int) -> bool:
    """Claim, then send: a worker that dies in between costs a letter, none is sent twice.

    No transaction is open meanwhile, since a mail server may take its time.
    """
    due = Notice.objects.filter(pk=number, mail=Notice.Mail.DUE)
    row = due.select_related("user").first()
    if row is None or not due.update(mail=Notice.Mail.SENT):
        return False
    if _post(row):
        return True
    tries = row.tries + 1
    back = Notice.Mail.DUE if tries < TRIES else Notice.Mail.FAILED
    Notice.objects.filter(pk=number).update(mail=back, tries=tries)
    return False


def _post(row: Notice) -> bool:
    """Send one; whoever has no address, or whose account is locked, gets none and all is done."""
    if not row.user.email or not row.user.is_active:
        return True
    try:
        letter(row, row.user).send()
    except (OSError, smtplib.SMTPException) as error:
        log.warning("The letter of notice %s was not sent: %s", row.pk, error)
        return False
    return True


def letter(row: Notice, user: User) -> EmailMessage:
    """The letter of a notice, in the person's language and zone, with RFC 8058's way out of it."""
    site = settings.SITE_URL
    way_out = site + reverse("notices_unsubscribe", args=[unsubscribing(user, row.kind)])
    with translation.override(user.language or settings.LANGUAGE_CODE), in_zone_of(user):
        text = sentence(row.kind, row.data)
        body = render_to_string(
            "accounts/letter.txt",
            {"text": text, "link": site + row.link if row.link else "", "way_out": way_out},
        )
    return EmailMessage(
        subject=" ".join(text.split())[:SUBJECT],
        body=body,
        to=[user.email],
        headers={
            "List-Unsubscribe": f"<{way_out}>",
            "List-Unsubscribe-Post": "List-Unsubscribe=One-Click",
            "Auto-Submitted": "auto-generated",
        },
    )
