"""Replace the names of a user whose account is deleted in stored text and JSON."""

from __future__ import annotations

import json
import re
import unicodedata
from collections.abc import Callable, Collection, Iterable, Iterator
from functools import lru_cache
from itertools import pairwise
from typing import TYPE_CHECKING, Any, Final

from django.db import models
from django.db.models.functions import Cast
from django.utils.text import slugify

from core.names.fields import bulk_update_with_keys
from core.names.text import comparison_key

if TYPE_CHECKING:
    from accounts.account_deletion.registry import Deletion, StoredText

# Number of rows read at a time, and number of rows locked and written at a time.
READ_SIZE: Final = 2000
WRITE_SIZE: Final = 500
# Maximum number of rows per UPDATE statement. The statement has a CASE with a WHEN for each row,
# and the database tries every WHEN for every row, so large statements are slow.
CASES: Final = 50
_ESCAPE: Final = re.compile(r"\\(?:\\|u([0-9a-fA-F]{4}))")
# Latin, Greek and Cyrillic letters with accents, and common punctuation. None of these characters
# is invisible.
_USUAL: Final = re.compile("[ -~\u00a1-\u0345\u0370-\u052f\u2010-\u2027\u2030-\u205e]*")
# Vowels and final consonants of Hangul, the Korean script. Each belongs to the syllable of the
# letter before it.
_JAMO: Final = range(0x1160, 0x1200)
_HANGUL: Final = (range(0x1100, 0x1200), range(0xAC00, 0xD7A4))


def anonymize_columns(stored: StoredText, rows: models.QuerySet[Any], deletion: Deletion) -> None:
    """Replace a deleted user's names in the columns that an application has registered for this."""
    changed = replace_names(
        rows,
        stored.columns,
        deletion,
        links=stored.links,
        members=stored.members,
        encoded=stored.encoded,
    )
    if stored.slug:
        named = _addressed(rows.exclude(pk__in=changed), stored.slug, deletion)
        changed += named
    if changed:
        stored.changed(deletion, changed)


def _addressed(rows: models.QuerySet[Any], column: str, deletion: Deletion) -> list[object]:
    """Return the keys of rows whose slug contains a name of the deleted user."""
    slugs = {f"-{slugify(name)}-" for name in deletion.names if slugify(name)}
    return [
        key
        for key, slug in rows.values_list("pk", column)
        if any(name in f"-{slug}-" for name in slugs)
    ]


def replace_names(
    rows: models.QuerySet[Any],
    fields: Iterable[str],
    deletion: Deletion,
    *,
    links: bool = False,
    members: Collection[str] = (),
    encoded: bool = False,
) -> list[object]:
    """Replace a deleted user's names in these columns of a model and return the keys of the rows
    changed.

    Names are replaced as `names_replaced` describes. They are compared in Python, not in the
    database: SQLite knows upper case only from A to Z, and JSON may contain any letter as an escape
    sequence.
    """
    columns = list(fields)

    def replaced(value: Any) -> Any:
        if encoded:
            return _replaced_in_json(value, deletion, members)
        return names_replaced(value, deletion, links=links, members=members)

    keys = list(_candidates(rows, columns, deletion, links=links))
    return [
        key
        for start in range(0, len(keys), WRITE_SIZE)
        for key in _replace_names(rows.model, keys[start : start + WRITE_SIZE], columns, replaced)
    ]


def _candidates(
    rows: models.QuerySet[Any], columns: list[str], deletion: Deletion, *, links: bool
) -> Iterator[object]:
    """Yield the primary keys of rows that may contain a name, found by a text search without
    parsing JSON.
    """
    words = _fragments(deletion.names)
    if links:
        words = (*words, *{slug for _folder, slug in deletion.moves})
    raw = {f"raw_{column}": Cast(column, models.TextField()) for column in columns}
    held = rows.order_by().values_list("pk", *raw.values()).iterator(chunk_size=READ_SIZE)
    for key, *values in held:
        text = " ".join(filter(None, values))
        folded = _folded(text) + _folded(_unescaped(text))
        if any(word in folded for word in words):
            yield key


@lru_cache(maxsize=16)
def _fragments(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the longest word of each name, case-folded.

    Raw text and JSON are first searched for these words, which is quick.
    """
    words = {max(re.findall(r"\w+", _folded(name)), key=len, default="") for name in names}
    return tuple(
        word for word in words if not any(other != word and other in word for other in words)
    )


def _unescaped(text: str) -> str:
    """Return JSON text with escape sequences decoded, or an empty string if it has none."""
    if "\\" not in text:
        return ""
    letters = _ESCAPE.sub(lambda match: chr(int(match[1], 16)) if match[1] else "\\", text)
    # JSON escapes letters beyond U+FFFF as two surrogates.
    return letters.encode("utf-16", "surrogatepass").decode("utf-16", "replace")


def _replace_names(
    model: Any, keys: Collection[Any], columns: Iterable[str], replaced: Callable[[Any], object]
) -> list[object]:
    """Replace the names in these rows and return the keys of the rows that contained a name."""
    locked = list(model._base_manager.select_for_update().filter(pk__in=keys))
    touched: dict[object, None] = {}
    for column in columns:
        changed = []
        for row in locked:
            before = getattr(row, column)
            after = replaced(before)
            if after != before:
                setattr(row, column, _truncated(row, column, after))
                changed.append(row)
        # Update only these columns: saving an empty JSON column would turn it into a JSON null.
        bulk_update_with_keys(model, changed, [column], batch=CASES)
        touched |= dict.fromkeys(row.pk for row in changed)
    return list(touched)


def _replaced_in_json(text: str, deletion: Deletion, members: Collection[str]) -> str:
    """Return a text, which may be JSON, without the deleted user's names.

    Admin log entries store JSON in a text column.
    """
    try:
        content = json.loads(text)
    except ValueError:
        return _without_names(text, deletion)
    replaced = names_replaced(content, deletion, members=members)
    return text if replaced == content else json.dumps(replaced)


def names_replaced(
    value: object, deletion: Deletion, *, links: bool = False, members: Collection[str] = ()
) -> Any:
    """Return a text or JSON value without a deleted user's names.

    Only whole words are replaced, the longest name first, regardless of case, Unicode composition
    and invisible characters. Longer names of other people that contain the name stay. In JSON only
    string values change, never keys. If `members` are named, only the values of these members
    change. With `links`, the text may be the address of a page. Then the old slugs of renamed pages
    are replaced by the new ones instead.
    """
    if isinstance(value, str):
        if links and _is_address(value, deletion):
            return _file_address(value, deletion)
        if members:
            return value
        return _without_names(value, deletion)
    if isinstance(value, list):
        return [names_replaced(item, deletion, links=links, members=members) for item in value]
    if isinstance(value, dict):
        return {key: _member(key, item, deletion, links, members) for key, item in value.items()}
    return value


def _member(
    key: str, item: object, deletion: Deletion, links: bool, members: Collection[str]
) -> Any:
    if links and key == "slug":
        # Several pages of different kinds may have had the same old slug. Each new slug is
        # a valid replacement, because none contains the name.
        for (_folder, before), after in deletion.moves.items():
            if item == before:
                return after
    inner = () if key in members else members
    return names_replaced(item, deletion, links=links, members=inner)


def _is_address(text: str, deletion: Deletion) -> bool:
    looks_so = (text.startswith("/") or "://" in text) and not any(map(str.isspace, text))
    # A username can itself look like an address, for example /u/ana. Such a text is a name.
    return looks_so and not _pattern(deletion.names).fullmatch(_folded(text))


def _file_address(address: str, deletion: Deletion) -> str:
    parts = address.split("/")
    moved = [deletion.moves.get(pair, pair[1]) for pair in pairwise(parts)]
    return "/".join(parts[:1] + moved)


def _without_names(text: str, deletion: Deletion) -> str:
    parts, end = [], 0
    for start, stop in _spans(text, deletion.names, deletion.longer_names):
        parts += [text[end:start], deletion.alias]
        end = stop
    return "".join([*parts, text[end:]]) if parts else text


def longer_than(names: tuple[str, ...], others: Iterable[str]) -> tuple[str, ...]:
    """Return the names of other people that contain one of these names as a part.

    For Ana, this includes Ana María. These longer names are not replaced.
    """
    pattern = _pattern(names)
    longer = {
        folded
        for folded in map(_folded, others)
        if pattern.search(folded) and not pattern.fullmatch(folded)
    }
    return tuple(sorted(longer))


@lru_cache(maxsize=16)
def _pattern(names: tuple[str, ...], kept: tuple[str, ...] = ()) -> re.Pattern[str]:
    """Return a regular expression that finds these names.

    Its group `kept` matches if the text found is another person's name.
    """
    if not (gone := _as_words(names)):
        return re.compile(r"(?!)")
    first = f"(?P<kept>{_as_words(kept) or '(?!)'})"
    return re.compile(rf"(?<!\w)(?:{first}|{gone})(?!\w)")


def _as_words(names: Iterable[str]) -> str:
    folded = sorted({comparison_key(name) for name in names}, key=lambda name: (-len(name), name))
    return "|".join(r"\s+".join(map(re.escape, name.split())) for name in folded if name.split())


def _spans(
    text: str, names: tuple[str, ...], kept: tuple[str, ...] = ()
) -> Iterator[tuple[int, int]]:
    """Yield the start and end positions of the names in the text, in order."""
    pattern = _pattern(names, kept)
    if text.isascii():
        for match in pattern.finditer(text.lower()):
            if match["kept"] is None:
                yield match.span()
        return
    # Most texts contain no name. This search of the folded text is much faster than aligning each
    # letter.
    if not pattern.search(_folded(text)):
        return
    folded, starts, ends = _aligned(text)
    for match in pattern.finditer(folded):
        aligned = match.start() in starts and match.end() in ends
        if aligned and match["kept"] is None:
            yield starts[match.start()], ends[match.end()]


def _folded(text: str) -> str:
    """Return the text folded like `comparison_key`, with a faster path for common characters."""
    if text.isascii():
        return text.lower()
    if not _USUAL.fullmatch(text) or not text.isprintable():
        return comparison_key(text)
    folded = unicodedata.normalize("NFD", text).casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", folded).casefold())


def _aligned(text: str) -> tuple[str, dict[int, int], dict[int, int]]:
    """Return the folded text, and maps from its positions to letter starts and ends in the text.

    A letter is folded together with the marks and invisible characters that follow it, so the
    folded letter may be longer or shorter than the original.
    """
    folded, length = [], 0
    starts: dict[int, int] = {}
    ends: dict[int, int] = {}
    for start, end in _letters(text):
        letter = " " if text[start].isspace() else comparison_key(text[start:end])
        if letter:
            starts[length] = start
            length += len(letter)
            folded.append(letter)
        ends[length] = end
    return "".join(folded), starts, ends


def _letters(text: str) -> Iterator[tuple[int, int]]:
    start = 0
    for place, sign in enumerate(text):
        if place > start and not _continues(text[place - 1], sign):
            yield start, place
            start = place
    if text:
        yield start, len(text)


def _continues(before: str, sign: str) -> bool:
    if ord(sign) in _JAMO:
        return any(ord(before) in hangul for hangul in _HANGUL)
    return unicodedata.category(sign) in {"Mn", "Mc", "Me", "Cf"}


def _truncated(row: models.Model, column: str, value: object) -> Any:
    """Cut a value to the column's maximum length, since an alias may be longer than the name that
    it replaces.

    Only columns with a maximum length in the database are cut. In other columns nothing is cut,
    because the end of a text may contain the name of another person.
    """
    field = row._meta.get_field(column)
    most = field.max_length if isinstance(field, models.CharField) else None
    return value[:most] if most and isinstance(value, str) else value
