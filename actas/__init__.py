"""Records (actas): JSON documents with which anyone can check the result of a game.

An acta (Spanish for the official record of a contest) is one JSON document:

    {"format": "temporada/acta", "version": 1,
     "game": "indulto" | "dominoes" | "eltoro",        the game's key, as in leagues
     "kind": "lidia" | "corrida" | "hand" | "game" | "match" | "sheet",
     "site": {"name", "version", "engine"},
     "of": {...},                                      the subject on this site: {"corrida": 12}
     "rules": {every option}, "stake": {...}, "commitment": hex, "seed": hex,
     ... members of the game: the deck or board, draws, decisions in order, results ...,
     "digest": hex}

Every kind that is `sealed` satisfies `commitment == sha256(seed + canonical(stake))`. A `sheet`
(the scoresheet of a real table) and a `match` of several rounds have no commitment. `digest` is the
SHA-256 of the canonical form of all other members. `docs/records.md` describes the fields of each
kind.

    actas.register(RecordKind(game=..., kind=..., check=...))  registers a kind in `AppConfig.ready`
    actas.check(document) -> Verdict                     checks parsed JSON and never raises
    actas.check_file(data) -> Verdict                    checks the bytes of a file
    actas.bundles.register(Bundle(...))                  registers files with many records
    actas.make_document(game=, kind=, engine=, of=, content=) -> dict, including the digest
    actas.to_bytes(document) -> bytes                    returns the file, indented for readers
    actas.NotYet                                         the record does not exist, or not yet

Records are created by `of_corrida(corrida)` and `of_lidia(corrida, turn)` in
`corridas.archive.acta`, and by `acta_of_round(log, number)` and `acta_of_match(match)` in
`leagues.tables.actas`. Each of them may raise `NotYet`. The `check` of a kind takes a
`DocumentPart`. It reads the input of the game from the record, calculates the results again and
returns `differences(claimed, found)`.
"""

from actas import bundles
from actas.envelope import Document, digest, make_document, to_bytes, without_digest
from actas.parsing import MAX_BYTES, DocumentPart, Malformed, load
from actas.verification import (
    RecordKind,
    VerificationResult,
    check,
    check_file,
    check_part,
    differences,
    kinds,
    register,
)
from api.types import JSON


class NotYet(LookupError):
    """The record does not exist, or is not available yet. The message says why."""


__all__ = [
    "JSON",
    "MAX_BYTES",
    "Document",
    "DocumentPart",
    "Malformed",
    "NotYet",
    "RecordKind",
    "VerificationResult",
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
