"""Whole workflows of a league over the API, from its creation to final standings."""

from __future__ import annotations

from typing import Any

import pytest

from tests.leagues import game
from tests.leagues.api.programs import STRANGER, Program, program

pytestmark = pytest.mark.django_db

LEAGUE = {"name": "Thursday", "game": game.KEY, "profile": "plain", "visibility": "public"}


def found_league(by: Program, **fields: object) -> str:
    told = by.post("leagues/", LEAGUE | fields)
    return str(told["slug"])


def join(by: Program, organiser: Program, slug: str) -> str:
    token = organiser.get(f"leagues/{slug}/")["invitation"]
    by.post(f"invitations/{token}/")
    return str(by.get("players/me/")["slug"])


def handed_in(by: Program, slug: str, players: list[str], *points: int) -> Any:
    match = by.post(f"leagues/{slug}/matches/", {"players": players})
    sheet = {"version": match["version"], "content": {"score": list(points)}}
    return by.post(f"matches/{match['id']}/sheet/", sheet)


@pytest.fixture
def ana() -> Program:
    return program("ana")


@pytest.fixture
def beto() -> Program:
    return program("beto")


@pytest.mark.slow
def test_league_can_be_played_entirely_over_the_api(ana: Program, beto: Program) -> None:
    carla = program("carla")
    slug = found_league(ana)
    people = [join(who, ana, slug) for who in (ana, beto, carla)]
    match = handed_in(beto, slug, people[1:], 10, 4)
    at, seen = f"matches/{match['id']}/", {"version": match["version"]}
    assert match["state"] == "handed_in"
    assert "confirm" not in match["actions"]
    assert "You entered this result" in beto.refused("POST", f"{at}confirm/", seen)["detail"]
    confirmed = carla.post(f"{at}confirm/", seen)
    assert confirmed["state"] == "confirmed"
    told = carla.refused("POST", f"{at}dispute/", seen | {"reason": "No."})
    assert told["status"] == 409  # this version is outdated
    seen = {"version": confirmed["version"]}
    disputed = carla.post(f"{at}dispute/", seen | {"reason": "It was 10 to 5."})
    assert [one["reason"] for one in disputed["disputes"]] == ["It was 10 to 5."]
    assert STRANGER.get(f"leagues/{slug}/standings/")["matches"] == 0
    verdict = {"verdict": "stands", "settlement": "Counted again."}
    ana.post(f"{at}settle/", {"version": disputed["version"], **verdict})
    table = STRANGER.get(f"leagues/{slug}/standings/")
    assert [one["player"]["name"] for one in table["lines"]] == ["beto", "carla", "ana"]
    assert [one["place"] for one in table["lines"]] == [1, 2, None], "ana has not played"
    assert table["lines"][0]["score"] == {"value": 1.0, "exact": "1"}
    assert STRANGER.get(f"leagues/{slug}/standings/?day=2020-01-01")["matches"] == 0
    cells = STRANGER.get(f"leagues/{slug}/matrix/")["cells"]
    assert [(one["player"], one["won"]) for one in cells] == [("beto", 1), ("carla", 0)]


@pytest.mark.slow
def test_correction_is_previewed_and_an_old_version_can_be_restored(
    ana: Program, beto: Program
) -> None:
    carla = program("carla")
    slug = found_league(ana)
    people = [join(who, ana, slug) for who in (beto, carla)]
    match = handed_in(beto, slug, people, 10, 4)
    at = f"matches/{match['id']}/"
    match = carla.post(f"{at}confirm/", {"version": match["version"]})
    content = {"content": {"score": [3, 12]}}
    moves = ana.post(f"{at}correct/preview/", content)["standings"]
    assert {one["player"]["slug"]: one["after"]["place"] for one in moves} == {
        "beto": 2,
        "carla": 1,
    }
    assert beto.refused("POST", f"{at}correct/preview/", content)["status"] == 403
    why = {"version": match["version"], "reason": "Read upside down."}
    match = ana.post(f"{at}correct/", why | content)
    assert [one["place"] for one in match["seats"]] == [2, 1]
    assert ana.get(f"{at}sheets/1/restore/")["waits"] is False
    match = ana.post(f"{at}sheets/1/restore/", why | {"version": match["version"]})
    assert [one["place"] for one in match["seats"]] == [1, 2]
    sheets = STRANGER.get(f"{at}sheets/")["results"]
    assert [one["content"]["score"][0] for one in sheets] == [10, 3, 10]
    assert STRANGER.get(f"{at}sheets/2/")["reason"] == "Read upside down."
    match = ana.post(f"{at}void/", {"version": match["version"], "reason": "Nobody came."})
    assert match["state"] == "void"


def test_referee_reports_errors_of_a_submitted_scoresheet(ana: Program, beto: Program) -> None:
    slug = found_league(ana)
    people = [join(who, ana, slug) for who in (ana, beto)]
    match = ana.post(f"leagues/{slug}/matches/", {"players": people})
    wrong = {"version": match["version"], "content": {"hands": [[99, 99]]}}
    told = ana.refused("POST", f"matches/{match['id']}/sheet/", wrong)
    assert (told["status"], told["errors"][0]["pointer"]) == (422, "/content/hands/0")
    judged = beto.post(f"matches/{match['id']}/judgement/", {"content": {"hands": [[4, 9]]}})
    assert (judged["points"], judged["over"], judged["objections"]) == ([0, 5], False, [])


def test_swiss_round_is_previewed_drawn_and_undone(ana: Program, beto: Program) -> None:
    slug = found_league(ana, format="swiss", rounds_planned=3)
    for name in ("carla", "dora"):
        ana.post(f"leagues/{slug}/members/", {"name": name})
    join(beto, ana, slug)
    assert beto.refused("GET", f"leagues/{slug}/draw/")["status"] == 403
    draft = ana.get(f"leagues/{slug}/draw/")
    assert ana.refused("POST", f"leagues/{slug}/draw/", {"edition": 999})["status"] == 409
    drawn = ana.post(f"leagues/{slug}/draw/", {"edition": draft["edition"]})
    assert drawn == {"rounds": [1]}
    told = STRANGER.get(f"leagues/{slug}/rounds/")["results"]
    assert [one["players"] for one in draft["pairings"]] == [
        [seat["player"] for seat in fixture["seats"]] for fixture in told[0]["fixtures"]
    ]
    assert ana.post(f"leagues/{slug}/draw/back/") == {"rounds": 1}
    ana.post(f"leagues/{slug}/draw/", {})
    first, second = STRANGER.get(f"leagues/{slug}/fixtures/")["results"]
    at = f"leagues/{slug}/fixtures/{first['id']}/"
    later = ana.post(f"{at}postpone/", {"deadline": "2100-01-01T00:00:00Z", "note": "Ill."})
    assert (later["state"], later["note"]) == ("postponed", "Ill.")
    assert ana.post(f"{at}void/", {"reason": "Gone."})["state"] == "void"
    assert ana.post(f"{at}restore/")["state"] == "open"
    assert ana.post(f"{at}forfeit/", {"seats": [1]})["state"] == "forfeited"
    match = ana.post(f"leagues/{slug}/fixtures/{second['id']}/match/")
    assert match["fixture"] == second["id"]
    assert STRANGER.get(f"leagues/{slug}/fixtures/{second['id']}/")["match"] == match["id"]
    assert [
        one["state"] for one in STRANGER.get(f"leagues/{slug}/fixtures/?state=open")["results"]
    ] == ["open"]


def test_guest_is_claimed_merged_and_separated_again(ana: Program, beto: Program) -> None:
    slug = found_league(ana)
    member = ana.post(f"leagues/{slug}/members/", {"name": "Bet"})
    join(beto, ana, slug)
    guest = member["player"]["slug"]
    assert beto.get(f"players/{guest}/claim/")["standings"] != []
    claim = beto.post(f"players/{guest}/claim/")
    assert beto.refused("GET", f"leagues/{slug}/claims/")["status"] == 403
    assert [one["id"] for one in ana.get(f"leagues/{slug}/claims/")["results"]] == [claim["id"]]
    ana.post(f"leagues/{slug}/claims/{claim['id']}/", {"granted": True})
    me = beto.get("players/me/")
    assert [one["absorbed"] for one in me["merges"]] == ["Bet"]
    assert ana.get(f"players/{me['slug']}/")["merges"] == me["merges"]
    beto.post(f"merges/{me['merges'][0]['id']}/undo/")
    other = ana.post(f"leagues/{slug}/members/", {"name": "Betito"})["player"]["slug"]
    merging = f"leagues/{slug}/members/{member['id']}/merge/"
    assert ana.get(f"{merging}?into={other}")["standings"] != []
    assert ana.refused("GET", f"{merging}?into={me['slug']}")["status"] == 409
    assert beto.refused("GET", f"{merging}?into={other}")["status"] == 403
    done = ana.post(merging, {"into": other})
    assert done["kept"]["slug"] == other
    ana.post(f"merges/{done['id']}/undo/")
    token = ana.post(f"leagues/{slug}/members/{member['id']}/link/")["token"]
    assert beto.get(f"guests/{token}/")["name"] == "Bet"
    assert beto.post(f"guests/{token}/")["kept"]["slug"] == me["slug"]
    assert beto.refused("POST", f"guests/{token}/")["status"] == 404


def test_league_settings_roles_leaving_and_closing_over_the_api(
    ana: Program, beto: Program
) -> None:
    slug = found_league(ana, visibility="link")
    join(beto, ana, slug)
    at = f"leagues/{slug}/"
    seen = ana.ask("GET", at)
    changed = ana.ask("PATCH", at, {"name": "Friday"}, **{"if-match": seen["ETag"]})
    assert changed.json()["name"] == "Friday"
    stale = ana.ask("PATCH", at, {"name": "Monday"}, **{"if-match": seen["ETag"]})
    assert stale.status_code == 412
    assert beto.refused("PATCH", at, {"name": "Mine"})["status"] == 403
    told = ana.refused("PATCH", at, {"seats": 6, "profile": "pairs"})
    assert (told["status"], told["errors"][0]["pointer"]) == (409, "/seats")
    members = {one["player"]["slug"]: one["id"] for one in ana.get(f"{at}members/")["results"]}
    beto_at = f"{at}members/{members['beto']}/"
    assert ana.post(f"{beto_at}role/", {"role": "scorer"})["role"] == "scorer"
    assert beto.get(f"{beto_at}leave/") == {
        "fixtures": [],
        "waiting": [],
        "handlings": ["forfeit", "void"],
        "stand_in": None,
    }
    beto.post(f"{beto_at}leave/", {})
    assert ana.post(f"{beto_at}return/")["withdrawn_at"] is None
    old = ana.get(at)["invitation"]
    assert ana.post(f"{at}invitation/")["invitation"] != old
    assert beto.refused("POST", f"invitations/{old}/")["status"] == 404
    draft = ana.get(f"{at}close/")
    assert draft == {"fixtures": 0, "drafts": 0, "edition": draft["edition"]}
    stale = {"edition": draft["edition"] + 1}
    assert ana.refused("POST", f"{at}close/", stale)["status"] == 409
    assert ana.post(f"{at}close/", {"edition": draft["edition"]})["closed_at"] is not None
    assert ana.refused("GET", f"{at}close/")["status"] == 409
    assert ana.post(f"{at}reopen/")["closed_at"] is None
    assert ana.post(f"{at}close/")["closed_at"] is not None


@pytest.mark.slow
def test_results_are_exported_and_imported_over_the_api(ana: Program, beto: Program) -> None:
    slug, other = found_league(ana), found_league(ana, name="Other", plays=False)
    people = [join(who, ana, slug) for who in (ana, beto)]
    match = handed_in(ana, slug, people, 10, 4)
    beto.post(f"matches/{match['id']}/confirm/", {"version": match["version"]})
    file = STRANGER.get(f"leagues/{slug}/export/?form=json")
    assert ana.post(f"leagues/{other}/import/preview/", file)["adding"] == 1
    assert beto.refused("POST", f"leagues/{other}/import/", file)["status"] == 403
    done = ana.post(f"leagues/{other}/import/", file)
    assert (len(done["matches"]), done["guests"]) == (1, ["beto"])
    assert ana.refused("POST", f"leagues/{other}/import/", file)["status"] == 409


def test_list_of_leagues_is_filtered_by_format_and_game(ana: Program) -> None:
    swiss = found_league(ana, format="swiss", rounds_planned=5, name="Swiss")
    ladder = found_league(ana, name="Ladder")

    def told(question: str) -> list[str]:
        return [one["slug"] for one in ana.get(f"leagues/?{question}")["results"]]

    assert told("format=swiss") == [swiss]
    assert told("format=ladder") == [ladder]
    assert set(told(f"game={game.KEY}")) == {swiss, ladder}
    assert told(f"game={'no' * 40}") == []
    assert ana.refused("GET", "leagues/?format=json")["status"] == 400


def test_rematch_of_a_match_without_league_over_the_api(ana: Program, beto: Program) -> None:
    beto.post("matches/", {"game": game.KEY, "profile": "plain", "names": ["", "Eva"]})
    match = ana.post("matches/", {"game": game.KEY, "profile": "plain", "names": ["", "Eva"]})
    at = f"matches/{match['id']}/"
    assert [one["player"]["name"] for one in match["seats"]] == ["ana", "Eva"]
    assert beto.refused("GET", at)["status"] == 404
    assert beto.get(f"{at}?key={match['key']}")["key"] is None
    assert ana.get("players/me/waiting/")["drafts"][0]["id"] == match["id"]
    sheet = {"version": match["version"], "content": {"score": [10, 1]}}
    ana.post(f"{at}sheet/", sheet)
    assert ana.post(f"{at}rematch/")["id"] != match["id"]
    mine = {one["id"] for one in ana.get("matches/?mine=true")["results"]}
    assert mine == {match["id"], match["id"] + 1}


def test_repeated_request_with_idempotency_key_creates_one_league(ana: Program) -> None:
    key = {"idempotency-key": "k1"}
    first, again = (ana.post("leagues/", LEAGUE, **key) for _time in range(2))
    assert first == again
    assert len(ana.get("leagues/?mine=true")["results"]) == 1
    friends = {"game": game.KEY, "profile": "plain", "names": ["", "Eva"]}
    key = {"idempotency-key": "k2"}
    first, again = (ana.post("matches/", friends, **key) for _time in range(2))
    assert first == again
    assert ana.refused("POST", "leagues/", LEAGUE, **{"idempotency-key": ""})["status"] == 400
