"""Import of rounds that another program has drawn.

In a Swiss league, rounds that follow its last round are created. An imported round can get more
fixtures and byes of players who are not in it yet, because the rest of the round may come in a
later file. In rounds drawn on this site, results are only assigned to existing fixtures.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import replace
from typing import TYPE_CHECKING

from django.db.models.functions import Coalesce

from core.names.text import comparison_key
from leagues.draws import drawn_elsewhere
from leagues.exchange import sentences
from leagues.exchange.formats import ImportVerdict, ResultFinding
from leagues.exchange.import_plan import ImportLine
from leagues.exchange.open_fixtures import NO_ROUND, NONE_IN_ROUND
from leagues.exchange.people import SeatPerson, names_of
from leagues.exchange.questions import Decisions
from leagues.models import Fixture, FixtureSeat, League, Match, Player, Round

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# A player of a round: the primary key of a player, or the name of a guest whom the import creates.
Who = int | str


class RoundsElsewhere:
    """The rounds of a league and their players, to which an import adds fixtures and byes.

    `drawn` are the numbers of all rounds, `elsewhere` those of imported rounds.
    """

    def __init__(
        self, league: League, findings: Iterable[ResultFinding], decisions: Decisions
    ) -> None:
        self.league, self.decisions = league, decisions
        self.is_swiss = league.format == League.Format.SWISS
        self.drawn: set[int] = set()
        self.elsewhere: set[int] = set()
        self.people: dict[int, set[Who]] = {}
        self.byes: dict[int, set[int]] = {}
        # `names` contains the present and former names of players with byes. `gone` counts, by
        # round, players with byes whose account was deleted.
        self.names: dict[int, set[str]] = {}
        self.gone: dict[int, int] = {}
        self.last = 0
        # Primary keys of fixtures without a result. The next round cannot be created before they
        # are played.
        self.open: set[int] = set()
        ladder = league.format == League.Format.LADDER
        rounds = (finding.record.round for finding in findings if finding.record is not None)
        if not ladder and any(number is not None for number in rounds):
            self._read()

    def _read(self) -> None:
        rounds = dict(Round.objects.filter(league=self.league).values_list("number", "byes"))
        self.drawn = set(rounds)
        self.last = max(rounds, default=0)
        kept, gone = _players_after_merges(
            {bye["player"] for byes in rounds.values() for bye in byes}
        )
        for number, byes in rounds.items():
            people = [kept[bye["player"]] for bye in byes if bye["player"] in kept]
            self.byes[number] = set(people)
            self.people[number] = set(people)
            self.gone[number] = sum(player in gone for player in people)
        self.names = names_of(set(kept.values()))
        seats = FixtureSeat.objects.filter(fixture__round__league=self.league)
        person = Coalesce("player__merged_into", "player")
        for number, player in seats.values_list("fixture__round__number", person):
            self.people[number].add(player)
        self.elsewhere = drawn_elsewhere(self.league)
        to_play = Fixture.objects.filter(round__league=self.league, state__in=Fixture.TO_PLAY)
        self.open = set(to_play.values_list("pk", flat=True))
        # Fixtures with an imported result that awaits confirmation, because the organiser played
        # it, do not block the next round.
        waiting = Match.objects.filter(
            fixture__in=self.open, origin=Match.Origin.IMPORTED, state=Match.State.HANDED_IN
        )
        self.open -= set(waiting.values_list("fixture", flat=True))

    def may_add_to_round(self, number: int | None) -> bool:
        """Return whether an import may create this round or, if the round exists, add
        fixtures to it.
        """
        return (
            self.is_swiss
            and number is not None
            and (number not in self.drawn or number in self.elsewhere)
        )

    def join_rounds(self, lines: list[ImportLine]) -> list[ImportLine]:
        """Return the lines.

        Lines that have no fixture, but name a round, are added to this round.
        """
        by_round: dict[int, list[ImportLine]] = {}
        for line in lines:
            number = line.record.round if line.record is not None else None
            if number is None or line.verdict is not ImportVerdict.ADD or line.fixture is not None:
                continue
            if not self.decisions.leave_out(line.questions):
                by_round.setdefault(number, []).append(line)
        if not by_round:
            return lines
        self.open -= {
            line.fixture.pk for line in lines if line.fixture is not None and self._adds(line)
        }
        changed = list(lines)
        for number in sorted(by_round):
            for line in self._of_round(number, by_round[number]):
                changed[line.number] = line
        return changed

    def _adds(self, line: ImportLine) -> bool:
        """Return whether the import adds the result of a line, given the present answers to its
        questions.
        """
        if line.verdict is not ImportVerdict.ADD or line.unsettled:
            return False
        return not (
            self.decisions.leave_out(line.questions) or self.decisions.await_answer(line.questions)
        )

    def _of_round(self, number: int, lines: list[ImportLine]) -> Iterator[ImportLine]:
        if number in self.drawn:
            joining = number in self.elsewhere
            for line in lines:
                yield self._known_bye(line, number) or (
                    self._as_new_fixture(line, number) if joining else _refused_here(line, number)
                )
            return
        refusal = self._refusal(number)
        if refusal is not None:
            yield from (_skipped(line, *refusal) for line in lines)
            return
        joined = [self._as_new_fixture(line, number) for line in lines]
        if any(self._adds(line) for line in joined if not line.is_bye):
            self.last = number
            yield from joined
            return
        for line in joined:
            alone = line.verdict is ImportVerdict.ADD and line.is_bye
            yield _skipped(line, sentences.ONLY_BYES, {"round": number}) if alone else line

    def _refusal(self, number: int) -> tuple[_StrPromise, object] | None:
        """Return the reason why a round cannot be created, or None if it can."""
        planned = self.league.rounds_planned
        if not self.is_swiss:
            return NO_ROUND, number
        if planned is not None and number > planned:
            return sentences.TOO_MANY_ROUNDS, {"rounds": planned}
        if number != self.last + 1:
            return sentences.ROUND_MISSING, {"before": self.last + 1, "round": number}
        if self.open:
            return sentences.ROUND_OPEN, {"round": number}
        return None

    def _as_new_fixture(self, line: ImportLine, number: int) -> ImportLine:
        """Return the line with a new fixture or bye of the round.

        The line is marked as skipped if one of its players is already in this round.
        """
        present = self.people.setdefault(number, set())
        for person in line.people:
            if _identity(person) in present:
                return _skipped(line, sentences.IN_ROUND, _words(person, number))
        present |= {_identity(person) for person in line.people}
        line = replace(line, in_round=number)
        if not line.is_bye:
            return line
        return replace(line, reason=sentences.BYE, params=_words(line.people[0], number))

    def _known_bye(self, line: ImportLine, number: int) -> ImportLine | None:
        """Return the line marked as already known, if the round already has this bye.

        The player may have had another name then.
        """
        if not line.is_bye:
            return None
        (person,) = line.people
        byes = self.byes.get(number, set())
        key = comparison_key(person.name)
        known = _identity(person) in byes or any(key in self.names.get(each, ()) for each in byes)
        if not known and person.player is None and self.gone.get(number):
            self.gone[number] -= 1
            known = True
        if not known:
            return None
        return replace(line, verdict=ImportVerdict.KNOWN, reason=sentences.BYE_KNOWN, params=None)


def _refused_here(line: ImportLine, number: int) -> ImportLine:
    if line.is_bye:
        return _skipped(line, sentences.NO_BYE, _words(line.people[0], number))
    return _skipped(line, NONE_IN_ROUND, number)


def _skipped(line: ImportLine, reason: _StrPromise, params: object) -> ImportLine:
    return replace(line, verdict=ImportVerdict.SKIP, reason=reason, params=params, in_round=None)


def _words(person: SeatPerson, number: int) -> dict[str, object]:
    return {"player": str(person.player or person.name), "round": number}


def _identity(person: SeatPerson) -> Who:
    return comparison_key(person.name) if person.player is None else person.player.person_id


def _players_after_merges(keys: Collection[int]) -> tuple[dict[int, int], set[int]]:
    """Map these players to their primary keys after merges, and return which accounts were
    deleted.
    """
    if not keys:
        return {}, set()
    rows = Player.objects.filter(pk__in=keys).values_list("pk", "merged_into")
    kept = {key: merged or key for key, merged in rows}
    gone = Player.objects.filter(pk__in=kept.values(), left_at__isnull=False)
    return kept, set(gone.values_list("pk", flat=True))
