"""What a person can ask of their account."""

import datetime as dt

from django.db import transaction
from django.http import HttpRequest

from accounts.local import DIRECTOR, chair_is_open
from accounts.models import User
from accounts.names import display_name, rename


class ChairError(PermissionError):
    """The director's chair is not to be had by this visitor on this site."""


@transaction.atomic
def take_chair(*, request: HttpRequest) -> User:
    """The director of this machine's own site, made on first asking.

    The account has no password, so that no other door leads to it.
    Raises ChairError unless the site is for this machine alone and the visitor is on it.
    """
    if not chair_is_open(request):
        raise ChairError("The director's chair is taken on the machine itself only.")
    director, made = User.objects.get_or_create(
        username=DIRECTOR, defaults={"is_staff": True, "is_superuser": True}
    )
    if made:
        director.set_unusable_password()
        director.save(update_fields=["password"])
    return director


def prefer(*, user: User, language: str, theme: str, bloodless: bool, zone: str) -> None:
    """Keep how a person likes the site; the values come from the form, already checked."""
    rows = User.objects.filter(pk=user.pk)
    rows.update(language=language, theme=theme, bloodless=bloodless, zone=zone)


def shield(*, user: User, up: bool, at: dt.datetime) -> None:
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
        prefer(user=user, language=language, theme=theme, bloodless=bloodless, zone=zone)
        shield(user=user, up=shielded, at=at)
