"""Detect the kind of a file from its first bytes, so that error messages can name it.

    if (kind := kind_of(data)) is not None:
        ...  # not a text file; LABELS[kind] is its name with an article, for translation

Of a zip file, only the first bytes of one member are unpacked. File names are ignored, because they
may be wrong.
"""

from __future__ import annotations

import io
import zipfile
from collections.abc import Collection, Mapping
from enum import StrEnum
from typing import IO, Final

from core.spreadsheets.messages import gettext_noop as _


class UploadKind(StrEnum):
    """Kinds of files that people upload instead of a text file such as CSV or JSON."""

    WORKBOOK = "xlsx"
    BINARY_WORKBOOK = "xlsb"
    OLD_WORKBOOK = "xls"
    LOCKED_WORKBOOK = "password"
    XML_WORKBOOK = "xml"
    OPEN_WORKBOOK = "ods"
    NUMBERS = "numbers"
    OPEN_DOCUMENT = "odt"
    WORD = "docx"
    OLD_WORD = "doc"
    SLIDES = "pptx"
    RICH_TEXT = "rtf"
    PDF = "pdf"
    WEB_PAGE = "html"
    PICTURE = "picture"
    ZIP = "zip"
    ARCHIVE = "archive"
    DATABASE = "sqlite"


# Names of the kinds of files with an article, to be inserted into a sentence.
LABELS: Final[Mapping[UploadKind, str]] = {
    UploadKind.WORKBOOK: _("an Excel workbook (.xlsx)"),
    UploadKind.BINARY_WORKBOOK: _("a binary Excel workbook (.xlsb)"),
    UploadKind.OLD_WORKBOOK: _("an old Excel workbook (.xls)"),
    UploadKind.LOCKED_WORKBOOK: _("a document with a password"),
    UploadKind.XML_WORKBOOK: _("an Excel workbook as XML (.xml)"),
    UploadKind.OPEN_WORKBOOK: _("an OpenDocument workbook (.ods)"),
    UploadKind.NUMBERS: _("an Apple iWork document (.numbers, .pages)"),
    UploadKind.OPEN_DOCUMENT: _("an OpenDocument document (.odt, .odp)"),
    UploadKind.WORD: _("a Word document (.docx)"),
    UploadKind.OLD_WORD: _("an old Office document (.doc, .ppt)"),
    UploadKind.SLIDES: _("a PowerPoint presentation (.pptx)"),
    UploadKind.RICH_TEXT: _("a document in Rich Text Format (.rtf)"),
    UploadKind.PDF: _("a PDF document"),
    UploadKind.WEB_PAGE: _("a web page (.html)"),
    UploadKind.PICTURE: _("a picture"),
    UploadKind.ZIP: _("a zip file"),
    UploadKind.ARCHIVE: _("a compressed file"),
    UploadKind.DATABASE: _("a database (SQLite)"),
}

HEAD_BYTES: Final = 4096
_ZIP: Final = (b"PK\x03\x04", b"PK\x05\x06")
_COMPOUND: Final = b"\xd0\xcf\x11\xe0"
# First bytes of files of further kinds.
_BEGINNINGS: Final[Mapping[bytes, UploadKind]] = {
    b"%PDF-": UploadKind.PDF,
    b"{\\rtf": UploadKind.RICH_TEXT,
    b"\x89PNG": UploadKind.PICTURE,
    b"\xff\xd8\xff": UploadKind.PICTURE,
    b"GIF87a": UploadKind.PICTURE,
    b"GIF89a": UploadKind.PICTURE,
    b"\x1f\x8b": UploadKind.ARCHIVE,
    b"7z\xbc\xaf\x27\x1c": UploadKind.ARCHIVE,
    b"Rar!\x1a": UploadKind.ARCHIVE,
    b"\xfd7zXZ": UploadKind.ARCHIVE,
    b"\x28\xb5\x2f\xfd": UploadKind.ARCHIVE,
    b"SQLite format 3\0": UploadKind.DATABASE,
    # Excel before 1997.
    b"\x09\x08\x10\0": UploadKind.OLD_WORKBOOK,
    b"\x09\x08\x08\0": UploadKind.OLD_WORKBOOK,
    b"\x09\x04\x06\0": UploadKind.OLD_WORKBOOK,
}
# Beginnings of HTML files. Many programs export HTML tables with the extension .xls.
_WEB_PAGES: Final = (b"<!doctype html", b"<html", b"<table")
_OPEN_WORKBOOKS: Final = b"application/vnd.oasis.opendocument.spreadsheet"
_OPEN_DOCUMENTS: Final = b"application/vnd.oasis.opendocument."
_PHOTOS: Final = (b"ftypheic", b"ftypavif", b"ftypmif1")


def kind_of(data: bytes | IO[bytes]) -> UploadKind | None:
    """Return the kind of a file, or None for text and unknown kinds. Never raises.

    An open file must support seeking. Its position afterwards is the beginning.
    """
    file = io.BytesIO(data) if isinstance(data, bytes) else data
    file.seek(0)
    head = file.read(HEAD_BYTES)
    file.seek(0)
    if head.startswith(_ZIP):
        kind = _kind_of_zip(file)
        file.seek(0)
        return kind
    if head.startswith(_COMPOUND):
        # The directory with the stream names may be anywhere in the file, so search all of it if
        # possible.
        directory = data if isinstance(data, bytes) else head
        return _kind_of_compound(directory)
    if head[4:12] in _PHOTOS or (head[:4], head[8:12]) == (b"RIFF", b"WEBP"):
        return UploadKind.PICTURE
    if (head[:3], head[4:10]) == (b"BZh", b"1AY&SY"):
        return UploadKind.ARCHIVE
    for beginning, kind in _BEGINNINGS.items():
        if head.startswith(beginning):
            return kind
    return _kind_of_markup(head)


def _kind_of_markup(head: bytes) -> UploadKind | None:
    text = head.removeprefix(b"\xef\xbb\xbf").lstrip().lower()
    if text.startswith(_WEB_PAGES):
        return UploadKind.WEB_PAGE
    if text.startswith(b"<?xml"):
        if b"excel.sheet" in text or b"office:spreadsheet" in text:
            return UploadKind.XML_WORKBOOK
        if b"<html" in text:
            return UploadKind.WEB_PAGE
    return None


def _kind_of_zip(file: IO[bytes]) -> UploadKind:
    try:
        with zipfile.ZipFile(file) as packed:
            names = set(packed.namelist())
            if "mimetype" in names:
                with packed.open("mimetype") as inside:
                    mimetype = inside.read(len(_OPEN_WORKBOOKS))
                if mimetype.startswith(_OPEN_WORKBOOKS):
                    return UploadKind.OPEN_WORKBOOK
                if mimetype.startswith(_OPEN_DOCUMENTS):
                    return UploadKind.OPEN_DOCUMENT
            return _kind_of_members(names)
    except Exception:  # a damaged file can raise errors of zipfile, zlib or struct
        return UploadKind.ZIP


def _kind_of_members(names: Collection[str]) -> UploadKind:
    if "xl/workbook.bin" in names:
        return UploadKind.BINARY_WORKBOOK
    if "word/document.xml" in names:
        return UploadKind.WORD
    if "ppt/presentation.xml" in names:
        return UploadKind.SLIDES
    if any(name.endswith(".iwa") or name == "Index.zip" for name in names):
        return UploadKind.NUMBERS
    # Programs may store the sheets of a workbook under other names, but this member always lists
    # all parts of the file.
    return UploadKind.WORKBOOK if "[Content_Types].xml" in names else UploadKind.ZIP


def _kind_of_compound(data: bytes) -> UploadKind:
    """Return the kind of a file in the old Office format, also used for encrypted files."""
    for stream, kind in (
        ("EncryptedPackage", UploadKind.LOCKED_WORKBOOK),
        ("WordDocument", UploadKind.OLD_WORD),
        ("PowerPoint Document", UploadKind.OLD_WORD),
    ):
        if stream.encode("utf-16-le") in data:
            return kind
    return UploadKind.OLD_WORKBOOK
