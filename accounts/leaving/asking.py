"""Asking to leave, and coming back within the week."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, Final

from allauth.usersessions.models import UserSession
from django.db import transaction
from django.utils.translation import gettext as _

from accounts.leaving.farewells import Effect, farewells
from accounts.models import Departure, User

if TYPE_CHECKING:
    from collections.abc import Iterable

GRACE: Final = dt.timedelta(days=7)
"""Between asking and being deleted: a week, for second thoughts and for stolen sessions."""


class MayNotLeaveError(ValueError):
    """Something must be handed over first; `sentences` say what."""

    def __init__(self, sentences: list[str]) -> None:
        super().__init__(" ".join(sentences))
        self.sentences = sentences


def hindrances(user: User) -> list[str]:
    """What must be handed over before the person may leave, in sentences."""
    found = [*_office(user)]
    for farewell in farewells:
        found += farewell.hindrances(user)
    return found


def effects(user: User) -> list[Effect]:
    """What leaving does, line by line."""
    return [effect for farewell in farewells for effect in farewell.effects(user)]


def last_of_office(user: User) -> bool:
    """Whether nobody else could keep the site."""
    others = User.objects.filter(is_superuser=True, is_active=True).exclude(pk=user.pk)
    return user.is_superuser and not others.exists()


def _office(user: User) -> Iterable[str]:
    if last_of_office(user):
        yield _("You are the only superuser of this site. Make someone else a superuser first.")


@transaction.atomic
def ask_to_leave(user: User, *, at: dt.datetime) -> Departure:
    """Lock the account and end its sessions; it is deleted when the week is over.

    Raises `MayNotLeaveError`. Asked twice, the first date holds.
    """
    held = User.objects.select_for_update(no_key=True).get(pk=user.pk)
    found = hindrances(held)
    if found:
        raise MayNotLeaveError(found)
    held.is_active = False
    held.save(update_fields=["is_active"])
    end_sessions(held)
    departure, _made = Departure.objects.get_or_create(
        user=held, defaults={"asked_at": at, "due_at": at + GRACE}
    )
    return departure


@transaction.atomic
def come_back(departure: Departure) -> User:
    """Unlock the account: nothing was deleted yet."""
    user = User.objects.select_for_update(no_key=True).get(pk=departure.user_id)
    Departure.objects.filter(user=user).delete()
    user.is_active = True
    user.save(update_fields=["is_active"])
    return user


def end_sessions(user: User) -> None:
    """Sign the person out everywhere."""
    for session in UserSession.objects.filter(user=user):
        session.end()
