"""Planner of an import, which decides about each result of a file. Nothing is saved."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Final
from zoneinfo import ZoneInfo

from django.utils.translation import gettext_lazy

from core.names.text import comparison_key
from core.pauses import WithPauses
from leagues.exchange import questions, sentences
from leagues.exchange.formats import (
    MAX_LISTED,
    Code,
    FileReading,
    ImportVerdict,
    ResultFinding,
    ResultRecord,
    SeatRecord,
    places_contradict,
    places_in_order,
)
from leagues.exchange.import_plan import ImportLine, ImportPlan, PlannedRound, planned_rounds
from leagues.exchange.known_matches import KnownMatches
from leagues.exchange.open_fixtures import FixtureRefusal, OpenFixtures
from leagues.exchange.origins import origin_of
from leagues.exchange.people import People
from leagues.exchange.questions import Decisions, ImportQuestion
from leagues.exchange.rounds_elsewhere import RoundsElsewhere
from leagues.games import Judgement, games
from leagues.models import League

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    # A message and its parameters: the reason why the import does not add a result.
    Objection = tuple[_StrPromise | str, object]

# Order of the lines in a preview: results that are added, then those with an unanswered question.
_ORDER: Final = [
    ImportVerdict.ADD,
    ImportVerdict.DOUBT,
    ImportVerdict.UNREADABLE,
    ImportVerdict.SKIP,
    ImportVerdict.KNOWN,
]


class _Blank(dict[str, object]):
    def __missing__(self, name: str) -> str:
        return "–"


def plan_import(
    league: League,
    reading: FileReading,
    *,
    at: dt.datetime,
    decisions: Mapping[str, str] | None = None,
) -> ImportPlan:
    """Plan the import of a file into a league. The number of queries does not depend on the file's
    size.

    `decisions` maps keys of questions to the organiser's answers. Raises `OperationError` for an
    invalid answer.
    """
    planner = _Planner(league, reading, at, Decisions(decisions or {}))
    lines, unlisted = _lines_to_list(planner.lines(), reading)
    new: dict[str, str] = {}
    for line in lines:
        if line.verdict is ImportVerdict.ADD:
            for person in line.people:
                if person.player is None:
                    new.setdefault(comparison_key(person.name), person.name)
    lines.sort(key=lambda line: _ORDER.index(line.verdict))
    return ImportPlan(
        lines=tuple(lines),
        guests=tuple(new.values()),
        other_games=reading.other_games,
        unlisted=unlisted,
        questions=planner.questions(),
        zone=league.zone,
        rounds=planner.planned(lines),
    )


def _lines_to_list(
    lines: Iterable[ImportLine], reading: FileReading
) -> tuple[list[ImportLine], Mapping[str, int]]:
    """Return the lines that the preview lists one by one, and the numbers of all other lines by
    verdict.
    """
    unlisted, room, listed = Counter(reading.unlisted), MAX_LISTED, []
    for line in lines:
        asks = line.verdict in {ImportVerdict.ADD, ImportVerdict.DOUBT}
        if asks or room:
            listed.append(line)
            room -= not asks
        else:
            unlisted[line.verdict.value] += 1
    return listed, unlisted


class _Planner:
    """Planner that decides about each result of a file. `asked` collects the keys of questions."""

    def __init__(
        self, league: League, reading: FileReading, at: dt.datetime, decisions: Decisions
    ) -> None:
        self.league, self.at, self.decisions = league, at, decisions
        self.zone = ZoneInfo(league.zone)
        origin = origin_of(league)
        self.known = KnownMatches(league, reading.records, origin)
        self.findings = self.known.mark(reading.findings)
        # The identified people include those of results that the league already has. Otherwise a
        # name would have fewer identities when the same file is imported again, and the question
        # about this name would disappear.
        self.people = People(league, reading.records, decisions, origin, self.known.identified)
        self.drawn = league.format != League.Format.LADDER
        self.fixtures = OpenFixtures(league) if self.drawn else None
        self.rounds = RoundsElsewhere(league, self.findings, decisions)
        self.game = games[league.game]
        self.asked: list[str] = []
        self.sources: set[str] = set()

    def questions(self) -> tuple[ImportQuestion, ...]:
        names = self.people.names_of_questions()
        return self.decisions.questions(self.asked, names, sorted(self.sources))

    def lines(self) -> list[ImportLine]:
        """Return the plan's lines in the order of the findings.

        Earlier matches are assigned to earlier fixtures. Matches played before their round was
        drawn get the fixtures that remain, so that the organiser's answer about these matches does
        not affect others. A result that an answer leaves out gets no fixture.
        """
        lines = [
            replace(self._line(finding), number=number)
            for number, finding in enumerate(WithPauses(self.findings))
        ]
        if self.fixtures is not None:
            self._assign_fixtures(self.fixtures, lines)
            lines = self.rounds.join_rounds(lines)
        return [self._answered(line) for line in lines]

    def _assign_fixtures(self, fixtures: OpenFixtures, lines: list[ImportLine]) -> None:
        """Assign fixtures to lines, first to results that name their round."""
        order = sorted(range(len(lines)), key=lambda place: _played_at(lines[place]))
        rounded = [place for place in order if _names_round(lines[place])]
        others = [place for place in order if not _names_round(lines[place])]
        for places in (rounded, others):
            for before_draw in (False, True):
                for place in places:
                    line = lines[place]
                    if (
                        line.verdict is ImportVerdict.ADD
                        and not line.is_bye
                        and line.fixture is None
                    ):
                        if self.decisions.leave_out(line.questions):
                            continue
                        lines[place] = self._with_fixture(fixtures, line, before_draw=before_draw)

    def planned(self, lines: Iterable[ImportLine]) -> tuple[PlannedRound, ...]:
        return planned_rounds(lines, self.rounds.drawn)

    def _line(self, finding: ResultFinding) -> ImportLine:
        record = finding.record
        if finding.verdict is not ImportVerdict.ADD or record is None:
            return ImportLine(
                verdict=finding.verdict,
                reason=sentences.FINDING_SENTENCES[finding.code],
                params=_Blank(_translated(finding.params)),
                line=finding.line,
                record=record,
                about=finding.about,
            )
        line = ImportLine(
            verdict=ImportVerdict.ADD,
            reason=sentences.FINDING_SENTENCES[Code.NEW],
            line=finding.line,
            record=record,
            remarks=tuple(sentences.REMARK_SENTENCES[remark] for remark in record.remarks),
        )
        wrong = self._objection(record)
        if wrong is not None:
            return _refused_line(line, *wrong)
        if not record.is_bye:
            record = self._in_required_order(record._replace(key=self.known.free_key(record)))
        line = replace(
            line,
            record=record,
            people=tuple(self.people.find_person(seat, record) for seat in record.seats),
            questions=tuple(self.people.questions(record)),
            remarks=(*line.remarks, *self._other_addresses(record)),
        )
        return self._judge_points(self._agreed(line, record))

    def _objection(self, record: ResultRecord) -> Objection | None:
        if self._is_future(record):
            return sentences.FUTURE, None
        if not all(seat.player for seat in record.seats):
            return sentences.NAMELESS, None
        if record.is_bye:
            return self._misseated(record)
        seats = len(record.seats)
        if seats > self.league.seats or seats not in self.game.seat_counts(self.league.rules):
            return sentences.SEATS, seats
        if not self._sided_alike(record):
            return sentences.SIDES, None
        return self._misseated(record)

    def _is_future(self, record: ResultRecord) -> bool:
        if record.day_only:
            return self._day(record) > self.at.astimezone(self.zone).date()
        return record.played_at > self.at

    def _day(self, record: ResultRecord) -> dt.date:
        return record.played_at.astimezone(self.zone).date()

    def _sided_alike(self, record: ResultRecord) -> bool:
        expected = self.game.sides(self.league.rules, len(record.seats))
        sizes = Counter(seat.side for seat in record.seats)
        return sorted(sizes.values()) == sorted(Counter(expected).values())

    def _other_addresses(self, record: ResultRecord) -> list[str]:
        """Return a sentence for each identity in the file that belongs to a member with another
        name.
        """
        return [
            str(sentences.OTHER_ADDRESS) % {"address": address, "member": member, "player": player}
            for address, player, member in self.people.others_addressed(record)
        ]

    def _in_required_order(self, record: ResultRecord) -> ResultRecord:
        """Return the result with its seats in the order that the game requires.

        In games with partners, partners have opposite seats. Many files list partners one after the
        other instead.
        """
        sides = self.game.sides(self.league.rules, len(record.seats))
        if Counter(sides) != Counter(seat.side for seat in record.seats):
            return record
        waiting: dict[int, list[int]] = {}
        for number, seat in enumerate(record.seats):
            waiting.setdefault(seat.side, []).append(number)
        order = [waiting[side].pop(0) for side in sides]
        return record._replace(
            seats=tuple(record.seats[number] for number in order),
            alternatives=tuple(
                (kind, tuple(places[number] for number in order))
                for kind, places in record.alternatives
            ),
        )

    def _misseated(self, record: ResultRecord) -> Objection | None:
        # Maps each name to whether its identity in the file belongs to a member.
        names: dict[str, bool] = {}
        players: set[int] = set()
        for seat in record.seats:
            key, player = comparison_key(seat.player), self.people.find_person(seat, record).player
            addressed = self.people.is_addressed(seat, record)
            if self.people.is_ambiguous(seat, record):
                return sentences.SEVERAL, seat.player
            # If two members have the same name, a match between them can be imported only if the
            # file has their identities. Otherwise the name could also mean a guest whom another
            # line of the file creates.
            if key in names and not (addressed and names[key]):
                return sentences.FINDING_SENTENCES[Code.NAMES], {"player": seat.player}
            if player is not None and player.pk in players:
                return sentences.TWO_SEATS, None
            names[key] = addressed
            players |= {player.pk} if player is not None else set()
        return None

    def _agreed(self, line: ImportLine, record: ResultRecord) -> ImportLine:
        """Return the line with the places that count, if the sources of the result contradict each
        other.
        """
        alternatives = dict(record.alternatives or _alternatives(record.seats))
        if not alternatives:
            return line
        self.sources |= set(alternatives)
        line = replace(line, questions=(*line.questions, questions.CONTRADICTION))
        places = alternatives.get(self.decisions.answer_to(questions.CONTRADICTION))
        if places is None:
            return replace(line, unsettled=True)
        seats = zip(record.seats, places, strict=True)
        agreed = tuple(seat._replace(place=place) for seat, place in seats)
        return replace(line, record=record._replace(seats=agreed))

    def _judge_points(self, line: ImportLine) -> ImportLine:
        """Return the line with the referee's judgement of the points.

        If the points of some players are missing, all points are left out, because a result has
        points for all seats or for none.
        """
        record, judge = line.record, self.game.judge_points
        points = [seat.points for seat in record.seats if seat.points is not None] if record else []
        if record is None or not points:
            return line
        if len(points) < len(record.seats):
            # Points that contradict the places stay, because the organiser must answer a question
            # about the contradiction.
            return line if line.unsettled else _without_points(line, record)
        if judge is None:
            return line
        judgement: Judgement = judge(self.league.rules, points, line.names)
        if judgement.objections:
            return _refused_line(line, judgement.objections[0].sentence.replace("%", "%%"), ())
        if not judgement.short:
            return line
        line = replace(
            line,
            early=True,
            questions=(*line.questions, questions.EARLY),
            remarks=(*line.remarks, judgement.short),
        )
        if self.decisions.answer_to(questions.EARLY) != questions.NO_POINTS:
            return line
        return _without_points(line, record)

    def _with_fixture(
        self, fixtures: OpenFixtures, line: ImportLine, *, before_draw: bool
    ) -> ImportLine:
        if line.record is None:
            return line
        day = None if before_draw else self._day(line.record)
        found = fixtures.assign_fixture(line.players, day, line.record.round)
        if found is None:
            return line
        if isinstance(found, FixtureRefusal):
            if found.missing and self.rounds.may_add_to_round(line.record.round):
                return line
            return replace(
                line, verdict=ImportVerdict.SKIP, reason=found.reason, params=found.params
            )
        asked = (*line.questions, questions.BEFORE_DRAW) if before_draw else line.questions
        return replace(line, fixture=found, questions=asked)

    def _answered(self, line: ImportLine) -> ImportLine:
        """Return the line after the organiser's answers to the questions about it have been
        applied.
        """
        if line.verdict is not ImportVerdict.ADD:
            return line
        self.asked += line.questions
        if self.decisions.leave_out(line.questions):
            return replace(line, verdict=ImportVerdict.SKIP, reason=sentences.LEFT_OUT, params=None)
        if self.decisions.await_answer(line.questions) or line.unsettled:
            return replace(line, verdict=ImportVerdict.DOUBT, reason=sentences.DOUBT, params=None)
        return line


def _translated(params: Mapping[str, str | int]) -> dict[str, object]:
    """Return the parameters of a finding, with the kind of a file translated."""
    kind = params.get("kind")
    return {**params, "kind": gettext_lazy(kind)} if isinstance(kind, str) else {**params}


def _names_round(line: ImportLine) -> bool:
    return line.record is not None and line.record.round is not None


def _played_at(line: ImportLine) -> dt.datetime:
    return line.record.played_at if line.record else dt.datetime.min.replace(tzinfo=dt.UTC)


def _refused_line(line: ImportLine, reason: _StrPromise | str, params: object) -> ImportLine:
    return replace(
        line,
        verdict=ImportVerdict.UNREADABLE,
        reason=reason,
        params=params,
        questions=(),
        remarks=(),
    )


def _without_points(line: ImportLine, record: ResultRecord) -> ImportLine:
    seats = tuple(seat._replace(points=None) for seat in record.seats)
    remarks = (*line.remarks, sentences.NO_POINTS)
    return replace(line, record=record._replace(seats=seats), remarks=remarks)


def _alternatives(seats: Sequence[SeatRecord]) -> Mapping[str, tuple[int, ...]]:
    """Return two lists of places if they contradict each other: the places noted in the file, and
    the places by points.

    Returns nothing if points are missing for a side.
    """
    points = {seat.side: seat.points for seat in seats if seat.points is not None}
    order = places_in_order([-score for score in points.values()])
    by_side = dict(zip(points, order, strict=True))
    scored = [seat for seat in seats if seat.side in points]
    by_points = tuple(by_side[seat.side] for seat in scored)
    if not places_contradict([seat.place for seat in scored], by_points):
        return {}
    noted = {"places": tuple(seat.place for seat in seats)}
    return noted | ({"points": by_points} if len(scored) == len(seats) else {})
