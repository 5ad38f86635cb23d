"""Registry of the kinds of records, and the check of a record by calculating its results again."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, ngettext

from actas.envelope import FORMAT, VERSION, digest
from actas.parsing import DocumentPart, Malformed, check_bounds, load
from api.types import JSON
from fairness import ABSENT, CommitmentDifference, commitment

MAX_DIFFERENCES: Final = 50
# Maximum number of characters of a value in a line that describes a difference.
MAX_VALUE_LENGTH: Final = 120
# Translated descriptions of records, by the key of their kind.
TITLES: Final = {
    "lidia": gettext_lazy("record of a lidia"),
    "corrida": gettext_lazy("record of a corrida"),
    "hand": gettext_lazy("record of a hand"),
    "game": gettext_lazy("record of an evening of El Toro"),
    "match": gettext_lazy("record of a match"),
    "sheet": gettext_lazy("record of a scoresheet from a real table"),
    "season": gettext_lazy("season file"),
}


@dataclass(frozen=True, kw_only=True)
class RecordKind:
    """One kind of record and how it is checked without the database.

    `check` returns all differences between the record and the results calculated from it by the
    rules of the game. The digest and commitment have been checked before. It may raise `Malformed`,
    or any ValueError whose message is a sentence. With `sealed`, the record has a `stake`, `seed`
    and `commitment`.
    """

    game: str
    kind: str
    check: Callable[[DocumentPart], Iterable[CommitmentDifference]]
    sealed: bool = True


_kinds: dict[tuple[str, str], RecordKind] = {}


def register(kind: RecordKind) -> None:
    if _kinds.setdefault((kind.game, kind.kind), kind) is not kind:
        raise ValueError(f"The acta {kind.game}/{kind.kind} is registered already.")


def kinds() -> tuple[RecordKind, ...]:
    return tuple(_kinds.values())


@dataclass(frozen=True, kw_only=True)
class VerificationResult:
    """The result of checking a record.

    `refused` says where and why the document is not a valid record. It is empty for a valid one.
    `differences` are the values that differ from the calculated ones, as far as they were found
    before any error. If `more` is true, there are more differences than listed. `note` is a further
    remark. `game` and `kind` are empty if unknown.
    """

    game: str = ""
    kind: str = ""
    refused: str = ""
    differences: tuple[CommitmentDifference, ...] = ()
    more: bool = False
    note: str = ""

    @property
    def is_confirmed(self) -> bool:
        return not self.refused and not self.differences

    @property
    def title(self) -> str:
        return str(TITLES.get(self.kind, self.kind))

    @property
    def sentence(self) -> str:
        if self.refused:
            return _("This is not a record that can be checked: %(why)s") % {"why": self.refused}
        if self.differences:
            count = len(self.differences)
            words = ngettext(
                "%(n)s value in the record differs from the calculated one.",
                "%(n)s values in the record differ from the calculated ones.",
                count,
            )
            return (
                _("At least %(n)s values in the record differ from the calculated ones.")
                if self.more
                else words
            ) % {"n": count}
        return _("Everything was calculated again, and the record is correct.")

    @property
    def lines(self) -> tuple[str, ...]:
        return tuple(
            _("%(path)s should be %(found)s, but is %(claimed)s")
            % {
                "path": difference.name,
                "claimed": _format_value(difference.claimed),
                "found": _format_value(difference.found),
            }
            for difference in self.differences
        )


def _format_value(value: object) -> str:
    text = repr(value) if isinstance(value, str) else str(value)
    return text if len(text) <= MAX_VALUE_LENGTH else f"{text[: MAX_VALUE_LENGTH - 1]}…"


def check(document: JSON) -> VerificationResult:
    """Return the verdict on a record given as parsed JSON. Never raises because of its content."""
    try:
        check_bounds(document)
        kind = _kind_of(DocumentPart(document))
    except Malformed as error:
        return VerificationResult(refused=str(error))
    differences: list[CommitmentDifference] = []
    refused = ""
    try:
        differences += islice(_differences(kind, DocumentPart(document)), MAX_DIFFERENCES + 1)
    except ValueError as error:  # differences found so far stay in the verdict
        refused = str(error)
    return VerificationResult(
        game=kind.game,
        kind=kind.kind,
        refused=refused,
        differences=tuple(differences[:MAX_DIFFERENCES]),
        more=len(differences) > MAX_DIFFERENCES,
    )


def check_file(data: bytes) -> VerificationResult:
    try:
        return check(load(data))
    except Malformed as error:
        return VerificationResult(refused=str(error))


def check_part(part: DocumentPart) -> Sequence[CommitmentDifference]:
    """Return the differences of a record that is part of another document.

    Raises ValueError if it is not a valid record.
    """
    kind = _kind_of(part)
    return [
        CommitmentDifference(f"{part.path}/{name}", claimed, actual)
        for name, claimed, actual in _differences(kind, DocumentPart(part.value))
    ]


def _kind_of(document: DocumentPart) -> RecordKind:
    if document["format"].text() != FORMAT:
        raise document["format"].malformed(
            _("The format of the record must be “%(format)s”.") % {"format": FORMAT}
        )
    if document["version"].value != VERSION or document["version"].value is True:
        words = {"version": VERSION}
        raise document["version"].malformed(
            _("Only version %(version)s of this format is supported.") % words
        )
    key = document["game"].text(), document["kind"].text()
    if key not in _kinds:
        raise document["kind"].malformed(_("No game on this site has records of this type."))
    return _kinds[key]


def _differences(kind: RecordKind, document: DocumentPart) -> Iterable[CommitmentDifference]:
    claimed = document["digest"].digits(32).hex()
    if claimed != (actual := digest(document.value)):
        yield CommitmentDifference("digest", claimed, actual)
    if kind.sealed:
        promised, seed = document["commitment"].digits(32), document["seed"].digits(32)
        document["stake"].mapping()
        kept = commitment(seed, document["stake"].value)
        if promised != kept:
            yield CommitmentDifference("commitment", promised.hex(), kept.hex())
    yield from kind.check(document)


def differences(claimed: object, actual: object, path: str = "") -> Iterator[CommitmentDifference]:
    """Yield a `CommitmentDifference` for every value that differs, in the order of the document.

    Values of different types differ, so 1, true and "1" all differ. If a value is missing on one
    side, `ABSENT` takes its place.
    """
    if isinstance(claimed, dict) and isinstance(actual, dict):
        for name in [*claimed, *(name for name in actual if name not in claimed)]:
            way = f"{path}/{name}" if path else name
            yield from differences(claimed.get(name, ABSENT), actual.get(name, ABSENT), way)
    elif isinstance(claimed, list) and isinstance(actual, list):
        for at in range(max(len(claimed), len(actual))):
            yield from differences(
                _item_or_absent(claimed, at), _item_or_absent(actual, at), f"{path}/{at}"
            )
    elif type(claimed) is not type(actual) or claimed != actual:
        yield CommitmentDifference(path, claimed, actual)


def _item_or_absent(items: list[object], at: int) -> Any:
    return items[at] if at < len(items) else ABSENT
