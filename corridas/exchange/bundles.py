"""A whole roster as one zip of CSV files with a manifest; the same roster gives the same bytes."""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from corridas.exchange.standing import Standing
from corridas.exchange.tables import TABLES
from spreadsheets.bundles import FORMAT, MANIFEST, VERSION
from spreadsheets.csv_files import write_csv

SITE_VERSION: Final = "0.1.0"
_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
_UNIX: Final = 3
_READABLE: Final = 0o644 << 16


def rows_of(roster: Standing, table: str, *, office: bool) -> list[list[str]]:
    """The rows of a table as they are written."""
    names = TABLES[table].names(office=office)
    return [[record[name] for name in names] for record in roster.tables[table].values()]


def write_bundle(roster: Standing, *, slug: str, name: str, office: bool) -> bytes:
    """The roster of a circuit as one file."""
    files = {
        f"{table.name}.csv": write_csv(
            table.names(office=office), rows_of(roster, table.name, office=office)
        ).encode()
        for table in TABLES.values()
    }
    counts = {f"{name}.csv": len(records) for name, records in roster.tables.items()}
    manifest = {
        "format": FORMAT,
        "version": VERSION,
        "made_by": f"Temporada {SITE_VERSION}",
        "circuit": {"slug": slug, "name": name},
        "files": {
            file: {"sha256": sha256(data).hexdigest(), "rows": counts[file]}
            for file, data in files.items()
        },
    }
    text = json.dumps(manifest, ensure_ascii=False, indent=2) + "\n"
    return _packed({MANIFEST: text.encode(), **files})


def _packed(files: Mapping[str, bytes]) -> bytes:
    """A zip without a word on when, where and by whom it was made."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as packed:
        for name, data in files.items():
            member = zipfile.ZipInfo(name, _LONG_AGO)
            member.create_system, member.external_attr = _UNIX, _READABLE
            member.compress_type = zipfile.ZIP_DEFLATED
            packed.writestr(member, data, compresslevel=9)
    return out.getvalue()
