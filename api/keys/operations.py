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


class TooManyKeys(Exception):  # noqa: N818  a refusal that a person can mend
    """Why there is no such key; the text is for who asked."""


@transaction.atomic
def make_token(
    *, user: User, name: str, scope: str, at: dt.datetime, days: int | None = None
) -> tuple[Token, str]:
    """A new key and its text, which nobody can be shown again; `days` it holds, None for ever.

    Raises TooManyKeys where the person has as many as one may have.
    """
    User.objects.select_for_update().get(pk=user.pk)
    if tokens_of(user).count() >= MAX_KEYS:
        raise TooManyKeys(
            _("You already have %(most)s keys. Delete one first.") % {"most": MAX_KEYS}
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
    """The keys of a person, the newest first."""
    return Token.objects.filter(user=user)


def revoke_token(*, user: User, key: int) -> bool:
    """Take a key away; False where the person has no such key."""
    return bool(Token.objects.filter(user=user, pk=key).delete()[0])


def find_token(text: str, *, at: dt.datetime) -> Token | None:
    """The key of this text while it holds; its owner comes with it. A day's first use is noted."""
    found = Token.objects.select_related("user").filter(digest=digest(text)).first()
    if found is None or (found.expires_at is not None and found.expires_at <= at):
        return None
    if not found.user.is_active:
        return None
    if found.used_on != at.date():
        Token.objects.filter(pk=found.pk).update(used_on=at.date())
    return found


def digest(text: str) -> bytes:
    """What is kept of a key: it is long and random, so one round does."""
    return sha256(text.encode(errors="replace")).digest()
