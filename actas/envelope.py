"""Create the fields that all records of game results share, and write records to files."""

from __future__ import annotations

import json
from collections.abc import Mapping
from hashlib import sha256
from typing import Final

from api.types import JSON
from fairness import canonical

FORMAT: Final = "temporada/acta"
VERSION: Final = 1
SITE: Final = "Temporada"
# Version of this site's software. `pyproject.toml` and `compose.yaml` contain the same version.
SITE_VERSION: Final = "0.2.0"

Document = dict[str, JSON]


def make_document(
    *, game: str, kind: str, engine: str, of: Mapping[str, JSON], content: Mapping[str, JSON]
) -> Document:
    """Return a record with this content and its digest.

    `of` names the subject of the record on this site, such as `{"corrida": 12}`. `of` and `site`
    are covered by the digest, but not by the commitment.
    """
    document: Document = {
        "format": FORMAT,
        "version": VERSION,
        "game": game,
        "kind": kind,
        "site": {"name": SITE, "version": SITE_VERSION, "engine": engine},
        "of": dict(of),
        **content,
    }
    return document | {"digest": digest(document)}


def digest(document: Mapping[str, JSON]) -> str:
    """Return the SHA-256 of a record in canonical form, in hexadecimal digits.

    The member `digest` itself is left out.
    """
    return sha256(canonical(without_digest(document))).hexdigest()


def without_digest(document: Mapping[str, JSON]) -> Document:
    return {name: part for name, part in document.items() if name != "digest"}


def to_bytes(document: JSON) -> bytes:
    """Return the record of a game as indented JSON.

    A list or object that contains no other list or object is written on one line.
    """
    return (_format(document, "") + "\n").encode()


def _format(part: JSON, margin: str) -> str:
    further = margin + "  "
    if not isinstance(part, dict | list) or not part or _is_flat(part):
        return json.dumps(part, ensure_ascii=False, allow_nan=False)
    if isinstance(part, list):
        opening, closing, lines = "[", "]", [_format(item, further) for item in part]
    else:
        opening, closing = "{", "}"
        lines = [f"{json.dumps(name, ensure_ascii=False)}: {_format(item, further)}"
                 for name, item in part.items()]  # fmt: skip
    inside = ",\n".join(further + line for line in lines)
    return f"{opening}\n{inside}\n{margin}{closing}"


# Maximum number of characters in the texts of a list or object that is written on one line.
MAX_LINE_LENGTH: Final = 80


def _is_flat(part: dict[str, JSON] | list[JSON]) -> bool:
    items = list(part.values()) if isinstance(part, dict) else part
    if any(isinstance(item, dict | list) for item in items):
        return False
    return sum(len(item) for item in items if isinstance(item, str)) <= MAX_LINE_LENGTH
