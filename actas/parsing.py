"""Parsing of untrusted documents, with limits and the location of each error.

A record is small and flat. It consists of text, whole numbers, true and false.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma
from django.utils.translation import gettext as _

from api.types import JSON
from core.documents import bounded_json
from core.spreadsheets.kinds import LABELS, kind_of

MAX_BYTES: Final = 2_000_000
# Maximum number of values in a document, including nested values.
MAX_VALUES: Final = 60_000
MAX_DEPTH: Final = 12
# Maximum number of characters of a text. The longest texts are El Toro boards stored as a file.
MAX_TEXT_LENGTH: Final = 20_000
# Maximum number of characters of a member name. Member names appear in error messages and paths, so
# they must be short.
MAX_NAME_LENGTH: Final = 200
# Whole numbers must be below this limit, so that programs in every language read them exactly.
NUMBER_LIMIT: Final = 2**53
MAX_DIGITS: Final = 17
MAX_QUOTED_LENGTH: Final = 40
# Maximum number of errors in one message.
MAX_ERRORS: Final = 20
# An error: the path of the invalid value in the document, and a message that says what is wrong.
Error = tuple[str, str]
_HEXADECIMAL: Final = re.compile(r"(?:[0-9a-f]{2})*")


class Malformed(ValueError):
    """The document is not a valid record.

    `path` says where (such as `lidias/0/draws/3`, or empty for the whole document) and `sentence`
    says why. `errors` are all errors found, including the first.
    """

    def __init__(self, path: str, sentence: str, more: Iterable[Error] = ()) -> None:
        self.path = path
        self.sentence = sentence
        self.errors: tuple[Error, ...] = ((path, sentence), *more)
        lines = (f"{where}: {why}" if where else why for where, why in self.errors[:MAX_ERRORS])
        super().__init__(" ".join(lines))

    @classmethod
    def from_errors(cls, errors: Sequence[Error]) -> Malformed:
        return cls(*errors[0], errors[1:])


def load(data: bytes) -> JSON:
    """Parse a file as JSON.

    Raises `Malformed` if the file is not JSON with the types and limits of a record. Duplicate
    names in an object are rejected, because two programs could read different values.
    """
    if len(data) > MAX_BYTES:
        raise Malformed(
            "",
            _("The file is too long for a record, which can have at most %(most)s bytes.")
            % {"most": intcomma(MAX_BYTES)},
        )
    if (kind := kind_of(data)) is not None:
        words = {"kind": _(LABELS[kind])}
        raise Malformed("", _("This file is %(kind)s. Records are JSON files (.json).") % words)
    try:
        document = bounded_json.parse_json(data.decode("utf-8-sig"), max_digits=MAX_DIGITS)
    except (UnicodeDecodeError, bounded_json.InvalidJSON) as error:
        raise Malformed("", _sentence(error)) from error
    check_bounds(document)
    return document


def _sentence(error: UnicodeDecodeError | bounded_json.InvalidJSON) -> str:
    match error:
        case bounded_json.DuplicateName(name=name):
            words = {"name": name[:MAX_NAME_LENGTH]}
            return _("The name “%(name)s” appears twice in the same object.") % words
        case bounded_json.UnexpectedNumber(text=digits):
            return _("“%(digits)s” is not a whole number.") % {"digits": _quoted(digits)}
        case bounded_json.TooManyDigits():
            return _("A number is longer than a record allows.")
        case UnicodeDecodeError() | bounded_json.TooDeep():
            reason = _("it cannot be read")
        case _:
            reason = str(error)
    return _("The text is not valid JSON: %(error)s.") % {"error": reason}


def _quoted(text: str) -> str:
    """Return a number's text for an error message.

    A shortened text ends in an ellipsis, because its beginning is a different number.
    """
    return text if len(text) <= MAX_QUOTED_LENGTH else f"{text[:MAX_QUOTED_LENGTH]}…"


def check_bounds(document: JSON) -> None:
    """Check the depth, size and types of a document. Raises `Malformed`."""
    waiting: list[tuple[_Location, JSON]] = [(None, document)]
    looked_at = 0
    while waiting:
        way, part = waiting.pop()
        looked_at += 1
        if not isinstance(part, dict | list):
            _check_leaf(way, part)
            continue
        if way is not None and way.depth > MAX_DEPTH:
            raise Malformed(
                _path(way), _("The data in the file is nested more deeply than a record allows.")
            )
        if looked_at + len(waiting) + len(part) > MAX_VALUES:
            raise Malformed("", _("The file contains more data than a record can hold."))
        depth = way.depth + 1 if way else 1
        waiting += [(_Step(way, key, depth), child) for key, child in _items(way, part)]


class _Step(NamedTuple):
    """A link of a path: the key of a value, and the link of the value that contains it.

    Full paths are only built for error messages. Building a path for every value would copy the
    names above it each time.
    """

    above: _Step | None
    key: str | int
    depth: int


_Location = _Step | None


def _path(way: _Location) -> str:
    keys: list[str] = []
    while way is not None:
        keys.append(str(way.key))
        way = way.above
    return "/".join(reversed(keys))


def _items(way: _Location, part: dict[Any, JSON] | list[JSON]) -> Iterable[tuple[str | int, JSON]]:
    if isinstance(part, list):
        return enumerate(part)
    for name in part:
        if not isinstance(name, str):
            raise Malformed(_path(way), _("Names must be text."))
        if len(name) > MAX_NAME_LENGTH:
            raise Malformed(_path(way), _("A name is longer than a record allows."))
        _check_leaf(way, name)
    return part.items()


def _join(path: str, key: object) -> str:
    return f"{path}/{key}" if path else str(key)


def _check_leaf(way: _Location, leaf: JSON) -> None:
    if leaf is None or isinstance(leaf, bool):
        return
    if isinstance(leaf, int):
        if not -NUMBER_LIMIT < leaf < NUMBER_LIMIT:
            raise Malformed(_path(way), _("The number is too large for a record."))
    elif isinstance(leaf, str):
        if len(leaf) > MAX_TEXT_LENGTH or not _is_text(leaf):
            raise Malformed(_path(way), _("The text is too long or contains invalid characters."))
    else:
        raise Malformed(
            _path(way),
            _("A record can only contain text, whole numbers and the values true and false."),
        )


def _is_text(leaf: str) -> bool:
    try:
        leaf.encode()
    except UnicodeEncodeError:  # a lone surrogate
        return False
    return True


class DocumentPart:
    """A value in a document, with its path for error messages.

    Every accessor raises `Malformed` if the value has another type. The document must have passed
    `check_bounds`.
    """

    __slots__ = ("path", "value")

    def __init__(self, value: JSON, path: str = "") -> None:
        self.value = value
        self.path = path

    def __getitem__(self, name: str) -> DocumentPart:
        if name not in self.mapping():
            raise Malformed(_join(self.path, name), _("This value is missing."))
        return DocumentPart(self.value[name], _join(self.path, name))

    def malformed(self, sentence: str) -> Malformed:
        return Malformed(self.path, sentence)

    def mapping(self) -> Mapping[str, JSON]:
        if not isinstance(self.value, dict):
            raise self.malformed(_("This value must be an object with named members."))
        return self.value

    def items(self, most: int, least: int = 0) -> list[DocumentPart]:
        if not isinstance(self.value, list) or not least <= len(self.value) <= most:
            words = {"least": least, "most": most}
            raise self.malformed(
                _("This value must be a list of %(least)s to %(most)s items.") % words
            )
        return [DocumentPart(item, _join(self.path, at)) for at, item in enumerate(self.value)]

    def text(self, longest: int = 200) -> str:
        if not isinstance(self.value, str) or len(self.value) > longest:
            raise self.malformed(
                _("This value must be text of at most %(longest)s characters.")
                % {"longest": longest}
            )
        return self.value

    def whole_number(self, low: int, high: int) -> int:
        """Return the value as a whole number. Both bounds, `low` and `high`, are allowed."""
        number = self.value
        if isinstance(number, bool) or not isinstance(number, int) or not low <= number <= high:
            words = {"low": low, "high": high}
            raise self.malformed(
                _("This value must be a whole number from %(low)s to %(high)s.") % words
            )
        return number

    def digits(self, count: int) -> bytes:
        """Return the value as `count` bytes.

        The document contains them as lower-case hexadecimal digits.
        """
        text = self.value
        fits = isinstance(text, str) and len(text) == 2 * count
        if not fits or not _HEXADECIMAL.fullmatch(text):
            words = {"count": 2 * count}
            raise self.malformed(_("Enter %(count)s hexadecimal digits here.") % words)
        return bytes.fromhex(text)

    def options(self) -> dict[str, str | int | bool]:
        """Return the value as game options: each name has a text, a number or a boolean."""
        for name, value in self.mapping().items():
            if not isinstance(value, str | int):
                part = DocumentPart(value, _join(self.path, name))
                raise part.malformed(_("An option must be text, a number, true or false."))
        return dict(self.mapping())
