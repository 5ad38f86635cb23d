"""Rounds in files: draws made by another program, including byes."""

from __future__ import annotations

import datetime as dt
import json
import re
from collections.abc import Sequence
from typing import Any

import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

from leagues.exchange.formats import (
    COLUMNS,
    ImportVerdict,
    ResultRecord,
    SeatRecord,
    fingerprint,
    write_csv,
    write_json,
)
from leagues.exchange.import_plan import ImportPlan
from leagues.exchange.operations import (
    FileFormat,
    ImportResult,
    PreviewOutdated,
    ShownPlan,
    export_results,
    import_results,
    preview_import,
    read_results,
    records_of,
    template_rows,
)
from leagues.fixtures.labels import reason_sentences
from leagues.fixtures.operations import draw_next_swiss
from leagues.fixtures.opponents import preview_swap, swap_players
from leagues.games import Judgement
from leagues.matches.consequences import correction_consequences
from leagues.matches.operations.corrections import void_match
from leagues.models import Fixture, FormerName, League, Match, Member, Player, Round
from leagues.players import rename_player
from leagues.standings.queries import standings_basis
from leagues.standings.scoring import UnplayedKind
from tests.factories import browser
from tests.leagues import game, world

pytestmark = pytest.mark.django_db

AT = dt.datetime(2026, 11, 28, 12, tzinfo=dt.UTC)
HEAD = "match,round,played_at,player,place,points\n"


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def swiss(office: Player) -> League:
    return league_of(office)


def league_of(office: Player, **fields: Any) -> League:
    settings = {"game": "dominoes", "profile": "rulebook", "format": "swiss", "rounds_planned": 5}
    return world.found_league(office, plays=False, **(settings | fields))


class Desk:
    """An organiser with a file to preview and import."""

    def __init__(self, league: League, by: Player, kind: FileFormat = FileFormat.CSV) -> None:
        self.league, self.by, self.kind = league, by, kind

    def plan(self, text: str, /, **decisions: str) -> ImportPlan:
        return preview_import(
            league=self.league, reading=self.read(text), by=self.by, at=AT, decisions=decisions
        )

    def add(self, text: str, /, **decisions: str) -> ImportResult:
        """Import what the preview shows, and check that the import did exactly this."""
        plan = self.plan(text, **decisions)
        before = set(Round.objects.values_list("number", flat=True))
        fixtures, byes = Fixture.objects.count(), byes_of(self.league)
        done = import_results(
            league=self.league,
            reading=self.read(text),
            by=self.by,
            at=AT,
            decisions=decisions,
            shown=ShownPlan(digest=plan.digest, decisions=decisions),
        )
        assert len(done.matches) == len(plan.adding)
        assert [guest.name for guest in done.guests] == list(plan.guests)
        new = [planned.number for planned in plan.rounds if planned.new]
        assert [each.number for each in done.rounds] == new
        assert before | set(new) == set(Round.objects.values_list("number", flat=True))
        assert Fixture.objects.count() == fixtures + sum(each.fixtures for each in plan.rounds)
        added = [(each.number, name) for each in plan.rounds for name in each.byes]
        assert sorted(byes_of(self.league)) == sorted(byes + added)
        assert done.byes == len(added)
        assert world.faults() == []
        return done

    def read(self, text: str) -> Any:
        return read_results(
            league=self.league, data=text.encode(), file_format=self.kind, by=self.by
        )


def byes_of(league: League) -> list[tuple[int, str]]:
    return [
        (drawn.number, Player.objects.get(pk=bye["player"]).name)
        for drawn in Round.objects.filter(league=league).order_by("number")
        for bye in drawn.byes
    ]


def match(number: int | str, drawn: int | str, when: str, first: str, second: str) -> str:
    """Return the CSV lines of a match that the first player wins."""
    return f"{number},{drawn},{when},{first},1,104\n{number},{drawn},{when},{second},2,57\n"


def bye(number: int | str, drawn: int | str, when: str, name: str) -> str:
    return f"{number},{drawn},{when},{name},,\n"


ONE = match(1, 1, "2026-11-03", "Ana", "Bruno") + bye(2, 1, "2026-11-03", "Carla")
TWO = match(3, 2, "2026-11-10", "Ana", "Carla") + bye(4, 2, "2026-11-10", "Bruno")
THREE = match(5, 3, "2026-11-17", "Carla", "Bruno") + bye(6, 3, "2026-11-17", "Ana")


def test_rounds_and_byes_of_a_file_are_created_with_their_results(
    swiss: League, office: Player
) -> None:
    desk = Desk(swiss, office)
    plan = desk.plan(HEAD + ONE + TWO + THREE)
    assert [each.sentence for each in plan.rounds] == [
        "Round 1 will be created: 1 fixture, 1 bye. Byes: Carla.",
        "Round 2 will be created: 1 fixture, 1 bye. Byes: Bruno.",
        "Round 3 will be created: 1 fixture, 1 bye. Byes: Ana.",
    ]
    desk.add(HEAD + ONE + TWO + THREE)
    assert byes_of(swiss) == [(1, "Carla"), (2, "Bruno"), (3, "Ana")]
    assert set(Fixture.objects.values_list("state", flat=True)) == {"played"}
    drawn = list(Round.objects.order_by("number"))
    assert [each.drawn_at.date().day for each in drawn] == [3, 10, 17]
    scores = {
        Player.objects.get(pk=row.player).name: row.score for row in standings_basis(swiss).rows()
    }
    assert scores == {"Ana": 3, "Carla": 2, "Bruno": 1}


@pytest.mark.slow
def test_file_that_grows_by_a_round_can_be_imported_again(swiss: League, office: Player) -> None:
    desk = Desk(swiss, office)
    text = HEAD
    for number, part in enumerate((ONE, TWO, THREE), start=1):
        text += part
        done = desk.add(text)
        assert [each.number for each in done.rounds] == [number]
        again = desk.plan(text)
        assert (again.adding, again.byes, again.rounds) == ((), (), ())
        assert {line.verdict for line in again.lines} == {ImportVerdict.KNOWN}
    assert Match.objects.count() == Fixture.objects.count() == 3


def sentences(plan: ImportPlan) -> list[str]:
    return [line.sentence for line in plan.lines if line.verdict is not ImportVerdict.ADD]


def test_imported_fixtures_and_seats_have_the_order_of_the_file(
    swiss: League, office: Player
) -> None:
    text = (
        HEAD + match(1, 1, "2026-11-03", "Ana", "Bruno") + match(2, 1, "2026-11-02", "Eva", "Kim")
    )
    Desk(swiss, office).add(text)
    seated = [
        [seat.player.name for seat in fixture.seats.order_by("number")]
        for fixture in Fixture.objects.order_by("number")
    ]
    assert seated == [["Ana", "Bruno"], ["Eva", "Kim"]]
    assert [each.fixture_id for each in Match.objects.order_by("pk")] == [
        each.pk for each in Fixture.objects.order_by("number")
    ]
    (drawn,) = Round.objects.all()
    assert drawn.drawn_at == dt.datetime(2026, 11, 2, 12, tzinfo=dt.UTC)
    assert drawn.deadline == dt.datetime(2026, 11, 9, 12, tzinfo=dt.UTC)
    assert reason_sentences(Fixture.objects.all()[0].reasons) == [
        "This fixture was drawn with another program and imported from a file."
    ]


REFUSED = [
    ("a gap at the beginning", TWO, ["Round 1 comes before round 2"] * 2),
    (
        "a gap in between",
        ONE + THREE,
        ["Round 2 comes before round 3"] * 2,
    ),
    ("above the plan", ONE + match(3, 6, "2026-11-10", "Ana", "Carla"), ["is round 5"]),
    (
        "two matches",
        ONE + match(3, 1, "2026-11-04", "Eva", "Ana"),
        ["Ana already has a match or a bye in round 1."],
    ),
    (
        "a match and a bye",
        ONE + bye(3, 1, "2026-11-04", "bruno"),
        ["bruno already has a match or a bye in round 1."],
    ),
    (
        "a bye and a match",
        ONE + match(3, 1, "2026-11-04", "Eva", "Carla"),
        ["Carla already has a match or a bye in round 1."],
    ),
    (
        "two byes",
        ONE + bye(3, 1, "2026-11-04", "Carla"),
        ["Carla already has a match or a bye in round 1."],
    ),
    ("the same bye twice", ONE + bye(3, 1, "2026-11-03", "Carla"), ["appears twice"]),
    (
        "byes alone",
        ONE + bye(3, 2, "2026-11-10", "Ana") + match(4, 3, "2026-11-12", "Ana", "Bruno"),
        [
            "Round 2 will not be created, because no match is being added to it.",
            "Round 2 comes before round 3",
        ],
    ),
    ("no round", ONE + bye(3, "", "2026-11-10", "Ana"), ["two to six players"]),
    ("a round of nobody", ONE + bye(3, 1, "2026-11-10", ""), ["has no name"]),
    ("in the future", ONE + bye(3, 1, "2026-11-29", "Eva"), ["in the future"]),
    ("half a match", ONE + "3,1,2026-11-10,Eva,1,\n", ["no opponent"]),
    ("half a match with points", ONE + "3,1,2026-11-10,Eva,,57\n", ["no opponent"]),
    ("no number", ONE + bye(3, "one", "2026-11-10", "Eva"), ["“one” is not a round."]),
    ("nought", ONE + match(3, 0, "2026-11-10", "Eva", "Kim"), ["“0” is not a round."]),
    ("a hundred", ONE + match(3, 100, "2026-11-10", "Eva", "Kim"), ["“100” is not a round."]),
    ("a fraction", ONE + match(3, "1.5", "2026-11-10", "Eva", "Kim"), ["“1.5” is not a round."]),
]


@pytest.mark.parametrize(
    ("text", "said"), [case[1:] for case in REFUSED], ids=[case[0] for case in REFUSED]
)
def test_rejected_lines_of_a_round_do_not_affect_the_others(
    swiss: League, office: Player, text: str, said: list[str]
) -> None:
    plan = Desk(swiss, office).plan(HEAD + text)
    found = sentences(plan)
    assert len(found) == len(said)
    for sentence, part in zip(found, said, strict=True):
        assert part in sentence
    assert [each.number for each in plan.rounds] == ([1] if ONE in text else [])
    assert Round.objects.count() == Player.objects.exclude(pk=office.pk).count() == 0


def test_lines_of_one_match_must_name_the_same_round(swiss: League, office: Player) -> None:
    text = "1,1,2026-11-03,Ana,1,104\n1,2,2026-11-03,Bruno,2,57\n"
    said = sentences(Desk(swiss, office).plan(HEAD + text))
    assert "The value of “round” differs from the value in the other lines for this match." in said
    assert Desk(swiss, office).plan(HEAD + text).rounds == ()
    first_only = "1,1,2026-11-03,Ana,1,104\n1,,2026-11-03,Bruno,2,57\n"
    assert [each.number for each in Desk(swiss, office).plan(HEAD + first_only).rounds] == [1]


# The following tests import results into rounds that were drawn on the site.


def drawn_here(office: Player, names: Sequence[str], on: str = "2026-11-01") -> League:
    league = league_of(office)
    for name in names:
        world.enter_league(league, world.account(name))
    draw_next_swiss(league=league, by=office, at=dt.datetime.fromisoformat(f"{on}T12:00:00Z"))
    return league


def test_import_fills_a_drawn_round_and_creates_the_next(office: Player) -> None:
    league = drawn_here(office, ["Ana", "Bruno"])
    desk = Desk(league, office)
    first, second = (
        match(1, 1, "2026-11-03", "Ana", "Bruno"),
        match(2, 2, "2026-11-05", "Ana", "Eva"),
    )
    alone = desk.plan(HEAD + second)
    assert sentences(alone) == [
        ("Round 2 can’t be created yet, because an earlier round has fixtures without a result.")
    ]
    done = desk.add(HEAD + first + second)
    assert [each.number for each in done.rounds] == [2]
    assert list(Fixture.objects.order_by("round__number").values_list("state", flat=True)) == [
        "played",
        "played",
    ]
    assert Round.objects.get(number=1).closed_at == AT
    assert Round.objects.get(number=2).closed_at is None


def test_import_adds_no_fixture_or_bye_to_a_drawn_round(office: Player) -> None:
    league = drawn_here(office, ["Ana", "Bruno", "Carla"])
    (sitting,) = [name for _number, name in byes_of(league)]
    first, second = sorted({"Ana", "Bruno", "Carla"} - {sitting})
    desk = Desk(league, office)
    text = HEAD + match(1, 1, "2026-11-03", sitting, first) + bye(2, 1, "2026-11-03", second)
    assert sentences(desk.plan(text)) == [
        "These players have no fixture left to play in round 1.",
        f"Round 1 has already been drawn, and {second} has no bye in it.",
    ]
    plan = desk.plan(HEAD + bye(2, 1, "2026-11-03", sitting.upper()))
    assert sentences(plan) == ["The league already includes this bye."]


def test_round_in_a_file_chooses_the_fixture_of_a_round_robin(office: Player) -> None:
    league = world.round_robin(
        office, ["Ana", "Bruno"], game="dominoes", profile="rulebook", rounds_planned=2
    )
    league.rounds.update(drawn_at="2026-11-01T12:00:00Z")
    desk = Desk(league, office)
    text = (
        HEAD
        + match(1, "", "2026-11-02", "Ana", "Bruno")
        + match(2, 1, "2026-11-20", "Ana", "Bruno")
        + match(3, 1, "2026-11-21", "Ana", "Bruno")
        + match(4, 3, "2026-11-22", "Ana", "Bruno")
        + bye(5, 3, "2026-11-22", "Ana")
    )
    plan = desk.plan(text)
    filled = {line.line: line.fixture.round.number for line in plan.adding if line.fixture}
    assert filled == {2: 2, 4: 1}
    assert sentences(plan) == [
        "These players have no fixture left to play in round 1.",
        "This league has no round 3.",
        "This league has no round 3.",
    ]
    desk.add(text)
    assert Round.objects.count() == 2


def test_ladder_ignores_round_numbers_in_a_file(office: Player) -> None:
    league = league_of(office, format="ladder", rounds_planned=None)
    desk = Desk(league, office)
    text = HEAD + match(1, "group A", "2026-11-02", "Ana", "Bruno") + bye(2, 1, "2026-11-02", "Eva")
    plan = desk.plan(text)
    assert len(plan.adding) == 1
    assert sentences(plan) == ["A match has two to six players, but this one has 1."]
    desk.add(text)
    assert Round.objects.count() == 0


# Later imports


DOUBTFUL = "7,1,2026-11-04,Eva,1,20\n7,1,2026-11-04,Kim,2,104\n"


@pytest.mark.slow
def test_rest_of_a_round_can_be_imported_later(swiss: League, office: Player) -> None:
    desk = Desk(swiss, office)
    plan = desk.plan(HEAD + ONE + DOUBTFUL)
    assert [each.sentence for each in plan.rounds] == [
        "Round 1 will be created: 1 fixture, 1 bye. Byes: Carla."
    ]
    desk.add(HEAD + ONE + DOUBTFUL)
    later = desk.plan(
        HEAD + ONE + DOUBTFUL + bye(8, 1, "2026-11-04", "Zoe"), contradiction="points"
    )
    assert [each.sentence for each in later.rounds] == [
        "Round 1 will be completed: 1 fixture, 1 bye. Byes: Zoe."
    ]
    desk.add(HEAD + ONE + DOUBTFUL + bye(8, 1, "2026-11-04", "Zoe"), contradiction="points")
    assert list(Fixture.objects.values_list("number", "state")) == [(1, "played"), (2, "played")]
    other = match(9, 1, "2026-11-05", "Eva", "Lola")
    assert sentences(desk.plan(HEAD + other)) == ["Eva already has a match or a bye in round 1."]


def test_round_with_only_doubtful_matches_is_not_created(swiss: League, office: Player) -> None:
    desk = Desk(swiss, office)
    text = HEAD + DOUBTFUL + bye(8, 1, "2026-11-04", "Ana") + TWO
    plan = desk.plan(text)
    assert (plan.doubts, plan.adding, plan.byes, plan.rounds) == (1, (), (), ())
    assert (
        sentences(plan)[1] == "Round 1 will not be created, because no match is being added to it."
    )
    assert [each.number for each in desk.plan(text, contradiction="places").rounds] == [1, 2]
    with pytest.raises(PreviewOutdated):
        import_results(
            league=swiss,
            reading=desk.read(text),
            by=office,
            at=AT,
            decisions={"contradiction": "places"},
            shown=ShownPlan(digest=plan.digest, decisions={}),
        )
    assert Round.objects.count() == Match.objects.count() == 0


def test_missing_byes_of_a_round_can_be_imported_later(swiss: League, office: Player) -> None:
    desk = Desk(swiss, office)
    desk.add(HEAD + ONE)
    desk.add(HEAD + ONE + bye(9, 1, "2026-11-03", "Eva"))
    assert byes_of(swiss) == [(1, "Carla"), (1, "Eva")]


def test_preview_is_outdated_if_its_round_was_created_meanwhile(
    swiss: League, office: Player
) -> None:
    desk = Desk(swiss, office)
    shown = desk.plan(HEAD + match(7, 1, "2026-11-05", "Eva", "Kim"))
    desk.add(HEAD + ONE)
    assert desk.plan(HEAD + match(7, 1, "2026-11-05", "Eva", "Kim")).digest != shown.digest


def test_imported_bye_is_recognised_under_a_former_name(swiss: League, office: Player) -> None:
    desk = Desk(swiss, office)
    desk.add(HEAD + ONE)
    rename_player(player=Player.objects.get(name="Carla"), name="Carla Luna")
    assert {line.verdict for line in desk.plan(HEAD + ONE).lines} == {ImportVerdict.KNOWN}


def test_imported_bye_of_a_deleted_account_is_recognised(swiss: League, office: Player) -> None:
    desk = Desk(swiss, office)
    desk.add(HEAD + ONE)
    carla = Player.objects.get(name="Carla")
    rename_player(player=carla, name="Gone")
    FormerName.objects.all().delete()
    assert desk.plan(HEAD + ONE).guests == ("Carla",)
    Player.objects.filter(pk=carla.pk).update(left_at=AT)
    assert {line.verdict for line in desk.plan(HEAD + ONE).lines} == {ImportVerdict.KNOWN}


def test_correction_shows_no_other_pairings_for_rounds_from_a_file(
    swiss: League, office: Player
) -> None:
    text = (
        HEAD + match(1, 1, "2026-11-03", "Ana", "Bruno") + match(2, 1, "2026-11-03", "Eva", "Kim")
    )
    text += match(3, 2, "2026-11-10", "Ana", "Eva") + match(4, 2, "2026-11-10", "Bruno", "Kim")
    first = Desk(swiss, office).add(text).matches[0]
    turned = Judgement(points=(57, 104), places=(2, 1), over=True, evidence="score")
    assert correction_consequences(first, turned, by=office).pairings == ()
    Fixture.objects.update(reasons=[])
    assert correction_consequences(first, turned, by=office).pairings != ()


# Members and standings


def test_imported_members_join_before_their_first_round(swiss: League, office: Player) -> None:
    world.enter_league(swiss, world.account("Ana"))
    Member.objects.update(joined_at=AT)
    late = match(7, 2, "2026-11-10", "Eva", "Kim")
    Desk(swiss, office).add(HEAD + ONE + TWO + late)
    joined = {
        member.player.name: member.joined_at.day
        for member in Member.objects.select_related("player").exclude(player=office)
    }
    assert joined == {"Ana": 3, "Bruno": 3, "Carla": 3, "Eva": 10, "Kim": 10}
    assert Member.objects.get(player=office).joined_at == AT
    entries = {entry.player: entry for entry in standings_basis(swiss).entries}
    missed = entries[Player.objects.get(name="Eva").pk].unplayed
    assert [(each.round, each.kind) for each in missed] == [(1, UnplayedKind.NOT_ENTERED)]


def test_imported_rounds_of_one_day_have_increasing_times(swiss: League, office: Player) -> None:
    day = "2026-11-03"
    second = match(3, 2, day, "Ana", "Eva")
    Desk(swiss, office).add(HEAD + match(1, 1, day, "Ana", "Bruno") + second)
    one, two = Round.objects.order_by("number")
    assert one.drawn_at < two.drawn_at
    entry = next(
        each
        for each in standings_basis(swiss).entries
        if each.player == Player.objects.get(name="Eva").pk
    )
    assert [each.kind for each in entry.unplayed] == [UnplayedKind.NOT_ENTERED]


def test_standings_of_a_past_day_contain_the_imported_rounds_of_that_day(
    swiss: League, office: Player
) -> None:
    Desk(swiss, office).add(HEAD + ONE + TWO + THREE)
    basis = standings_basis(swiss)
    for day, scores in ((3, []), (4, [1, 1, 0]), (11, [2, 1, 1]), (18, [3, 2, 1])):
        past = basis.until_time(dt.datetime(2026, 11, day, tzinfo=dt.UTC))
        assert [row.score for row in past.rows() if row.placed] == scores


@pytest.mark.slow
@pytest.mark.parametrize("kind", [FileFormat.CSV, FileFormat.JSON])
def test_imported_tournament_has_the_same_standings_as_one_played_on_the_site(
    office: Player, kind: FileFormat
) -> None:
    cards = {"game": game.KEY, "profile": "plain"}
    here, copy = league_of(office, **cards), league_of(office, **cards)
    for name in ("Ana", "Bruno", "Carla", "Dora", "Eva"):
        world.enter_league(here, world.account(name))
        world.enter_league(copy, Player.objects.get(name=name))
    League.objects.filter(pk=copy.pk).update(seed=bytes(League.objects.get(pk=here.pk).seed))
    for number in range(1, 6):
        at = AT - dt.timedelta(days=60 - 7 * number)
        drawn = draw_next_swiss(league=here, by=office, at=at)
        for fixture in Fixture.objects.filter(round=drawn):
            low = 1 + 7 * fixture.pk % 9
            world.play(fixture, *((10, low) if fixture.pk % 3 else (low, 10)), at=at)
    records = list(records_of(here))
    assert {record.round for record in records} == {1, 2, 3, 4, 5}
    records += [
        ResultRecord(
            key="",
            played_at=drawn.drawn_at,
            game=game.KEY,
            seats=(SeatRecord(player=Player.objects.get(pk=bye["player"]).name, side=0, place=1),),
            round=drawn.number,
        )
        for drawn in here.rounds.all()
        for bye in drawn.byes
    ]
    written = write_csv(records) if kind is FileFormat.CSV else write_json(records)
    done = Desk(copy, office, kind).add(written)
    assert (len(done.matches), done.byes, len(done.rounds)) == (10, 5, 5)
    copied = standings_basis(League.objects.get(pk=copy.pk))
    original = standings_basis(League.objects.get(pk=here.pk))
    assert copied.rows() == original.rows()
    assert {row.byes for row in copied.rows()} == {1}


# The following tests are about exports, pages and the API.


def test_exported_rounds_are_recognised_when_imported_again(swiss: League, office: Player) -> None:
    desk = Desk(swiss, office)
    desk.add(HEAD + ONE + TWO)
    text = export_results(league=swiss, file_format=FileFormat.CSV)
    heading, *lines = [line.split(",") for line in text.splitlines()]
    assert heading[-3:] == ["site", "league_id", "round"]
    assert [line[-1] for line in lines] == ["1", "1", "2", "2"]
    assert {line.verdict for line in desk.plan(text).lines} == {ImportVerdict.KNOWN}
    as_json = export_results(league=swiss, file_format=FileFormat.JSON)
    assert [each["round"] for each in json.loads(as_json)["results"]] == [1, 2]
    again = Desk(swiss, office, FileFormat.JSON).plan(as_json)
    assert {line.verdict for line in again.lines} == {ImportVerdict.KNOWN}


def test_export_of_a_ladder_contains_no_rounds(office: Player) -> None:
    league = league_of(office, format="ladder", rounds_planned=None)
    Desk(league, office).add(HEAD + match(1, 1, "2026-11-02", "Ana", "Bruno"))
    assert export_results(league=league, file_format=FileFormat.CSV).startswith(
        ",".join(COLUMNS) + "\r\n"
    )
    assert "round" not in export_results(league=league, file_format=FileFormat.JSON)


def test_import_template_has_a_round_column_except_for_ladders(
    swiss: League, office: Player
) -> None:
    rows = list(template_rows(swiss))
    assert (rows[0][-2:], rows[1][-2:]) == (["points", "round"], [10, 1])
    ladder = league_of(office, format="ladder", rounds_planned=None)
    assert [row[-1] for row in template_rows(ladder)] == ["points", 10, 0]


def test_import_page_explains_the_round_column_except_for_ladders(
    swiss: League, office: Player
) -> None:
    explained = "for a bye, write one line with the round"
    client = browser(office)
    assert explained in client.get(f"/leagues/{swiss.slug}/import/").text
    ladder = league_of(office, format="ladder", rounds_planned=None)
    assert explained not in client.get(f"/leagues/{ladder.slug}/import/").text


def test_result_imported_by_an_earlier_version_is_recognised_with_its_round(
    swiss: League, office: Player
) -> None:
    text = HEAD + ONE
    (record, _bye) = Desk(swiss, office).read(text).records
    seats = record.seats
    assert record.former_key == fingerprint(record.played_at, "dominoes", seats)
    assert record.key == fingerprint(record.played_at, "dominoes", seats, 1) != record.former_key
    Desk(swiss, office).add(text)
    Match.objects.update(external_id=record.former_key)
    assert {line.verdict for line in Desk(swiss, office).plan(text).lines} == {ImportVerdict.KNOWN}


@pytest.mark.slow
def test_page_and_api_announce_the_rounds_to_be_created(swiss: League, office: Player) -> None:
    client = browser(office)
    address = f"/leagues/{swiss.slug}/import/"
    file = SimpleUploadedFile("r.csv", (HEAD + ONE).encode())
    page = client.post(address, {"file": file, "file_format": "csv"}).content.decode()
    assert "Round 1 will be created: 1 fixture, 1 bye. Byes: Carla." in page
    assert "Carla will have a bye in round 1." in page
    token = re.search(r'name="token" value="([^"]+)"', page)
    plan = re.search(r'name="plan" value="([^"]+)"', page)
    assert token is not None
    assert plan is not None
    done = client.post(address, {"token": token[1], "plan": plan[1]}, follow=True).text
    assert "1 match has been imported. 1 bye has been added. 1 round has been created." in done
    api = f"/api/v1/leagues/{swiss.slug}/import/"
    body = {"form": "csv", "content": HEAD + ONE + TWO}
    told = client.post(f"{api}preview/", body, "application/json").json()
    assert told["rounds"] == [
        {
            "round": 2,
            "new": True,
            "fixtures": 1,
            "byes": ["Bruno"],
            "sentence": "Round 2 will be created: 1 fixture, 1 bye. Byes: Bruno.",
        }
    ]
    answer = client.post(api, body | {"plan": told["plan"]}, "application/json").json()
    assert (answer["rounds"], answer["byes"], len(answer["matches"])) == ([2], 1, 1)
    fixture = Fixture.objects.all()[0]
    shown = client.get(f"/leagues/{swiss.slug}/fixtures/{fixture.pk}/").text
    assert "This fixture was drawn with another program and imported from a file." in shown


def test_unconfirmed_own_results_do_not_prevent_the_creation_of_rounds(office: Player) -> None:
    league = league_of(office)
    Member.objects.filter(player=office).update(plays=True)
    desk = Desk(league, office)
    own = match(1, 1, "2026-11-03", "office", "Bruno") + match(2, 2, "2026-11-04", "office", "Eva")
    done = desk.add(HEAD + own)
    assert (done.waiting, len(done.rounds)) == (2, 2)
    assert set(Fixture.objects.values_list("state", flat=True)) == {"open"}
    desk.add(HEAD + own + match(3, 3, "2026-11-05", "Bruno", "Eva"))
    assert Round.objects.count() == 3


def voided(league: League, office: Player) -> tuple[Fixture, Fixture]:
    """Void the results of a round that came from a file, and return its two fixtures."""
    for each in Match.objects.filter(league=league):
        void_match(match=each, version=each.version, by=office, at=AT, reason="Wrong.")
    first, second = Fixture.objects.order_by("number")
    return first, second


PAIRS = match(1, 1, "2026-11-03", "Ana", "Bruno") + match(2, 1, "2026-11-03", "Carla", "Dani")


@pytest.mark.slow
def test_round_from_a_file_remains_one_after_changes_by_the_organiser(
    swiss: League, office: Player
) -> None:
    desk = Desk(swiss, office)
    desk.add(HEAD + PAIRS)
    first, second = voided(swiss, office)
    one, other = world.seated(first)[0], world.seated(second)[0]
    swap_players(fixture=first, player=one, other=other, by=office, at=AT)
    first.refresh_from_db()
    said = reason_sentences(first.reasons)
    assert said[0] == "An organiser changed the draw for this match."
    assert said[-1] == "This fixture was drawn with another program and imported from a file."
    # The reasons of the fixture still say that it was imported, so the remaining matches of the
    # round can be imported later.
    desk.add(HEAD + PAIRS + match(3, 1, "2026-11-03", "Ema", "Fede"))
    assert Fixture.objects.count() == 3


@pytest.mark.slow
def test_non_playing_organiser_named_in_a_file_can_be_swapped(
    swiss: League, office: Player
) -> None:
    desk = Desk(swiss, office)
    desk.add(HEAD + PAIRS.replace("Bruno", office.name))
    assert office.pk not in {row.player for row in standings_basis(swiss).rows()}
    first, second = voided(swiss, office)
    ana, carla = world.seated(first)[0], world.seated(second)[0]
    assert office in world.seated(first)
    assert preview_swap(fixture=first, player=ana, other=carla).costs.rematches == 0
    swap_players(fixture=first, player=office, other=carla, by=office, at=AT)
    assert set(world.seated(first)) == {ana, carla}
    assert office in world.seated(second)
