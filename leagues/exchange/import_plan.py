"""Plan of an import into a league, result by result. Nothing is saved.

The preview shows the plan and the import carries it out.
"""

from __future__ import annotations

import datetime as dt
import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from hashlib import sha256
from typing import TYPE_CHECKING

from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.names.text import comparison_key
from leagues.exchange.formats import ResultRecord, SeatRecord, Verdict
from leagues.exchange.people import Person
from leagues.exchange.questions import Question
from leagues.models import Fixture, Player

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, kw_only=True)
class ImportLine:
    """A result of the file and the reason of its effect. `line` counts from 1 or is None.

    `number` is the position of its finding in the file. `people` are by seat. `fixture` is the one
    that the result belongs to; with `in_round`, there is none yet and this round gets a fixture or
    bye. `questions` are the keys of those about this line, `remarks`
    sentences about what is left out. With `early` the match ended before its goal was reached.
    `unsettled` is a contradiction about which the answer says nothing. `about` says which
    result it is if there is no record.
    """

    verdict: Verdict
    reason: _StrPromise | str
    params: object = None
    line: int | None = None
    number: int = 0
    record: ResultRecord | None = None
    people: tuple[Person, ...] = ()
    fixture: Fixture | None = None
    in_round: int | None = None
    questions: tuple[str, ...] = ()
    remarks: tuple[_StrPromise | str, ...] = ()
    early: bool = False
    unsettled: bool = False
    about: str = ""

    @property
    def is_bye(self) -> bool:
        return self.record is not None and self.record.is_bye

    @property
    def record_to_add(self) -> ResultRecord:
        if self.record is None:
            raise ValueError("A line without a result adds nothing.")
        return self.record

    @property
    def sentence(self) -> str:
        """The reason and remarks in the active language; few of a file's are ever shown."""
        reason = str(self.reason) if self.params is None else str(self.reason) % self.params
        return " ".join([reason, self.place, *map(str, self.remarks)]).replace("  ", " ").strip()

    @property
    def place(self) -> str:
        """Round and fixture that the result fills, or an empty string."""
        if self.in_round is not None and not self.is_bye:
            return _("A fixture between these players will be added to round %(round)s.") % {
                "round": self.in_round
            }
        if self.fixture is None:
            return ""
        words = {"round": self.fixture.round.number, "number": self.fixture.number}
        return _("This match is fixture %(number)s of round %(round)s.") % words

    @property
    def names(self) -> tuple[str, ...]:
        """The names under which people play here, or those in the file if it is not known."""
        if self.people:
            return tuple(str(person.player or person.name) for person in self.people)
        return tuple(seat.player for seat in self.record.seats) if self.record else ()

    @property
    def seats(self) -> list[tuple[str, SeatRecord]]:
        """The names under which people play, after those in the file, with their seats there."""
        return [
            (_renamed(seat.player, name), seat)
            for name, seat in zip(self.names, self.record.seats if self.record else (), strict=True)
        ]

    @property
    def players(self) -> tuple[Player | None, ...]:
        return tuple(person.player for person in self.people)


@dataclass(frozen=True, kw_only=True)
class PlannedRound:
    """A round that the import creates, or to which it adds fixtures and byes if it is not `new`."""

    number: int
    new: bool
    lines: tuple[ImportLine, ...]

    @property
    def fixtures(self) -> int:
        return len(self.lines) - len(self.byes)

    @property
    def byes(self) -> tuple[str, ...]:
        """The names of those who sit out."""
        return tuple(name for line in self.lines if line.is_bye for name in line.names)

    @property
    def sentence(self) -> str:
        fixtures = ngettext("%d fixture", "%d fixtures", self.fixtures) % self.fixtures
        byes = ngettext("%d bye", "%d byes", len(self.byes)) % len(self.byes)
        words = {"round": self.number, "fixtures": fixtures, "byes": byes}
        if self.new:
            said = _("Round %(round)s will be created: %(fixtures)s, %(byes)s.") % words
        else:
            said = _("Round %(round)s will be completed: %(fixtures)s, %(byes)s.") % words
        if not self.byes:
            return said
        return " ".join([said, _("Byes: %s.") % ", ".join(self.byes)])


@dataclass(frozen=True, kw_only=True)
class ImportPlan:
    """What an import does with each result of a file.

    `lines` are all lines in the order of a preview, except for those `unlisted`, counted by
    verdict, that add nothing. `guests` are names to be added to the league. `other_games` counts
    skipped results by name of their game. `zone` is the one in which times of the file are read.
    `rounds` are those that are created or completed.
    """

    lines: tuple[ImportLine, ...]
    guests: tuple[str, ...]
    other_games: Mapping[str, int]
    unlisted: Mapping[str, int]
    questions: tuple[Question, ...] = ()
    zone: str = "UTC"
    rounds: tuple[PlannedRound, ...] = ()

    @cached_property
    def adding(self) -> tuple[ImportLine, ...]:
        """The lines that add a match, in the order of the file."""
        return tuple(line for line in self._added if not line.is_bye)

    @property
    def byes(self) -> tuple[ImportLine, ...]:
        """The lines that add a bye, in the order of the file."""
        return tuple(line for line in self._added if line.is_bye)

    @property
    def _added(self) -> Iterable[ImportLine]:
        return (line for line in self.lines if line.verdict is Verdict.ADD)

    @property
    def doubts(self) -> int:
        return self.count(Verdict.DOUBT)

    def count(self, verdict: Verdict) -> int:
        return sum(line.verdict is verdict for line in self.lines) + self.unlisted.get(verdict, 0)

    def waiting(self, by: Player) -> int:
        return sum(is_own(line.players, by) for line in self.adding)

    @cached_property
    def digest(self) -> str:
        """Two plans with the same digest do the same."""
        lines = [
            [
                line.verdict,
                line.record,
                [[person.player and person.player.pk, person.name] for person in line.people],
                line.fixture and line.fixture.pk,
                line.in_round,
                line.early,
                line.questions,
            ]
            for line in self._possible
        ]
        # The zone decides about the hours that the preview shows.
        rounds = [[planned.number, planned.new] for planned in self.rounds]
        content = json.dumps([self.zone, lines, rounds], default=dt.datetime.isoformat)
        return sha256(content.encode()).hexdigest()

    @property
    def _possible(self) -> list[ImportLine]:
        return [line for line in self.lines if line.verdict in {Verdict.ADD, Verdict.DOUBT}]

    def shows_all_of(self, other: ImportPlan) -> bool:
        """Return whether all that another plan of the same file adds is shown here.

        It is added to the same fixture or round, or there is a question about it.
        """
        shown = {line.number: line for line in self._possible}
        return all(
            (line := shown.get(added.number)) is not None
            and (
                line.verdict is Verdict.DOUBT
                or (line.fixture, line.in_round) == (added.fixture, added.in_round)
            )
            for added in (*other.adding, *other.byes)
        )


def planned_rounds(lines: Iterable[ImportLine], drawn: Iterable[int]) -> tuple[PlannedRound, ...]:
    """Return the rounds to which lines are added. `drawn` are those of the league."""
    by_round: dict[int, list[ImportLine]] = {}
    for line in lines:
        if line.verdict is Verdict.ADD and line.in_round is not None:
            by_round.setdefault(line.in_round, []).append(line)
    old = set(drawn)
    return tuple(
        PlannedRound(number=number, new=number not in old, lines=tuple(added))
        for number, added in sorted(by_round.items())
    )


def is_own(players: Sequence[Player | None], by: Player) -> bool:
    return by.person_id in {player.person_id for player in players if player is not None}


def _renamed(written: str, name: str) -> str:
    same = not written or comparison_key(written) == comparison_key(name)
    return name if same else f"{written} → {name}"
