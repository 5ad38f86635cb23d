"""Secret addresses: who has one reads a person's calendar or feed, without signing in.

They hold no secret of the database: number and version of the person under the site's
signature. A new version closes all that were given out.
"""

from __future__ import annotations

from typing import Final

from django.core.signing import BadSignature, Signer
from django.db.models import F

from accounts.models import User
from accounts.notices.kinds import kinds

CALENDAR: Final = "accounts.calendar"
FEED: Final = "accounts.feed"
UNSUBSCRIBE: Final = "accounts.unsubscribe"


def secret(user: User, purpose: str) -> str:
    """The secret part of an address of that purpose."""
    return Signer(salt=purpose, sep="~").sign(f"{user.pk}-{user.secrets_version}")


def behind(token: str, purpose: str) -> User | None:
    """Whom a secret address belongs to; None for one that opens nothing (any more)."""
    try:
        pk, version = Signer(salt=purpose, sep="~").unsign(token).split("-")
    except (BadSignature, ValueError):
        return None
    return User.objects.filter(pk=pk, secrets_version=version, is_active=True).first()


def renew(user: User) -> None:
    """Close the addresses given out so far: new ones take their place."""
    User.objects.filter(pk=user.pk).update(secrets_version=F("secrets_version") + 1)
    user.refresh_from_db(fields=["secrets_version"])


def unsubscribing(user: User, kind: str) -> str:
    """The secret part of the address that ends letters of one kind."""
    return Signer(salt=UNSUBSCRIBE, sep="~").sign(f"{user.pk}-{kind}")


def unsubscribed(token: str) -> tuple[User, str] | None:
    """Whose letters of which kind an address ends; None where it is none of ours."""
    try:
        pk, _dash, kind = Signer(salt=UNSUBSCRIBE, sep="~").unsign(token).partition("-")
    except BadSignature:
        return None
    user = User.objects.filter(pk=pk).first()
    return (user, kind) if user and kind in kinds else None
