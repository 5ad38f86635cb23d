"""Generated files are imported over pages and API: the import does what its preview showed.

`IMPORT_FILES` is the number of files. `make slow` tries the first fifty, and `make nightly` the
others. `IMPORT_FILE` tries a single file.
"""

from __future__ import annotations

import datetime as dt
import html
import json
import os
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.db import transaction
from django.test import Client

from api.keys.operations import make_token
from api.models import Token
from core import isolation
from core.names.text import comparison_key
from leagues.exceptions import OperationError
from leagues.exchange.formats import ImportVerdict
from leagues.exchange.import_plan import ImportLine, ImportPlan
from leagues.exchange.operations import import_results, preview_import, read_results
from leagues.members.operations.merging import merge_players
from leagues.models import Fixture, Match, Member, Player, Round
from leagues.players import rename_player
from tests.databases import seeded
from tests.isolated import run_here
from tests.leagues import world
from tests.leagues.exchange.generated_files import File, generated_file
from tests.leagues.exchange.generated_leagues import Dice, Ground, generated_league, played

pytestmark = pytest.mark.django_db

# Number of files tried by `make slow`. The others are tried by `make nightly`.
DAILY: Final = 50
# Files whose verdicts are counted.
CHECKED: Final = 100
FILES: Final = int(os.environ.get("IMPORT_FILES", "2000"))
ONE: Final = os.environ.get("IMPORT_FILE", "")
# Number of files for one league, which is built only once.
A_LEAGUE: Final = 5
# Number of leagues in a test at night. By day it is one, so that a test takes half a second.
LEAGUES_AT_NIGHT: Final = 5
# Of this number of files, one is read in a separate process, as on the site. That takes a seventh
# of a second. The other files are read by the same functions within the test process.
ISOLATED: Final = 50


def batches() -> list[Any]:
    """Return the numbers of the files of each test."""
    if ONE:
        return [pytest.param(range(int(ONE), int(ONE) + 1), id=f"file {ONE}")]
    found, start = [], 0
    while start < FILES:
        night = start >= DAILY
        size = A_LEAGUE * (LEAGUES_AT_NIGHT if night else 1)
        numbers = range(start, min(start + size, FILES))
        marks = [pytest.mark.nightly] if night else []
        found.append(pytest.param(numbers, marks=marks, id=f"{numbers[0]}-{numbers[-1]}"))
        start += size
    return found


@pytest.mark.slow
@pytest.mark.parametrize("numbers", batches())
def test_import_of_a_generated_file_does_what_its_preview_showed(
    numbers: range, monkeypatch: pytest.MonkeyPatch, record_property: Callable[[str, object], None]
) -> None:
    outcomes: Counter[str] = Counter()
    for start in range(numbers.start, numbers.stop, A_LEAGUE):
        first = start // A_LEAGUE * A_LEAGUE
        some = range(max(first, numbers.start), min(first + A_LEAGUE, numbers.stop))
        outcomes += _tried(some, monkeypatch)
    for outcome, count in outcomes.items():
        record_property(outcome, count)
    print(" ".join(f"{outcome}={count}" for outcome, count in sorted(outcomes.items())))  # noqa: T201


@pytest.mark.slow
def test_generated_files_cause_every_verdict_and_every_kind_of_question(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(isolation, "run", run_here)
    outcomes: Counter[str] = Counter()
    for start in range(0, CHECKED, A_LEAGUE):
        with undone(), seeded(f"league {start // A_LEAGUE}"):
            ground = generated_league(start // A_LEAGUE)
            for number in range(start, start + A_LEAGUE):
                trial = Trial(ground, number)
                trial.file = generated_file(ground, number)
                plan = trial.plan({})
                trial.count(plan)
                outcomes += trial.outcomes
                outcomes += Counter(line.verdict.value for line in plan.lines)
                outcomes[trial.file.file_format.value] += plan.adding != ()
                outcomes["in a fixture"] += any(line.fixture for line in plan.adding)
                outcomes["new rounds"] += any(planned.new for planned in plan.rounds)
                outcomes["byes"] += plan.byes != ()
    for outcome, least in {"read": 60, "adds": 40, "asks": 10, "refused": 10}.items():
        assert outcomes[outcome] >= least, outcomes
    questions = ("? person", "? early", "? before_draw", "? contradiction")
    verdicts = ("add", "doubt", "known", "skip", "unreadable")
    for kind in (
        *questions,
        *verdicts,
        "csv",
        "json",
        "bgstats",
        "in a fixture",
        "guests",
        "new rounds",
        "byes",
    ):
        assert outcomes[kind], (kind, outcomes)


def _tried(numbers: range, monkeypatch: pytest.MonkeyPatch) -> Counter[str]:
    """Import the files of one league, count the outcomes, and roll back all changes."""
    outcomes: Counter[str] = Counter()
    with undone(), seeded(f"league {numbers.start // A_LEAGUE}"):
        with monkeypatch.context() as patched:
            patched.setattr(isolation, "run", run_here)
            ground = generated_league(numbers.start // A_LEAGUE)
        monkeypatch.setattr("django.utils.timezone.now", lambda: ground.at)
        for number in numbers:
            with undone(), monkeypatch.context() as patched, seeded(f"file {number}"):
                if number % ISOLATED:
                    patched.setattr(isolation, "run", run_here)
                trial = Trial(ground, number)
                try:
                    trial.run()
                except BaseException as error:
                    error.add_note(trial.described())
                    raise
                outcomes += trial.outcomes
    return outcomes


@contextmanager
def undone() -> Iterator[None]:
    """Roll back everything that is saved in the block."""
    with transaction.atomic():
        yield
        transaction.set_rollback(True)
    cache.clear()


@dataclass(frozen=True, kw_only=True)
class Added:
    """A match that a preview of an import announced. `fixture` is the round of a new fixture."""

    key: str
    players: tuple[int | str, ...]
    points: list[int]
    places: list[int]
    sides: list[int]
    played_at: dt.datetime
    fixture: int | str | None
    early: bool
    own: bool


def announced(plan: ImportPlan, by: Player, at: dt.datetime) -> list[Added]:
    found = []
    for line in plan.adding:
        record = line.record_to_add
        persons = {person.player.person_id for person in line.people if person.player is not None}
        found.append(
            Added(
                key=record.key,
                players=tuple(
                    comparison_key(person.name) if person.player is None else person.player.pk
                    for person in line.people
                ),
                points=[seat.points or 0 for seat in record.seats],
                places=[seat.place for seat in record.seats],
                sides=[seat.side for seat in record.seats],
                played_at=min(record.played_at, at),
                fixture=_fixture(line),
                early=line.early,
                own=by.person_id in persons,
            )
        )
    return found


def _fixture(line: ImportLine) -> int | str | None:
    if line.in_round is not None:
        return f"round {line.in_round}"
    return None if line.fixture is None else line.fixture.pk


def saved(match: Match, new: set[int], before: Snapshot) -> Added:
    seats = list(match.seats.order_by("number").select_related("player"))
    sheet = match.sheet
    assert sheet is not None
    fixture: int | str | None = match.fixture_id
    if match.fixture is not None and match.fixture.pk not in before.fixtures:
        fixture = f"round {match.fixture.round.number}"
    return Added(
        key=match.external_id,
        players=tuple(
            comparison_key(seat.player.name) if seat.player_id in new else seat.player_id
            for seat in seats
        ),
        points=sheet.points,
        places=sheet.places,
        sides=[seat.side for seat in seats],
        played_at=match.played_at,
        fixture=fixture,
        early=bool(sheet.content.get("stopped")),
        own=match.state == Match.State.HANDED_IN,
    )


@dataclass(frozen=True, kw_only=True)
class Snapshot:
    """The rows of a league that an import may add to but must not change."""

    matches: dict[int, tuple[Any, ...]]
    fixtures: dict[int, str]
    players: dict[int, tuple[Any, ...]]
    members: dict[int, tuple[Any, ...]]
    byes: dict[tuple[int, int], list[int]]

    @classmethod
    def taken(cls) -> Snapshot:
        matches = Match.objects.values_list(
            *("pk", "fixture", "state", "version", "draft", "sheet", "played_at", "result__pk"),
            *("external_id", "note", "entered_by", "confirmed_by", "origin"),
        )
        players = Player.objects.values_list("pk", "name", "slug", "user", "merged_into", "left_at")
        members = Member.objects.values_list("pk", "player", "league", "role", "plays")
        rounds = Round.objects.values_list("league", "number", "byes")
        return cls(
            matches={row[0]: row[1:] for row in matches},
            fixtures=dict(Fixture.objects.values_list("pk", "state")),
            players={row[0]: row[1:] for row in players},
            members={row[0]: row[1:] for row in members},
            byes={row[:2]: [bye["player"] for bye in row[2]] for row in rounds},
        )


@dataclass
class Preview:
    """A preview of an import as the organiser sees it: the announced matches, and the form with
    questions below them.
    """

    plan: ImportPlan
    token: str
    decisions: dict[str, str]
    added: list[Added]


@dataclass
class Trial:
    """The import of one generated file into a league, step by step."""

    ground: Ground
    number: int
    outcomes: Counter[str] = field(default_factory=Counter)
    file: File | None = None
    steps: list[str] = field(default_factory=list)
    given: dict[str, str] = field(default_factory=dict)
    same: list[str] = field(default_factory=list)

    def run(self) -> None:
        self.dice = Dice(f"trial {self.number}")
        self.file = generated_file(self.ground, self.number)
        self.outcomes["files"] += 1
        self.before = Snapshot.taken()
        if not self.file.damaged and self.dice.percent(20) and self._is_text():
            self.by_program()
        else:
            self.by_page()

    def described(self) -> str:
        ground, file = self.ground, self.file
        about = ""
        if file is not None:
            text = file.data.decode(file.encoding, "backslashreplace")[:3000]
            about = f"{file.file_format}, {file.encoding}:\n{text}"
        league = ground.league
        return (
            f"File {self.number}: {league.game} {league.profile}, {league.format}, "
            f"{league.seats} seats, {league.zone}; {', '.join(self.steps)}\n{about}\n"
            f"Run it alone: IMPORT_FILE={self.number} .venv/bin/pytest "
            "tests/leagues/exchange/test_generated_files.py -k preview_showed"
        )

    def _is_text(self) -> bool:
        assert self.file is not None
        return self.file.encoding in {"utf-8", "utf-8-sig"}

    # The pages

    def by_page(self) -> None:
        self.client = Client(headers={"accept-language": self.dice.pick(("en", "es"))})
        assert self.ground.office.user is not None
        self.client.force_login(self.ground.office.user)
        self.address = f"/leagues/{self.ground.league.slug}/import/"
        preview = self.shown(self.uploaded(), 200)
        if preview is None:
            return
        self.count(preview.plan)
        preview = self.asked_again(preview)
        self.unchanged(self.before)
        if self.dice.percent(25) and (step := self.change(preview)):
            self.steps.append(step)
            self.before = Snapshot.taken()
        self.imported(preview)

    def uploaded(self) -> Any:
        assert self.file is not None
        upload = SimpleUploadedFile("results", self.file.data)
        answer = self.client.post(
            self.address, {"file": upload, "file_format": self.file.file_format.value}
        )
        assert answer.status_code in {200, 422}, answer.status_code
        return answer

    def shown(self, answer: Any, *expected: int) -> Preview | None:
        """Return the preview of a response, or None if the file could not be read."""
        assert answer.status_code in {*expected, 422}, answer.status_code
        plan = answer.context.get("plan") if answer.context else None
        if plan is None:
            self.outcomes["no file"] += 1
            return None
        page = answer.content.decode()
        assert page.count('<tr class="is-add">') == min(plan.count(ImportVerdict.ADD), 500)
        for planned in plan.rounds:
            assert html.escape(planned.sentence) in page
        assert page.count('<tr class="is-doubt">') == min(plan.doubts, 500)
        for guest in plan.guests:
            assert html.escape(guest) in page, guest
        form = re.search(r'name="token" value="([^"]+)"', page)
        digest = re.search(r'name="plan" value="([^"]+)"', page)
        assert (form is None) == (digest is None)
        if digest is not None:
            assert digest[1] == plan.digest
        asks = bool(plan.adding or plan.byes or plan.questions or plan.other_games)
        assert asks == (form is not None)
        return Preview(
            plan=plan,
            token=form[1] if form else "",
            decisions=radios(page),
            added=announced(plan, self.ground.office, self.ground.at),
        )

    def asked_again(self, preview: Preview) -> Preview:
        """Answer some questions, choose other games, and return the new preview."""
        while preview.token and self.dice.percent(35):
            answers = self.answers(preview.plan)
            same = [game for game in preview.plan.other_games if self.dice.percent(30)]
            fields: dict[str, Any] = {f"decision:{key}": value for key, value in answers.items()}
            answer = self.client.post(
                self.address,
                {"token": preview.token, "plan": preview.plan.digest, "again": "1", "same": same}
                | fields,
            )
            again = self.shown(answer, 200)
            assert again is not None
            assert again.decisions == {
                question.key: question.answer
                for question in again.plan.questions
                if question.answer and question.answer in question.answers
            }
            self.same += same
            self.steps.append(f"answered {answers} {same}")
            preview = again
        return preview

    def answers(self, plan: ImportPlan) -> dict[str, str]:
        """Return form answers to some of the questions of a preview."""
        given = {}
        for question in plan.questions:
            if self.dice.percent(60):
                given[question.key] = self.dice.pick(question.answers)
            elif question.answer in question.answers:
                given[question.key] = question.answer
        return given

    def imported(self, preview: Preview) -> None:
        """Import the file, and compare the league with what the preview announced."""
        if not preview.token:
            self.unchanged(self.before)
            return
        answer = self.client.post(self.address, self.form(preview))
        if answer.status_code == 302:
            self.steps.append("imported")
            self.compare(preview.added, preview.plan)
            self.outcomes["imported"] += 1
            self.again()
            return
        assert answer.status_code == 409, answer.status_code
        self.unchanged(self.before)
        new = self.shown(answer, 409)
        assert new is not None
        self.steps.append("shown again")
        if not preview.added and not new.added:
            return
        self.outcomes["changed"] += 1
        assert any(step.startswith("league:") for step in self.steps), "nothing had changed"
        if new.added:
            answer = self.client.post(self.address, self.form(new))
            assert answer.status_code == 302, answer.status_code
            self.compare(new.added, new.plan)
            self.again()

    def form(self, preview: Preview) -> dict[str, str]:
        answers = {f"decision:{key}": value for key, value in preview.decisions.items()}
        self.given = dict(preview.decisions)
        return {"token": preview.token, "plan": preview.plan.digest} | answers

    def again(self) -> None:
        """Import the file again, and check that nothing is added."""
        if self.dice.percent(75):
            plan = self.plan(self.given)
            assert [line.record for line in plan.lines if line.verdict is ImportVerdict.ADD] == []
            return
        before = Snapshot.taken()
        preview = self.shown(self.uploaded(), 200)
        assert preview is not None
        fields = {f"decision:{key}": value for key, value in self.given.items()}
        if preview.token and (fields or self.same):
            form: dict[str, Any] = {"token": preview.token, "again": "1", "same": self.same}
            answer = self.client.post(self.address, form | fields)
            preview = self.shown(answer, 200)
            assert preview is not None
        assert preview.added == []
        self.unchanged(before)

    # Programs

    def by_program(self) -> None:
        assert self.file is not None
        assert self.ground.office.user is not None
        _row, key = make_token(
            user=self.ground.office.user, name="test", scope=Token.Scope.WRITE, at=self.ground.at
        )
        self.client = Client(headers={"authorization": f"Bearer {key}"})
        content = self.file.data.decode()
        body: dict[str, Any] = {"form": self.file.file_format.value, "content": content}
        status, told = self.sent("preview/", body)
        if status != 200:
            self.outcomes["no file"] += 1
            return
        plan = self.planned(told, {})
        self.count(plan)
        decisions = self.answers(plan)
        self.steps.append(f"answered {decisions}")
        status, told = self.sent("preview/", body | {"decisions": decisions})
        assert status == 200, told
        plan = self.planned(told, decisions)
        self.unchanged(self.before)
        announced_before = announced(plan, self.ground.office, self.ground.at)
        status, told = self.sent("", body | {"decisions": decisions, "plan": plan.digest})
        if not plan.count(ImportVerdict.ADD):
            assert status == 409, (status, told)
            self.unchanged(self.before)
            return
        assert status == 201, (status, told)
        assert told["guests"] == list(plan.guests)
        assert (len(told["matches"]), told["doubts"]) == (len(plan.adding), plan.doubts)
        self.compare(announced_before, plan)
        self.outcomes["by program"] += 1
        status, told = self.sent("preview/", body | {"decisions": decisions})
        assert (status, told["adding"]) == (200, 0)

    def sent(self, where: str, body: Mapping[str, Any]) -> tuple[int, Any]:
        address = f"/api/v1/leagues/{self.ground.league.slug}/import/{where}"
        answer = self.client.post(address, json.dumps(body), "application/json")
        assert answer.status_code < 500, answer.content
        return answer.status_code, answer.json()

    def planned(self, told: Mapping[str, Any], decisions: Mapping[str, str]) -> ImportPlan:
        """Check the plan in a response of the API, and return it."""
        plan = self.plan(decisions)
        assert told["plan"] == plan.digest
        assert told["adding"] == len(plan.adding)
        assert told["guests"] == list(plan.guests)
        assert [line["players"] for line in told["lines"] if line["verdict"] == "add"] == [
            list(line.names) for line in plan.lines if line.verdict is ImportVerdict.ADD
        ]
        return plan

    def plan(self, decisions: Mapping[str, str]) -> ImportPlan:
        assert self.file is not None
        ground = self.ground
        reading = read_results(
            league=ground.league,
            data=self.file.data,
            file_format=self.file.file_format,
            by=ground.office,
            names=self.same,
        )
        return preview_import(
            league=ground.league,
            reading=reading,
            by=ground.office,
            at=ground.at,
            decisions=decisions,
        )

    # Comparisons

    def count(self, plan: ImportPlan) -> None:
        adding, asks = bool(plan.adding), bool(plan.questions)
        refused = not adding and not plan.doubts
        for outcome, holds in (("adds", adding), ("asks", asks), ("refused", refused)):
            self.outcomes[outcome] += holds
        self.outcomes["read"] += any(line.record is not None for line in plan.lines)
        self.outcomes["results"] += len(plan.lines)
        self.outcomes["added"] += len(plan.adding)
        self.outcomes["guests"] += len(plan.guests)
        for question in plan.questions:
            self.outcomes[f"? {question.key.partition(':')[0]}"] += 1

    def unchanged(self, before: Snapshot) -> None:
        assert Snapshot.taken() == before

    def compare(self, expected: list[Added], plan: ImportPlan) -> None:
        """Check that exactly the announced rows were added and all other rows are unchanged."""
        before, now = self.before, Snapshot.taken()
        new = now.players.keys() - before.players.keys()
        assert [now.players[key][0] for key in sorted(new)] == list(plan.guests)
        members = [now.members[key] for key in now.members.keys() - before.members.keys()]
        league = self.ground.league.pk
        assert sorted(members) == [(key, league, "player", True) for key in sorted(new)]
        matches = Match.objects.exclude(pk__in=before.matches).select_related("sheet")
        found = [saved(match, new, before) for match in matches.order_by("pk")]
        assert found == expected
        self.compare_rounds(plan, now, new)
        self.compare_with_file(list(matches), new)
        filled = {added.fixture for added in expected if added.fixture is not None}
        for key, row in before.matches.items():
            if row[0] in filled:
                # A fixture that the import filled may have had a void match or an empty draft
                # before.
                assert row[1] == "void" or (row[1], row[3]) == ("draft", None)
                assert now.matches[key][:2] == (None, "void")
            else:
                assert now.matches[key] == row
        # Imported matches in which the organiser played wait for the confirmation of another
        # player.
        played_now = {added.fixture for added in expected if not added.own}
        assert {key: now.fixtures[key] for key in before.fixtures} == {
            key: "played" if key in played_now else state for key, state in before.fixtures.items()
        }
        assert {key: now.players[key] for key in before.players} == before.players
        assert {key: now.members[key] for key in before.members} == before.members
        if self.dice.percent(20):
            assert world.faults() == []

    def compare_rounds(self, plan: ImportPlan, now: Snapshot, new: set[int]) -> None:
        """Compare new rounds, fixtures and byes with those that the preview announced."""
        before, league = self.before, self.ground.league.pk
        rounds = {(league, planned.number) for planned in plan.rounds if planned.new}
        assert now.byes.keys() - before.byes.keys() == rounds
        byes: Counter[tuple[int, int | str]] = Counter()
        for (_league, number), people in now.byes.items():
            for player in people[len(before.byes.get((_league, number), ())) :]:
                name = comparison_key(now.players[player][0])
                byes[number, name if player in new else player] += 1
        announced_byes = Counter(
            (
                line.in_round,
                comparison_key(person.name) if person.player is None else person.player.pk,
            )
            for line in plan.byes
            for person in line.people
        )
        assert byes == announced_byes
        fixtures = Fixture.objects.exclude(pk__in=before.fixtures)
        assert Counter(fixtures.values_list("round__number", flat=True)) == Counter(
            {planned.number: planned.fixtures for planned in plan.rounds if planned.fixtures}
        )
        for fixture in fixtures.select_related("match"):
            state = "open" if fixture.match.state == Match.State.HANDED_IN else "played"
            assert fixture.state == state
        self.outcomes["new rounds"] += len(rounds)
        self.outcomes["byes"] += len(plan.byes)

    @property
    def moved(self) -> bool:
        """Whether names in the file may mean other people now than when the file was written."""
        return any("several" in step or step.startswith("league:") for step in self.steps)

    def compare_with_file(self, matches: list[Match], new: set[int]) -> None:
        """Compare the matches with unambiguous values of the file."""
        assert self.file is not None
        keys = Counter(comparison_key(str(play.key)) for play in self.file.plays)
        plays = {
            play.key: play
            for play in self.file.plays
            if play.certain and play.key and keys[comparison_key(play.key)] == 1
        }
        for match in matches:
            play = plays.get(match.external_id)
            sheet = match.sheet
            if play is None or sheet is None or self.file.damaged:
                continue
            self.outcomes["compared"] += 1
            when = play.when.replace(tzinfo=self.ground.zone)
            if not (play.when.hour == 2 or when > self.ground.at):
                assert match.played_at == when.astimezone(dt.UTC), play
            seats = match.seats.select_related("player")
            points = dict(zip([seat.player.person_id for seat in seats], sheet.points, strict=True))
            for seat in play.seats if not self.moved else ():
                if seat.who.player is not None and any(sheet.points):
                    assert points[seat.who.player.person_id] == (seat.points or 0), play

    # Changes

    def change(self, preview: Preview) -> str:
        """Change the league between preview and import, and return what was done."""
        changes = (self.rename, self.merge, self.enter, self.import_before, self.void)
        return self.dice.pick(changes)(preview)

    def rename(self, preview: Preview) -> str:
        player = self.dice.pick(self.ground.members)
        names = [name for line in preview.plan.adding for name in line.names]
        name = self.dice.pick([name for name in [*names, "Otra"] if comparison_key(name)])
        rename_player(player=player, name=name)
        return f"league: renamed {player.name} to {name}"

    def merge(self, preview: Preview) -> str:
        guests = [
            player
            for player in Player.objects.guests().filter(leagues=self.ground.league)
            if player.is_guest
        ]
        if len(guests) < 2:
            return ""
        absorbed, kept = self.dice.some(guests, 2)
        try:
            merge_players(absorbed=absorbed, kept=kept, by=self.ground.office, at=self.ground.at)
        except OperationError:
            return ""
        return f"league: merged {absorbed.name} into {kept.name}"

    def enter(self, preview: Preview) -> str:
        fixtures = [added.fixture for added in preview.added if isinstance(added.fixture, int)]
        if not fixtures:
            return ""
        fixture = Fixture.objects.get(pk=self.dice.pick(fixtures))
        if Match.objects.filter(fixture=fixture).exists():
            return ""
        people = [seat.player for seat in fixture.seats.select_related("player")]
        played(self.ground, people, fixture, number=99, confirmed=self.dice.percent(50))
        return f"league: entered a match of fixture {fixture.pk}"

    def import_before(self, preview: Preview) -> str:
        assert self.file is not None
        ground = self.ground
        reading = read_results(
            league=ground.league,
            data=self.file.data,
            file_format=self.file.file_format,
            by=ground.office,
        )
        try:
            import_results(league=ground.league, reading=reading, by=ground.office, at=ground.at)
        except OperationError:
            return ""
        return "league: imported the file"

    def void(self, preview: Preview) -> str:
        fixture = Fixture.objects.filter(
            round__league=self.ground.league, state__in=Fixture.TO_PLAY
        ).first()
        if fixture is None:
            return ""
        Fixture.objects.filter(pk=fixture.pk).update(state=Fixture.State.VOID)
        return f"league: voided fixture {fixture.pk}"


def radios(page: str) -> dict[str, str]:
    """Return the preselected answers in the form of a preview."""
    found = re.findall(r'name="decision:([^"]*)"\s+value="([^"]*)"\s+checked', page)
    return {html.unescape(key): html.unescape(value) for key, value in found}
