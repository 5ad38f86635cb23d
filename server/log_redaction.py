"""Log formatters that hide secret URLs.

Anyone who knows such a URL can use it, for example to read a calendar, join as a guest or reset a
password. Django logs the paths of 4xx and 5xx responses, and error messages may contain them.
"""

from __future__ import annotations

import logging
import re
from typing import Final

from pythonjsonlogger.json import JsonFormatter as PlainJsonFormatter

# Paths that are followed by a secret, possibly after `/api/v1/`. deploy/nginx.conf and
# deploy/Caddyfile contain the same list.
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
# The slash may be encoded if the path is part of another URL, as in `?next=%2Fguests%2F...`.
_SLASH: Final = "(?:/|%(?:25)*2F)"
_SECRET: Final = re.compile(
    rf"({_SLASH}(?:{'|'.join(SECRET_PREFIXES).replace('/', _SLASH)}){_SLASH})[^\s\"'<>\\]+",
    re.IGNORECASE,
)


def hide_secret_addresses(text: str) -> str:
    return _SECRET.sub(rf"\1{HIDDEN}", text)


class _RedactingFormatter(logging.Formatter):
    """Hides secrets in the complete log line, including tracebacks and further JSON fields."""

    def format(self, record: logging.LogRecord) -> str:
        return hide_secret_addresses(super().format(record))


class LineFormatter(_RedactingFormatter):
    pass


class JsonFormatter(_RedactingFormatter, PlainJsonFormatter):
    pass
