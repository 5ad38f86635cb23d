"""Creating, finding and revoking API keys."""

from __future__ import annotations

import datetime as dt
import secrets
from hashlib import sha256

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _

from accounts.models import User
from api.models import Token

KEY_PREFIX = "temporada_"
MAX_KEYS = 20


class TooManyKeys(Exception):
    """The user has the maximum number of API keys. The message is for the user."""


@transaction.atomic
def make_token(
    *, user: User, name: str, scope: str, at: dt.datetime, days: int | None = None
) -> tuple[Token, str]:
    """Create an API key and return it with its text, which is never shown again.

    The key is valid for this number of days, or without limit if `days` is None. Raises
    TooManyKeys.
    """
    User.objects.select_for_update().get(pk=user.pk)
    if tokens_of(user).count() >= MAX_KEYS:
        raise TooManyKeys(
            _("You already have %(most)s API keys. Delete one first.") % {"most": MAX_KEYS}
        )
    text = KEY_PREFIX + secrets.token_urlsafe(32)
    token = Token.objects.create(
        user=user,
        name=name,
        prefix=text.removeprefix(KEY_PREFIX)[:6],
        digest=digest(text),
        scope=scope,
        created_at=at,
        expires_at=None if days is None else at + dt.timedelta(days=days),
    )
    return token, text


def tokens_of(user: User) -> QuerySet[Token]:
    """Return a user's API keys, newest first."""
    return Token.objects.filter(user=user)


def revoke_token(*, user: User, key: int) -> bool:
    """Delete an API key. Returns False if the user has no key with this primary key."""
    return bool(Token.objects.filter(user=user, pk=key).delete()[0])


def revoke_all_tokens(user: User) -> None:
    """Delete all API keys of a user."""
    tokens_of(user).delete()


def find_token(text: str, *, at: dt.datetime) -> Token | None:
    """Return the valid API key with this text, or None.

    The key's owner must be active. The first use on each day is recorded.
    """
    token = Token.objects.select_related("user").filter(digest=digest(text)).first()
    if token is None or (token.expires_at is not None and token.expires_at <= at):
        return None
    if not token.user.is_active:
        return None
    if token.used_on != at.date():
        Token.objects.filter(pk=token.pk).update(used_on=at.date())
    return token


def digest(text: str) -> bytes:
    """Return the digest of an API key. The database stores this digest, not the key.

    SHA-256 without stretching is enough for a long random text.
    """
    return sha256(text.encode(errors="replace")).digest()
