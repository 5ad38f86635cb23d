"""Plan of an import into a league: for each result of the file, what the import does with it.

The preview shows the plan, and the import carries it out. The plan itself saves nothing.
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
from leagues.exchange.formats import ImportVerdict, ResultRecord, SeatRecord
from leagues.exchange.people import SeatPerson
from leagues.exchange.questions import ImportQuestion
from leagues.models import Fixture, Player

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


@dataclass(frozen=True, kw_only=True)
class ImportLine:
    """What the import does with one result of the file, and why.

    - `line` is the line in the file, from 1, or None. `number` is the index of the result's
      finding.
    - `people` are the players by seat.
    - `fixture` is the planned match to which the result belongs. With `in_round`, the import
      creates a fixture or bye in this round.
    - `questions` are the keys of the questions that the organiser must answer about this result.
    - `remarks` are sentences about what is left out.
    - `early` means that the match ended before the goal of the game was reached.
    - `unsettled` means that the result contradicts itself and the organiser's answer does not
      decide it.
    - `about` describes the result if it could not be read.
    """

    verdict: ImportVerdict
    reason: _StrPromise | str
    params: object = None
    line: int | None = None
    number: int = 0
    record: ResultRecord | None = None
    people: tuple[SeatPerson, ...] = ()
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
        """Return the reason and the remarks as text in the active language.

        The text is built when it is needed, because a page shows only few lines of a file.
        """
        reason = str(self.reason) if self.params is None else str(self.reason) % self.params
        return (
            " ".join([reason, self.fixture_name, *map(str, self.remarks)])
            .replace("  ", " ")
            .strip()
        )

    @property
    def fixture_name(self) -> str:
        """Return a sentence that names the round and fixture to which the result belongs, or
        an empty string.
        """
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
        """Return the names of the players in this league, or the names in the file if the
        players are not known.
        """
        if self.people:
            return tuple(str(person.player or person.name) for person in self.people)
        return tuple(seat.player for seat in self.record.seats) if self.record else ()

    @property
    def seats(self) -> list[tuple[str, SeatRecord]]:
        """Return the name of each player, with the player's seat in the file.

        If the name in the league differs from that in the file, it is shown after it: `file →
        league`.
        """
        return [
            (_renamed(seat.player, name), seat)
            for name, seat in zip(self.names, self.record.seats if self.record else (), strict=True)
        ]

    @property
    def players(self) -> tuple[Player | None, ...]:
        return tuple(person.player for person in self.people)


@dataclass(frozen=True, kw_only=True)
class PlannedRound:
    """A round that the import creates (`new`), or an existing one that gets more fixtures and
    byes.
    """

    number: int
    new: bool
    lines: tuple[ImportLine, ...]

    @property
    def fixtures(self) -> int:
        return len(self.lines) - len(self.byes)

    @property
    def byes(self) -> tuple[str, ...]:
        """Return the names of the players who have a bye (no match) in this round."""
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
    """Effect of an import on each result of a file.

    `lines` are shown in the preview, in this order. `unlisted` counts further results that add
    nothing, by verdict. `guests` are the names of guests that the import would create.
    `other_games` counts skipped results by the name of their game. `zone` is the time zone of times
    in the file. `rounds` are the rounds that are created or completed.
    """

    lines: tuple[ImportLine, ...]
    guests: tuple[str, ...]
    other_games: Mapping[str, int]
    unlisted: Mapping[str, int]
    questions: tuple[ImportQuestion, ...] = ()
    zone: str = "UTC"
    rounds: tuple[PlannedRound, ...] = ()

    @cached_property
    def adding(self) -> tuple[ImportLine, ...]:
        """Return the results for which the import adds a match, in the order of the file."""
        return tuple(line for line in self._added if not line.is_bye)

    @property
    def byes(self) -> tuple[ImportLine, ...]:
        """Return the results for which the import adds a bye, in the order of the file."""
        return tuple(line for line in self._added if line.is_bye)

    @property
    def _added(self) -> Iterable[ImportLine]:
        return (line for line in self.lines if line.verdict is ImportVerdict.ADD)

    @property
    def doubts(self) -> int:
        return self.count(ImportVerdict.DOUBT)

    def count(self, verdict: ImportVerdict) -> int:
        return sum(line.verdict is verdict for line in self.lines) + self.unlisted.get(verdict, 0)

    def count_waiting(self, by: Player) -> int:
        return sum(is_own(line.players, by) for line in self.adding)

    @cached_property
    def digest(self) -> str:
        """Return a hash of what the import would do.

        Two plans with the same hash have the same effect.
        """
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
        # The time zone is part of the digest, because the preview shows hours in this zone.
        rounds = [[planned.number, planned.new] for planned in self.rounds]
        content = json.dumps([self.zone, lines, rounds], default=dt.datetime.isoformat)
        return sha256(content.encode()).hexdigest()

    @property
    def _possible(self) -> list[ImportLine]:
        return [
            line for line in self.lines if line.verdict in {ImportVerdict.ADD, ImportVerdict.DOUBT}
        ]

    def shows_all_of(self, other: ImportPlan) -> bool:
        """Return whether the preview of this plan shows every result that another plan of the same
        file adds.

        A result is shown if it is added to the same fixture or round, or if there is a question
        about it.
        """
        shown = {line.number: line for line in self._possible}
        return all(
            (line := shown.get(added.number)) is not None
            and (
                line.verdict is ImportVerdict.DOUBT
                or (line.fixture, line.in_round) == (added.fixture, added.in_round)
            )
            for added in (*other.adding, *other.byes)
        )


def planned_rounds(lines: Iterable[ImportLine], drawn: Iterable[int]) -> tuple[PlannedRound, ...]:
    """Return the rounds to which the import adds fixtures or byes.

    `drawn` are the numbers of the rounds that the league has already.
    """
    by_round: dict[int, list[ImportLine]] = {}
    for line in lines:
        if line.verdict is ImportVerdict.ADD and line.in_round is not None:
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
