"""From bytes to text: UTF-8, UTF-16 with a mark, and the Latin of older spreadsheets."""

from __future__ import annotations

import codecs
from typing import Final, NamedTuple

from spreadsheets.faults import Refused
from spreadsheets.messages import gettext_noop as _

_MARKS: Final = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
_LATIN: Final = frozenset(
    "áéíóúàèìòùâêîôûäëïöüãõñçýÁÉÍÓÚÀÈÌÒÙÂÊÎÔÛÄËÏÖÜÃÕÑÇÝßøåæœŒ¿¡ºª«»·’‘“”–—…°€\xa0"
)


class Decoded(NamedTuple):
    """The text of a file; `guessed` where nothing in the file says that it is written so."""

    text: str
    guessed: bool = False


def decoded(data: bytes, name: str) -> Decoded:
    """The text of a file; `Refused` where its letters cannot be told.

    Latin is taken only where every letter beyond ASCII is one that Spanish, French, Portuguese or
    English writes: other old encodings would give other signs.
    """
    encoding = next((known for mark, known in _MARKS if data.startswith(mark)), "utf-8")
    try:
        return Decoded(data.decode(encoding))
    except UnicodeDecodeError:
        if encoding != "utf-8":
            raise Refused(
                _("The file is damaged: it is not valid %(encoding)s."),
                name,
                encoding=encoding.upper(),
            ) from None
    return Decoded(_latin(data, name), guessed=True)


def _latin(data: bytes, name: str) -> str:
    text = data.decode("cp1252", errors="replace")
    if all(sign.isascii() or sign in _LATIN for sign in text):
        return text
    raise Refused(
        _("The encoding of the file can’t be recognised. Save it as UTF-8 and try again."), name
    )
