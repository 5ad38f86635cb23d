"""Log formatters that leave out secret addresses.

Anyone who knows such an address can use it: to read a calendar, join as a guest or reset a
password. Django logs the paths of 4xx and 5xx responses, and error messages may contain them.
"""

from __future__ import annotations

import logging
import re
from typing import Final

from pythonjsonlogger.json import JsonFormatter as PlainJsonFormatter

# The paths before a secret, possibly after `/api/v1/`. deploy/nginx.conf and
# deploy/Caddyfile have the same list.
SECRET_PREFIXES: Final = (
    "accounts/calendar",
    "accounts/confirm-email",
    "accounts/notices",
    "accounts/password/reset/key",
    "guests",
    "invitations",
    "leagues/join",
    "matches/key",
    r"tables/\d+/join",
)
HIDDEN: Final = "***"
# An address may be part of another one, as in `?next=%2Fguests%2F...`.
_SLASH: Final = "(?:/|%(?:25)*2F)"
_SECRET: Final = re.compile(
    rf"({_SLASH}(?:{'|'.join(SECRET_PREFIXES).replace('/', _SLASH)}){_SLASH})[^\s\"'<>\\]+",
    re.IGNORECASE,
)


def hide_secret_addresses(text: str) -> str:
    return _SECRET.sub(rf"\1{HIDDEN}", text)


class _RedactingFormatter(logging.Formatter):
    """Redacts the finished line, with tracebacks and, in JSON, all further fields."""

    def format(self, record: logging.LogRecord) -> str:
        return hide_secret_addresses(super().format(record))


class LineFormatter(_RedactingFormatter):
    pass


class JsonFormatter(_RedactingFormatter, PlainJsonFormatter):
    pass
