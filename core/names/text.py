"""Cleaning, comparing, sorting and searching of names, as functions on text.

`core.names.fields` contains the model fields with the resulting keys.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator
from functools import lru_cache
from itertools import zip_longest
from typing import Final

# Invisible characters that change how the letters or emoji next to them are drawn.
ZERO_WIDTH_NON_JOINER: Final = "\u200c"
ZERO_WIDTH_JOINER: Final = "\u200d"
JOINERS: Final = (ZERO_WIDTH_NON_JOINER, ZERO_WIDTH_JOINER)
# Variation selector that requests the coloured form of the character before it.
EMOJI_STYLE: Final = "\ufe0f"
BLACK_FLAG: Final = "\U0001f3f4"
KEYCAP: Final = "\u20e3"
# Tag characters, which spell the region of the flag before them. The last of them ends the flag.
TAGS: Final = range(0xE0020, 0xE0080)
SKIN_TONES: Final = range(0x1F3FB, 0x1F400)
# Regional indicator letters. Two of them form a flag.
REGIONAL_INDICATORS: Final = range(0x1F1E6, 0x1F200)
# Ranges of scripts in which a joiner is part of the spelling: Arabic and related scripts, those of
# India and South-East Asia, and Mongolian.
JOINED_SCRIPTS: Final = (
    *(range(0x0600, 0x10A0), range(0x1700, 0x18B0), range(0x1900, 0x1C80)),
    *(range(0xA800, 0xABFF), range(0xFB50, 0xFE00), range(0xFE70, 0xFEFF)),
    *(range(0x10A00, 0x12000), range(0x1E900, 0x1E960)),
)
# Unicode categories of characters to remove: control characters, format characters such as
# direction marks, private-use characters and surrogates.
_NOT_A_LETTER: Final = frozenset({"Cc", "Cf", "Co", "Cs"})
# Letters and marks that are drawn as nothing, although their Unicode categories do not say so, and
# the empty Braille pattern.
_BLANK: Final = re.compile(
    "[\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u2800\u3164\ufe00-\ufe0f\uffa0"
    "\U000e0100-\U000e01ef]"
)


def clean(text: str) -> str:
    """Return one line of text in the form in which it is stored.

    The result is in composed form (NFC), without invisible characters and direction marks. Each run
    of white space becomes one space, and white space at the ends is removed. A joiner stays inside
    an emoji and between letters of an Arabic or Indic word. Cleaning a clean text changes nothing.
    """
    words = " ".join(unicodedata.normalize("NFC", text).split())
    if _is_plain(words):
        return words
    composed = unicodedata.normalize("NFC", "".join(_visible(words)))
    again = " ".join(composed.split())
    return again if again == text else clean(again)


def _is_plain(words: str) -> bool:
    """Return whether the text has nothing to remove. A quick check that nearly all texts pass."""
    if not words.isprintable() or _BLANK.search(words):
        return False
    return words.isascii() or not any(
        unicodedata.category(word[0])[0] == "M" for word in words.split()
    )


def clean_lines(text: str) -> str:
    """Return a text with each line cleaned and without empty lines at the ends."""
    return "\n".join(clean(line) for line in text.splitlines()).strip("\n")


def shorten(text: str, most: int) -> str:
    """Clean one line of text and cut it to `most` characters, but not inside an emoji or letter.

    For texts that nobody is typing, such as names from files. Typed texts that are too long are
    rejected instead.
    """
    cleaned = clean(text)
    if len(cleaned) <= most:
        return cleaned
    end = most
    while end and _continues(cleaned, end):
        end -= 1
    # A single letter with more combining marks than the limit allows is cut between its marks.
    return clean(cleaned[: end or most])


def _continues(text: str, place: int) -> bool:
    """Return whether the character at this index is drawn together with the preceding character."""
    sign, before = text[place], text[place - 1]
    if before == ZERO_WIDTH_JOINER or _is_ignored(sign):
        return True
    if ord(sign) in REGIONAL_INDICATORS:
        start = place
        while start and ord(text[start - 1]) in REGIONAL_INDICATORS:
            start -= 1
        return (place - start) % 2 == 1
    return ord(sign) in SKIN_TONES or unicodedata.category(sign)[0] == "M"


def _visible(text: str) -> Iterator[str]:
    # Look at the preceding characters that are not removed. If removed characters counted too, each
    # cleaning would remove only one of several joiners in a row, so cleaning twice would give
    # another result than cleaning once.
    last = before_last = " "
    in_flag = False
    for sign, after in zip_longest(text, text[1:], fillvalue=""):
        if ord(sign) in TAGS:
            seen = in_flag
        elif _is_ignored(sign):
            bare = before_last if last == EMOJI_STYLE else last
            seen = _is_part_of_sign(sign, last=last, bare=bare, after=after)
        else:
            stray_mark = last == " " and unicodedata.category(sign)[0] == "M"
            seen = not (stray_mark or _is_invisible(sign))
        if seen:
            yield sign
            before_last, last = last, sign
            in_flag = sign == BLACK_FLAG or ord(sign) in TAGS


def _is_invisible(sign: str) -> bool:
    noncharacter = ord(sign) & 0xFFFE == 0xFFFE or 0xFDD0 <= ord(sign) < 0xFDF0
    invisible = unicodedata.category(sign) in _NOT_A_LETTER or bool(_BLANK.match(sign))
    return noncharacter or invisible


def _is_part_of_sign(sign: str, *, last: str, bare: str, after: str) -> bool:
    """Return whether a joiner or variation selector is part of an emoji or a word.

    `sign` follows `last`. If `last` is a variation selector, `bare` is the character before it.
    """
    if sign == EMOJI_STYLE:
        return last != " " and (_is_pictograph(last) or after == KEYCAP)
    if not after or _is_invisible(after):
        return False
    if sign == ZERO_WIDTH_JOINER and _is_pictograph(after):
        return _is_pictograph(bare)
    return _is_joined_letter(last) and _is_joined_letter(after)


def _is_pictograph(sign: str) -> bool:
    # Python has no list of emoji. Emoji newer than Python's Unicode version have no category.
    return unicodedata.category(sign) in {"So", "Sm"} or 0x1F000 <= ord(sign) < 0x1FB00


def _is_joined_letter(sign: str) -> bool:
    letter = unicodedata.category(sign)[0] in "LM"
    return letter and any(ord(sign) in script for script in JOINED_SCRIPTS)


def comparison_key(name: str) -> str:
    """Return a key that is the same for two spellings of the same name.

    Case and joiners do not matter, but accents do. `name` need not be clean.
    """
    cleaned = clean(name)
    if cleaned.isascii():
        return cleaned.lower()
    plain = "".join(sign for sign in cleaned if not _is_ignored(sign))
    # Case folding decomposes some letters, and composing them may bring back a capital.
    folded = unicodedata.normalize("NFD", plain).casefold()
    return unicodedata.normalize("NFC", unicodedata.normalize("NFD", folded).casefold())


def _is_ignored(sign: str) -> bool:
    return sign in JOINERS or sign == EMOJI_STYLE or ord(sign) in TAGS


# Letters with a stroke and ligatures, which Unicode does not decompose.
_PLAIN: Final = str.maketrans(
    {"ø": "o", "ł": "l", "đ": "d", "ð": "d", "ħ": "h", "ŧ": "t", "ı": "i", "æ": "ae", "œ": "oe"}
)


@lru_cache(maxsize=4096)
def fold_case_and_accents(text: str) -> str:
    """Return the text in lower case and without accents, for searching."""
    # Decomposition brings back capitals, such as the H of ℌ.
    plain = unicodedata.normalize("NFKD", text.casefold()).casefold()
    decomposed = unicodedata.normalize("NFKD", plain)
    bare = "".join(sign for sign in decomposed if not unicodedata.combining(sign))
    return bare.translate(_PLAIN)


# Number of characters of a name by which names are sorted. With this limit, the sort key of the
# longest name is small enough for a database index.
SORTED_LENGTH: Final = 100
# Text between the two parts of a sort key. It sorts before every letter and digit.
SEPARATOR: Final = "  "
# Marks an ñ, so that it sorts after every n, as in the Spanish alphabet.
TILDE: Final = "~"
_ENYE: Final = f"n{TILDE}"
_NOT_SORTED: Final = re.compile(r"[\W_]+")


@lru_cache(maxsize=8192)
def sort_key(name: str) -> str:
    """Return a key that sorts names in Spanish order by code points.

    Case, accents and punctuation only matter if two names are otherwise equal. Two names have the
    same key exactly if they are the same name (`comparison_key`).
    """
    same = comparison_key(name)
    return f"{_spanish(same)[:SORTED_LENGTH]}{SEPARATOR}{same}"


def _spanish(name: str) -> str:
    parts = (_NOT_SORTED.sub(" ", fold_case_and_accents(part)) for part in name.split("ñ"))
    return _ENYE.join(parts).strip()


WORD: Final = re.compile(r"[^\W_]+")


def search_text(*texts: str) -> str:
    """Return the searchable words of these texts in lower case and without accents.

    Each word follows a space, so a search for `" nun"` finds a word that begins with `Núñ`.
    """
    return "".join(f" {word}" for word in words_of(*texts))


def words_of(*texts: str) -> list[str]:
    """Return the words of these texts without accents and in lower case, each once, in order."""
    return list(_words(" ".join(texts)))


@lru_cache(maxsize=8192)
def _words(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(WORD.findall(fold_case_and_accents(text))))
