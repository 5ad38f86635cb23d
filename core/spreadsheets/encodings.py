"""Decoding text files from outside: UTF-8, UTF-16, UTF-32 and Windows-1252.

`decode` is for any text file that people upload, such as rosters and results of leagues.

Nearly every file is valid in Windows-1252, also one in another old code page, where its accented
letters become other signs: from a Macintosh `Simón Núñez` is read as `Sim—n Nœ–ez`, from DOS as
`Sim¢n N£¤ez`. Storing such names would damage a whole roster, so a file is refused if words come
out as nonsense. There are two kinds of evidence:

- Strong: no word of a European language is written so (`Jes£s`, `Magalh‹es`, `MŸller`).
- Weak: hardly any word is, but there are exceptions (`Garc’a` is nonsense, `Qur’an` is not; `Raœl`
  is, `Kœnig` is not). It counts only if the file has no accented letter at the right place. A
  Windows-1252 file with weak evidence usually has such letters; a file in an old code page never
  does, because these bytes are its capitals or its signs.

What remains undetected is a file whose only accented letters give a good reading in both code
pages, such as the á of DOS at the end of a word, which is a no-break space.
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
    """The text of a file and its encoding, a name that Python knows."""

    text: str
    encoding: str = UTF_8

    @property
    def guessed(self) -> bool:
        """Whether nothing in the file tells its encoding, so that people should check letters."""
        return self.encoding == WINDOWS_1252


class DamagedText(ValueError):
    """The bytes are not valid in the `encoding` that the file says it has."""

    def __init__(self, encoding: str) -> None:
        super().__init__(encoding)
        self.encoding = encoding


class UnknownEncoding(ValueError):
    """A `word` of the text comes out as nonsense."""

    def __init__(self, word: str) -> None:
        super().__init__(word)
        self.word = word


def decode(data: bytes) -> Decoded:
    """Decode a text file, without its byte order mark.

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
    """Return the encoding of text in UTF-16 without a byte order mark, or an empty string.

    Tables consist mostly of ASCII, so every second byte is zero, and hardly any of the others.
    """
    sample = data[: min(_SAMPLE_BYTES, len(data) // 2 * 2)]
    pairs = len(sample) // 2
    first, second = sample[::2].count(0), sample[1::2].count(0)
    if second * 2 > pairs and first * 20 < second:
        return "utf-16-le"
    if first * 2 > pairs and second * 20 < first:
        return "utf-16-be"
    return ""


# A byte that Windows-1252 does not have.
_UNDEFINED: Final = "\ufffd"
# Words with accents that are looked at. More would tell nothing new and take seconds.
_MAX_WORDS: Final = 20_000
_MAX_WORD_LENGTH: Final = 200
# Words are whatever stands between these. A no-break space stays, because it is the á of DOS.
_BETWEEN_WORDS: Final = re.compile(r'[\x00-\x20,;"]+')
_UP: Final = "A-ZÀ-ÖØ-ÞŠŽŒŸ"
_LOW: Final = "a-zß-öø-ÿšžœ"
_ANY: Final = f"{_UP}{_LOW}ªº"
# Signs that are never inside a word. Apostrophes, dashes, quotation marks, spaces, the dot of
# Catalan (col·legi) and soft hyphens may be.
_SIGNS: Final = "€‚„†‡ˆ‰‹›•˜™¡¢£¤¥¦§¨©¬®¯°±²³¶¸¹¼½¾¿×÷"

_STRONG: Final = re.compile(
    "|".join(
        (
            # Signs inside a word, or on the wrong side of it: Le¢n, Panam‡, ¤and£.
            f"[{_ANY}][{_SIGNS}][{_ANY}]",
            f"[{_ANY}][‡‚„¢£¤¥¦§¨¶ˆ˜‹]",
            f"[‡¢£¤¥‰ˆ˜•][{_ANY}]",
            f"[{_ANY}][“”«»][{_LOW}]",
            f"[{_ANY}]ƒ|ƒ[{_ANY}]|[{_ANY}]µ|µ[{_ANY}]{{3}}",
            f"(?<![lL])·[{_ANY}]|[{_ANY}]·(?![lL])(?=[{_ANY}])",
            # Capitals that no language has after a small letter, or as second of a word: JosŽ,
            # JoÆo, dÕArles. They are UTF-8 too: PeÃ±a.
            f"[{_LOW}][ŠŽŒŸÆÐÞÕÃÂ]|[{_UP}][ŠŽŒŸÆÐÞ][{_LOW}]|(?<![{_ANY}])[DLNSMO]Õ[{_UP}][{_LOW}]",
            f"[{_LOW}][ÀÁÇÈÉÊËÌÍÎÏÑÒÓÔÖÙÚÛÜÝ](?![{_ANY}])",
            # The dash of a Macintosh, alone.
            f"(?<![{_ANY}])[ÐÑ](?![{_ANY}.])",
            # A cedilla is always before a vowel or at the end: çlvaro.
            "[çÇ][bcdfghjklmnpqrtvwxzBCDFGHJKLMNPQRTVWXZ]",
            # The õ of DOS, Simäes, and an apostrophe of UTF-8.
            "äe|â€",
            # Cyrillic and Greek letters.
            "[À-ÖØ-öø-ÿ]{3}",
        )
    )
)
_APOSTROPHES: Final = "’‘´"
# Words that may be shortened before a vowel or h, in French, Catalan, Portuguese and Irish names.
_SHORTENED: Final = re.compile(
    "[dlsnmtjco]|qu|aujourd|presqu|jusqu|lorsqu|puisqu|quelqu|entr|grand", re.IGNORECASE
)
_BEFORE_APOSTROPHE: Final = re.compile(
    f"(?<![{_ANY}])([{_ANY}]+)[{_APOSTROPHES}]([{_LOW}][{_ANY}]*)"
)
_VOWELS: Final = "aeiouyhàáâäèéêëìíîïòóôöùúûüœæ"
_ENGLISH_ENDINGS: Final = frozenset({"s", "t", "ll", "re", "ve", "m", "d"})
# Frequent words of Spanish and Portuguese with í (a typographic apostrophe on a Macintosh) which
# would pass as shortened words or English endings: Díaz, Luís, Solís, París, país, Asís.
_AS_IF_SHORTENED: Final = frozenset(
    {"d’az", "d’as", "d’ez", "lu’s", "sol’s", "par’s", "pa’s", "as’s"}
)
_WEAK: Final = re.compile(
    "|".join(
        (
            # ñ and ó of a Macintosh: Pe–a, Sim—n. A dash between words is before a capital.
            f"[{_ANY}][–—][{_LOW}’]",
            f"[{_ANY}]…[{_LOW}]|[{_ANY}][¿¡]",
            # ú of a Macintosh: Raœl. In French it is before u or i (cœur, œil).
            f"[{_ANY}]œ(?![ui])",
            # ö and û of a Macintosh: Kšln, Aožt.
            "[šž]",
            # Capitals of both: GARCêA, LàPEZ, JESéS, GARCÖA, îscar, êndigo.
            f"[{_UP}][à-äç-öø-ý][{_UP}]|[{_UP}]Ö[AO]",
            f"(?<![{_ANY}])(?:î(?!l)|ê(?!t))[{_LOW}]",
            "(?<![{any}])(?:òbeda|òrsula|àscar|ébeda|érsula)".replace("{any}", _ANY),
        )
    )
)
# á of DOS: M\xa0laga. A no-break space between words is before a capital or one of these.
_AFTER_SPACE: Final = re.compile(f"[{_ANY}]\xa0([{_LOW}]+)")
_SMALL_WORDS: Final = re.compile(
    "a|al|as|con|da|das|de|dei|del|della|den|der|des|di|do|dos|du|e|el|em|en|et|i|im|in|km|la|las|"
    "le|les|los|m|na|no|o|of|os|para|pour|san|sous|sur|the|und|van|von|y|à|és"
)
# An accented letter at its place, which has another byte in old code pages. ç, ê, î and ò are
# left out: they are Á, Í, Ó and Ú of a Macintosh.
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
    """Return whether the letters around an apostrophe are no words, as in `Garc’a`.

    Before a capital it is always one (`l’Albufera`, `Sant’Elia`).
    """
    if f"{before}’{after}".casefold() in _AS_IF_SHORTENED:
        return True
    if after in _ENGLISH_ENDINGS:
        return False
    if before[0].isupper() and len(after) == 1:  # M’o is no French, but the Mío of a Macintosh
        return True
    if before in {"o", "O"}:
        return False
    return not _SHORTENED.fullmatch(before) or after[0] not in _VOWELS
