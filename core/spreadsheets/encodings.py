"""Decode uploaded text files: UTF-8, UTF-16, UTF-32 and Windows-1252.

`decode` is for any text file that people upload, such as rosters and league results.

Nearly every file can be decoded as Windows-1252, even if it has another old encoding. Its accented
letters then become other characters: a Macintosh file with `Simón Núñez` is read as `Sim—n Nœ–ez`,
a DOS file as `Sim¢n N£¤ez`. Storing such names would damage a whole roster, so `decode` rejects a
file whose words come out as nonsense. There are two kinds of evidence:

- Strong: no word of a European language contains this combination (`Jes£s`, `Magalh‹es`, `MŸller`).
- Weak: hardly any word does, but there are exceptions. (`Garc’a` is nonsense but `Qur’an` is not.
  `Raœl` is nonsense but `Kœnig` is not.) Weak evidence counts only if the file has no accented
  letter in a plausible place. A real Windows-1252 file usually has such letters. A file in an old
  encoding never does, because it uses these bytes for capitals or symbols.

A wrong encoding remains undetected if the file's only accented letters are plausible in both
encodings. An example is an á at the end of a word in a DOS file, which is read as a no-break space.
"""

from __future__ import annotations

import codecs
import re
from itertools import islice
from typing import Final, NamedTuple

from core.spreadsheets.sheets import quoted

UTF_8: Final = "utf-8"
WINDOWS_1252: Final = "windows-1252"

_BYTE_ORDER_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_SAMPLE_BYTES: Final = 4096


class Decoded(NamedTuple):
    """The text of a file and the Python name of its encoding."""

    text: str
    encoding: str = UTF_8

    @property
    def guessed(self) -> bool:
        """Whether the encoding was guessed, so that people should check accented letters."""
        return self.encoding == WINDOWS_1252


class DamagedText(ValueError):
    """The file's bytes are not valid in the `encoding` that it declares."""

    def __init__(self, encoding: str) -> None:
        super().__init__(encoding)
        self.encoding = encoding


class UnknownEncoding(ValueError):
    """Decoding as Windows-1252 gives nonsense, such as this `word`."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


def decode(data: bytes) -> Decoded:
    """Decode a text file and remove its byte order mark.

    Raises `DamagedText` and `UnknownEncoding`.
    """
    marked = next((known for mark, known in _BYTE_ORDER_MARKS if data.startswith(mark)), "")
    encoding = marked or _unmarked_utf_16(data) or UTF_8
    try:
        return Decoded(data.decode(encoding), encoding)
    except UnicodeDecodeError:
        if encoding != UTF_8:
            raise DamagedText(encoding.upper()) from None
    text = data.decode("cp1252", errors="replace")
    if nonsense := find_nonsense(text):
        raise UnknownEncoding(str(quoted(nonsense)))
    return Decoded(text, WINDOWS_1252)


def _unmarked_utf_16(data: bytes) -> str:
    """Return the encoding of UTF-16 text without a byte order mark, or an empty string.

    Tables consist mostly of ASCII, so in UTF-16 one of the two bytes of most characters is zero.
    """
    sample = data[: min(_SAMPLE_BYTES, len(data) // 2 * 2)]
    pairs = len(sample) // 2
    first, second = sample[::2].count(0), sample[1::2].count(0)
    if second * 2 > pairs and first * 20 < second:
        return "utf-16-le"
    if first * 2 > pairs and second * 20 < first:
        return "utf-16-be"
    return ""


# Replaces bytes that are undefined in Windows-1252.
_UNDEFINED: Final = "\ufffd"
# Maximum number of words with accents that are examined. More words would take seconds and change
# nothing.
_MAX_WORDS: Final = 20_000
_MAX_WORD_LENGTH: Final = 200
# Matches what separates words. It leaves out the no-break space, because a DOS á is read as one.
_BETWEEN_WORDS: Final = re.compile(r'[\x00-\x20,;"]+')
_UP: Final = "A-ZÀ-ÖØ-ÞŠŽŒŸ"
_LOW: Final = "a-zß-öø-ÿšžœ"
_ANY: Final = f"{_UP}{_LOW}ªº"
# Characters that never occur inside a word. Apostrophes, dashes, quotation marks, spaces, the
# middle dot of Catalan (col·legi) and soft hyphens may occur.
_SIGNS: Final = "€‚„†‡ˆ‰‹›•˜™¡¢£¤¥¦§¨©¬®¯°±²³¶¸¹¼½¾¿×÷"

_STRONG: Final = re.compile(
    "|".join(
        (
            # Symbols inside a word, or at the wrong end of a word: Le¢n, Panam‡, ¤and£.
            f"[{_ANY}][{_SIGNS}][{_ANY}]",
            f"[{_ANY}][‡‚„¢£¤¥¦§¨¶ˆ˜‹]",
            f"[‡¢£¤¥‰ˆ˜•][{_ANY}]",
            f"[{_ANY}][“”«»][{_LOW}]",
            f"[{_ANY}]ƒ|ƒ[{_ANY}]|[{_ANY}]µ|µ[{_ANY}]{{3}}",
            f"(?<![lL])·[{_ANY}]|[{_ANY}]·(?![lL])(?=[{_ANY}])",
            # Capitals that no language has after a small letter or as the second letter of a word,
            # as in JosŽ, JoÆo and dÕArles. They also appear in UTF-8 files read as Windows-1252:
            # PeÃ±a.
            f"[{_LOW}][ŠŽŒŸÆÐÞÕÃÂ]|[{_UP}][ŠŽŒŸÆÐÞ][{_LOW}]|(?<![{_ANY}])[DLNSMO]Õ[{_UP}][{_LOW}]",
            f"[{_LOW}][ÀÁÇÈÉÊËÌÍÎÏÑÒÓÔÖÙÚÛÜÝ](?![{_ANY}])",
            # A Macintosh dash, which is read as a capital letter standing alone.
            f"(?<![{_ANY}])[ÐÑ](?![{_ANY}.])",
            # A cedilla before a consonant, such as in çlvaro. It is correct only before a vowel or
            # at the end.
            "[çÇ][bcdfghjklmnpqrtvwxzBCDFGHJKLMNPQRTVWXZ]",
            # A DOS õ, as in Simäes, and an apostrophe in UTF-8.
            "äe|â€",
            # Rows of accented letters, which come from Cyrillic and Greek encodings.
            "[À-ÖØ-öø-ÿ]{3}",
        )
    )
)
_APOSTROPHES: Final = "’‘´"
# Words that may be shortened before a vowel or h in French, Catalan, Portuguese and Irish names.
_SHORTENED: Final = re.compile(
    "[dlsnmtjco]|qu|aujourd|presqu|jusqu|lorsqu|puisqu|quelqu|entr|grand", re.IGNORECASE
)
_BEFORE_APOSTROPHE: Final = re.compile(
    f"(?<![{_ANY}])([{_ANY}]+)[{_APOSTROPHES}]([{_LOW}][{_ANY}]*)"
)
_VOWELS: Final = "aeiouyhàáâäèéêëìíîïòóôöùúûüœæ"
_ENGLISH_ENDINGS: Final = frozenset({"s", "t", "ll", "re", "ve", "m", "d"})
# Frequent Spanish and Portuguese words in which a Macintosh í is read as an apostrophe, so that
# they look like shortened words or English endings: Díaz, Luís, Solís, París, país, Asís.
_AS_IF_SHORTENED: Final = frozenset(
    {"d’az", "d’as", "d’ez", "lu’s", "sol’s", "par’s", "pa’s", "as’s"}
)
_WEAK: Final = re.compile(
    "|".join(
        (
            # A Macintosh ñ or ó that was read as a dash: Pe–a, Sim—n. It is recognised because a
            # real dash is followed by a capital.
            f"[{_ANY}][–—][{_LOW}’]",
            f"[{_ANY}]…[{_LOW}]|[{_ANY}][¿¡]",
            # A Macintosh ú is read as œ: Raœl. In French, u or i follows œ (cœur, œil).
            f"[{_ANY}]œ(?![ui])",
            # A Macintosh ö or û is read as š or ž: Kšln, Aožt.
            "[šž]",
            # Macintosh and DOS capitals that are read as small letters: GARCêA, LàPEZ, JESéS,
            # GARCÖA, îscar, êndigo.
            f"[{_UP}][à-äç-öø-ý][{_UP}]|[{_UP}]Ö[AO]",
            f"(?<![{_ANY}])(?:î(?!l)|ê(?!t))[{_LOW}]",
            "(?<![{any}])(?:òbeda|òrsula|àscar|ébeda|érsula)".replace("{any}", _ANY),
        )
    )
)
# A DOS á is read as a no-break space: M\xa0laga. A real one is followed by a capital or by one of
# these short words.
_AFTER_SPACE: Final = re.compile(f"[{_ANY}]\xa0([{_LOW}]+)")
_SMALL_WORDS: Final = re.compile(
    "a|al|as|con|da|das|de|dei|del|della|den|der|des|di|do|dos|du|e|el|em|en|et|i|im|in|km|la|las|"
    "le|les|los|m|na|no|o|of|os|para|pour|san|sous|sur|the|und|van|von|y|à|és"
)
# An accented letter in a plausible place, whose byte means something else in old encodings. ç, ê, î
# and ò are left out, because their bytes are Á, Í, Ó and Ú on a Macintosh.
_GOOD: Final = re.compile(
    f"(?:[{_LOW}]|(?<![{_ANY}])[{_UP}])[àáâãäèéëìíïñóôõöùúûüý](?![{_UP}])|[ÁÉÍÓÚÑ][{_LOW}]"
)


def find_nonsense(text: str) -> str:
    """Return a word that shows that a text is not in Windows-1252, or an empty string."""
    if _UNDEFINED in text:
        return next(word for word in _BETWEEN_WORDS.split(text) if _UNDEFINED in word)
    pieces = (word[:_MAX_WORD_LENGTH] for word in _BETWEEN_WORDS.split(text) if not word.isascii())
    words = list(dict.fromkeys(islice(pieces, _MAX_WORDS)))
    if strong := next(filter(_STRONG.search, words), ""):
        return strong
    return "" if any(map(_GOOD.search, words)) else next(filter(_is_weak, words), "")


def _is_weak(word: str) -> bool:
    return bool(
        _WEAK.search(word)
        or any(not _SMALL_WORDS.fullmatch(match[1]) for match in _AFTER_SPACE.finditer(word))
        or any(_is_odd(match[1], match[2]) for match in _BEFORE_APOSTROPHE.finditer(word))
    )


def _is_odd(before: str, after: str) -> bool:
    """Return whether an apostrophe with these letters around it is not a real apostrophe.

    Example: `Garc’a`. An apostrophe before a capital is always real (`l’Albufera`, `Sant’Elia`).
    """
    if f"{before}’{after}".casefold() in _AS_IF_SHORTENED:
        return True
    if after in _ENGLISH_ENDINGS:
        return False
    if before[0].isupper() and len(after) == 1:  # M’o: not French, but Mío from a Macintosh
        return True
    if before in {"o", "O"}:
        return False
    return not _SHORTENED.fullmatch(before) or after[0] not in _VOWELS
