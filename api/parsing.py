"""Parsing of JSON request bodies: limits, characters that can be stored, and strict types."""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from typing import IO, Any, Final

from django.conf import settings
from django.utils.translation import gettext as _
from rest_framework import serializers
from rest_framework.parsers import BaseParser

from api.problems import Problem
from api.types import JSON, JSONObject
from core.documents import bounded_json

MAX_DEPTH = 32
# Levels of nested objects and lists.
# An escaped NUL, but not the text `\u0000`, whose backslash is escaped itself.
_NUL: Final = re.compile(r"(?<!\\)(?:\\\\)*\\u0000")


class BoundedJSONParser(BaseParser):
    """Parser for JSON bodies of at most `API_BODY_BYTES` and `MAX_DEPTH` levels, in UTF-8.

    Raises Problem for larger bodies (413), deeper and malformed ones, NaN, infinities and
    duplicate members. NUL and lone surrogates are rejected too, since PostgreSQL cannot store
    them.
    """

    media_type = "application/json"

    def parse(
        self,
        stream: IO[bytes],
        media_type: str | None = None,
        parser_context: Mapping[str, object] | None = None,
    ) -> JSON:
        most = self.most()
        body = stream.read(most + 1)
        if len(body) > most:
            raise Problem(
                413, _("A request body can have at most %(bytes)s bytes.") % {"bytes": most}
            )
        return parse_json(body)

    def most(self) -> int:
        return int(settings.API_BODY_BYTES)


class BoundedFileParser(BoundedJSONParser):
    """Parser for JSON bodies that contain a file, of at most `API_FILE_BYTES`."""

    def most(self) -> int:
        return int(settings.API_FILE_BYTES)


def parse_json(body: bytes) -> JSON:
    try:
        text = body.decode()
        value = bounded_json.parse_json(text, max_depth=MAX_DEPTH)
    except UnicodeDecodeError as error:
        raise Problem(400, _("The request body is not encoded in UTF-8.")) from error
    except bounded_json.TooDeep as error:
        sentence = _("Values can be nested at most %(times)s levels deep.")
        raise Problem(400, sentence % {"times": MAX_DEPTH}) from error
    except bounded_json.InvalidJSON as error:
        sentence = _("The request body is not JSON: %(why)s.") % {"why": str(error)[:200]}
        raise Problem(400, sentence) from error
    check_characters(text if "\\u" not in text else json.dumps(value, ensure_ascii=False))
    return value


def check_characters(text: str) -> None:
    """Raise Problem for characters that a text column cannot store."""
    if "\x00" in text or _NUL.search(text):
        raise Problem(422, _("NUL characters are not allowed."))
    try:
        text.encode()
    except UnicodeEncodeError as error:
        raise Problem(
            422, _("The text contains half a surrogate pair, which is not a valid character.")
        ) from error


# JSON types that each serializer field accepts. On its own, DRF also accepts "7" for 7 and 7 for
# "7".
JSON_TYPES: Final[
    tuple[tuple[type[serializers.Field[Any, Any, Any, Any]], tuple[type, ...]], ...]
] = (
    (serializers.BooleanField, (bool,)),
    (serializers.IntegerField, (int,)),
    (serializers.FloatField, (int, float)),
    (serializers.CharField, (str,)),
    (serializers.ChoiceField, (str,)),
    (serializers.DateTimeField, (str,)),
    (serializers.DateField, (str,)),
)


def type_errors(field: object, value: JSON) -> JSON:
    """Return a tree of messages for values whose JSON type does not fit their field.

    Errors that the field itself reports (null, length, choice) are left to it.
    """
    if value is None:
        return {}
    if isinstance(field, serializers.ListSerializer | serializers.ListField):
        return _of_list(field.child, value)
    if isinstance(field, serializers.Serializer):
        return _of_object(field, value)
    if isinstance(field, serializers.DictField):
        return _of_members(dict.fromkeys(value, field.child), value) if _is_mapping(value) else {}
    return [] if _is_of_kind(field, value) else [_("This value has the wrong type.")]


def _of_list(child: object, value: JSON) -> JSON:
    if not isinstance(value, list):
        return {}
    errors = {str(place): type_errors(child, item) for place, item in enumerate(value)}
    return {place: wrong for place, wrong in errors.items() if wrong}


def _of_object(serializer: serializers.Serializer[Any], value: JSON) -> JSON:
    if not _is_mapping(value):
        return {}
    fields = {name: field for name, field in serializer.fields.items() if not field.read_only}
    strangers = {name: [_("Unknown member.")] for name in value if name not in fields}
    return strangers | _of_members(fields, value)


def _of_members(fields: Mapping[str, object], value: Mapping[str, JSON]) -> JSONObject:
    errors = {name: type_errors(field, value.get(name)) for name, field in fields.items()}
    return {name: wrong for name, wrong in errors.items() if wrong}


def _is_mapping(value: JSON) -> bool:
    return isinstance(value, Mapping)


def _is_of_kind(field: object, value: JSON) -> bool:
    if isinstance(field, serializers.IntegerField) and isinstance(value, float):
        return value.is_integer()  # JSON has one number type: 7.0 is a whole number
    for kind, wanted in JSON_TYPES:
        if isinstance(field, kind):
            truth = isinstance(value, bool)
            return isinstance(value, wanted) and (not truth or bool in wanted)
    return True
