"""Deleting an account when its week is over."""

from __future__ import annotations

import datetime as dt
import logging
import secrets
from typing import Final

from allauth.account.models import EmailAddress
from django.conf import settings
from django.contrib.admin.models import LogEntry
from django.contrib.contenttypes.models import ContentType
from django.db import transaction
from django.utils import translation
from django.utils.translation import gettext as _

from accounts.leaving.asking import end_sessions, last_of_office
from accounts.leaving.farewells import Parting, farewells
from accounts.leaving.mending import mend
from accounts.models import Departure, Notice, User

log = logging.getLogger(__name__)

AT_ONCE: Final = 20
"""Departures of one sweep."""


def depart_due(*, at: dt.datetime) -> int:
    """Delete every account whose week is over; one that cannot go is logged and stays locked."""
    due = Departure.objects.filter(due_at__lte=at).order_by("due_at")
    gone = 0
    for number in list(due.values_list("pk", flat=True)[:AT_ONCE]):
        try:
            gone += depart(number, at=at)
        except Exception:
            log.exception("Departure %s failed; it is tried again", number)
    return gone


@transaction.atomic
def depart(number: int, *, at: dt.datetime) -> bool:
    """Delete one account; False where its owner has come back, or nobody else keeps the site."""
    departure = Departure.objects.select_for_update().filter(pk=number, due_at__lte=at).first()
    if departure is None:
        return False
    user = User.objects.select_for_update().get(pk=departure.user_id)
    if last_of_office(user):
        log.warning("Departure %s waits: nobody else keeps the site", number)
        return False
    parting = Parting(user=user, alias=_alias(user), names=_names(user), at=at)
    for farewell in farewells:
        farewell.part(parting)
    _own_part(parting)
    user.delete()
    return True


def _alias(user: User) -> str:
    """What results are kept under: in the person's own language, with four digits of chance."""
    with translation.override(user.language or settings.LANGUAGE_CODE):
        return _("Former player %s") % secrets.token_hex(2)


def _names(user: User) -> tuple[str, ...]:
    found = {user.get_username(), user.email, user.get_full_name(), user.first_name}
    found |= {
        user.last_name,
        *EmailAddress.objects.filter(user=user).values_list("email", flat=True),
    }
    for farewell in farewells:
        found |= set(farewell.names(user))
    return tuple(sorted((name for name in found if name), key=lambda name: (-len(name), name)))


def _own_part(parting: Parting) -> None:
    """Sessions, the office's log, and notices that name the person to others."""
    end_sessions(parting.user)
    about = LogEntry.objects.filter(
        content_type=ContentType.objects.get_for_model(User), object_id=str(parting.user.pk)
    )
    about.update(object_repr=parting.alias, change_message="")
    mend(LogEntry.objects.all(), ["object_repr", "change_message"], parting)
    mend(Notice.objects.exclude(user=parting.user), ["data"], parting)
