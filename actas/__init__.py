"""The records anyone can check, of every game that registers its kinds.

An acta (the Spanish for the official record of a contest) is one plain JSON document:

    {"format": "temporada/acta", "version": 1,
     "game": "indulto" | "dominoes" | "eltoro",        the key that leagues know the game by
     "kind": "lidia" | "corrida" | "hand" | "game" | "match" | "sheet",
     "site": {"name", "version", "engine"},
     "of": {...},                                      what on this site: {"corrida": 12}, ...
     "rules": {every option}, "stake": {...}, "commitment": hex, "seed": hex,
     ... the game's own: deck or board in full, draws, decisions in order, results ...,
     "digest": hex}

`commitment == sha256(seed + canonical(stake))` holds for every kind that is `sealed` (a `sheet`
from a real table and a `match` of several rounds have none of their own); `digest` is SHA-256 over
the canonical form of all the rest. Each kind is described, field by field, in `docs/records.md`.

    actas.register(RecordKind(game=..., kind=..., check=...))  from `AppConfig.ready`
    actas.check(document) -> Verdict                     of what was read as JSON; never raises
    actas.check_file(data) -> Verdict                    of the bytes of a file
    actas.bundles.register(Bundle(...))                  a file of many records, as a season
    actas.make_document(game=, kind=, engine=, of=, content=) -> dict, digest and all
    actas.to_bytes(document) -> bytes                    the file, as people like to read it
    actas.NotYet                                         there is no such acta, or not yet

Writers: `corridas.archive.acta.of_corrida(corrida)`, `of_lidia(corrida, turn)` there,
`leagues.tables.actas.acta_of_round(log, number)` and `acta_of_match(match)`; each raises
`NotYet`. A kind's `check` takes a `Part`: it reads what the document was made from, makes it anew
and gives `differences(claimed, found)`.
"""

from actas import bundles
from actas.envelope import Document, digest, make_document, to_bytes, without_digest
from actas.parsing import MAX_BYTES, Malformed, Part, load
from actas.verification import (
    RecordKind,
    Verdict,
    check,
    check_file,
    check_part,
    differences,
    kinds,
    register,
)
from api.types import JSON


class NotYet(LookupError):
    """The record does not exist, or not yet. The message says why."""


__all__ = [
    "JSON",
    "MAX_BYTES",
    "Document",
    "Malformed",
    "NotYet",
    "Part",
    "RecordKind",
    "Verdict",
    "bundles",
    "check",
    "check_file",
    "check_part",
    "differences",
    "digest",
    "kinds",
    "load",
    "make_document",
    "register",
    "to_bytes",
    "without_digest",
]
