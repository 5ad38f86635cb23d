"""Files of the BG Stats app: real exports are read, recognised again and written."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from leagues.exchange.formats import (
    Code,
    FileReading,
    ImportVerdict,
    PlayFilter,
    Remark,
    ResultFinding,
    ResultRecord,
    SeatRecord,
    play_uuid,
    player_uuid,
    read_bgstats,
    write_bgstats,
)
from tests.leagues.exchange.drawn_results import THURSDAY, result, results
from tests.leagues.exchange.test_own_formats import json_values
from tests.properties import examples

MADRID = ZoneInfo("Europe/Madrid")
ANA, KIKO, PILAR, TOMAS = (f"0000000{n}-0000-4000-8000-00000000000{n}" for n in range(1, 5))
PLAY = "ABCDEF00-0000-4000-8000-000000000017"


def score(player: int, points: object = None, **more: object) -> dict[str, object]:
    return {
        "playerRefId": player,
        "score": points,
        "winner": False,
        "rank": 0,
        "seatOrder": 0,
        "startPlayer": False,
        "newPlayer": False,
        **more,
    }


def play(*scores: object, **more: object) -> dict[str, object]:
    return {
        "uuid": PLAY,
        "gameRefId": 1,
        "playDate": "2026-03-05 21:00:00",
        "ignored": False,
        "modificationDate": "2026-03-05 23:00:00",
        "durationMin": 90,
        "rounds": 0,
        "playerScores": list(scores),
        "expansionPlays": [],
        "playImages": "[]",
        **more,
    }


def export(*plays: object, game: dict[str, object] | None = None, **more: object) -> str:
    """Return an export of the app with these plays, and with further data as in real exports."""
    names = zip((ANA, KIKO, PILAR, TOMAS), ("ana", "kiko", "pilar", "tomás"), strict=True)
    players: list[dict[str, object]] = [
        {"id": number, "uuid": uuid, "name": name, "isAnonymous": False, "tags": []}
        for number, (uuid, name) in enumerate(names, start=11)
    ]
    players.append({"id": 99, "uuid": "x", "name": "Anonymous player", "isAnonymous": True})
    content: dict[str, object] = {
        "games": [
            {
                "id": 1,
                "uuid": "g1",
                "name": "Matador",
                "bggId": 20347,
                "cooperative": False,
                "highestWins": True,
                "noPoints": False,
                "usesTeams": False,
                **(game or {}),
            },
            {"id": 2, "uuid": "g2", "name": "Something else", "highestWins": True},
        ],
        "players": players,
        "locations": [{"id": 5, "uuid": "l5", "name": "The club"}],
        "plays": list(plays),
        "challenges": [],
        "deletedObjects": [{}],
        "groups": [],
        "tags": [],
        "userInfo": {},
        **more,
    }
    return json.dumps(content)


def read(*plays: object, game: dict[str, object] | None = None, **options: Any) -> FileReading:
    return read_bgstats(export(*plays, game=game), zone=MADRID, **options)


def record(*scores: object, game: dict[str, object] | None = None, **more: object) -> ResultRecord:
    """Return the single result that the reader finds in a play with these scores."""
    (found,) = read(play(*scores, **more), game=game).records
    return found


def finding(
    *scores: object, game: dict[str, object] | None = None, **more: object
) -> ResultFinding:
    (found,) = read(play(*scores, **more), game=game).findings
    return found


def summary(found: ResultRecord) -> list[tuple[str, int, int, int | None]]:
    return [(seat.player, seat.side, seat.place, seat.points) for seat in found.seats]


def test_play_of_bg_stats_is_read_as_a_result() -> None:
    found = record(score(11, "104", winner=True), score(12, 57), locationRefId=5, comments="late")
    assert found.key == PLAY.lower()
    assert found.played_at == datetime(2026, 3, 5, 20, tzinfo=UTC)
    assert (found.game, found.location, found.note) == ("Matador", "The club", "late")
    assert summary(found) == [("ana", 0, 1, 104), ("kiko", 1, 2, 57)]
    assert found.seats[0].identity == ANA


@pytest.mark.parametrize(
    ("written", "points"),
    [
        ("3+20+5+31", 59),
        ("12", 12),
        (" 7 ", 7),
        (40, 40),
        (40.0, 40),
        ("10-3", 7),
        ("-4", -4),
        (None, None),
        ("", None),
        ("100.0", 100),
        ("3 + 4", 7),
    ],
)
def test_score_may_be_text_a_number_or_a_sum(written: object, points: int | None) -> None:
    found = record(score(11, written, winner=True), score(12, None))
    assert found.seats[0].points == points


@pytest.mark.parametrize("written", ["3.125", "12.000", "abc", [], True, "1e9", "9" * 40, "٣", {}])
def test_score_that_is_no_number_is_unreadable(written: object) -> None:
    found = finding(score(11, written, winner=True), score(12, 3))
    assert (found.verdict, found.code) == (ImportVerdict.UNREADABLE, Code.NUMBER)
    assert found.params["field"] == "score"


@pytest.mark.parametrize(("ana", "kiko"), [("9.5", "8.5"), ("9,5", 8), (9.5, "8+"), ("9.25", "9")])
def test_fractional_scores_decide_the_places_but_are_not_stored(ana: object, kiko: object) -> None:
    found = record(score(11, ana), score(12, kiko))
    assert summary(found) == [("ana", 0, 1, None), ("kiko", 1, 2, None)]
    assert found.remarks == (Remark.FRACTIONS,)


@pytest.mark.parametrize(
    ("scores", "places", "alternatives"),
    [
        (
            [score(11, 40, winner=True, rank=2), score(12, 60, rank=1)],
            [2, 1],
            {"places": (2, 1), "winners": (1, 2), "points": (2, 1)},
        ),
        (
            [score(11, 40, winner=True), score(12, 60)],
            [1, 2],
            {"winners": (1, 2), "points": (2, 1)},
        ),
        ([score(11, "", winner=True, rank=2), score(12, "", rank=1)], [2, 1], None),
        ([score(11, 40, winner=True, rank=1), score(12, 40, rank=1)], [1, 2], {}),
        ([score(11, 40, rank=1), score(12, 40, winner=True, rank=1)], [2, 1], {}),
        ([score(11, 40, winner=True), score(12, 40)], [1, 2], {}),
        ([score(11, 40, winner=True), score(12, 40, winner=True)], [1, 1], {}),
        ([score(11, 20, rank=1), score(12, 100, rank=2)], [1, 2], {}),
    ],
)
def test_contradictory_winners_ranks_and_scores_are_returned_as_alternatives(
    scores: list[dict[str, object]],
    places: list[int],
    alternatives: dict[str, tuple[int, ...]] | None,
) -> None:
    found = record(*scores)
    assert [seat.place for seat in found.seats] == places
    if alternatives is None:
        alternatives = {"places": (2, 1), "winners": (1, 2)}
    assert dict(found.alternatives) == alternatives


@pytest.mark.parametrize(
    "location", [{}, {"locationRefId": 0}, {"locationRefId": 77}, {"locationRefId": None}]
)
def test_play_without_known_location_has_an_empty_location(location: dict[str, object]) -> None:
    (found,) = read(play(score(11, 3), score(12, 1), **location)).records
    assert found.location == ""


def test_highest_score_wins_unless_the_game_says_lowest() -> None:
    assert [s.place for s in record(score(11, 9), score(12, 30), score(13, 9)).seats] == [2, 1, 2]
    low = record(score(11, 9), score(12, 30), score(13, 9), game={"highestWins": False})
    assert [seat.place for seat in low.seats] == [1, 3, 1]


def test_rank_zero_is_ignored_and_ranks_decide_only_if_all_players_have_one() -> None:
    assert [s.place for s in record(score(11, 9, rank=0), score(12, 3, rank=0)).seats] == [1, 2]
    ranked = record(score(11, 9, rank=2), score(12, 3, rank=1), score(13, 5, rank=2))
    assert [seat.place for seat in ranked.seats] == [2, 1, 2]
    assert [s.place for s in record(score(11, 9, rank=2), score(12, 3)).seats] == [1, 2]


def test_winner_marks_break_ties_and_work_without_scores() -> None:
    level = record(score(11, 50), score(12, 50, winner=True), score(13, 60), manualWinner=True)
    assert [seat.place for seat in level.seats] == [3, 1, 2]
    bare = record(score(11, ""), score(12, None, winner=True), score(13, ""))
    assert summary(bare) == [("ana", 0, 2, None), ("kiko", 1, 1, None), ("pilar", 2, 2, None)]
    without = record(score(11, 1, winner=True), score(12, 9), game={"noPoints": True})
    assert summary(without) == [("ana", 0, 1, None), ("kiko", 1, 2, None)]


def test_play_without_winner_and_scores_has_no_outcome() -> None:
    assert finding(score(11), score(12)).code is Code.OUTCOME


def test_teams_of_a_play_become_sides_with_alternating_seats() -> None:
    # Under Ruling D-2, partners have seats 0 and 2 or seats 1 and 3.
    found = record(
        score(11, 104, team="A", winner=True),
        score(12, 104, team="A", winner=True),
        score(13, 57, team="B"),
        score(14, None, team="B"),
        usesTeams=True,
    )
    assert summary(found) == [
        ("ana", 0, 1, 104),
        ("pilar", 1, 2, 57),
        ("kiko", 0, 1, 104),
        ("tomás", 1, 2, 57),
    ]
    apart = record(
        score(11, 60, team="A"),
        score(12, 44, team="A"),
        score(13, 57, team="B"),
        score(14, 3, team="B"),
    )
    assert [seat.points for seat in apart.seats] == [104, 60, 104, 60]
    nobody = record(score(11, 3, team="A"), score(12, 1, team="A"), usesTeams=False)
    assert [seat.side for seat in nobody.seats] == [0, 1]


def test_seats_follow_the_noted_order_or_begin_with_the_start_player() -> None:
    noted = record(score(11, 3, seatOrder=2), score(12, 1, seatOrder=1))
    assert [seat.player for seat in noted.seats] == ["kiko", "ana"]
    started = record(score(11, 3), score(12, 1, startPlayer=True), score(13, 2))
    assert [seat.player for seat in started.seats] == ["kiko", "pilar", "ana"]


def test_anonymous_players_have_no_identity() -> None:
    found = record(score(99, 3, anonymousName="a guest"), score(99, 1), score(11, 2))
    assert [(seat.player, seat.identity) for seat in found.seats] == [
        ("a guest", ""),
        ("", ""),
        ("ana", ANA),
    ]


@pytest.mark.parametrize(
    ("more", "verdict", "code"),
    [
        ({"ignored": True}, ImportVerdict.SKIP, Code.IGNORED),
        ({"gameRefId": 7}, ImportVerdict.UNREADABLE, Code.WHAT),
        ({"gameRefId": "1"}, ImportVerdict.UNREADABLE, Code.WHAT),
        ({"playDate": None}, ImportVerdict.UNREADABLE, Code.DATE),
        ({"playDate": "0000-00-00 00:00:00"}, ImportVerdict.UNREADABLE, Code.DATE),
        ({"playerScores": None}, ImportVerdict.UNREADABLE, Code.SHAPE),
        ({"playerScores": [score(11, 3)]}, ImportVerdict.SKIP, Code.SEATS),
        ({"playerScores": [score(11, 3)] * 7}, ImportVerdict.SKIP, Code.SEATS),
        ({"playerScores": [score(11, 3), score(77, 1)]}, ImportVerdict.UNREADABLE, Code.WHO),
        ({"playerScores": [score(11, 3), score(11, 1)]}, ImportVerdict.UNREADABLE, Code.NAMES),
        ({"playerScores": [score(11, 3), "kiko"]}, ImportVerdict.UNREADABLE, Code.SHAPE),
    ],
)
def test_error_in_a_play_is_reported_for_that_play(
    more: dict[str, object], verdict: ImportVerdict, code: Code
) -> None:
    good = play(score(11, 3), score(12, 1), uuid="another")
    reading = read(play(score(11, 3), score(12, 1), **more), good)
    assert [found.verdict for found in reading.findings] == [verdict, ImportVerdict.ADD]
    assert (reading.findings[0].code, reading.findings[0].key) == (code, PLAY)


SCORING = [
    # Each case: the scoring setting of the play, the fields of its game, and the expected places
    # (None if nothing shows who won).
    (1, {"highestWins": False}, [2, 1, 2]),
    (1, {"noPoints": True}, [2, 1, 2]),
    (1, {"cooperative": True}, [2, 1, 2]),
    (2, {}, [1, 3, 1]),
    (2, {"highestWins": True, "cooperative": True}, [1, 3, 1]),
    (3, {"highestWins": False}, None),
    # The play has no or an unknown setting, so the setting of its game is used.
    (0, {"highestWins": False}, [1, 3, 1]),
    (0, {}, [2, 1, 2]),
    (None, {"highestWins": False}, [1, 3, 1]),
    (9, {"highestWins": False}, [1, 3, 1]),
    (11, {}, [2, 1, 2]),
    (-1, {}, [2, 1, 2]),
    ("2", {}, [2, 1, 2]),
    (2.0, {}, [2, 1, 2]),
    (True, {"highestWins": False}, [1, 3, 1]),
    ([2], {}, [2, 1, 2]),
    ({"2": 2}, {}, [2, 1, 2]),
]


@pytest.mark.parametrize(("setting", "game", "places"), SCORING)
def test_play_is_scored_by_its_own_setting_before_that_of_its_game(
    setting: object, game: dict[str, object], places: list[int] | None
) -> None:
    scores = [score(11, 9), score(12, 30), score(13, 9)]
    if places is None:  # only scores, which do not count
        assert finding(*scores, game=game, scoringSetting=setting).code is Code.OUTCOME
        return
    found = record(*scores, game=game, scoringSetting=setting)
    assert [seat.place for seat in found.seats] == places
    assert [seat.points for seat in found.seats] == [9, 30, 9]


@pytest.mark.parametrize("setting", [0, 1, 2, 3, 9, "x", None])
def test_noted_ranks_and_winners_override_scores_in_every_setting(setting: object) -> None:
    ranked = record(score(11, 9, rank=2), score(12, 3, rank=1), scoringSetting=setting)
    assert [seat.place for seat in ranked.seats] == [2, 1]
    won = record(score(11, 9), score(12, 3, winner=True), score(13), scoringSetting=setting)
    assert [seat.place for seat in won.seats] == [2, 1, 2]


def test_play_uuid_that_is_too_long_after_case_folding_is_rejected() -> None:
    for long in ("ΐ" * 80, "ﬃ" * 27):  # each is folded to three letters
        assert finding(score(11, 1), score(12, 2), uuid=long).code is Code.TEXT
    assert record(score(11, 1), score(12, 2), uuid="ﬃ" * 26).key == "ffi" * 26


def test_play_with_the_setting_no_points_has_only_a_winner() -> None:
    found = record(score(11, 1, winner=True), score(12, 9), scoringSetting=3)
    assert summary(found) == [("ana", 0, 1, None), ("kiko", 1, 2, None)]


@pytest.mark.parametrize("game", [{}, {"cooperative": False}, {"noPoints": True}])
def test_play_with_the_cooperative_setting_is_skipped(game: dict[str, object]) -> None:
    both = [score(11, winner=True), score(12, winner=True)]
    assert finding(*both, game=game, scoringSetting=4).code is Code.COOPERATIVE


def test_scoring_setting_applies_to_a_single_play() -> None:
    plays = [
        play(score(11, 9), score(12, 3), uuid=f"p{setting}", scoringSetting=setting)
        for setting in (1, 2, 0)
    ]
    found = read(*plays).records
    assert [[seat.place for seat in each.seats] for each in found] == [[1, 2], [2, 1], [1, 2]]


def test_play_of_a_cooperative_game_is_skipped() -> None:
    assert finding(score(11), score(12), game={"cooperative": True}).code is Code.COOPERATIVE


@pytest.mark.parametrize(
    "wanted",
    [
        PlayFilter(slug="dominoes", names=["matador"]),
        PlayFilter(slug="dominoes", catalogue=[20347]),
    ],
)
def test_only_plays_of_the_wanted_game_are_read(wanted: PlayFilter) -> None:
    reading = read(
        play(score(11, 3), score(12, 1)),
        play(score(11, 3), score(12, 1), gameRefId=2, uuid="other"),
        wanted=wanted,
    )
    assert [found.code for found in reading.findings] == [Code.NEW, Code.OTHER_GAME]
    assert reading.findings[1].params == {"game": "Something else"}
    assert [found.game for found in reading.records] == ["dominoes"]


def test_long_comments_are_shortened() -> None:
    found = record(score(11, 3), score(12, 1), comments="so " * 500)
    assert len(found.note) <= 300
    assert found.note.endswith("…")


@pytest.mark.parametrize(
    "data",
    [
        "",
        "[]",
        "{}",
        '{"plays": []}',
        '{"plays": 1, "games": [], "players": []}',
        "\x00",
        b"\xff\xff",
        "[" * 99_999,
    ],
)
def test_file_that_is_no_bg_stats_export_is_rejected(data: str | bytes) -> None:
    (found,) = read_bgstats(data).findings
    assert found.code in {Code.FORMAT, Code.NOT_JSON, Code.ENCODING}


def test_exported_result_has_the_format_of_bg_stats_and_can_be_read_again() -> None:
    sent = result(key="match/17", ana=104, kiko=57)
    content = json.loads(write_bgstats([sent], titles={"dominoes": "Matador"}, zone=MADRID))
    assert [game["name"] for game in content["games"]] == ["Matador"]
    (out,) = content["plays"]
    assert out["playDate"] == "2026-03-05 21:00:00"
    assert [
        (one["score"], one["winner"], one["rank"], one["startPlayer"])
        for one in out["playerScores"]
    ] == [("104", True, 1, True), ("57", False, 2, False)]
    assert out["locationRefId"] == 0
    assert out["uuid"] == play_uuid("match/17")
    wanted = PlayFilter(slug="dominoes", names=["Matador"])
    back = read_bgstats(json.dumps(content), wanted=wanted, zone=MADRID)
    (found,) = back.records
    assert summary(found) == summary(sent)
    assert (found.played_at, found.game) == (sent.played_at, "dominoes")


def test_players_of_bg_stats_keep_their_uuid_in_exports() -> None:
    found = record(score(11, 3), score(12, 1))
    content = json.loads(write_bgstats([found]))
    assert {player["uuid"] for player in content["players"]} == {ANA, KIKO}
    assert content["plays"][0]["uuid"] == PLAY.lower()
    assert player_uuid("", "ana") != player_uuid("ana", "ana") != player_uuid("", "kiko")


@pytest.mark.slow
@settings(max_examples=examples(60), deadline=None)
@given(st.lists(results(), max_size=3, unique_by=lambda record: record.key))
def test_any_result_survives_export_to_bg_stats_and_import(sent: list[ResultRecord]) -> None:
    reading = read_bgstats(write_bgstats(sent))
    assert reading.count(ImportVerdict.ADD) == len(sent)
    for before, after in zip(sent, reading.records, strict=True):
        assert [(s.side, s.place) for s in after.seats] == [(s.side, s.place) for s in before.seats]
        assert after.key == play_uuid(before.key)
        assert after.location == before.location
        assert after.note == before.note
        if len({seat.side for seat in before.seats}) == len(before.seats):
            assert [s.points for s in after.seats] == [s.points for s in before.seats]


ROOMS = ["games", "players", "locations", "plays"]


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None)
@given(st.data())
def test_bg_stats_export_with_any_changed_value_causes_no_crash(
    data: st.DataObject,
) -> None:
    content = json.loads(
        export(
            play(
                score(11, "3+4", team="A", rank=1), score(12, 1, team="B", rank=2), locationRefId=5
            ),
            play(score(11, 3), score(12, 1), uuid="another"),
        )
    )
    for _ in range(data.draw(st.integers(1, 3))):
        room = content[data.draw(st.sampled_from(ROOMS))]
        thing = room[0] if isinstance(room, list) and room else content
        if isinstance(thing, dict) and isinstance(thing.get("playerScores"), list):
            thing = data.draw(st.sampled_from([thing, *thing["playerScores"]]))
        if isinstance(thing, dict) and thing:
            thing[data.draw(st.sampled_from(sorted(thing)))] = data.draw(json_values)
    reading = read_bgstats(json.dumps(content))
    assert reading.findings or not content["plays"]
    for found in reading.records:
        assert read_bgstats(write_bgstats([found])).count(ImportVerdict.ADD) == 1


@given(json_values)
def test_arbitrary_json_contains_no_bg_stats_results(value: object) -> None:
    assert read_bgstats(json.dumps(value)).records == ()
    assert read_bgstats(export(value)).records == ()


@given(st.binary(max_size=200))
def test_arbitrary_bytes_contain_no_bg_stats_results(data: bytes) -> None:
    assert read_bgstats(data).records == ()


@pytest.mark.slow
def test_bg_stats_export_of_three_thousand_plays_is_read() -> None:
    plays = [play(score(11, n), score(12, 3), uuid=f"play-{n}") for n in range(5, 3_005)]
    reading = read(*plays)
    assert len(reading.records) == 3_000


# Edge cases


@pytest.mark.parametrize(
    ("wanted", "taken"),
    [
        (PlayFilter(), ["Matador", "Something else"]),
        (PlayFilter(slug="dominoes"), ["dominoes", "dominoes"]),
        (PlayFilter(names=["MATADOR"]), ["Matador"]),
        (PlayFilter(slug="dominoes", names=["matador", "x"]), ["dominoes"]),
        (PlayFilter(slug="dominoes", names=["something ELSE"]), ["dominoes"]),
        (PlayFilter(slug="dominoes", names=["Matad"]), []),
        (PlayFilter(slug="dominoes", names=["x"], catalogue=[20347]), ["dominoes"]),
        (PlayFilter(slug="dominoes", names=["something else"], catalogue=[1]), ["dominoes"]),
        (PlayFilter(catalogue=[20346, 20348]), []),
        (PlayFilter(catalogue=[20347]), ["Matador"]),
    ],
)
def test_game_of_a_play_is_matched_by_name_or_catalogue_number(
    wanted: PlayFilter, taken: list[str]
) -> None:
    two = play(score(11, 3), score(12, 1), gameRefId=2, uuid="other")
    found = read(play(score(11, 3), score(12, 1)), two, wanted=wanted)
    assert [one.game for one in found.records] == taken
    assert found.count(ImportVerdict.SKIP) == 2 - len(taken)


@pytest.mark.parametrize(
    ("seats", "code"), [(1, Code.SEATS), (2, Code.NEW), (6, Code.NEW), (7, Code.SEATS)]
)
def test_play_must_have_two_to_six_players(seats: int, code: Code) -> None:
    scores = [score(99, n, anonymousName=f"guest {n}") for n in range(seats)]
    assert finding(*scores).code is code


@pytest.mark.parametrize(
    ("field", "given", "read_as"),
    [
        ("comments", "x" * 300, "x" * 300),
        ("comments", "x" * 301, "x" * 299 + "…"),
        ("comments", "x" * 298 + " yz", "x" * 298 + "…"),
        ("comments", "one\n two ", "one\ntwo"),
        ("location", "x" * 100, "x" * 100),
        ("location", "x" * 101, "x" * 99 + "…"),
        ("location", "the\nclub", "the club"),
    ],
)
def test_comments_and_names_up_to_their_maximum_length_are_not_shortened(
    field: str, given: str, read_as: str
) -> None:
    two = play(
        score(11, 3),
        score(12, 1),
        locationRefId=5,
        **({field: given} if field == "comments" else {}),
    )
    place = {"id": 5, "name": given if field == "location" else "The club"}
    (found,) = read_bgstats(export(two, locations=[place])).records
    assert (found.note if field == "comments" else found.location) == read_as


@pytest.mark.parametrize(
    ("play_more", "game_more", "code"),
    [
        ({"uuid": "u" * 80}, {}, Code.NEW),
        ({"uuid": "u" * 81}, {}, Code.TEXT),
        ({"ignored": 1}, {}, Code.NEW),
        ({"ignored": False}, {"cooperative": None}, Code.NEW),
        ({"ignored": True}, {"cooperative": True}, Code.IGNORED),
        ({"comments": "x" * 20_001}, {}, Code.TEXT),
        ({"comments": "x" * 20_000}, {}, Code.NEW),
        ({}, {"name": "x" * 101}, Code.TEXT),
        ({}, {"name": "x" * 100}, Code.NEW),
        ({}, {"id": "1"}, Code.WHAT),
        ({"gameRefId": None}, {}, Code.WHAT),
    ],
)
def test_flags_and_length_limits_decide_whether_a_play_can_be_imported(
    play_more: dict[str, object], game_more: dict[str, object], code: Code
) -> None:
    assert finding(score(11, 3), score(12, 1), game=game_more, **play_more).code is code


@pytest.mark.parametrize(
    ("scores", "order"),
    [
        ([score(11, 3, seatOrder=3), score(12, 1, seatOrder=1), score(13, 2, seatOrder=2)], "kpa"),
        ([score(11, 3, seatOrder=2), score(12, 1, seatOrder=2), score(13, 2, seatOrder=1)], "akp"),
        ([score(11, 3, seatOrder=2), score(12, 1, seatOrder=1), score(13, 2)], "akp"),
        ([score(11, 3), score(12, 1), score(13, 2, startPlayer=True)], "pak"),
        ([score(11, 3), score(12, 1, startPlayer=1), score(13, 2)], "akp"),
        (
            [score(11, 3), score(12, 1, startPlayer=True), score(13, 2, startPlayer=True)],
            "kpa",
        ),
        (
            [
                score(11, 3, seatOrder=2),
                score(12, 1, seatOrder=1),
                score(13, 2, seatOrder=3, startPlayer=True),
            ],
            "kap",
        ),
    ],
)
def test_players_of_a_play_are_seated_in_the_expected_order(
    scores: list[dict[str, object]], order: str
) -> None:
    assert "".join(seat.player[0] for seat in record(*scores).seats) == order


@pytest.mark.parametrize(
    ("scores", "game", "places"),
    [
        ([score(11, 5), score(12, 5), score(13, 5)], {}, [1, 1, 1]),
        ([score(11, 5), score(12, 7), score(13, 7)], {}, [3, 1, 1]),
        ([score(11, 5), score(12, 7), score(13, 7)], {"highestWins": False}, [1, 2, 2]),
        ([score(11, 5), score(12, 7), score(13, 7)], {"highestWins": None}, [3, 1, 1]),
        ([score(11, 5, winner=True), score(12, 7, winner=True), score(13, 9)], {}, [2, 1, 3]),
        (
            [score(11, 5), score(12, 7, winner=True), score(13, 3)],
            {"highestWins": False},
            [3, 1, 2],
        ),
        ([score(11, 5, rank=3), score(12, 7, rank=1), score(13, 9, rank=1)], {}, [3, 1, 1]),
        ([score(11, 5, rank=1), score(12, 7, rank=0), score(13, 9, rank=2)], {}, [3, 2, 1]),
        ([score(11, 5, winner=True), score(12, 7), score(13)], {}, [1, 2, 2]),
        ([score(11, 5, winner="yes"), score(12, 7), score(13, 9)], {}, [3, 2, 1]),
        ([score(11, 0), score(12, 0, winner=True), score(13, -1)], {}, [2, 1, 3]),
    ],
)
def test_places_follow_ranks_then_winners_then_scores(
    scores: list[dict[str, object]], game: dict[str, object], places: list[int]
) -> None:
    assert [seat.place for seat in record(*scores, game=game).seats] == places


def test_points_of_a_side_are_noted_once_or_added_from_its_players() -> None:
    def points(*noted: object, no_points: bool = False) -> list[int | None]:
        teams = ("A", "B", "A", "B")
        scores = [
            score(11 + place, noted[place], team=team, winner=team == "A")
            for place, team in enumerate(teams)
        ]
        return [seat.points for seat in record(*scores, game={"noPoints": no_points}).seats]

    assert points(60, 5, 60, 7) == [60, 12, 60, 12]
    assert points(60, 0, 44, 0) == [104, 0, 104, 0]
    assert points(60, 5, None, None) == [60, 5, 60, 5]
    assert points(None, 5, None, 5) == [None, 5, None, 5]
    assert points(60, 5, 60, 7, no_points=True) == [None] * 4


def test_players_of_sides_of_different_sizes_sit_side_by_side() -> None:
    scores = [score(11, 3, team="A"), score(12, 9, team="B"), score(13, 3, team="A")]
    found = record(*scores, usesTeams=True)
    assert [(seat.player, seat.side) for seat in found.seats] == [
        ("ana", 0),
        ("pilar", 0),
        ("kiko", 1),
    ]
    empty = record(score(11, 3, team=""), score(12, 9, team=""), score(13, 3, team=""))
    assert [seat.side for seat in empty.seats] == [0, 1, 2]


def test_plays_beyond_the_limit_of_a_file_are_not_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("leagues.exchange.formats.bgstats.MAX_PLAYS", 2)
    three = [play(score(11, 3), score(12, 1), uuid=f"play-{n}") for n in range(3)]
    assert [one.code for one in read(*three[:2]).findings] == [Code.NEW] * 2
    over = read(*three).findings
    assert [one.code for one in over] == [Code.NEW, Code.NEW, Code.ROWS]
    assert over[-1].params == {"most": 2}


def seat(player: str, place: int, side: int, points: int | None, identity: str = "") -> SeatRecord:
    return SeatRecord(player=player, place=place, side=side, points=points, identity=identity)


def sent(*seats: SeatRecord, **more: Any) -> ResultRecord:
    given: dict[str, Any] = {"key": "match/17", "played_at": THURSDAY, "game": "dominoes", **more}
    return ResultRecord(seats=seats, **given)


def bgstats_file(*records: ResultRecord, **options: Any) -> Any:
    return json.loads(write_bgstats(records, **options))


def test_each_player_of_a_play_is_exported_with_its_own_values() -> None:
    content = bgstats_file(
        sent(seat("ana", 1, 0, 0), seat("kiko", 1, 1, 0), seat("pilar", 3, 2, None), note="a\nb"),
        zone=MADRID,
    )
    (out,) = content["plays"]
    assert (out["playDate"], out["modificationDate"]) == (
        "2026-03-05 21:00:00",
        "2026-03-05 20:00:00",
    )
    assert (out["usesTeams"], out["ignored"], out["comments"]) == (False, False, "a\nb")
    lines = [
        (one["score"], one["winner"], one["rank"], one["seatOrder"], one["startPlayer"])
        for one in out["playerScores"]
    ]
    assert lines == [
        ("0", True, 1, 1, True),
        ("0", True, 1, 2, False),
        ("", False, 3, 3, False),
    ]
    assert not any("team" in one or "anonymousName" in one for one in out["playerScores"])
    assert [one["playerRefId"] for one in out["playerScores"]] == [1, 2, 3]
    assert [game["name"] for game in content["games"]] == ["dominoes"]


def test_partners_are_exported_as_teams() -> None:
    seats = [seat(name, 1 + n % 2, n % 2, 10) for n, name in enumerate(("a", "b", "c", "d"))]
    (out,) = bgstats_file(sent(*seats))["plays"]
    assert out["usesTeams"] is True
    assert [one["team"] for one in out["playerScores"]] == ["1", "2", "1", "2"]


def test_exported_file_contains_each_game_location_and_player_once() -> None:
    one = seat("ana", 1, 0, 3, identity=ANA), seat("kiko", 2, 1, 1)
    content = bgstats_file(
        sent(*one, location="The club"),
        sent(*one, key="match/18", location="The club"),
        sent(*one[::-1], key="match/19", location="The bar", game="street"),
        sent(*one, key="match/20"),
        titles={"dominoes": "Matador"},
    )
    assert [(game["id"], game["name"]) for game in content["games"]] == [
        (1, "Matador"),
        (2, "street"),
    ]
    assert [(place["id"], place["name"]) for place in content["locations"]] == [
        (1, "The club"),
        (2, "The bar"),
    ]
    assert [(who["id"], who["name"], who["uuid"]) for who in content["players"]] == [
        (1, "ana", ANA),
        (2, "kiko", player_uuid("", "kiko")),
    ]
    assert [play["locationRefId"] for play in content["plays"]] == [1, 1, 2, 0]
    assert [play["gameRefId"] for play in content["plays"]] == [1, 1, 2, 1]
    assert [[s["playerRefId"] for s in play["playerScores"]] for play in content["plays"]] == [
        [1, 2],
        [1, 2],
        [2, 1],
        [1, 2],
    ]


def test_player_without_name_is_exported_and_read_as_anonymous() -> None:
    record_ = sent(
        seat("", 1, 0, 3), seat("", 2, 1, 1), seat("ana", 3, 2, 0), seat("", 4, 3, 0, "x")
    )
    content = bgstats_file(record_)
    assert [(who["name"], who["isAnonymous"]) for who in content["players"]] == [
        ("?", True),
        ("ana", False),
        ("?", False),
    ]
    (out,) = content["plays"]
    assert ["anonymousName" in one for one in out["playerScores"]] == [True, True, False, False]
    (back,) = read_bgstats(json.dumps(content)).records
    assert [(one.player, bool(one.identity)) for one in back.seats] == [
        ("", False),
        ("", False),
        ("ana", True),
        ("?", True),
    ]


@pytest.mark.parametrize("name", ["<b>", 'q"uote', "back\\slash", "añ\N{OX}", "=1+1", "a&b", "{x}"])
def test_special_characters_survive_export_to_bg_stats(name: str) -> None:
    gone = sent(seat(name, 1, 0, 3), seat("k", 2, 1, 1), location=name, note=name, game=name)
    (back,) = read_bgstats(write_bgstats([gone])).records
    assert (back.seats[0].player, back.location, back.note, back.game) == (name,) * 4


@pytest.mark.parametrize(
    ("identity", "kept"),
    [
        (ANA, True),
        (PLAY, True),
        (ANA[:-1], False),
        (ANA + "0", False),
        ("{" + ANA[:34] + "}", False),
        (ANA.replace("-", ""), False),
        ("z" * 36, False),
    ],
)
def test_only_a_complete_uuid_is_exported_as_player_id(identity: str, kept: bool) -> None:
    assert (play_uuid(identity) == identity.lower()) == kept
    assert (player_uuid(identity, "ana") == identity.lower()) == kept
