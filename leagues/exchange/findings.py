"""What a reader finds in a file: line by line, for a dry run, and what could be added."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum

from leagues.exchange.records import ResultRecord

SHOWN_LENGTH = 80
"""Letters of a wrong value that are quoted."""


class Verdict(StrEnum):
    """What would happen: `add`, `known` (already there), `skip`, `unreadable`."""

    ADD = "add"
    KNOWN = "known"
    SKIP = "skip"
    UNREADABLE = "unreadable"


class Code(StrEnum):
    """Why; what stands in brackets are the parameters.

    Add: `new`. Known: `known`; `twice` (the same result earlier in this file, `line` or `key`).
    Skip: `other_game` (`game`); `ignored` (so marked where it comes from); `cooperative`;
    `seats` (`seats`: not two to six); `with_line` (another line of this match, `line`, cannot be
    read).
    Unreadable, the whole file: `size` (`most` bytes), `encoding` (not UTF-8), `not_json`,
    `not_csv`, `format` (some other file), `version` (`version`: not one we know), `columns`
    (`missing`), `rows` (`most`: what comes after them is left out).
    Unreadable, one result: `shape` (`field` is not what it should be), `date` (`value`),
    `number` (`field`, `value`), `text` (`field`: too long, or with signs no text has), `names`
    (`player` sits twice), `sides` (all on one side, or one side in several places: `side`),
    `places` (neither places nor points for all), `disagrees` (`field` is another in another
    line of this match), `who` (a player the file does not know), `what` (a game it does not
    know), `outcome` (nobody won and there is no score).
    """

    NEW = "new"
    KNOWN = "known"
    TWICE = "twice"
    OTHER_GAME = "other_game"
    IGNORED = "ignored"
    COOPERATIVE = "cooperative"
    SEATS = "seats"
    WITH_LINE = "with_line"
    SIZE = "size"
    ENCODING = "encoding"
    NOT_JSON = "not_json"
    NOT_CSV = "not_csv"
    FORMAT = "format"
    VERSION = "version"
    COLUMNS = "columns"
    ROWS = "rows"
    SHAPE = "shape"
    DATE = "date"
    NUMBER = "number"
    TEXT = "text"
    NAMES = "names"
    SIDES = "sides"
    PLACES = "places"
    DISAGREES = "disagrees"
    WHO = "who"
    WHAT = "what"
    OUTCOME = "outcome"


SKIPPED = {Code.OTHER_GAME, Code.IGNORED, Code.COOPERATIVE, Code.SEATS, Code.WITH_LINE}
SEEN = {Code.KNOWN, Code.TWICE}


@dataclass(frozen=True, slots=True)
class Finding:
    """One thing found. `line`: where in the file, from 1, or None; `key`: of which result.

    `record` is there where the verdict is `add` or `known`.
    """

    code: Code
    params: Mapping[str, str | int] = field(default_factory=dict, hash=False)
    line: int | None = None
    key: str = ""
    record: ResultRecord | None = None

    @property
    def verdict(self) -> Verdict:
        """What would happen."""
        if self.code is Code.NEW:
            return Verdict.ADD
        if self.code in SEEN:
            return Verdict.KNOWN
        return Verdict.SKIP if self.code in SKIPPED else Verdict.UNREADABLE


@dataclass(frozen=True, slots=True)
class Reading:
    """All that was found in a file, in its order."""

    findings: tuple[Finding, ...]

    @property
    def other_games(self) -> dict[str, int]:
        """The names of the games whose results are skipped, and how many of each."""
        skipped = (one for one in self.findings if one.code is Code.OTHER_GAME)
        return dict(Counter(str(one.params["game"]) for one in skipped))

    @property
    def records(self) -> tuple[ResultRecord, ...]:
        """What would be added."""
        return tuple(f.record for f in self.findings if f.record and f.verdict is Verdict.ADD)

    def count(self, verdict: Verdict) -> int:
        """How many findings say so."""
        return sum(finding.verdict is verdict for finding in self.findings)


class Refused(Exception):  # noqa: N818 - it becomes a finding and goes no further
    """Something cannot be read, or is not wanted; readers turn it into a finding."""

    def __init__(self, code: Code, **params: object) -> None:
        super().__init__(code.value)
        self.code = code
        self.params = {name: quoted(value) for name, value in params.items()}

    def finding(self, line: int | None = None, key: str = "") -> Finding:
        """The same as a finding."""
        return Finding(self.code, self.params, line=line, key=key)


def quoted(value: object) -> str | int:
    """A value as it may be shown: short, and without signs that no page can hold."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**15:
        return value
    text = value if isinstance(value, str) else type(value).__name__
    shown = "".join(
        letter if letter.isprintable() else "\N{REPLACEMENT CHARACTER}"
        for letter in text[: SHOWN_LENGTH + 1]
    )
    return shown if len(shown) <= SHOWN_LENGTH else shown[: SHOWN_LENGTH - 1] + "…"


def sorted_out(found: Iterable[Finding], known: Collection[str]) -> tuple[Finding, ...]:
    """The findings with those results marked that are already there, or earlier in the file."""
    there, seen, out = frozenset(known), set[str](), []
    for finding in found:
        if finding.code is Code.NEW and finding.key in there:
            out.append(_marked(finding, Code.KNOWN))
        elif finding.code is Code.NEW and finding.key in seen:
            out.append(_marked(finding, Code.TWICE))
        else:
            out.append(finding)
            if finding.code is Code.NEW:
                seen.add(finding.key)
    return tuple(out)


def _marked(finding: Finding, code: Code) -> Finding:
    return Finding(code, {}, line=finding.line, key=finding.key, record=finding.record)
