"""Draws that a program changes: own proposals, other opponents, and players who leave."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import pytest

from accounts.models import User
from leagues.fixtures.operations import draw_next_swiss, undraw
from leagues.fixtures.opponents import swap_players
from leagues.members.operations.membership import FixtureHandling, add_guest, withdraw
from leagues.models import Fixture, League, Player
from leagues.players import player_of_user
from tests.leagues.api.programs import STRANGER, Program, program
from tests.leagues.world import NOW, found_league, guest, play, seated

pytestmark = pytest.mark.django_db


@dataclass
class Club:
    """A Swiss league of five players, and an API program that acts for its organiser."""

    league: League
    office: Player
    program: Program

    def at(self, way: str) -> str:
        return f"leagues/{self.league.slug}/{way}"

    def slugs(self) -> dict[str, str]:
        return dict(Player.objects.values_list("name", "slug"))


@pytest.fixture
def club() -> Club:
    office = program("office")
    player = player_of_user(User.objects.get(username="office"), at=NOW)
    league = found_league(player, format="swiss", plays=False, visibility="public")
    for name in ("Ana", "Bruno", "Carla", "Dani", "Eva"):
        add_guest(league=league, name=name, by=player, at=NOW)
    return Club(league, player, office)


def tables() -> list[list[str]]:
    return [[one.slug for one in seated(f)] for f in Fixture.objects.order_by("round", "number")]


def test_proposed_draw_is_previewed_with_costs_and_saved(club: Club) -> None:
    first = draw_next_swiss(league=club.league, by=club.office, at=NOW)
    for fixture in first.fixtures.all():
        play(fixture, 10, 4)
    had = Player.objects.get(pk=first.byes[0]["player"])
    (a, b), (c, d) = (seated(fixture) for fixture in first.fixtures.all())
    pairings = [[b.slug, a.slug], [c.slug, d.slug]]
    body = {"pairings": pairings, "byes": [had.slug]}
    shown = club.program.post(club.at("draw/preview/"), body)
    assert [pairing["costs"] for pairing in shown["pairings"]] == [
        ["These players have met once, in round 1.", "Difference in score: 1."]
    ] * 2
    assert shown["byes"][0]["costs"] == ["This player has already had a bye."]
    assert shown["byes"][0]["changed"] is True
    assert shown["costs"] == {"rematches": 2, "distance": 2.0, "third_seats": 0, "byes": 1}
    assert shown["computed_costs"]["rematches"] == 0
    assert club.league.rounds.count() == 1
    assert "An organiser changed the draw for this match." in shown["pairings"][0]["reasons"]
    drawn = club.program.post(club.at("draw/"), {**body, "edition": shown["edition"]})
    assert drawn == {"rounds": [2]}
    assert sorted(tables()[2:]) == sorted(pairings)
    rounds = club.program.get(club.at("rounds/"))["results"]
    assert [bye["player"]["slug"] for bye in rounds[1]["byes"]] == [had.slug]


def test_api_completes_a_partly_proposed_draw(club: Club) -> None:
    slugs = club.slugs()
    body = {"pairings": [[slugs["Ana"], slugs["Eva"]]], "fill": True}
    shown = club.program.post(club.at("draw/preview/"), body)
    people = [{player["name"] for player in pairing["players"]} for pairing in shown["pairings"]]
    assert {"Ana", "Eva"} in people
    assert (len(people), len(shown["byes"])) == (2, 1)
    del body["fill"]
    problem = club.program.refused("POST", club.at("draw/preview/"), body)
    assert problem["status"] == 409
    assert "has neither a match nor a bye in this draw." in problem["detail"]


BAD: dict[str, tuple[Callable[[dict[str, str]], dict[str, object]], int, str]] = {
    "left": (
        lambda k: {"pairings": [[k["Ana"], k["Zoe"]]]},
        409,
        "Zoe has left the league and can’t be included in the draw.",
    ),
    "twice": (
        lambda k: {"pairings": [[k["Ana"], k["Bruno"]], [k["Ana"], k["Carla"]]]},
        409,
        "Ana appears twice in this draw.",
    ),
    "match and bye": (
        lambda k: {"pairings": [[k["Ana"], k["Bruno"]]], "byes": [k["Ana"]]},
        409,
        "Ana appears twice in this draw.",
    ),
    "elsewhere": (
        lambda k: {"pairings": [[k["Ana"], k["Sol"]]]},
        409,
        "There is no player “sol” in this league.",
    ),
    "nobody": (
        lambda _k: {"pairings": [["nobody", "no-one"]]},
        409,
        "There is no player “nobody” in this league.",
    ),
    "nothing": (lambda _k: {"pairings": []}, 409, "Ana has neither a match nor a bye"),
    "too many": (lambda k: {"pairings": [[k["Ana"]] * 7]}, 400, ""),
    "a word": (lambda _k: {"pairings": "Ana"}, 400, ""),
}


@pytest.mark.parametrize("wrong", BAD)
@pytest.mark.parametrize("way", ["draw/", "draw/preview/"])
def test_invalid_draw_proposal_is_rejected_with_a_message(club: Club, wrong: str, way: str) -> None:
    zoe = add_guest(league=club.league, name="Zoe", by=club.office, at=NOW).player
    withdraw(league=club.league, player=zoe, by=club.office, at=NOW, handling=FixtureHandling.VOID)
    guest("Sol")
    propose, status, sentence = BAD[wrong]
    problem = club.program.refused("POST", club.at(way), propose(club.slugs()))
    assert problem["status"] == status
    assert sentence in str(problem)
    assert not club.league.rounds.exists()


def test_outdated_draw_proposal_is_rejected_and_a_repeated_request_draws_once(club: Club) -> None:
    slugs = club.slugs()
    body = {
        "pairings": [[slugs["Ana"], slugs["Eva"]], [slugs["Bruno"], slugs["Carla"]]],
        "byes": [slugs["Dani"]],
    }
    stale = club.program.refused("POST", club.at("draw/"), {**body, "edition": 0})
    assert "Check the draw again." in stale["detail"]
    for _again in range(2):
        club.program.post(club.at("draw/"), body, **{"Idempotency-Key": "once"})
    assert club.league.rounds.count() == 1


def test_only_organisers_can_propose_a_draw(club: Club) -> None:
    other = program("other")
    for way in ("draw/", "draw/preview/"):
        assert other.refused("POST", club.at(way), {"pairings": [["a", "b"]]})["status"] == 403
        assert STRANGER.ask("POST", club.at(way), {"pairings": []}).status_code == 401
    assert other.refused("POST", club.at("draw/preview/"), {})["status"] == 403
    assert not club.league.rounds.exists()


def test_round_robin_rejects_proposed_pairings(club: Club) -> None:
    robin = found_league(club.office, format="round_robin", plays=False, name="Robin")
    problem = club.program.refused("POST", f"leagues/{robin.slug}/draw/", {"pairings": []})
    assert problem["detail"] == "Pairings can only be chosen in a Swiss league."


def test_change_of_opponents_is_previewed_and_made(club: Club) -> None:
    drawn = draw_next_swiss(league=club.league, by=club.office, at=NOW)
    first, second = drawn.fixtures.order_by("number")
    (a, b), (c, d) = seated(first), seated(second)
    way = club.at(f"fixtures/{first.pk}/opponent/")
    shown = club.program.get(f"{way}?player={a.slug}&other={c.slug}")
    assert [pairing["fixture"] for pairing in shown["pairings"]] == [first.pk, second.pk]
    assert (shown["bye"], shown["drafts"]) == (None, 0)
    body = {"player": a.slug, "other": c.slug, "edition": shown["edition"]}
    changed = club.program.post(way, body)
    assert [fixture["id"] for fixture in changed["fixtures"]] == [first.pk, second.pk]
    assert [set(table) for table in tables()] == [{c.slug, b.slug}, {a.slug, d.slug}]
    stale = club.program.refused("POST", way, body)
    assert "Check the draw again." in stale["detail"]
    play(Fixture.objects.get(pk=second.pk), 10, 4)
    busy = club.program.refused("POST", way, {"player": c.slug, "other": a.slug})
    assert busy["detail"] == f"In this round, {a.name} already has a match that can’t be changed."
    nobody = club.program.refused("POST", way, {"player": c.slug, "other": "nobody"})
    assert nobody["detail"] == "There is no player “nobody” in this league."
    other = program("other")
    assert other.refused("POST", way, body)["status"] == 403
    assert other.refused("GET", f"{way}?player={a.slug}&other={c.slug}")["status"] == 403
    assert STRANGER.ask("POST", way, body).status_code == 401


def member_of(club: Club, player: Player) -> str:
    return club.at(f"members/{club.league.members.get(player=player).pk}/leave/")


def test_player_with_the_bye_can_replace_a_player_who_leaves(club: Club) -> None:
    drawn = draw_next_swiss(league=club.league, by=club.office, at=NOW)
    first = drawn.fixtures.all()[0]
    a, b = seated(first)
    out = Player.objects.get(pk=drawn.byes[0]["player"])
    going = club.program.get(member_of(club, a))
    assert going["handlings"] == ["match", "forfeit", "bye", "void"]
    assert going["stand_in"]["slug"] == out.slug
    club.program.post(member_of(club, a), {"handling": "match"})
    assert set(tables()[0]) == {b.slug, out.slug}
    # Without a request body, the open fixtures of a player who leaves are forfeited.
    club.program.post(member_of(club, b))
    first.refresh_from_db()
    assert first.state == "forfeited"


def test_opponent_of_a_player_who_left_can_be_given_a_match_or_bye_later(club: Club) -> None:
    drawn = draw_next_swiss(league=club.league, by=club.office, at=NOW)
    first = drawn.fixtures.all()[0]
    a, b = seated(first)
    way = club.at(f"fixtures/{first.pk}/vacancy/")
    assert club.program.get(way) == {"gone": [], "stand_in": None, "handlings": []}
    refused = club.program.refused("POST", way, {"handling": "bye"})
    assert refused["detail"] == "No player in this fixture has left the league."
    club.program.post(member_of(club, a))
    shown = club.program.get(way)
    assert [player["slug"] for player in shown["gone"]] == [a.slug]
    assert shown["handlings"] == ["match", "bye"]
    fixture = club.program.post(way, {"handling": "bye"})
    assert fixture["state"] == "void"
    byes = club.program.get(club.at("rounds/"))["results"][0]["byes"]
    assert b.slug in [bye["player"]["slug"] for bye in byes]
    assert program("other").refused("POST", way, {"handling": "bye"})["status"] == 403
    assert club.program.refused("POST", way, {"handling": "forfeit"})["status"] == 400


def test_undone_draw_is_reported_to_a_program_that_is_changing_it(
    club: Club, monkeypatch: pytest.MonkeyPatch
) -> None:
    drawn = draw_next_swiss(league=club.league, by=club.office, at=NOW)
    first, second = drawn.fixtures.order_by("number")

    def undone_before(**given: Any) -> list[Fixture]:
        undraw(league=club.league, by=club.office, at=NOW)
        return swap_players(**given)

    monkeypatch.setattr("leagues.api.by_hand.swap_players", undone_before)
    body = {"player": seated(first)[0].slug, "other": seated(second)[0].slug}
    problem = club.program.refused("POST", club.at(f"fixtures/{first.pk}/opponent/"), body)
    assert problem["status"] == 409
    assert problem["detail"] == ("This fixture no longer exists, because its draw has been undone.")
