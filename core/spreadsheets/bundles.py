"""Read a roster (matadors, bulls, plazas) from a zip file of CSV files with a manifest."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Collection, Mapping, Sequence
from hashlib import sha256
from typing import Final

from core.spreadsheets.csv_files import read_csv
from core.spreadsheets.errors import Refused
from core.spreadsheets.limits import Limits
from core.spreadsheets.messages import gettext_noop as _
from core.spreadsheets.sheets import Sheet
from core.spreadsheets.zip_files import check_zip

MANIFEST: Final = "manifest.json"
FORMAT: Final = "temporada-roster"
# Version of the bundle format. Bundles with a later version are rejected.
VERSION: Final = 1
_MAX_MANIFEST_BYTES: Final = 100_000


def is_bundle(data: bytes) -> bool:
    """Return True if a zip file has a manifest or contains CSV files.

    An XLSX workbook is a zip file too, but contains neither.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            names = packed.namelist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        return False
    return MANIFEST in names or any(name.casefold().endswith(".csv") for name in names)


def read_bundle(
    data: bytes, name: str, limits: Limits, tables: Collection[str]
) -> tuple[list[Sheet], tuple[str, ...]]:
    """Read the tables of a bundle. `tables` are the table names allowed.

    Raises `Refused` if the bundle is incomplete, was altered, or has a later format version.
    """
    members = {member.filename: member for member in check_zip(data, name, limits)}
    if MANIFEST not in members:
        raise Refused(_("The bundle has no manifest.json."), name)
    with zipfile.ZipFile(io.BytesIO(data)) as packed:
        files = _files(_manifest(packed), tables)
        _check_names(files, members, name)
        return _read_all(packed, files, limits)


def _read_all(
    packed: zipfile.ZipFile, files: Mapping[str, Mapping[str, object]], limits: Limits
) -> tuple[list[Sheet], tuple[str, ...]]:
    sheets, guessed = [], []
    for file, entry in files.items():
        text = _unpack(packed, file)
        if sha256(text).hexdigest() != entry.get("sha256"):
            raise Refused(
                _(
                    "The file does not match the manifest, so it was changed or damaged. Import "
                    "the file alone, as CSV."
                ),
                file,
            )
        sheet, by_guess = read_csv(text, file, limits)
        if len(sheet.lines) - 1 != entry.get("rows"):
            raise Refused(
                _("The number of rows must be as stated in the manifest: %(rows)s."),
                file,
                rows=entry.get("rows"),
            )
        sheets.append(sheet)
        guessed += [file] if by_guess else []
    return [sheet for sheet in sheets if len(sheet.lines) > 1], tuple(guessed)


def _unpack(packed: zipfile.ZipFile, file: str) -> bytes:
    try:
        return packed.read(file)
    except Exception:  # a damaged file can raise errors of zipfile, zlib, lzma or bz2
        raise Refused(_("The file is damaged: it cannot be unpacked."), file) from None


def _manifest(packed: zipfile.ZipFile) -> Mapping[str, object]:
    try:
        manifest = json.loads(_unpack(packed, MANIFEST)[:_MAX_MANIFEST_BYTES])
    except (ValueError, RecursionError):
        raise Refused(_("The manifest cannot be read."), MANIFEST) from None
    if not isinstance(manifest, dict) or manifest.get("format") != FORMAT:
        raise Refused(_("This bundle does not contain a roster."), MANIFEST)
    version = manifest.get("version")
    if isinstance(version, bool) or not isinstance(version, int) or version < 1:
        raise Refused(_("The manifest cannot be read."), MANIFEST)
    if version > VERSION:
        sentence = _(
            "The bundle has format %(version)s, from a newer version of Temporada. This site "
            "supports formats up to %(ours)s."
        )
        raise Refused(sentence, MANIFEST, version=version, ours=VERSION)
    return manifest


def _files(
    manifest: Mapping[str, object], tables: Collection[str]
) -> Mapping[str, Mapping[str, object]]:
    files = manifest.get("files")
    ours = {f"{name}.csv" for name in tables}
    if not isinstance(files, dict) or not set(files) <= ours:
        raise Refused(_("The manifest lists files that are not roster tables."), MANIFEST)
    if not all(isinstance(of, dict) for of in files.values()):
        raise Refused(_("The manifest cannot be read."), MANIFEST)
    return files


def _check_names(
    files: Mapping[str, object], members: Sequence[str] | Mapping[str, object], name: str
) -> None:
    missing = [file for file in files if file not in members]
    if missing:
        raise Refused(
            _("The bundle lacks %(file)s, which is listed in its manifest."), name, file=missing[0]
        )
    beyond = [file for file in members if file != MANIFEST and file not in files]
    if beyond:
        raise Refused(
            _("The bundle contains a file that its manifest does not list: %(file)s."),
            name,
            file=beyond[0][:80],
        )
