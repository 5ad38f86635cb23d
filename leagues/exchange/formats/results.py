"""Data types for results in files, and for the findings that a reader reports."""

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
    """A seat of a match.

    `player` is the name, empty if unknown. `identity` identifies the person in all files and may be
    empty. `side` is a number from 0 in seating order. `place` is the place of the side, from 1.
    Tied sides share a place, and the following places are skipped. `points` are the points of the
    side, None if not noted.
    """

    player: str
    side: int
    place: int
    points: int | None = None
    identity: str = ""


class Remark(StrEnum):
    """Reason why a part of an imported result was left out.

    `fractions`: the points are not integers.
    """

    FRACTIONS = "fractions"


# Places by seat according to different sources: noted `places`, `points`, or marked `winners`.
Alternatives = tuple[tuple[str, tuple[int, ...]], ...]


class ResultRecord(NamedTuple):
    """A result read from a file, or to be written to a file.

    - `key` identifies the result in all files.
    - `former_key` is the key that earlier versions gave to a result without a key, or empty.
    - `seats` are in seating order.
    - `played_at` is aware and in UTC. With `day_only` only the day is known.
    - `game` is the key of the game, or its name in files of other programs.
    - `site` and `league_id` are the random ids of the site and league that exported the result, or
      empty.
    - `alternatives` are set if marked winners contradict the places. Each contains the places by
      another source.
    - `round` is the number of the round, or None. A bye is a result with a round and a single seat.
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
    """Return a hash of the content as the key of a result without one.

    Equal results have equal keys.
    """
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
    """Return places for the ranks of the sides, where the lowest rank is best.

    Tied sides share a place, and the following places are skipped.
    """
    return [1 + sum(other < rank for other in ranks) for rank in ranks]


def places_contradict(noted: Sequence[int], by_points: Sequence[int]) -> bool:
    """Return whether the noted places and the places by points cannot both be right.

    Sides with equal points may have different places, because points do not say who wins a tie.
    Sides behind the winner may share a place although their points differ.
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


class ImportVerdict(StrEnum):
    """Effect that importing a result would have.

    `add`: a match is added. `known`: the league has the match already. `skip`: the result is
    ignored. `unreadable`: the result has an error. `doubt`: the organiser must answer a question
    first. Readers do not use `doubt`.
    """

    ADD = "add"
    DOUBT = "doubt"
    KNOWN = "known"
    SKIP = "skip"
    UNREADABLE = "unreadable"


class Code(StrEnum):
    """Code of the reason for a finding about a result in an imported file.

    Parameters are in brackets.

    Results that can be added: `new`.

    Results that the league has already:
    - `known`
    - `void`: the match is void in the league
    - `twice`: the same result appears earlier in this file (`line` or `key`)

    Results that are skipped:
    - `other_game`: a different game (`game`)
    - `ignored`: the other program marks the result as ignored
    - `cooperative`: the players played together against the game
    - `seats`: not two to six players (`seats`)
    - `with_line`: another line of the same match is unreadable (`line`)

    Files that cannot be read:
    - `size`: larger than `most` bytes
    - `encoding`: the encoding is damaged
    - `garbled`: the encoding is unknown, so that `word` is garbled
    - `kind`: not a text file but a file of another `kind`
    - `not_json`, `not_csv`: not in this format
    - `quotes`: a quotation mark on `line` is not closed
    - `format`: a JSON file of another program
    - `version`: unknown version (`version`)
    - `columns`: a required column is missing (`missing`)
    - `repeated`: a column appears twice (`name`)
    - `rows`: more than `most` rows; the others are ignored

    Results that cannot be read:
    - `shape`: a field has the wrong type (`field`)
    - `date`: not a date (`value`)
    - `number`: not a number (`field`, `value`)
    - `text`: too long, or with control characters (`field`)
    - `names`: a player has two seats (`player`)
    - `sides`: all players are on one side, or one side has several places (`side`)
    - `places`: neither places nor points for all players
    - `round`: not the number of a round (`value`)
    - `bye`: a bye with a place or points
    - `disagrees`: a field differs from another line of the match (`field`)
    - `who`: unknown player
    - `what`: unknown game
    - `outcome`: neither a winner nor a score
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


class ResultFinding(NamedTuple):
    """What a reader found out about one result of a file.

    `line` counts from 1 or is None. `key` is the key of the result. `record` is set if the verdict
    is `add` or `known`. Otherwise `about` describes the result by date and names as far as they can
    be read.
    """

    code: Code
    params: Mapping[str, str | int] = _NOTHING
    line: int | None = None
    key: str = ""
    record: ResultRecord | None = None
    about: str = ""

    @property
    def verdict(self) -> ImportVerdict:
        if self.code is Code.NEW:
            return ImportVerdict.ADD
        if self.code in KNOWN_CODES:
            return ImportVerdict.KNOWN
        return ImportVerdict.SKIP if self.code in SKIPPED_CODES else ImportVerdict.UNREADABLE


@dataclass(frozen=True, slots=True)
class FileReading:
    """Findings about a file, in its order.

    `unlisted` counts findings that are not listed one by one, by verdict. `unlisted_games` counts
    results of other games among them, by game.
    """

    findings: tuple[ResultFinding, ...]
    unlisted: Mapping[str, int] = field(default_factory=dict)
    unlisted_games: Mapping[str, int] = field(default_factory=dict)

    @property
    def other_games(self) -> dict[str, int]:
        """Return the games of skipped results with the number of results of each game, most
        frequent game first.
        """
        return dict((_games(self.findings) + Counter(self.unlisted_games)).most_common())

    @property
    def records(self) -> tuple[ResultRecord, ...]:
        return tuple(f.record for f in self.findings if f.record and f.verdict is ImportVerdict.ADD)

    def count(self, verdict: ImportVerdict) -> int:
        listed = sum(finding.verdict is verdict for finding in self.findings)
        return listed + self.unlisted.get(verdict, 0)


MAX_LISTED: Final = 1000
# Maximum number of findings without effect (results that the import does not add) that are listed
# one by one.


def limited(reading: FileReading) -> FileReading:
    """Return the findings with at most `MAX_LISTED` findings without effect (results that the
    import does not add).

    Further findings without effect are only counted. A file may have a hundred thousand results,
    but a page shows only a few of them.
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
    return FileReading(tuple(listed), dict(verdicts), dict(_games(rest)))


def _games(findings: Iterable[ResultFinding]) -> Counter[str]:
    skipped = (finding for finding in findings if finding.code is Code.OTHER_GAME)
    return Counter(str(finding.params["game"]) for finding in skipped)


class InvalidValue(Exception):
    """A value cannot be read or is not allowed. Readers convert this exception to a finding."""

    def __init__(self, code: Code, **params: object) -> None:
        super().__init__(code.value)
        self.code = code
        self.params = {name: quoted(value) for name, value in params.items()}

    def finding(self, line: int | None = None, key: str = "", about: str = "") -> ResultFinding:
        return ResultFinding(self.code, self.params, line=line, key=key, about=about)


def quoted(value: object) -> str | int:
    """Return a value of a file for display: short, in JSON notation and without control
    characters.
    """
    if isinstance(value, int) and not isinstance(value, bool) and abs(value) < 10**15:
        return value
    if value is None:
        return "–"
    if isinstance(value, dict | list):
        return "{…}" if isinstance(value, dict) else "[…]"
    return sheets.quoted(str(value).lower() if isinstance(value, bool) else value)


def description(played_at: object, names: Iterable[object]) -> str:
    """Return a description of an unreadable result: its date and names, as they are written
    in the file.
    """
    texts = [text for text in (played_at, *names) if isinstance(text, str) and text.strip()]
    return ", ".join(str(quoted(text)) for text in texts[: 1 + MAX_SEATS])


def mark_repeated(findings: Iterable[ResultFinding]) -> tuple[ResultFinding, ...]:
    """Mark findings that repeat a result.

    Findings that repeat a result from earlier in the file are marked as `twice`.

    Results with the same key are the same result only if their players are the same.
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


def with_code(finding: ResultFinding, code: Code) -> ResultFinding:
    return ResultFinding(code, {}, line=finding.line, key=finding.key, record=finding.record)
