"""Result records in files, and the findings of a reader."""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from enum import StrEnum
from hashlib import sha256
from itertools import combinations
from typing import Final, NamedTuple

from core.names.text import comparison_key
from core.spreadsheets import sheets

MIN_SEATS, MAX_SEATS = 2, 6
MAX_ROUND = 99
MAX_POINTS = 1_000_000_000

MAX_NAME_LENGTH = 60
MAX_KEY_LENGTH = 80
MAX_TITLE_LENGTH = 100
MAX_NOTE_LENGTH = 300


class SeatRecord(NamedTuple):
    """A seat of a match. `player` is the name, empty if unknown.

    `identity` identifies the person across files and may be empty. `side` counts from 0 in seating
    order. `place` is that of the side, from 1; sides that are level share it and the next places
    are skipped. `points` are those of the side, None if not noted.
    """

    player: str
    side: int
    place: int
    points: int | None = None
    identity: str = ""


class Remark(StrEnum):
    """What was left out of a result: points that are `fractions`."""

    FRACTIONS = "fractions"


# Places by seat as they follow from noted `places`, `points` or marked `winners`.
Alternatives = tuple[tuple[str, tuple[int, ...]], ...]


class ResultRecord(NamedTuple):
    """A result. `key` identifies it across files. `seats` are in seating order.

    `played_at` is aware and in UTC; with `day_only` just its day was noted. `game` is the slug, or
    the name in files of other programs. `former_key` is the one that earlier versions gave to a
    result without a key, or empty. `site` and `league_id` are the random ids of the site and league
    that it was exported from, or empty. `alternatives` are set if marked winners contradict the
    places: each says by what they could go. `round` is the number of its round, or None. A bye is a
    result with a round and a single seat.
    """

    key: str
    played_at: datetime
    game: str
    seats: tuple[SeatRecord, ...]
    league: str = ""
    location: str = ""
    note: str = ""
    day_only: bool = False
    former_key: str = ""
    site: str = ""
    league_id: str = ""
    remarks: tuple[Remark, ...] = ()
    alternatives: Alternatives = ()
    round: int | None = None

    @property
    def is_bye(self) -> bool:
        return len(self.seats) == 1


def fingerprint(
    played_at: datetime,
    game: str,
    seats: Sequence[SeatRecord],
    round_number: int | None = None,
) -> str:
    """Return the key of a result that has none. Equal results have equal keys."""
    content: list[object] = [
        played_at.astimezone(UTC).isoformat(),
        game,
        [[seat.player, seat.identity, seat.side, seat.place, seat.points] for seat in seats],
    ]
    if round_number is not None:
        content.append(round_number)
    written = json.dumps(content, ensure_ascii=True, separators=(",", ":"))
    return f"sha256:{sha256(written.encode()).hexdigest()}"


def places_in_order(ranks: Sequence[int]) -> list[int]:
    """Return places from the ranks of the sides, lower is better. Ties share a place and skip
    the next.
    """
    return [1 + sum(other < rank for other in ranks) for rank in ranks]


def places_contradict(noted: Sequence[int], by_points: Sequence[int]) -> bool:
    """Return whether noted places and those by points exclude each other.

    Points leave open who wins a tie, and sides behind the first may be level.
    """
    for left, right in combinations(range(len(noted)), 2):
        if by_points[left] == by_points[right]:
            continue
        if noted[left] == noted[right]:
            if noted[left] == 1:
                return True
        elif (noted[left] < noted[right]) != (by_points[left] < by_points[right]):
            return True
    return False


class Verdict(StrEnum):
    """Effect of a finding: `add`, `known` (exists already), `skip` or `unreadable`.

    `doubt` is that of a result with a question. Readers do not ask any.
    """

    ADD = "add"
    DOUBT = "doubt"
    KNOWN = "known"
    SKIP = "skip"
    UNREADABLE = "unreadable"


class Code(StrEnum):
    """Reason of a finding, with its parameters in brackets.

    Add: `new`. Known: `known`; `void` (known, but void in the league); `twice` (the same result
    earlier in this file, `line` or `key`).
    Skip: `other_game` (`game`); `ignored` (marked so by the other program); `cooperative`; `seats`
    (`seats`: not two to six); `with_line` (another line of this match, `line`, is unreadable).

    Unreadable, the whole file: `size` (`most` bytes), `encoding` (damaged), `garbled` (`word` is
    nonsense, so the encoding is unknown), `kind` (`kind`, for translation: no text), `not_json`,
    `not_csv`, `quotes` (one on `line` has no end), `format` (some other file), `version`
    (`version`: unknown), `columns` (`missing`), `repeated` (column `name` appears twice), `rows`
    (`most`: the rows after them are ignored).

    Unreadable, one result: `shape` (`field` has the wrong type), `date` (`value`), `number`
    (`field`, `value`), `text` (`field`: too long, or with control characters), `names` (`player`
    has two seats), `sides` (all on one side, or one side in several places: `side`), `places`
    (neither places nor points for all), `round` (`value`: no number of a round), `bye` (it has a
    place or points), `disagrees` (`field` differs from another line of this
    match), `who` (unknown player), `what` (unknown game), `outcome` (no winner and no score).
    """

    NEW = "new"
    KNOWN = "known"
    VOID = "void"
    TWICE = "twice"
    OTHER_GAME = "other_game"
    IGNORED = "ignored"
    COOPERATIVE = "cooperative"
    SEATS = "seats"
    WITH_LINE = "with_line"
    SIZE = "size"
    ENCODING = "encoding"
    GARBLED = "garbled"
    KIND = "kind"
    NOT_JSON = "not_json"
    NOT_CSV = "not_csv"
    FORMAT = "format"
    VERSION = "version"
    COLUMNS = "columns"
    QUOTES = "quotes"
    REPEATED = "repeated"
    ROWS = "rows"
    SHAPE = "shape"
    DATE = "date"
    NUMBER = "number"
    TEXT = "text"
    NAMES = "names"
    SIDES = "sides"
    PLACES = "places"
    ROUND = "round"
    BYE = "bye"
    DISAGREES = "disagrees"
    WHO = "who"
    WHAT = "what"
    OUTCOME = "outcome"


SKIPPED_CODES = {Code.OTHER_GAME, Code.IGNORED, Code.COOPERATIVE, Code.SEATS, Code.WITH_LINE}
KNOWN_CODES = {Code.KNOWN, Code.VOID, Code.TWICE}


_NOTHING: Final[Mapping[str, str | int]] = {}


class Finding(NamedTuple):
    """A finding. `line` counts from 1 or is None. `key` is that of the result.

    `record` is set if the verdict is `add` or `known`. Otherwise `about` says which result it is:
    date and names as far as they can be read.
    """

    code: Code
    params: Mapping[str, str | int] = _NOTHING
    line: int | None = None
    key: str = ""
    record: ResultRecord | None = None
    about: str = ""

    @property
    def verdict(self) -> Verdict:
        if self.code is Code.NEW:
            return Verdict.ADD
        if self.code in KNOWN_CODES:
            return Verdict.KNOWN
        return Verdict.SKIP if self.code in SKIPPED_CODES else Verdict.UNREADABLE


@dataclass(frozen=True, slots=True)
class Reading:
    """What was found in a file, in its order.

    Findings beyond those listed are counted by verdict in `unlisted`, and those of other games by
    game in `unlisted_games`.
    """

    findings: tuple[Finding, ...]
    unlisted: Mapping[str, int] = field(default_factory=dict)
    unlisted_games: Mapping[str, int] = field(default_factory=dict)

    @property
    def other_games(self) -> dict[str, int]:
        """Games of skipped results and their number, most first."""
        return dict((_games(self.findings) + Counter(self.unlisted_games)).most_common())

    @property
    def records(self) -> tuple[ResultRecord, ...]:
        return tuple(f.record for f in self.findings if f.record and f.verdict is Verdict.ADD)

    def count(self, verdict: Verdict) -> int:
        listed = sum(finding.verdict is verdict for finding in self.findings)
        return listed + self.unlisted.get(verdict, 0)


MAX_LISTED: Final = 1000
# Findings that add nothing and are listed one by one.


def limited(reading: Reading) -> Reading:
    """Return the same findings, of which those that add nothing are listed only so far.

    A page shows no more of them, and a file may have a hundred thousand.
    """
    listed, rest, room = [], [], MAX_LISTED
    for finding in reading.findings:
        adds = finding.code is Code.NEW
        if adds or room:
            listed.append(finding)
            room -= not adds
        else:
            rest.append(finding)
    verdicts = Counter(finding.verdict.value for finding in rest)
    return Reading(tuple(listed), dict(verdicts), dict(_games(rest)))


def _games(findings: Iterable[Finding]) -> Counter[str]:
    skipped = (finding for finding in findings if finding.code is Code.OTHER_GAME)
    return Counter(str(finding.params["game"]) for finding in skipped)


class Refused(Exception):
    """A value can't be read or is not wanted. Readers convert this exception to a finding."""

    def __init__(self, code: Code, **params: object) -> None:
        super().__init__(code.value)
        self.code = code
        self.params = {name: quoted(value) for name, value in params.items()}

    def finding(self, line: int | None = None, key: str = "", about: str = "") -> Finding:
        return Finding(self.code, self.params, line=line, key=key, about=about)


def quoted(value: object) -> str | int:
    """Return a value of a file for display: short, without control characters, as JSON has it."""
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**15:
        return value
    if value is None:
        return "–"
    if isinstance(value, dict | list):
        return "{…}" if isinstance(value, dict) else "[…]"
    return sheets.quoted(str(value).lower() if isinstance(value, bool) else value)


def description(played_at: object, names: Iterable[object]) -> str:
    """Return date and names of a result that cannot be read, as they are written."""
    texts = [text for text in (played_at, *names) if isinstance(text, str) and text.strip()]
    return ", ".join(str(quoted(text)) for text in texts[: 1 + MAX_SEATS])


def mark_repeated(findings: Iterable[Finding]) -> tuple[Finding, ...]:
    """Return the findings, of which the same result later in the file is marked `twice`.

    A key means the same result only with the same people.
    """
    seen: set[tuple[str, frozenset[str]]] = set()
    out = []
    for finding in findings:
        if finding.code is Code.NEW and finding.record is not None:
            names = frozenset(comparison_key(seat.player) for seat in finding.record.seats)
            if (finding.key, names) in seen:
                out.append(with_code(finding, Code.TWICE))
                continue
            seen.add((finding.key, names))
        out.append(finding)
    return tuple(out)


def with_code(finding: Finding, code: Code) -> Finding:
    return Finding(code, {}, line=finding.line, key=finding.key, record=finding.record)
