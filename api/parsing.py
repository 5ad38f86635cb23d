"""Bodies from outside: JSON within bounds, and nothing that a database cannot keep."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import IO, Any

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework.parsers import BaseParser

from api.problems import Problem

DEEPEST = 32
"""How deep objects and lists may stand within each other."""


class BoundedJSON(BaseParser):
    """A JSON body of at most `API_BODY_BYTES`, nested at most `DEEPEST` times, in UTF-8.

    Refused in a problem document: larger (413), deeper, malformed, NaN and infinities, members
    that come twice, NUL and half of a surrogate pair, which PostgreSQL keeps no more than UTF-8.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[Any],
        media_type: str | None = None,
        parser_context: Mapping[str, Any] | None = None,
    ) -> Any:
        """The body as plain values. Raises Problem."""
        most = self.most()
        body = stream.read(most + 1)
        if len(body) > most:
            raise Problem(
                413, _("A request body can have at most %(bytes)s bytes.") % {"bytes": most}
            )
        return read(body)

    def most(self) -> int:
        """The bytes of the longest body."""
        return int(settings.API_BODY_BYTES)


class BoundedFile(BoundedJSON):
    """The same with a file in it: at most `API_FILE_BYTES`."""

    def most(self) -> int:
        """The bytes of the longest body."""
        return int(settings.API_FILE_BYTES)


def read(body: bytes) -> Any:
    """The value that these bytes write down in JSON. Raises Problem."""
    try:
        text = body.decode()
    except UnicodeDecodeError as error:
        raise Problem(400, _("The body is not UTF-8.")) from error
    _check_depth(text)
    try:
        value = json.loads(text, parse_constant=_refuse, object_pairs_hook=_once)
    except ValueError as error:
        sentence = _("The body is not JSON: %(why)s.") % {"why": str(error)[:200]}
        raise Problem(400, sentence) from error
    check_characters(text if "\\u" not in text else json.dumps(value, ensure_ascii=False))
    return value


def check_characters(text: str) -> None:
    """Raises Problem for what no text column keeps."""
    if "\x00" in text or "\\u0000" in text:
        raise Problem(422, _("NUL characters are not allowed."))
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Problem(422, _("Half a surrogate pair is not a valid character.")) from error


def _check_depth(text: str) -> None:
    """Brackets outside strings, counted before anything is built of them."""
    depth, quoted, escaped = 0, False, False
    for sign in text:
        if quoted:
            quoted = escaped or sign != '"'
            escaped = sign == "\\" and not escaped
        elif sign == '"':
            quoted = True
        elif sign in "[{":
            depth += 1
            if depth > DEEPEST:
                sentence = _("Values can be nested at most %(times)s levels deep.")
                raise Problem(400, sentence % {"times": DEEPEST})
        elif sign in "]}":
            depth -= 1


def _refuse(name: str) -> Any:
    raise ValueError(f"{name} is no number of JSON")


def _once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
    value = dict(pairs)
    if len(value) < len(pairs):
        raise ValueError("a member comes twice")
    return value
