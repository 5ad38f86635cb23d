"""What a person can ask of their account."""

from __future__ import annotations

import datetime as dt

from django.db import transaction
from django.http import HttpRequest

from accounts.display_names import display_name, rename
from accounts.local_director import DIRECTOR_USERNAME, may_sign_in_locally
from accounts.models import User


class LocalSignInError(PermissionError):
    """The director's chair is not to be had by this visitor on this site."""


@transaction.atomic
def get_local_director(*, request: HttpRequest) -> User:
    """The director of this machine's own site, made on first asking.

    The account has no password, so that no other door leads to it.
    Raises LocalSignInError unless the site is for this machine alone and the visitor is on it.
    """
    if not may_sign_in_locally(request):
        raise LocalSignInError("The director's chair is taken on the machine itself only.")
    director, made = User.objects.get_or_create(
        username=DIRECTOR_USERNAME, defaults={"is_staff": True, "is_superuser": True}
    )
    if made:
        director.set_unusable_password()
        director.save(update_fields=["password"])
    return director


def save_preferences(*, user: User, language: str, theme: str, bloodless: bool, zone: str) -> None:
    """Keep how a person likes the site; the values come from the form, already checked."""
    rows = User.objects.filter(pk=user.pk)
    rows.update(language=language, theme=theme, bloodless=bloodless, zone=zone)


def set_spoiler_protection(*, user: User, up: bool, at: dt.datetime) -> None:
    """Hide what the person has not watched of all that is put on air from `at` on, or nothing.

    Where the shield is up already, it stays up since when it was.
    """
    rows = User.objects.filter(pk=user.pk)
    if not up:
        rows.update(shielded_since=None)
    else:
        rows.filter(shielded_since=None).update(shielded_since=at)


def change_profile(
    *,
    user: User,
    name: str,
    language: str,
    theme: str,
    bloodless: bool,
    zone: str,
    shielded: bool,
    at: dt.datetime,
) -> None:
    """Another name, language, theme, wording, time zone or shield; all or nothing.

    Raises `NameRefusedError` where nobody can be called so.
    """
    with transaction.atomic():
        if name != display_name(user):
            rename(user, name)
        save_preferences(user=user, language=language, theme=theme, bloodless=bloodless, zone=zone)
        set_spoiler_protection(user=user, up=shielded, at=at)
