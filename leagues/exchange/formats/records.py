"""Records of results in files, and the findings of a reader."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256

MIN_SEATS, MAX_SEATS = 2, 6
MAX_POINTS = 1_000_000_000

MAX_NAME_LENGTH = 60
MAX_KEY_LENGTH = 80
MAX_TITLE_LENGTH = 100
MAX_NOTE_LENGTH = 300


@dataclass(frozen=True, slots=True, kw_only=True)
class SeatRecord:
    """One who sat at the match. `player`: the name, empty for somebody unknown.

    `identity`: what names the person across files, may be empty. `side`: from 0 in the order in
    which the sides sit. `place`: of the side, from 1, level sides alike, the next after all
    before it. `points`: of the side, None where nobody wrote them down.
    """

    player: str
    side: int
    place: int
    points: int | None = None
    identity: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultRecord:
    """One result. `key` names it across files; `seats` are in the order of the table.

    `played_at` is aware, in UTC. `game`: its slug, or its name where the file is another
    program's.
    """

    key: str
    played_at: datetime
    game: str
    seats: tuple[SeatRecord, ...]
    league: str = ""
    location: str = ""
    note: str = ""


def fingerprint(played_at: datetime, game: str, seats: Sequence[SeatRecord]) -> str:
    """The key of a result that was given none: the same figures have the same."""
    content = [
        played_at.astimezone(UTC).isoformat(),
        game,
        [[seat.player, seat.identity, seat.side, seat.place, seat.points] for seat in seats],
    ]
    written = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return f"sha256:{sha256(written.encode()).hexdigest()}"


def places_in_order(ranks: Sequence[int]) -> list[int]:
    """Places from ranks (lower is better) of the sides: level ones alike, then as many skipped."""
    return [1 + sum(other < rank for other in ranks) for rank in ranks]


MAX_QUOTED_LENGTH = 80
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


SKIPPED_CODES = {Code.OTHER_GAME, Code.IGNORED, Code.COOPERATIVE, Code.SEATS, Code.WITH_LINE}
KNOWN_CODES = {Code.KNOWN, Code.TWICE}


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
        if self.code in KNOWN_CODES:
            return Verdict.KNOWN
        return Verdict.SKIP if self.code in SKIPPED_CODES else Verdict.UNREADABLE


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
        for letter in text[: MAX_QUOTED_LENGTH + 1]
    )
    return shown if len(shown) <= MAX_QUOTED_LENGTH else shown[: MAX_QUOTED_LENGTH - 1] + "…"


def mark_known(found: Iterable[Finding], known: Collection[str]) -> tuple[Finding, ...]:
    """The findings with those results marked that are already there, or earlier in the file."""
    there, seen, out = frozenset(known), set[str](), []
    for finding in found:
        if finding.code is Code.NEW and finding.key in there:
            out.append(_with_code(finding, Code.KNOWN))
        elif finding.code is Code.NEW and finding.key in seen:
            out.append(_with_code(finding, Code.TWICE))
        else:
            out.append(finding)
            if finding.code is Code.NEW:
                seen.add(finding.key)
    return tuple(out)


def _with_code(finding: Finding, code: Code) -> Finding:
    return Finding(code, {}, line=finding.line, key=finding.key, record=finding.record)
