"""Operations on a user's own account."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator

from django.db import transaction
from django.http import HttpRequest

from accounts.display_names import display_name, rename
from accounts.local_director import DIRECTOR_USERNAME, may_sign_in_locally
from accounts.models import User
from core.names.fields import name_is_taken
from core.names.text import clean


class LocalSignInError(PermissionError):
    """The visitor may not sign in as the local director."""


# Functions that revoke credentials which work without signing in, such as API keys and secret feed
# addresses.
access_enders: list[Callable[[User], None]] = []


def register_access(end: Callable[[User], None]) -> None:
    """Register a function that revokes one kind of credential of a user, such as API keys."""
    if end not in access_enders:
        access_enders.append(end)


@transaction.atomic
def end_access(user: User) -> None:
    """Revoke all API keys and secret addresses of a user."""
    for end in access_enders:
        end(user)


@transaction.atomic
def get_local_director(*, request: HttpRequest) -> User:
    """Return the director's account of a local site, creating the account if necessary.

    The account has no password, so there is no other way to sign in to it. Raises LocalSignInError
    unless the site is local and the visitor is on the same machine.
    """
    if not may_sign_in_locally(request):
        raise LocalSignInError("The director's chair is taken on the machine itself only.")
    for name in _director_usernames():
        found = User.objects.filter(username=name).first()
        if found is not None and (name == DIRECTOR_USERNAME or _is_local_director(found)):
            return found
        if not name_is_taken(User.objects.all(), "username_key", name):
            return _make_director(name)
    raise LocalSignInError("No username is left for the director.")


def _director_usernames() -> Iterator[str]:
    """Yield usernames for the director: the usual one, then numbered ones if it is taken."""
    yield DIRECTOR_USERNAME
    yield from (f"{DIRECTOR_USERNAME}-{number}" for number in range(2, 100))


def _is_local_director(user: User) -> bool:
    return user.is_superuser and not user.has_usable_password()


def _make_director(name: str) -> User:
    director = User(username=name, is_staff=True, is_superuser=True)
    director.set_unusable_password()
    director.save()
    return director


def save_preferences(
    *, user: User, language: str, theme: str, bloodless: bool, zone: str, single_keys: bool
) -> None:
    """Save a user's preferences, which a form has already validated."""
    User.objects.filter(pk=user.pk).update(
        language=language, theme=theme, bloodless=bloodless, zone=zone, single_keys=single_keys
    )


def set_spoiler_protection(*, user: User, up: bool, at: dt.datetime) -> None:
    """Hide the results of corridas broadcast after `at` until the user has watched them.

    With `up` False, the protection is removed. If it is already on, its start does not change.
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
    single_keys: bool,
    shielded: bool,
    at: dt.datetime,
) -> None:
    """Change the user's name, preferences and spoiler protection in one transaction.

    Raises `NameRefusedError`.
    """
    with transaction.atomic():
        shown = display_name(user)
        # A name of an earlier version may contain invisible characters. It is cleaned even if the
        # user has not changed it.
        if name != shown or clean(shown) != shown:
            rename(user, name)
        save_preferences(
            user=user,
            language=language,
            theme=theme,
            bloodless=bloodless,
            zone=zone,
            single_keys=single_keys,
        )
        set_spoiler_protection(user=user, up=shielded, at=at)
