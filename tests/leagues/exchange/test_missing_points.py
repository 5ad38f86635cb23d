"""Points missing in a file: those of partners, of some players, or of all players."""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest

from leagues.exchange.formats import FileReading, ImportVerdict
from leagues.exchange.import_plan import ImportLine, ImportPlan
from leagues.exchange.operations import (
    FileFormat,
    export_results,
    import_results,
    preview_import,
    read_results,
)
from leagues.fixtures.operations import forfeit_fixture
from leagues.models import Fixture, League, Player, Sheet
from tests.leagues import world

pytestmark = pytest.mark.django_db

AT = dt.datetime(2026, 11, 28, 12, tzinfo=dt.UTC)
PARTNERS = {"Ana": "us", "Carla": "them", "Bea": "us", "Dora": "them"}
every_format = pytest.mark.parametrize("kind", FileFormat)


@pytest.fixture
def office() -> Player:
    return world.account("office")


def ladder(office: Player, **fields: Any) -> League:
    return world.found_league(
        office, plays=False, **({"game": "dominoes", "profile": "rulebook"} | fields)
    )


def read(league: League, text: str, by: Player, kind: FileFormat = FileFormat.CSV) -> FileReading:
    return read_results(league=league, data=text.encode(), file_format=kind, by=by)


def plan(league: League, reading: FileReading, by: Player, **decisions: str) -> ImportPlan:
    return preview_import(league=league, reading=reading, by=by, at=AT, decisions=decisions)


def add(league: League, text: str, by: Player, **decisions: str) -> Sheet:
    import_results(league=league, reading=read(league, text, by), by=by, at=AT, decisions=decisions)
    return Sheet.objects.latest("pk")


def only_line(plan: ImportPlan) -> ImportLine:
    (line,) = plan.lines
    return line


def table(*seats: tuple[str, object, object]) -> str:
    """Return a CSV file of one match with name, place and points of each seat."""
    lines = [f"1,2026-11-20 20:00,{name},{place},{points}\n" for name, place, points in seats]
    return "match,played_at,player,place,points\n" + "".join(lines)


def exported(league: League, kind: FileFormat = FileFormat.JSON) -> str:
    return export_results(league=league, file_format=kind)


def exported_points(league: League) -> list[object]:
    (result,) = json.loads(exported(league))["results"]
    return [seat["points"] for seat in result["seats"]]


@pytest.mark.parametrize("places", [True, False])
@pytest.mark.parametrize(
    "points",
    [
        {"Ana": 104, "Carla": 57},
        {"Ana": 104, "Dora": 57},
        {"Ana": 104, "Bea": 104, "Carla": 57},
        dict.fromkeys(("Ana", "Bea"), 104) | dict.fromkeys(("Carla", "Dora"), 57),
    ],
)
@pytest.mark.parametrize("kind", [FileFormat.CSV, FileFormat.JSON])
def test_points_noted_for_one_partner_are_those_of_the_side(
    office: Player, kind: FileFormat, points: dict[str, int], places: bool
) -> None:
    league = ladder(office, profile="partners", seats=4)
    seats = [
        {
            "player": name,
            "side": 0 if side == "us" else 1,
            "place": (1 if side == "us" else 2) if places else None,
            "points": points.get(name),
        }
        for name, side in PARTNERS.items()
    ]
    if kind is FileFormat.JSON:
        results = [{"played_at": "2026-11-20", "seats": seats}]
        text = json.dumps({"format": "temporada-results", "version": 1, "results": results})
    else:
        text = "match,played_at,player,side,place,points\n"
        for seat in seats:
            cells = ["1", "2026-11-20", *("" if v is None else str(v) for v in seat.values())]
            text += ",".join(cells) + "\n"
    import_results(league=league, reading=read(league, text, office, kind), by=office, at=AT)
    assert Sheet.objects.get().points == [104, 57, 104, 57]


def test_result_without_points_is_exported_without_points(office: Player) -> None:
    league = ladder(office)
    sheet = add(league, table(("Ana", 1, ""), ("Bruno", 2, "")), office)
    assert (sheet.points, sheet.places) == ([0, 0], [1, 2])
    assert exported_points(league) == [None, None]


@every_format
def test_exported_result_without_points_does_not_count_as_ended_early(
    office: Player, kind: FileFormat
) -> None:
    league, other = ladder(office), ladder(office, name="Other")
    add(league, table(("Ana", 1, ""), ("Bruno", 2, "")), office)
    shown = plan(other, read(other, exported(league, kind), office, kind), office)
    assert (only_line(shown).verdict, shown.questions) == (ImportVerdict.ADD, ())
    assert only_line(shown).sentence == "This match will be added."


def test_result_of_an_earlier_version_without_points_is_exported_without_points(
    office: Player,
) -> None:
    league = ladder(office)
    sheet = add(league, table(("Ana", 1, ""), ("Bruno", 2, "")), office)
    del sheet.content["scored"]
    sheet.save()
    assert exported_points(league) == [None, None]


def test_zero_points_in_a_file_are_points(office: Player) -> None:
    league = ladder(office)
    add(league, table(("Ana", 1, 0), ("Bruno", 1, 0)), office)
    assert exported_points(league) == [0, 0]


def test_only_places_are_imported_if_some_points_are_missing(office: Player) -> None:
    league = ladder(office, seats=3)
    text = table(("Ana", 1, 100), ("Bruno", 2, ""), ("Carla", 3, 20))
    line = only_line(plan(league, read(league, text, office), office))
    assert line.sentence.endswith("Only the places are added, without points.")
    sheet = add(league, text, office)
    assert (sheet.points, sheet.places) == ([0, 0, 0], [1, 2, 3])
    assert exported_points(league) == [None, None, None]


def test_incomplete_points_that_contradict_the_places_raise_a_question(office: Player) -> None:
    league = ladder(office, seats=3)
    text = table(("Ana", 3, 100), ("Bruno", 2, ""), ("Carla", 1, 20))
    shown = plan(league, read(league, text, office), office)
    (question,) = shown.questions
    assert only_line(shown).verdict is ImportVerdict.DOUBT
    assert [seat.points for seat in only_line(shown).record_to_add.seats] == [100, None, 20]
    assert (question.key, question.answers) == ("contradiction", ("places", "leave"))
    assert add(league, text, office, contradiction="places").places == [3, 2, 1]


@every_format
def test_forfeit_is_exported_with_places_only(office: Player, kind: FileFormat) -> None:
    league = world.round_robin(office, ["Ana", "Bruno"], game="dominoes", profile="rulebook")
    forfeit_fixture(fixture=Fixture.objects.get(), seats=[1], by=office, at=AT)
    assert exported_points(league) == [None, None]
    other = ladder(office, name="Other")
    shown = plan(other, read(other, exported(league, kind), office, kind), office)
    assert [seat.place for seat in only_line(shown).record_to_add.seats] == [1, 2]
    assert shown.questions == ()


@every_format
def test_location_of_an_imported_match_is_exported(office: Player, kind: FileFormat) -> None:
    league, other = ladder(office), ladder(office, name="Other")
    text = "match,played_at,player,place,location\n1,2026-11-20,Ana,1,Bar Pepe\n"
    add(league, text + "1,,Bruno,2,\n", office)
    shown = plan(other, read(other, exported(league, kind), office, kind), office)
    assert only_line(shown).record_to_add.location == "Bar Pepe"
