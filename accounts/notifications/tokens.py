"""Signed tokens for calendars, feeds and unsubscribe links.

A token contains the user's primary key and `secrets_version`, signed with the site's key. Tokens
are not stored. Raising the user's `secrets_version` invalidates all earlier tokens.
"""

from __future__ import annotations

from typing import Final

from django.core.signing import BadSignature, Signer
from django.db.models import F

from accounts.models import User
from accounts.notifications.kinds import registered_kinds

CALENDAR: Final = "accounts.calendar"
FEED: Final = "accounts.feed"
UNSUBSCRIBE: Final = "accounts.unsubscribe"


def make_token(user: User, purpose: str) -> str:
    return Signer(salt=purpose, sep="~").sign(f"{user.pk}-{user.secrets_version}")


def user_of_token(token: str, purpose: str) -> User | None:
    try:
        pk, version = Signer(salt=purpose, sep="~").unsign(token).split("-")
    except (BadSignature, ValueError):
        return None
    return User.objects.filter(pk=pk, secrets_version=version, is_active=True).first()


def invalidate_tokens(user: User) -> None:
    User.objects.filter(pk=user.pk).update(secrets_version=F("secrets_version") + 1)
    user.refresh_from_db(fields=["secrets_version"])


def make_unsubscribe_token(user: User, kind: str) -> str:
    return Signer(salt=UNSUBSCRIBE, sep="~").sign(f"{user.pk}-{kind}")


def read_unsubscribe_token(token: str) -> tuple[User, str] | None:
    try:
        pk, _dash, kind = Signer(salt=UNSUBSCRIBE, sep="~").unsign(token).partition("-")
    except BadSignature:
        return None
    user = User.objects.filter(pk=pk).first()
    return (user, kind) if user and kind in registered_kinds else None
