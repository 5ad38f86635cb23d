"""Files that are no tables are rejected with the name of their format."""

from __future__ import annotations

import io
import zipfile
from collections.abc import Mapping

import pytest

from core.spreadsheets.files import read_sheets
from core.spreadsheets.kinds import LABELS, UploadKind, kind_of
from core.spreadsheets.limits import Limits
from core.spreadsheets.workbooks import write_workbook

OPEN_DOCUMENT = "application/vnd.oasis.opendocument."


def zipped(files: Mapping[str, str]) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", zipfile.ZIP_DEFLATED) as packed:
        for name, text in files.items():
            packed.writestr(name, text)
    return out.getvalue()


def compound(stream: str) -> bytes:
    """Return the beginning of an old Office file with this stream name in its directory."""
    return b"\xd0\xcf\x11\xe0\xa1\xb1\x1a\xe1" + bytes(6000) + stream.encode("utf-16-le")


FILES = [
    (
        zipped({"mimetype": f"{OPEN_DOCUMENT}spreadsheet", "content.xml": ""}),
        UploadKind.OPEN_WORKBOOK,
    ),
    (zipped({"mimetype": f"{OPEN_DOCUMENT}spreadsheet-template"}), UploadKind.OPEN_WORKBOOK),
    (zipped({"mimetype": f"{OPEN_DOCUMENT}text", "content.xml": ""}), UploadKind.OPEN_DOCUMENT),
    (zipped({"[Content_Types].xml": "", "xl/workbook.bin": ""}), UploadKind.BINARY_WORKBOOK),
    (zipped({"[Content_Types].xml": "", "word/document.xml": ""}), UploadKind.WORD),
    (zipped({"[Content_Types].xml": "", "ppt/presentation.xml": ""}), UploadKind.SLIDES),
    (zipped({"Index/Document.iwa": "", "preview.jpg": ""}), UploadKind.NUMBERS),
    (zipped({"notes.txt": ""}), UploadKind.ZIP),
    (compound("Workbook"), UploadKind.OLD_WORKBOOK),
    (compound("EncryptedPackage"), UploadKind.LOCKED_WORKBOOK),
    (compound("WordDocument"), UploadKind.OLD_WORD),
    (b"%PDF-1.7\n", UploadKind.PDF),
    (b"{\\rtf1\\ansi a,b}", UploadKind.RICH_TEXT),
    (b"\x89PNG\r\n\x1a\n", UploadKind.PICTURE),
    (b"\xff\xd8\xff\xe0", UploadKind.PICTURE),
    (b"RIFF\x10\0\0\0WEBPVP8 ", UploadKind.PICTURE),
    (b"\0\0\0\x18ftypheic", UploadKind.PICTURE),
    (b"\x1f\x8b\x08", UploadKind.ARCHIVE),
    (b"7z\xbc\xaf\x27\x1c", UploadKind.ARCHIVE),
    (b"SQLite format 3\0", UploadKind.DATABASE),
    (b"\xef\xbb\xbf <HTML><body><table><tr><td>slug", UploadKind.WEB_PAGE),
    (b"<?xml version='1.0'?>\n<?mso-application progid='Excel.Sheet'?>", UploadKind.XML_WORKBOOK),
]


@pytest.mark.parametrize(("data", "kind"), FILES, ids=[str(kind) for _data, kind in FILES])
def test_file_format_is_recognised_and_named_in_the_error(data: bytes, kind: UploadKind) -> None:
    assert kind_of(data) is kind
    assert kind_of(io.BytesIO(data)) in {kind, UploadKind.OLD_WORKBOOK}
    fault = read_sheets(data, "plazas.xlsx", Limits(), ["plazas"]).fault
    assert fault is not None
    assert (fault.sheet, fault.params) == ("plazas.xlsx", {"kind": LABELS[kind]})
    assert fault.said.startswith(f"This file is {LABELS[kind]}, which can’t be read here.")


def test_workbooks_are_recognised_and_plain_text_is_no_known_format() -> None:
    assert kind_of(write_workbook([("plazas", ["slug"], [])])) is UploadKind.WORKBOOK
    for text in (b"", b"slug,name\n", b"PK,name\n", b"<b>,name", b'{"a": 1}', b"GIF,RIFF"):
        assert kind_of(text) is None
    assert set(LABELS) == set(UploadKind)


def test_truncated_zip_file_is_recognised_as_zip() -> None:
    whole = zipped({"mimetype": f"{OPEN_DOCUMENT}spreadsheet"})
    assert kind_of(whole[:40]) is UploadKind.ZIP


def test_recognising_a_format_rewinds_the_file() -> None:
    for data, _kind in FILES:
        file = io.BytesIO(data)
        file.seek(2)
        kind_of(file)
        assert file.tell() == 0
