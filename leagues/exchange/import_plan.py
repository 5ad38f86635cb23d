"""Plan of an import into a league, result by result. Nothing is saved.

The preview shows the plan and the import carries it out.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy

from leagues.exchange.formats import (
    MAX_LISTED,
    Code,
    Finding,
    Reading,
    ResultRecord,
    SeatRecord,
    Verdict,
)
from leagues.games import games
from leagues.models import Fixture, FixtureSeat, League, Match, Member, Player

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    # A reason not to add a result, and what it names.
    Objection = tuple[_StrPromise, object]

FINDING_SENTENCES: dict[Code, _StrPromise] = {
    Code.NEW: gettext_lazy("This match will be added."),
    Code.KNOWN: gettext_lazy("This match is already in the league."),
    Code.TWICE: gettext_lazy("This match appears twice in the file; only one is added."),
    Code.OTHER_GAME: gettext_lazy("This match belongs to another game: %(game)s."),
    Code.IGNORED: gettext_lazy("This match is marked to be ignored."),
    Code.COOPERATIVE: gettext_lazy("This was a cooperative game, with all players on one side."),
    Code.SEATS: gettext_lazy("A match has two to six players, but this one has %(seats)s."),
    Code.WITH_LINE: gettext_lazy("Line %(line)s of the same match could not be read."),
    Code.SIZE: gettext_lazy("The file is larger than %(most)s bytes. Choose a smaller one."),
    Code.ENCODING: gettext_lazy("The file is not UTF-8 text. Save it as UTF-8 and try again."),
    Code.NOT_JSON: gettext_lazy("The file is not valid JSON."),
    Code.NOT_CSV: gettext_lazy("The file is not valid CSV."),
    Code.FORMAT: gettext_lazy("This file is not of the expected kind. Choose another file."),
    Code.VERSION: gettext_lazy("The version of this file is not supported: %(version)s."),
    Code.COLUMNS: gettext_lazy("The file is missing these columns: %(missing)s."),
    Code.ROWS: gettext_lazy("The file has more than %(most)s entries; the rest were skipped."),
    Code.SHAPE: gettext_lazy("“%(field)s” has an invalid value."),
    Code.DATE: gettext_lazy("“%(value)s” is not a valid date or time."),
    Code.NUMBER: gettext_lazy("“%(value)s” is not a whole number. “%(field)s” needs one."),
    Code.TEXT: gettext_lazy("“%(field)s” is too long or contains characters that are not allowed."),
    Code.NAMES: gettext_lazy("%(player)s has two seats in this match."),
    Code.SIDES: gettext_lazy("These sides are not possible: %(side)s."),
    Code.PLACES: gettext_lazy("Some players have neither a place nor points."),
    Code.DISAGREES: gettext_lazy("“%(field)s” differs from the other lines of this match."),
    Code.WHO: gettext_lazy("This match refers to a player who is missing from the file."),
    Code.WHAT: gettext_lazy("This match refers to a game that is missing from the file."),
    Code.OUTCOME: gettext_lazy("This match has neither a winner nor a score."),
}


class _Blank(dict[str, object]):
    def __missing__(self, name: str) -> str:
        return "–"


_FUTURE = gettext_lazy("The date of this match is in the future.")
_NAMELESS = gettext_lazy("One of the players has no name.")
_SEATS = gettext_lazy("The league’s rules do not allow a match of %d players.")
_SIDES = gettext_lazy("The sides do not follow the league’s rules.")
_SEVERAL = gettext_lazy("The league has several players called %s.")
_TWO_SEATS = gettext_lazy("One of the players has two seats in this match.")
_NO_FIXTURE = gettext_lazy("These players have no fixture left to play.")


@dataclass(frozen=True, kw_only=True)
class ImportLine:
    """A result of the file and the reason of its effect. `line` counts from 1 or is None.

    `players` are by seat, with None for a new guest named in `names`. `fixture` is the one that the
    result belongs to.
    """

    verdict: Verdict
    reason: _StrPromise
    params: object = None
    line: int | None = None
    record: ResultRecord | None = None
    players: tuple[Player | None, ...] = ()
    fixture: Fixture | None = None

    @property
    def sentence(self) -> str:
        """The reason in the active language; few of a file's are ever shown."""
        return str(self.reason) if self.params is None else str(self.reason) % self.params

    @property
    def names(self) -> tuple[str, ...]:
        return tuple(seat.player for seat in self.record.seats) if self.record else ()


@dataclass(frozen=True, kw_only=True)
class ImportPlan:
    """All lines in file order, except for those `unlisted`, counted by verdict, that add nothing.

    `guests` are names to be added to the league. `other_games` counts skipped results by name of
    their game.
    """

    lines: tuple[ImportLine, ...]
    guests: tuple[str, ...]
    other_games: Mapping[str, int]
    unlisted: Mapping[str, int]

    @property
    def adding(self) -> tuple[ImportLine, ...]:
        return tuple(line for line in self.lines if line.verdict is Verdict.ADD)

    def count(self, verdict: Verdict) -> int:
        return sum(line.verdict is verdict for line in self.lines) + self.unlisted.get(verdict, 0)

    def waiting(self, by: Player) -> int:
        return sum(is_own(line.players, by) for line in self.adding)


def is_own(players: Sequence[Player | None], by: Player) -> bool:
    return by.person_id in {player.person_id for player in players if player is not None}


def plan_import(league: League, reading: Reading, *, at: dt.datetime) -> ImportPlan:
    """Plan the import of a file into a league, with five queries."""
    planner, unlisted, room = _Planner(league, at), Counter(reading.unlisted), MAX_LISTED
    lines = []
    for finding in reading.findings:
        line = planner.line(finding)
        if line.verdict is Verdict.ADD or room:
            lines.append(line)
            room -= line.verdict is not Verdict.ADD
        else:
            unlisted[line.verdict.value] += 1
    new = {
        name.casefold(): name
        for line in lines
        if line.verdict is Verdict.ADD
        for player, name in zip(line.players, line.names, strict=True)
        if player is None
    }
    return ImportPlan(
        lines=tuple(lines),
        guests=tuple(new.values()),
        other_games=reading.other_games,
        unlisted=unlisted,
    )


class _Planner:
    def __init__(self, league: League, at: dt.datetime) -> None:
        self.league, self.at = league, at
        people = _people(league)
        names = Counter(name for name, _person in people)
        self.by_name = {name: player for name, player in people if names[name] == 1}
        self.several = {name for name, times in names.items() if times > 1}
        self.by_slug = {player.slug: player for _name, player in people}
        self.fixtures = _fixtures(league)
        self.drawn = league.format != League.Format.LADDER
        self.game = games[league.game]

    def line(self, finding: Finding) -> ImportLine:
        if finding.verdict is not Verdict.ADD or finding.record is None:
            return ImportLine(
                verdict=finding.verdict,
                reason=FINDING_SENTENCES[finding.code],
                params=_Blank(finding.params),
                line=finding.line,
                record=finding.record,
            )
        return self._of_record(finding.record, finding.line)

    def _of_record(self, record: ResultRecord, line: int | None) -> ImportLine:
        wrong = self._objection(record)
        if wrong is not None:
            reason, params = wrong
            return ImportLine(
                verdict=Verdict.UNREADABLE, reason=reason, params=params, line=line, record=record
            )
        players = tuple(map(self._player, record.seats))
        fixture = self._fixture(players) if self.drawn else None
        if self.drawn and fixture is None:
            return ImportLine(verdict=Verdict.SKIP, reason=_NO_FIXTURE, line=line, record=record)
        return ImportLine(
            verdict=Verdict.ADD,
            reason=FINDING_SENTENCES[Code.NEW],
            line=line,
            record=record,
            players=players,
            fixture=fixture,
        )

    def _objection(self, record: ResultRecord) -> Objection | None:
        if record.played_at > self.at:
            return _FUTURE, None
        if not all(seat.player for seat in record.seats):
            return _NAMELESS, None
        seats = len(record.seats)
        if seats > self.league.seats or seats not in self.game.seat_counts(self.league.rules):
            return _SEATS, seats
        if not self._sided_alike(record):
            return _SIDES, None
        return self._doubt(record.seats)

    def _sided_alike(self, record: ResultRecord) -> bool:
        expected = self.game.sides(self.league.rules, len(record.seats))
        sizes = Counter(seat.side for seat in record.seats)
        return sorted(sizes.values()) == sorted(Counter(expected).values())

    def _doubt(self, seats: Sequence[SeatRecord]) -> Objection | None:
        for seat in seats:
            if seat.player.casefold() in self.several and seat.identity not in self.by_slug:
                return _SEVERAL, seat.player
        keys = [player.pk for player in map(self._player, seats) if player is not None]
        return (_TWO_SEATS, None) if len(set(keys)) < len(keys) else None

    def _player(self, seat: SeatRecord) -> Player | None:
        return self.by_slug.get(seat.identity) or self.by_name.get(seat.player.casefold())

    def _fixture(self, players: Collection[Player | None]) -> Fixture | None:
        """Return the first fixture of exactly these players. Each fixture is used once."""
        persons = frozenset(player.pk for player in players if player is not None)
        waiting = self.fixtures.get(persons) if len(persons) == len(players) else None
        return waiting.pop(0) if waiting else None


def _people(league: League) -> list[tuple[str, Player]]:
    members = Member.objects.filter(league=league).select_related("player__merged_into")
    people: dict[tuple[str, int], Player] = {}
    for member in members:
        person = member.player.merged_into or member.player
        for name in (member.player.name, person.name):
            people[name.casefold(), person.pk] = person
    return [(name, person) for (name, _key), person in people.items()]


def _fixtures(league: League) -> Mapping[frozenset[int], list[Fixture]]:
    taken = Match.objects.exclude(state=Match.State.VOID).exclude(fixture=None).values("fixture")
    rows = Fixture.objects.filter(round__league=league, state__in=Fixture.TO_PLAY).exclude(
        pk__in=taken
    )
    seats: dict[int, set[int]] = {}
    for seat in FixtureSeat.objects.filter(fixture__in=rows).select_related("player"):
        seats.setdefault(seat.fixture_id, set()).add(seat.player.person_id)
    fixtures: dict[frozenset[int], list[Fixture]] = {}
    for fixture in rows.order_by("round__number", "number"):
        fixtures.setdefault(frozenset(seats[fixture.pk]), []).append(fixture)
    return fixtures


def places_of_record(record: ResultRecord) -> tuple[list[int], list[int]]:
    return [seat.points or 0 for seat in record.seats], [seat.place for seat in record.seats]
