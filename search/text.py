"""Split names and queries into words: without accents, in lower case, matched from their
beginning.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from django.utils.html import conditional_escape
from django.utils.safestring import SafeString, mark_safe

from core.names.text import WORD, fold_case_and_accents, words_of

# Maximum length of a query in characters and words. The rest is ignored, and the page says so.
MAX_LENGTH: Final = 100
MAX_WORDS: Final = 8

SIGNS: Final = re.compile(r'["*^:()]|(?:^|\s)[-+]\S|\b(?:AND|OR|NOT|NEAR)\b')
DAY_AND_MONTH: Final = re.compile(r"\b(\d{1,2})[./-](\d{1,2})(?:[./-](\d{4}))?\b")
ISO_DAY: Final = re.compile(r"\b(\d{4})-(\d{1,2})-(\d{1,2})\b")
ORDINAL: Final = re.compile(r"(\d)(?:st|nd|rd|th|º|ª)\b", re.IGNORECASE)
# Short words that are ignored in names and queries, because nobody searches for them.
SMALL_WORDS: Final = frozenset(
    {"de", "del", "la", "las", "el", "los", "en", "y", "of", "the", "in"}
)
MONTHS: Final = {
    "en": (
        *("january", "february", "march", "april", "may", "june", "july", "august"),
        *("september", "october", "november", "december"),
    ),
    "es": (
        *("enero", "febrero", "marzo", "abril", "mayo", "junio", "julio", "agosto"),
        *("septiembre", "octubre", "noviembre", "diciembre"),
    ),
}


def without_small_words(words: Sequence[str]) -> Sequence[str]:
    """Return the words without short words such as “de”, or all words if only those remain."""
    return [word for word in words if word not in SMALL_WORDS] or words


def month_names(month: int) -> tuple[str, str]:
    return MONTHS["es"][month - 1], MONTHS["en"][month - 1]


class SearchQuery(NamedTuple):
    """A search query: the text as shown, and its words.

    `cut` means that only the beginning was read. `signs` means that the text contains characters or
    operators that other search engines interpret.
    """

    text: str
    words: tuple[str, ...]
    cut: bool = False
    signs: bool = False


def read_question(text: str) -> SearchQuery:
    """Parse a search query of any length and with any characters."""
    printable = "".join(sign if sign.isprintable() else " " for sign in text[: MAX_LENGTH * 4])
    shown = " ".join(printable.split())[:MAX_LENGTH].strip()
    words = words_of(_with_dates(ORDINAL.sub(r"\1", shown)))
    chosen = without_small_words(words)
    return SearchQuery(
        text=shown,
        words=tuple(chosen[:MAX_WORDS]),
        cut=len(text.strip()) > MAX_LENGTH or len(chosen) > MAX_WORDS,
        signs=bool(SIGNS.search(shown)),
    )


def _with_dates(text: str) -> str:
    """Write dates out: 14/5/2026 and 2026-05-14 become 14 mayo 2026."""
    text = ISO_DAY.sub(lambda day: _day(day[3], day[2], day[1]) or day[0], text)
    return DAY_AND_MONTH.sub(lambda day: _day(day[1], day[2], day[3] or "") or day[0], text)


def _day(day: str, month: str, year: str) -> str:
    if not 1 <= int(month) <= 12:
        return ""
    return f" {int(day)} {month_names(int(month))[0]} {year} "


def is_whole(word: str) -> bool:
    """Return whether a word of a query must match a whole word, not only its beginning.

    This is so for numbers of one or two digits. Otherwise day 1 would match day 14.
    """
    return word.isdecimal() and len(word) < 3


def matches(words: Iterable[str], question: Sequence[str]) -> bool:
    """Return whether every word of a query is the beginning of one of these words."""
    held = list(words)
    return all(any(_begins(word, asked) for word in held) for asked in question)


def _begins(word: str, asked: str) -> bool:
    return word == asked if is_whole(asked) else word.startswith(asked)


def mark_words(text: object, question: Sequence[str]) -> SafeString:
    """Return a text as HTML with the matching beginnings of words highlighted."""
    composed, last = unicodedata.normalize("NFC", str(text)), 0
    pieces: list[str] = []
    for found in WORD.finditer(composed):
        word = found[0]
        lengths = [len(asked) for asked in question if _begins(fold_case_and_accents(word), asked)]
        if not lengths:
            continue
        # Folding (removing case and accents) may lengthen a word: ß becomes ss. So the end of the
        # matching part is found by trying.
        end = next(
            end
            for end in range(1, len(word) + 1)
            if len(fold_case_and_accents(word[:end])) >= max(lengths)
        )
        pieces.append(conditional_escape(composed[last : found.start()]))
        pieces.append(f"<mark>{conditional_escape(word[:end])}</mark>")
        last = found.start() + end
    pieces.append(conditional_escape(composed[last:]))
    return mark_safe("".join(pieces))  # noqa: S308  every piece is escaped above
