"""Import and export of results: the import does what its preview shows, and exports are
recognised.
"""

import datetime as dt
import json

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from leagues.exceptions import NotAllowed, OperationError
from leagues.exchange.formats import FileReading, ImportVerdict
from leagues.exchange.import_plan import ImportPlan
from leagues.exchange.operations import (
    FileFormat,
    export_results,
    import_results,
    preview_import,
    read_results,
)
from leagues.matches.operations.matches import confirm
from leagues.models import League, Match, Member, Place, Player, Rating, Result
from leagues.standings.queries import standings_basis
from tests.leagues import world
from tests.leagues.world import NOW

pytestmark = pytest.mark.django_db

CSV = """match,key,played_at,player,place,points
1,a,2026-03-01 20:00,ana,1,10
1,a,,beto,2,4
2,b,2026-03-02 20:00,Beto,2,3
2,b,,carla,1,12
3,c,2026-03-03 20:00,carla,1,11
3,c,,dora,1,11
"""


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def league(office: Player) -> League:
    made = world.found_league(office, plays=False, visibility="public")
    for name in ("ana", "beto"):
        world.enter_league(made, world.account(name))
    return made


def reading(league: League, data: bytes, kind: FileFormat, by: Player) -> FileReading:
    return read_results(league=league, data=data, file_format=kind, by=by)


def bring_in(league: League, by: Player, text: str, kind: FileFormat = FileFormat.CSV) -> object:
    return import_results(
        league=league, reading=reading(league, text.encode(), kind, by), by=by, at=NOW
    )


def test_preview_lists_matches_and_guests_and_saves_nothing(league: League, office: Player) -> None:
    text = CSV + "4,d,2027-01-01,ana,1,10\n4,d,,beto,2,1\n5,e,2026-03-04,ana,1,5\n"
    shown = preview_import(
        league=league,
        reading=reading(league, text.encode(), FileFormat.CSV, office),
        by=office,
        at=NOW,
    )
    assert [line.verdict for line in shown.lines].count(ImportVerdict.ADD) == 3
    assert shown.guests == ("carla", "dora")
    told = {line.record.key: line.sentence for line in shown.lines if line.record}
    assert told["d"] == "The date of this match is in the future."
    assert Match.objects.count() == 0
    assert Player.objects.count() == 3


def test_import_adds_the_matches_of_the_preview(league: League, office: Player) -> None:
    bring_in(league, office, CSV)
    assert Match.objects.filter(state="confirmed", origin="imported").count() == 3
    assert list(
        Place.objects.filter(result__match__external_id="c").values_list("player__name", "place")
    ) == [("carla", 1), ("dora", 1)]
    rows = {
        Player.objects.get(pk=row.player).name: row.score for row in standings_basis(league).rows()
    }
    assert rows == {"ana": 1, "beto": 0, "carla": 1.5, "dora": 0.5}
    assert world.roles(league) | {"office": ""} == dict.fromkeys(
        ("ana", "beto", "carla", "dora"), "player"
    ) | {"office": ""}
    assert world.faults() == []


def test_importing_a_file_twice_adds_its_matches_once(league: League, office: Player) -> None:
    bring_in(league, office, CSV)
    with pytest.raises(OperationError, match="This file has no matches to add"):
        bring_in(league, office, CSV)
    bring_in(league, office, CSV + "4,d,2026-03-04,ana,1,10\n4,d,,beto,2,1\n")
    assert Match.objects.count() == 4


def test_imported_results_do_not_count_for_site_ratings(league: League, office: Player) -> None:
    bring_in(league, office, CSV)
    assert Rating.objects.filter(league=None).count() == 0
    assert Rating.objects.filter(league=league).count() == 4


def test_imported_match_of_the_organiser_must_be_confirmed_by_another_player(
    league: League,
) -> None:
    ana = Player.objects.get(name="ana")
    world.give_role(league, ana, Member.Role.ORGANISER)
    bring_in(league, ana, CSV)
    waiting = Match.objects.get(state="handed_in")
    assert waiting.external_id == "a"
    assert not Result.objects.filter(match=waiting).exists()
    beto = Player.objects.get(name="beto")
    confirm(match=waiting, version=waiting.version, by=beto, at=NOW)
    assert world.faults() == []


def test_only_an_organiser_can_import_results(league: League) -> None:
    beto = Player.objects.get(name="beto")
    with pytest.raises(NotAllowed):
        bring_in(league, beto, CSV)
    assert Match.objects.count() == 0


@pytest.mark.slow
@pytest.mark.parametrize("kind", list(FileFormat))
def test_exported_results_are_recognised_and_can_be_imported_elsewhere(
    league: League, office: Player, kind: FileFormat
) -> None:
    bring_in(league, office, CSV)
    world.played(league, [Player.objects.get(name=name) for name in ("ana", "dora")], [10, 2])
    out = export_results(league=league, file_format=kind).encode()
    again = preview_import(
        league=league, reading=reading(league, out, kind, office), by=office, at=NOW
    )
    assert {line.verdict for line in again.lines} == {ImportVerdict.KNOWN}
    other = world.found_league(office, plays=False, name="Copy")
    import_results(league=other, reading=reading(other, out, kind, office), by=office, at=NOW)

    def figures(of: League) -> list[tuple[object, ...]]:
        rows = Place.objects.filter(result__league=of)
        return sorted(
            rows.values_list("result__played_at", "player__name", "side", "place", "points")
        )

    assert figures(other) == figures(league)


def test_import_into_a_drawn_league_fills_its_fixtures(office: Player) -> None:
    robin = world.round_robin(office, ["ana", "beto", "carla"])
    robin.rounds.update(drawn_at=NOW - dt.timedelta(days=10))
    text = CSV.replace("dora", "ana").replace("3,c,,ana,1,11", "3,c,,ana,2,3")
    bring_in(robin, office, text + "4,d,2026-03-04,ana,1,10\n4,d,,beto,2,1\n")
    states = [fixture.state for one in robin.rounds.all() for fixture in one.fixtures.all()]
    assert states == ["played"] * 3
    assert Match.objects.filter(fixture=None).count() == 0, "the second of a pair stays out"
    assert world.faults() == []


@pytest.mark.parametrize(
    "wrong",
    [b"", b"\x00\xff", b"[]", b"match,player\n1,ana\n", b"{" * 5000, b"PK\x03\x04"],
)
@pytest.mark.parametrize("kind", list(FileFormat))
def test_invalid_result_files_add_nothing_and_list_errors(
    league: League, office: Player, wrong: bytes, kind: FileFormat
) -> None:
    shown = preview_import(
        league=league, reading=reading(league, wrong, kind, office), by=office, at=NOW
    )
    assert shown.adding == ()
    assert all(line.sentence for line in shown.lines)
    with pytest.raises(OperationError):
        import_results(
            league=league, reading=reading(league, wrong, kind, office), by=office, at=NOW
        )
    assert Match.objects.count() == 0


@pytest.mark.parametrize(
    ("seats", "sentence"),
    [
        (["ana", "ana"], "has two seats in this match."),
        (["ana", "beto", "carla"], "players."),
        (["office", "Twin"], "The league has several players called"),
    ],
)
def test_matches_with_unsuitable_players_are_rejected(
    league: League, office: Player, seats: list[str], sentence: str
) -> None:
    for name in ("twin 1", "twin 2"):
        twin = world.account(name)
        world.enter_league(league, twin)
        Player.objects.filter(pk=twin.pk).update(name="Twin")
    lines = [f"1,x,2026-03-01,{name},{place}" for place, name in enumerate(seats, 1)]
    text = "\n".join(["match,key,played_at,player,place", *lines])
    shown = preview_import(
        league=league,
        reading=reading(league, text.encode(), FileFormat.CSV, office),
        by=office,
        at=NOW,
    )
    assert shown.adding == ()
    assert any(sentence in line.sentence for line in shown.lines), shown.lines


@pytest.mark.slow
def test_import_of_many_results_uses_batches(league: League, office: Player) -> None:
    def file_of(count: int) -> str:
        results = [
            {
                "key": f"{count}/{number}",
                "played_at": (NOW - dt.timedelta(minutes=number + 1)).isoformat(),
                "seats": [
                    {"player": "ana", "place": 1, "points": 10},
                    {"player": "beto", "place": 2, "points": 1},
                ],
            }
            for number in range(count)
        ]
        return json.dumps({"format": "temporada-results", "version": 1, "results": results})

    def queries(count: int) -> int:
        with CaptureQueriesContext(connection) as caught:
            bring_in(league, office, file_of(count), FileFormat.JSON)
        return len(caught)

    few = queries(1)
    assert queries(400) <= few + 400 // 10, "rows go in by batches"
    assert world.faults() == []


# Names


HEAD = "match,played_at,player,identity,place,points\n"


def lines_of(*seats: tuple[int, str, str]) -> str:
    """Return a CSV file of these matches, names and identities.

    The first player of a match wins.
    """
    rows, seen = [], set[int]()
    for match, name, identity in seats:
        place, points = (2, 80) if match in seen else (1, 100)
        seen.add(match)
        rows.append(f"{match},2026-02-{match:02}T12:00:00Z,{name},{identity},{place},{points}\n")
    return HEAD + "".join(rows)


def shown_and_done(league: League, office: Player, text: str) -> list[str]:
    """Import a file, check that the import does what its preview shows, and return its messages."""
    data = text.encode()
    plan = preview_import(
        league=league, reading=reading(league, data, FileFormat.CSV, office), by=office, at=NOW
    )
    before = Player.objects.count()
    if plan.adding:
        bring_in(league, office, text)
    else:
        with pytest.raises(OperationError, match="no matches to add"):
            bring_in(league, office, text)
    assert Match.objects.count() == len(plan.adding)
    assert Player.objects.count() == before + len(plan.guests)
    return [line.sentence for line in plan.lines]


@pytest.mark.parametrize(
    ("one", "other"),
    [
        (("Ana", "a"), ("ANA", "b")),
        (("Ana", "club-a-7"), ("Ana", "")),
        (("Ana", ""), ("Ana\u200b", "")),
        (("Ana", ""), ("\u202eAna\u202c", "x")),
        (("Straße", "a"), ("STRASSE", "b")),
        (("Álvaro", "a"), ("A\u0301LVARO", "")),
    ],
)
def test_match_with_one_name_in_two_seats_is_rejected(
    league: League, office: Player, one: tuple[str, str], other: tuple[str, str]
) -> None:
    (said,) = shown_and_done(league, office, lines_of((1, *one), (1, *other)))
    assert said.casefold().endswith("has two seats in this match.")


@pytest.mark.parametrize("nothing", ["", "\u200b", " \u2800\u202e"])
def test_name_of_invisible_characters_is_rejected(
    league: League, office: Player, nothing: str
) -> None:
    (said,) = shown_and_done(league, office, lines_of((1, "Ana", ""), (1, nothing, "")))
    assert said == "One of the players has no name."


@pytest.mark.parametrize("stored", ["A\u0301lvaro", "Álvaro", "ÁLVARO\u200b"])
@pytest.mark.parametrize("written", ["A\u0301lvaro", "Álvaro", "álvaro\u2060"])
def test_member_is_found_in_every_spelling_of_the_name(
    league: League, office: Player, stored: str, written: str
) -> None:
    alvaro = world.guest(stored)
    Member.objects.create(league=league, player=alvaro, joined_at=NOW)
    shown_and_done(league, office, lines_of((1, written, ""), (1, "Bruno", "")))
    assert Place.objects.filter(player=alvaro, place=1).count() == 1
    assert not Player.objects.exclude(pk=alvaro.pk).filter(name__icontains="lvaro").exists()


def test_imported_guests_are_stored_once_with_cleaned_names(league: League, office: Player) -> None:
    text = lines_of(
        (1, "A\u0301lvaro\u200b", ""), (1, "Bruno", ""), (2, "ÁLVARO", ""), (2, "Peña", ""),
        (3, "Pena", ""), (3, "Bruno", ""),
    )  # fmt: skip
    shown_and_done(league, office, text)
    names = Player.objects.guests().order_by("pk").values_list("name", flat=True)
    assert list(names) == ["Álvaro", "Bruno", "Peña", "Pena"]


def import_plan(league: League, office: Player, text: str, **decisions: str) -> ImportPlan:
    read = reading(league, text.encode(), FileFormat.CSV, office)
    return preview_import(league=league, reading=read, by=office, at=NOW, decisions=decisions)


def test_several_identities_of_one_name_raise_a_question(league: League, office: Player) -> None:
    def asked(text: str) -> list[str]:
        return [question.name for question in import_plan(league, office, text).questions]

    twice = lines_of((1, "Clara", "7"), (1, "Bruno", "b"), (2, "CLARA", "3"), (2, "Bruno", "b"))
    assert asked(twice) == ["Clara"]
    assert asked(twice.replace(",3,", ",7,")) == []
    assert asked(twice.replace(",3,", ",,")) == []
    assert asked(twice.replace("CLARA", "Clara B")) == []
    ana, beto = Player.objects.get(name="ana"), Player.objects.get(name="beto")
    Player.objects.filter(pk=beto.pk).update(name="ana")
    known = lines_of(
        (1, "ana", ana.slug), (1, "Bruno", ""), (2, "ana", beto.slug), (2, "Bruno", "")
    )
    assert asked(known) == [], "two members of one name"


def test_imported_notes_keep_line_breaks_and_lose_invisible_characters(
    league: League, office: Player
) -> None:
    seats = [{"player": "ana", "place": 1}, {"player": "beto", "place": 2}]
    result = {"played_at": "2026-02-01", "seats": seats, "note": "uno\u200b\ndos \u202etres"}
    content = {"format": "temporada-results", "version": 1, "results": [result]}
    bring_in(league, office, json.dumps(content), FileFormat.JSON)
    assert Match.objects.get().note == "uno\ndos tres"
