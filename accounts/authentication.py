"""Login rate limits, username validators and recent authentication."""

from __future__ import annotations

import time
import unicodedata
from typing import Any, Final

from allauth.account import app_settings
from allauth.account.internal.flows.login import get_authentication_records
from allauth.account.utils import filter_users_by_email
from allauth.core.internal import ratelimit
from django.contrib.auth.validators import UnicodeUsernameValidator
from django.core.exceptions import ValidationError
from django.http import HttpRequest
from django.utils.translation import gettext as _

from accounts.models import User
from core.names.text import comparison_key

# Latin letters that Unicode does not decompose into a plain letter and an accent, such as ø.
# Usernames may contain them, because they cannot be mistaken for other letters.
OTHER_LATIN: Final = frozenset("æœøßłđþðÆŒØŁĐÞÐ")
# Number of characters of the stored password hash that are part of the key under which sign-in
# attempts are counted. A new password changes this key, so counting starts again from zero.
DIGEST_CHARACTERS: Final = 12


def validate_latin_letters(name: str) -> None:
    """Raise ValidationError for letters that only look Latin, such as a Cyrillic а."""
    for sign in name:
        plain = unicodedata.normalize("NFD", sign)[0]
        if not (plain.isascii() or sign in OTHER_LATIN):
            raise ValidationError(
                _("A username can contain only Latin letters, digits and @ . + - _"),
                code="letters",
            )


USERNAME_VALIDATORS: Final = [UnicodeUsernameValidator(), validate_latin_letters]


def count_login_attempt(
    request: HttpRequest, **credentials: Any
) -> ratelimit.RateLimitUsage | None:
    """Count a sign-in attempt and return the usage, or None if there were too many attempts.

    Attempts are counted per IP address, per account and address, and per account and day. Guessing
    passwords from one address therefore does not lock out the owner at another address. A new
    password resets the counts of the account.
    """
    name = rate_limit_key(**credentials)
    keys = {"login_failed": f"{ratelimit.get_ip(request)} {name}", "login_failed_day": name}
    counted = ratelimit.RateLimitUsage(usage=[])
    for action, key in keys.items():
        usage = ratelimit.consume(request, app="allauth.account", action=action, key=key)
        if usage is None:
            return None
        counted.usage += usage.usage
    return counted


def rate_limit_key(username: str = "", email: str = "", **others: object) -> str:
    typed = comparison_key(username or email)
    user = user_called(username or email) or next(iter(filter_users_by_email(typed)), None)
    return f"user {user.pk} {user.password[-DIGEST_CHARACTERS:]}" if user else f"name {typed}"


def user_called(username: str) -> User | None:
    """Return the user with this username, or None. Upper and lower case are not distinguished."""
    try:
        return User.objects.get_by_natural_key(username)
    except User.DoesNotExist:
        return None


def has_just_signed_in(request: HttpRequest) -> bool:
    records = get_authentication_records(request, request.user)
    proved = max((record["at"] for record in records), default=0.0)
    return bool(time.time() - proved < app_settings.REAUTHENTICATION_TIMEOUT)


def needs_reauthentication(request: HttpRequest) -> bool:
    return not has_just_signed_in(request)
