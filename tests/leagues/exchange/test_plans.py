"""What a preview decides about each result of a file, and that the import does exactly this."""

from __future__ import annotations

import datetime as dt
import json
import re
from typing import Any

import pytest
from django.utils import translation

from leagues.exceptions import OperationError
from leagues.exchange.formats import ImportVerdict
from leagues.exchange.import_plan import ImportLine, ImportPlan
from leagues.exchange.operations import (
    FileFormat,
    ImportResult,
    PreviewOutdated,
    ShownPlan,
    export_results,
    import_results,
    preview_import,
    read_results,
)
from leagues.matches.operations.corrections import void_match
from leagues.matches.operations.matches import confirm, open_match, save_draft
from leagues.matches_read import handwritten_matches
from leagues.members.operations.membership import add_guest
from leagues.members.operations.merging import merge_players
from leagues.models import Fixture, League, Match, Member, Player, Result, Sheet
from leagues.players import rename_player
from tests.factories import browser
from tests.leagues import world

pytestmark = pytest.mark.django_db

AT = dt.datetime(2026, 11, 28, 12, tzinfo=dt.UTC)
HEAD = "match,played_at,player,identity,place,points\n"


@pytest.fixture
def office() -> Player:
    return world.account("office")


def ladder(office: Player, **fields: Any) -> League:
    game = {"game": "dominoes", "profile": "rulebook"}
    return world.found_league(office, plays=False, **(game | fields))


@pytest.fixture
def league(office: Player) -> League:
    return ladder(office)


def drawn_league(office: Player, *, times: int = 1, on: str = "2026-11-01") -> League:
    """Create a round robin of Ana and Bruno with this date of draw and number of meetings."""
    fields = {"rounds_planned": times} if times > 1 else {}
    league = world.round_robin(
        office, ["Ana", "Bruno"], game="dominoes", profile="rulebook", **fields
    )
    league.rounds.update(drawn_at=f"{on}T12:00:00Z")
    return league


class Desk:
    """An organiser with a file to preview and import."""

    def __init__(self, league: League, by: Player, kind: FileFormat = FileFormat.CSV) -> None:
        self.league, self.by, self.kind = league, by, kind

    def plan(self, text: str, at: dt.datetime = AT, /, **decisions: str) -> ImportPlan:
        reading = self._read(text)
        return preview_import(
            league=self.league, reading=reading, by=self.by, at=at, decisions=decisions
        )

    def add(self, text: str, at: dt.datetime = AT, /, **decisions: str) -> ImportResult:
        """Import what the preview shows, and check that the import did exactly this."""
        plan = self.plan(text, at, **decisions)
        before = Match.objects.exclude(state="void").count(), Player.objects.count()
        done = import_results(
            league=self.league,
            reading=self._read(text),
            by=self.by,
            at=at,
            decisions=decisions,
            shown=ShownPlan(digest=plan.digest, decisions=decisions),
        )
        assert len(done.matches) == len(plan.adding)
        assert done.doubts == plan.doubts
        assert [guest.name for guest in done.guests] == list(plan.guests)
        assert world.faults() == []
        assert Player.objects.count() == before[1] + len(plan.guests)
        return done

    def _read(self, text: str) -> Any:
        return read_results(
            league=self.league, data=text.encode(), file_format=self.kind, by=self.by
        )


def row(match: int | str, when: str, *seats: tuple[Any, ...]) -> str:
    """Return the CSV lines of a match: player, place, points and optional identity of each seat."""
    lines = []
    for name, place, points, *identity in seats:
        lines.append(f"{match},{when},{name},{identity[0] if identity else ''},{place},{points}\n")
    return "".join(lines)


def only_line(plan: ImportPlan) -> ImportLine:
    (line,) = plan.lines
    return line


# The referee


@pytest.mark.parametrize(
    ("ana", "bruno", "sentence"),
    [
        (104, 104, "Only one side can reach 100 points"),
        (300, 50, "300"),
        (-5, 100, "-5"),
    ],
)
def test_impossible_points_are_rejected_with_the_message_of_the_form(
    league: League, office: Player, ana: int, bruno: int, sentence: str
) -> None:
    text = HEAD + row(1, "2026-11-20", ("Ana", 1, ana), ("Bruno", 2, bruno))
    line = only_line(Desk(league, office).plan(text))
    assert line.verdict is ImportVerdict.UNREADABLE
    assert sentence in line.sentence


def test_match_that_ended_early_is_added_with_a_note(league: League, office: Player) -> None:
    desk = Desk(league, office)
    text = HEAD + row(1, "2026-11-20", ("Ana", 1, 20), ("Bruno", 2, 13))
    plan = desk.plan(text)
    assert "ended before anyone reached the target: 20 of 100 points." in only_line(plan).sentence
    (question,) = plan.questions
    assert (question.key, question.answer, question.count) == ("early", "keep", 1)
    desk.add(text)
    sheet = Sheet.objects.get()
    assert (sheet.points, sheet.places, sheet.content["stopped"]) == ([20, 13], [1, 2], True)


def test_organiser_may_add_only_the_places_of_a_match_that_ended_early(
    league: League, office: Player
) -> None:
    desk = Desk(league, office)
    text = HEAD + row(1, "2026-11-20", ("Ana", 1, 20), ("Bruno", 2, 13))
    assert (
        "Only the places are added, without points."
        in only_line(desk.plan(text, early="places")).sentence
    )
    assert desk.plan(text, early="leave").adding == ()
    desk.add(text, early="places")
    sheet = Sheet.objects.get()
    assert (sheet.points, sheet.places) == ([0, 0], [1, 2])


CONTRADICTION = HEAD + row(1, "2026-11-20", ("Ana", 1, 20), ("Bruno", 2, 100))


def test_contradictory_places_and_points_raise_a_question(league: League, office: Player) -> None:
    desk = Desk(league, office)
    plan = desk.plan(CONTRADICTION)
    assert (only_line(plan).verdict, plan.doubts, plan.adding) == (ImportVerdict.DOUBT, 1, ())
    (question,) = plan.questions
    assert [answer for answer, _label in question.options] == ["places", "points", "leave"]
    with pytest.raises(OperationError, match="no matches to add"):
        desk.add(CONTRADICTION)
    assert desk.plan(CONTRADICTION, contradiction="leave").adding == ()
    desk.add(CONTRADICTION, contradiction="points")
    assert Sheet.objects.get().places == [2, 1]


def test_organiser_can_choose_the_places_of_a_contradictory_result(
    league: League, office: Player
) -> None:
    Desk(league, office).add(CONTRADICTION, contradiction="places")
    assert Sheet.objects.get().places == [1, 2]


def test_line_is_left_out_if_the_answer_to_its_question_does_not_apply_to_it(
    league: League, office: Player
) -> None:
    plan = Desk(league, office).plan(CONTRADICTION, contradiction="winners")
    assert (plan.doubts, plan.adding) == (1, ())


def test_unknown_answer_to_a_question_is_rejected(league: League, office: Player) -> None:
    with pytest.raises(OperationError, match="is not an answer"):
        Desk(league, office).plan(CONTRADICTION, contradiction="perhaps")
    assert Desk(league, office).plan(CONTRADICTION, unheard_of="add").doubts == 1


# Plays of the app


def plays(*games: list[dict[str, Any]], when: str = "2026-11-20 12:01:00") -> str:
    names = ("Ana", "Bruno")
    return json.dumps(
        {
            "games": [{"id": 1, "uuid": "g1", "name": "Matador", "highestWins": True}],
            "players": [
                {"id": n, "uuid": f"u{n}", "name": name} for n, name in enumerate(names, 1)
            ],
            "locations": [],
            "plays": [
                {
                    "uuid": f"p{number}",
                    "gameRefId": 1,
                    "playDate": when,
                    "usesTeams": False,
                    "playerScores": [
                        {"playerRefId": n, **score} for n, score in enumerate(scores, 1)
                    ],
                }
                for number, scores in enumerate(games, 1)
            ],
        }
    )


def test_marked_winner_wins_a_tie_but_with_rank_2_raises_a_question(
    league: League, office: Player
) -> None:
    text = plays(
        [
            {"score": "40", "winner": True, "rank": 2},
            {"score": "60", "winner": False, "rank": 1},
        ],
        [
            {"score": "40", "winner": True, "rank": 1},
            {"score": "40", "winner": False, "rank": 1},
        ],
    )
    desk = Desk(league, office, FileFormat.BGSTATS)
    assert [line.verdict for line in desk.plan(text).lines] == [
        ImportVerdict.ADD,
        ImportVerdict.DOUBT,
    ]
    desk.add(text, contradiction="winners")
    found = Sheet.objects.order_by("match__external_id").values_list("places", "points")
    assert list(found) == [([1, 2], [40, 60]), ([1, 2], [40, 40])]


def test_sums_in_scores_are_added_and_fractional_scores_only_decide_places(
    league: League, office: Player
) -> None:
    text = plays(
        [
            {"score": "12+8+", "winner": True, "rank": 1},
            {"score": "7+6+", "winner": False, "rank": 2},
        ],
        [
            {"score": "9.5", "winner": True, "rank": 1},
            {"score": "8.5", "winner": False, "rank": 2},
        ],
        [{"score": "12.000", "winner": True}, {"score": "nine"}],
    )
    desk = Desk(league, office, FileFormat.BGSTATS)
    early, fractions, unreadable = desk.plan(text).lines
    assert "ended before anyone reached the target: 20 of 100 points." in early.sentence
    assert fractions.sentence.endswith("The points are fractions, so only the places are added.")
    assert unreadable.verdict is ImportVerdict.UNREADABLE
    assert unreadable.about == "2026-11-20 12:01:00, Ana, Bruno"
    desk.add(text)
    found = Sheet.objects.order_by("match__external_id").values_list("places", "points")
    assert list(found) == [([1, 2], [20, 13]), ([1, 2], [0, 0])]


@pytest.mark.parametrize("reader", ["en", "es"])
@pytest.mark.parametrize(
    "name", ["Running with the Bulls", "Corriendo ante los toros", "CORRIENDO ANTE LOS TOROS"]
)
@pytest.mark.parametrize("kind", list(FileFormat))
def test_game_name_is_recognised_in_every_language(
    office: Player, kind: FileFormat, name: str, reader: str
) -> None:
    league = ladder(office, game="eltoro", profile="el-toro")
    text = {
        FileFormat.BGSTATS: plays([{"score": "30", "rank": 1}, {"score": "20", "rank": 2}]),
        FileFormat.CSV: f"match,played_at,game,player,place\n1,2026-11-20,{name},Ana,1\n"
        f"1,2026-11-20,{name},Bruno,2\n",
        FileFormat.JSON: json.dumps(
            {
                "format": "temporada-results",
                "version": 1,
                "results": [
                    {
                        "played_at": "2026-11-20",
                        "game": name,
                        "seats": [{"player": "Ana", "place": 1}, {"player": "Bruno", "place": 2}],
                    }
                ],
            }
        ),
    }[kind].replace("Matador", name)
    with translation.override(reader):
        Desk(league, office, kind).add(text)
    assert Match.objects.get().game == "eltoro"


@pytest.mark.parametrize("kind", list(FileFormat))
def test_export_in_spanish_can_be_imported_in_english(office: Player, kind: FileFormat) -> None:
    league = ladder(office, game="eltoro", profile="el-toro")
    text = HEAD + row(1, "2026-11-20", ("Ana", 1, 30), ("Bruno", 2, 20))
    Desk(league, office).add(text)
    other = ladder(office, name="Other", game="eltoro", profile="el-toro")
    with translation.override("es"):
        out = export_results(league=league, file_format=kind)
    with translation.override("en"):
        Desk(other, office, kind).add(out)
    assert Match.objects.filter(league=other).count() == 1


def test_partners_listed_one_after_another_sit_opposite_each_other(office: Player) -> None:
    league = ladder(office, profile="partners", seats=4)
    text = "match,played_at,player,side,points\n"
    seats = [("Ana", "us", 104), ("Bea", "us", 104), ("Carla", "them", 57), ("Dora", "them", 57)]
    text += "".join(f"1,2026-11-20,{name},{side},{points}\n" for name, side, points in seats)
    Desk(league, office).add(text)
    match = Match.objects.get()
    assert list(match.seats.order_by("number").values_list("player__name", "side")) == [
        ("Ana", 0),
        ("Carla", 1),
        ("Bea", 0),
        ("Dora", 1),
    ]
    assert Sheet.objects.get().points == [104, 57, 104, 57]


# Times


@pytest.mark.parametrize("kind", list(FileFormat))
def test_time_without_time_zone_is_in_the_zone_of_the_league(
    office: Player, kind: FileFormat
) -> None:
    league = ladder(office, zone="America/Mexico_City")
    text = {
        FileFormat.BGSTATS: plays([{"score": "100"}, {"score": "80"}], when="2026-11-27 00:30:00"),
        FileFormat.CSV: HEAD + row(1, "2026-11-27 00:30", ("Ana", 1, 100), ("Bruno", 2, 80)),
        FileFormat.JSON: json.dumps(
            {
                "format": "temporada-results",
                "version": 1,
                "results": [
                    {
                        "played_at": "2026-11-27T00:30",
                        "seats": [{"player": "Ana", "points": 100}, {"player": "B", "points": 80}],
                    }
                ],
            }
        ),
    }[kind]
    Desk(league, office, kind).add(text)
    assert Match.objects.get().played_at == dt.datetime(2026, 11, 27, 6, 30, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("zone", "minutes", "future"),
    [
        ("Europe/Madrid", -20, False),
        ("Asia/Tokyo", -20, False),
        ("America/Mexico_City", -20, False),
        ("America/Mexico_City", 180, True),
        ("Europe/Madrid", 0, False),
        ("Europe/Madrid", 1, True),
    ],
)
def test_time_in_the_future_of_the_league_is_rejected(
    office: Player, zone: str, minutes: int, future: bool
) -> None:
    league = ladder(office, zone=zone)
    then = league.hour_of(dt.date(2026, 11, 28), dt.time())
    local = (AT + dt.timedelta(minutes=minutes)).astimezone(then.tzinfo)
    text = HEAD + row(1, f"{local:%Y-%m-%d %H:%M}", ("Ana", 1, 100), ("Bruno", 2, 80))
    line = only_line(Desk(league, office).plan(text))
    assert (line.sentence == "The date of this match is in the future.") == future


@pytest.mark.parametrize("zone", ["UTC", "Europe/Madrid", "Pacific/Auckland", "Pacific/Honolulu"])
@pytest.mark.parametrize("hour", [0, 6, 11, 13, 23])
def test_match_of_the_present_day_is_accepted_at_any_hour(
    office: Player, zone: str, hour: int
) -> None:
    league = ladder(office, zone=zone)
    at = dt.datetime(2026, 11, 28, hour, 1, tzinfo=dt.UTC)
    today = at.astimezone(league.hour_of(at.date(), dt.time()).tzinfo).date()
    desk = Desk(league, office)
    tomorrow = today + dt.timedelta(days=1)
    for day, future in ((today, False), (tomorrow, True)):
        text = HEAD + row(1, f"{day}", ("Ana", 1, 100), ("Bruno", 2, 80))
        said = only_line(desk.plan(text, at)).sentence
        assert (said == "The date of this match is in the future.") == future
    text = HEAD + row(1, f"{today}", ("Ana", 1, 100), ("Bruno", 2, 80))
    desk.add(text, at)
    assert Match.objects.get().played_at <= at
    assert only_line(desk.plan(text, at)).verdict is ImportVerdict.KNOWN


@pytest.mark.parametrize("when", ["2026-11-20 20:00", "2026-11-20"])
def test_file_imported_by_an_earlier_version_is_recognised(office: Player, when: str) -> None:
    text = HEAD + row(1, when, ("Ana", 1, 100), ("Bruno", 2, 80))
    league = ladder(office, zone="UTC")
    Desk(league, office).add(text)
    League.objects.update(zone="Pacific/Auckland")
    league.refresh_from_db()
    assert only_line(Desk(league, office).plan(text)).verdict is ImportVerdict.KNOWN


def test_bg_stats_export_has_local_times_of_the_league(office: Player) -> None:
    league = ladder(office, zone="America/Mexico_City")
    text = HEAD + row(1, "2026-11-27 00:30", ("Ana", 1, 100), ("Bruno", 2, 80))
    Desk(league, office).add(text)
    out = json.loads(export_results(league=league, file_format=FileFormat.BGSTATS))
    assert out["plays"][0]["playDate"] == "2026-11-27 00:30:00"
    assert "2026-11-27T06:30:00Z" in export_results(league=league, file_format=FileFormat.CSV)
    assert "2026-11-27T06:30:00Z" in export_results(league=league, file_format=FileFormat.JSON)


# Fixtures


def test_earlier_match_fills_the_fixture_of_the_earlier_round(office: Player) -> None:
    league = drawn_league(office, times=2)
    text = HEAD + row("B", "2026-11-25T18:00Z", ("Ana", 2, 40), ("Bruno", 1, 100))
    text += row("A", "2026-11-10T18:00Z", ("Ana", 1, 100), ("Bruno", 2, 30))
    desk = Desk(league, office)
    late, early = desk.plan(text).lines
    assert "This match is fixture 1 of round 2." in late.sentence
    assert "This match is fixture 1 of round 1." in early.sentence
    desk.add(text)
    found = Match.objects.order_by("played_at").values_list("fixture__round__number", flat=True)
    assert list(found) == [1, 2]


@pytest.mark.parametrize(
    ("day", "doubts"), [("2015-05-02", 1), ("2026-10-31", 1), ("2026-11-01", 0), ("2026-11-02", 0)]
)
def test_match_played_before_the_draw_raises_a_question(
    office: Player, day: str, doubts: int
) -> None:
    desk = Desk(drawn_league(office), office)
    text = HEAD + row(1, day, ("Ana", 1, 100), ("Bruno", 2, 80))
    assert desk.plan(text).doubts == doubts
    if doubts:
        assert [question.key for question in desk.plan(text).questions] == ["before_draw"]
        assert desk.plan(text, before_draw="leave").adding == ()
    desk.add(text, before_draw="add")
    assert Fixture.objects.get().state == "played"


def test_day_of_the_draw_is_in_the_time_zone_of_the_league(office: Player) -> None:
    league = drawn_league(office)
    League.objects.update(zone="Pacific/Auckland")
    league.rounds.update(drawn_at="2026-11-01T12:00:00Z")  # 2 November there
    league.refresh_from_db()
    desk = Desk(league, office)
    for day, doubts in (("2026-11-01", 1), ("2026-11-02", 0)):
        text = HEAD + row(1, day, ("Ana", 1, 100), ("Bruno", 2, 80))
        assert desk.plan(text).doubts == doubts


def test_match_from_before_the_draw_takes_no_fixture_of_another_match(office: Player) -> None:
    desk = Desk(drawn_league(office), office)
    text = HEAD + row(1, "2015-05-02", ("Ana", 1, 100), ("Bruno", 2, 80))
    text += row(2, "2026-11-20", ("Ana", 2, 60), ("Bruno", 1, 100))
    for decisions in ({}, {"before_draw": "add"}):
        added = [line.record_to_add.played_at.year for line in desk.plan(text, **decisions).adding]
        assert added == [2026]


def test_fixture_with_a_void_match_is_filled_by_an_import(office: Player) -> None:
    desk = Desk(drawn_league(office), office)
    text = HEAD + row(1, "2026-11-20T10:00Z", ("Ana", 1, 100), ("Bruno", 2, 50))
    (first,) = desk.add(text).matches
    first.refresh_from_db()
    void_match(match=first, version=first.version, by=office, at=AT, reason="wrong")
    again = HEAD + row(1, "2026-11-20T11:00Z", ("Ana", 1, 100), ("Bruno", 2, 60))
    (second,) = desk.add(again).matches
    assert second.fixture == Fixture.objects.get()
    assert Fixture.objects.get().state == "played"


def test_empty_draft_of_a_fixture_is_voided_by_an_import(office: Player) -> None:
    league = drawn_league(office)
    ana = Player.objects.get(name="Ana")
    opened = open_match(fixture=Fixture.objects.get(), by=ana, at=AT)
    text = HEAD + row(1, "2026-11-20", ("Ana", 1, 100), ("Bruno", 2, 50))
    Desk(league, office).add(text)
    opened.refresh_from_db()
    assert (opened.state, opened.fixture) == ("void", None)


def test_draft_with_values_prevents_the_import_of_its_fixture(office: Player) -> None:
    league = drawn_league(office)
    ana = Player.objects.get(name="Ana")
    opened = open_match(fixture=Fixture.objects.get(), by=ana, at=AT)
    save_draft(match=opened, version=opened.version, content={"totals": [3, 4]}, by=ana)
    text = HEAD + row(1, "2026-11-20", ("Ana", 1, 100), ("Bruno", 2, 50))
    line = only_line(Desk(league, office).plan(text))
    assert (line.verdict, line.sentence) == (
        ImportVerdict.SKIP,
        "Ana has begun to enter the result for this fixture.",
    )


TWICE_THE_SAME = HEAD + row(1, "2026-11-10", ("Ana", 2, 100), ("Bruno", 1, 40))
TWICE_THE_SAME += row(2, "2026-11-11", ("Ana", 1, 100), ("Bruno", 2, 41))


def test_skipped_match_leaves_its_fixture_to_the_next_match(office: Player) -> None:
    desk = Desk(drawn_league(office), office)
    before = desk.plan(TWICE_THE_SAME)
    assert [line.verdict for line in before.lines] == [ImportVerdict.DOUBT, ImportVerdict.SKIP]
    desk.add(TWICE_THE_SAME, contradiction="leave")
    assert Result.objects.get().played_at.day == 11


def test_import_is_rejected_if_a_match_would_fill_another_fixture_than_shown(
    office: Player,
) -> None:
    league = drawn_league(office, times=2)
    desk = Desk(league, office)
    shown = ShownPlan(digest=desk.plan(TWICE_THE_SAME).digest, decisions={})
    with pytest.raises(PreviewOutdated):
        import_results(
            league=league,
            reading=desk._read(TWICE_THE_SAME),
            by=office,
            at=AT,
            decisions={"contradiction": "leave"},
            shown=shown,
        )


def test_league_without_a_draw_says_that_no_round_has_been_drawn(office: Player) -> None:
    league = ladder(office, format="round_robin")
    text = HEAD + row(1, "2026-11-20", ("Ana", 1, 100), ("Bruno", 2, 41))
    line = only_line(Desk(league, office).plan(text))
    assert line.sentence == "No round has been drawn yet."


# People


def test_preview_names_the_member_to_whom_a_result_is_assigned(
    league: League, office: Player
) -> None:
    ana = world.account("Ana")
    world.enter_league(league, ana)
    rename_player(player=ana, name="Zoe")
    text = HEAD + row(1, "2026-11-20", ("Ana", 1, 100, ana.slug), ("BRUNO", 2, 80))
    add_guest(league=league, name="Bruno", by=office, at=AT)
    line = only_line(Desk(league, office).plan(text))
    assert line.names == ("Zoe", "Bruno")
    assert [name for name, _seat in line.seats] == ["Ana → Zoe", "Bruno"]


TWO_ANAS = HEAD + row(1, "2026-11-20", ("Ana", 1, 100, "club-a-7"), ("Bruno", 2, 80, "b"))
TWO_ANAS += row(2, "2026-11-21", ("Ana", 1, 100, "club-b-3"), ("Bruno", 2, 80, "b"))
TWO_ANAS += row(3, "2026-11-22", ("ANA", 1, 100, "club-b-3"), ("Bruno", 2, 80, "b"))


def winners() -> list[str]:
    rows = Result.objects.order_by("played_at").filter(placings__place=1)
    return list(rows.values_list("placings__player__name", flat=True))


def test_name_with_two_identities_raises_a_question(league: League, office: Player) -> None:
    desk = Desk(league, office)
    plan = desk.plan(TWO_ANAS)
    assert (plan.adding, plan.doubts, plan.guests) == ((), 3, ())
    (question,) = plan.questions
    assert question.sentence == (
        "Ana appears in this file with several identifiers. Are they all the same person?"
    )
    desk.add(TWO_ANAS, **{question.key: "one"})
    assert winners() == ["Ana", "Ana", "Ana"]


def test_second_person_of_the_same_name_gets_a_number(league: League, office: Player) -> None:
    desk = Desk(league, office)
    (question,) = desk.plan(TWO_ANAS).questions
    assert desk.plan(TWO_ANAS, **{question.key: "leave"}).adding == ()
    desk.add(TWO_ANAS, **{question.key: "several"})
    assert winners() == ["Ana (2)", "Ana", "Ana"]
    later = TWO_ANAS.replace("2026-11", "2026-10")
    desk.add(later, **{question.key: "several"})
    assert winners() == ["Ana (2)", "Ana", "Ana"] * 2
    assert Player.objects.filter(name__startswith="Ana").count() == 2


def test_number_after_a_name_skips_existing_names(league: League, office: Player) -> None:
    other = world.account("other")
    world.enter_league(league, other)
    rename_player(player=other, name="Ana (2)")
    plan = Desk(league, office).plan(TWO_ANAS, **{"person:ana": "several"})
    assert plan.guests == ("Ana (3)", "Bruno", "Ana")


def test_answer_about_a_name_applies_when_the_extended_file_is_imported_again(
    league: League, office: Player
) -> None:
    desk = Desk(league, office)
    text = TWO_ANAS + row(4, "2026-11-23", ("Ana", 1, 100, "club-b-3"), ("Bruno", 2, 80, "b"))
    (question,) = desk.plan(text).questions
    desk.add(text, **{question.key: "several"})
    more = text + row(5, "2026-11-24", ("Ana", 1, 100, "club-a-7"), ("Bruno", 2, 80, "b"))
    assert desk.plan(more).questions == ()
    desk.add(more)
    assert winners() == ["Ana (2)", "Ana", "Ana", "Ana", "Ana (2)"]


@pytest.mark.parametrize(
    ("one", "other"),
    [(("Ana", "a"), ("ANA", "b")), (("Ana", "x"), ("Ana", "")), (("Straße", ""), ("Strasse", "s"))],
)
@pytest.mark.parametrize("member", [False, True])
def test_two_seats_of_one_name_are_rejected_whatever_their_identities(
    league: League, office: Player, one: tuple[str, str], other: tuple[str, str], member: bool
) -> None:
    if member:
        add_guest(league=league, name=one[0], by=office, at=AT)
    text = HEAD + row(1, "2026-11-20", (one[0], 1, 100, one[1]), (other[0], 2, 80, other[1]))
    line = only_line(Desk(league, office).plan(text))
    assert line.verdict is ImportVerdict.UNREADABLE
    assert line.sentence.endswith("has two seats in this match.")


def test_match_with_two_seats_of_one_name_is_rejected_in_a_repeated_import(
    league: League, office: Player
) -> None:
    member = add_guest(league=league, name="Ana Gómez", by=office, at=AT).player
    text = HEAD + row(1, "2026-11-20", ("Ana", 1, 100, member.slug), ("Ana", 2, 80))
    text += row(2, "2026-11-21", ("Ana", 1, 100), ("Bruno", 2, 80))
    desk = Desk(league, office)
    desk.add(text)
    assert Player.objects.filter(name="Ana").exists()
    assert desk.plan(text).adding == ()


# The following tests change something between preview and import.


def test_import_is_rejected_if_the_league_has_changed_since_the_preview(office: Player) -> None:
    league = drawn_league(office)
    desk = Desk(league, office)
    text = HEAD + row(1, "2026-11-20", ("Ana", 1, 100), ("Bruno", 2, 50))
    plan = desk.plan(text)
    shown = ShownPlan(digest=plan.digest, decisions={})
    desk.add(HEAD + row(1, "2026-11-19", ("Ana", 1, 100), ("Bruno", 2, 51)))
    with pytest.raises(PreviewOutdated):
        import_results(
            league=league,
            reading=read_results(
                league=league, data=text.encode(), file_format=FileFormat.CSV, by=office
            ),
            by=office,
            at=AT,
            shown=shown,
        )
    assert Match.objects.count() == 1


# In one match two people called Ana play each other. It is rejected unless the organiser says that
# they are two people.
HIDDEN_IN_A_REFUSAL = HEAD + row(1, "2026-11-10", ("Ana", 1, 100, "a"), ("Bruno", 2, 40))
HIDDEN_IN_A_REFUSAL += row(2, "2026-11-11", ("Ana", 1, 100, "a"), ("Bruno", 2, 41))
HIDDEN_IN_A_REFUSAL += row(3, "2026-11-12", ("Anita", 1, 100), ("Ana", 2, 42, "b"))
ONE_LEFT_OUT = HEAD + row(1, "2026-11-10", ("Ana", 1, 20), ("Bruno", 2, 4))
ONE_LEFT_OUT += row(2, "2026-11-11", ("Ana", 1, 100), ("Bruno", 2, 41))


@pytest.mark.parametrize(
    ("text", "before", "after"),
    [
        (HIDDEN_IN_A_REFUSAL, {}, {"person:ana": "several"}),
        (ONE_LEFT_OUT, {"early": "leave"}, {}),
    ],
)
def test_import_adds_nothing_that_the_preview_left_out(
    league: League, office: Player, text: str, before: dict[str, str], after: dict[str, str]
) -> None:
    ana = world.account("Ana")
    world.enter_league(league, ana)
    anita = add_guest(league=league, name="Anita", by=office, at=AT).player
    merge_players(absorbed=anita, kept=ana, by=office, at=AT)
    desk = Desk(league, office)
    shown = ShownPlan(digest=desk.plan(text, **before).digest, decisions=before)
    reading = desk._read(text)
    with pytest.raises(
        PreviewOutdated, match="Your answers lead to more changes than the preview showed"
    ):
        import_results(
            league=league, reading=reading, by=office, at=AT, decisions=after, shown=shown
        )
    assert not Match.objects.exists()
    desk.add(text, **after)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("2026-11-20 20:00", "2020-01-01 20:00"),
        ("good", "bad"),
        ("Bar", "Café"),
        ("100", "101"),
    ],
)
def test_digest_of_a_preview_covers_everything_that_is_stored(
    league: League, office: Player, old: str, new: str
) -> None:
    text = "match,key,played_at,player,place,points,note,location\n"
    text += "1,k,2026-11-20 20:00,Ana,1,100,good,Bar\n1,,,Bruno,2,40,,\n"
    desk = Desk(league, office)
    assert desk.plan(text).digest == desk.plan(text).digest
    assert desk.plan(text).digest != desk.plan(text.replace(old, new)).digest


def test_digest_of_a_preview_covers_the_time_zone_of_the_league(
    league: League, office: Player
) -> None:
    text = HEAD + row(1, "2026-11-20T20:00Z", ("Ana", 1, 100), ("Bruno", 2, 40))
    before = Desk(league, office).plan(text).digest
    League.objects.update(zone="Pacific/Auckland")
    league.refresh_from_db()
    assert Desk(league, office).plan(text).digest != before


def test_lines_to_be_added_come_first_in_a_preview(league: League, office: Player) -> None:
    text = HEAD + row(1, "never", ("Ana", 1, 100), ("Bruno", 2, 80))
    text += row(2, "2026-11-20", ("Ana", 1, 20), ("Bruno", 2, 100))
    text += row(3, "2026-11-21", ("Ana", 1, 100), ("Bruno", 2, 80))
    verdicts = [line.verdict for line in Desk(league, office).plan(text).lines]
    assert verdicts == [ImportVerdict.ADD, ImportVerdict.DOUBT, ImportVerdict.UNREADABLE]


# The following tests are about pages of imported results.


@pytest.mark.slow
def test_unconfirmed_imported_result_is_called_imported(league: League, office: Player) -> None:
    League.objects.update(visibility="public")
    text = HEAD + row(1, "2026-11-20", ("Ana", 1, 20), ("Bruno", 2, 13))
    (match,) = Desk(league, office).add(text).matches
    page = browser(office).get(f"/leagues/{league.slug}/results/").text
    assert ">imported</span>" in page
    ticket = browser(office).get(f"/matches/{match.pk}/", follow=True).text
    assert "This match ended early." in ticket
    assert re.search(r"<b>Imported</b>\s+by office", ticket)
    assert not list(handwritten_matches(Match.objects.all()))


def test_own_imported_result_confirmed_by_another_player_is_called_confirmed(
    league: League, office: Player
) -> None:
    ana = world.account("Ana")
    world.enter_league(league, ana)
    world.give_role(league, ana, Member.Role.ORGANISER)
    bruno = world.account("Bruno")
    world.enter_league(league, bruno)
    text = HEAD + row(1, "2026-11-20", ("Ana", 1, 100), ("Bruno", 2, 13))
    (match,) = Desk(league, ana).add(text).matches
    match.refresh_from_db()
    confirm(match=match, version=match.version, by=bruno, at=AT)
    match.refresh_from_db()
    assert (match.stamp, match.is_only_imported) == ("confirmed", False)


# The following tests import files of common programs.

SPANISH = """match;played_at;player;place;points
1;20/11/2026 20:00;Íñigo;1;100
1;20/11/2026 20:00;Begoña;2;80
"""


@pytest.mark.parametrize(
    ("encoding", "before", "ends", "delimiter"),
    [
        ("cp1252", "", "\r\n", ";"),
        ("utf-8", "", "\n", ";"),
        ("utf-8-sig", "", "\r\n", ","),
        ("utf-16", "", "\r\n", "\t"),
        ("utf-16-le", "", "\r\n", ";"),
        ("utf-8-sig", "sep=;", "\r\n", ";"),
        ("cp1252", "sep=;", "\r\n", ";"),
        ("utf-8", "", "\r", ";"),
    ],
)
def test_csv_file_is_read_in_every_encoding_and_separator_of_spreadsheets(
    league: League, office: Player, encoding: str, before: str, ends: str, delimiter: str
) -> None:
    text = "\n".join([*filter(None, [before]), SPANISH]).replace("\n", ends)
    data = text.replace(";", delimiter) if not before else text
    read = read_results(
        league=league, data=data.encode(encoding), file_format=FileFormat.CSV, by=office
    )
    plan = preview_import(league=league, reading=read, by=office, at=AT)
    line = only_line(plan)
    assert (line.verdict, line.names) == (ImportVerdict.ADD, ("Íñigo", "Begoña"))
    assert line.line == (3 if before else 2)
    assert line.record_to_add.played_at == dt.datetime(2026, 11, 20, 20, tzinfo=dt.UTC)


@pytest.mark.parametrize(
    ("data", "sentence"),
    [
        (SPANISH.replace("20/", "10/").encode(), "Write the date and time as 2026-11-20 20:00"),
        (SPANISH.encode("mac_roman"), "a word comes out as"),
        (b"PK\x05\x06" + b"\0" * 18, "This file is a zip file, which can’t be read here."),
        (
            b"%PDF-1.7",
            "This file is a PDF document, which can’t be read here. Save the table as CSV.",
        ),
    ],
)
def test_unreadable_table_is_rejected_with_advice(
    league: League, office: Player, data: bytes, sentence: str
) -> None:
    read = read_results(league=league, data=data, file_format=FileFormat.CSV, by=office)
    plan = preview_import(league=league, reading=read, by=office, at=AT)
    assert plan.adding == ()
    assert sentence in plan.lines[0].sentence
