"""The page of a match says what has happened to it, and not what would happen."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.urls import reverse

from leagues.fixtures.operations import forfeit_fixture
from leagues.matches.operations.corrections import dispute_match, void_match
from leagues.matches.operations.matches import confirm, hand_in, open_match
from leagues.members.operations.membership import add_guest
from leagues.models import League, Match, Member, Player
from leagues.results import record_played_match
from tests.factories import browser
from tests.leagues import world
from tests.leagues.world import HOUR, NOW, finalised, handed_in

pytestmark = pytest.mark.django_db

DOMINOES = {"game": "dominoes", "profile": "rulebook"}


@pytest.fixture
def office() -> Player:
    return world.account("office")


@pytest.fixture
def league(office: Player) -> League:
    return world.found_league(office, seats=4, visibility="public", **DOMINOES)


@pytest.fixture
def people(office: Player, league: League) -> list[Player]:
    """Return the organiser, a guest and a player with an account."""
    beto = add_guest(league=league, name="Beto", by=office, at=NOW).player
    carla = world.account("carla")
    world.enter_league(league, carla)
    return [office, beto, carla]


def entered(people: list[Player], league: League, *totals: int, stopped: bool = False) -> Match:
    match = open_match(by=people[0], at=NOW, players=people[: len(totals)], league=league)
    return handed_in(match, people[0], {"totals": list(totals), "stopped": stopped})


def words(match: Match, client: Client | None = None) -> str:
    """Return the text of the match card, without tags."""
    page = (client or Client()).get(reverse("match", args=[match.pk]), follow=True)
    ticket = page.content.decode().split('id="ticket"')[1].split("</main>")[0]
    return " ".join(re.sub(r"<[^>]+>", " ", ticket).split())


def steps(match: Match) -> list[str]:
    """Return the lines of what has happened to the match."""
    page = Client().get(reverse("match", args=[match.pk]), follow=True).content.decode()
    lines = page.split('<ol class="in-line">')[1].split("</ol>")[0].split("</li>")
    return [" ".join(re.sub(r"<[^>]+>", " ", line).split()) for line in lines[:-1]]


def test_page_of_a_draft_says_only_that_it_was_begun(league: League, people: list[Player]) -> None:
    match = open_match(by=people[0], at=NOW, players=people, league=league)
    assert steps(match) == ["Begun by office"]
    assert "Referee" not in words(match)


@pytest.mark.slow
def test_page_of_a_submitted_result_says_that_confirmation_is_missing(
    league: League, people: list[Player]
) -> None:
    match = entered(people, league, 102, 40, 3)
    assert steps(match) == ["Entered by office", "Referee found no errors", "Confirmation not yet"]
    spanish = words(match, Client(headers={"Accept-Language": "es"}))
    assert "El árbitro no ha encontrado errores" in spanish


def test_match_page_says_that_a_guest_confirmed_the_result(
    league: League, people: list[Player]
) -> None:
    for number, said in ((1, "Beto, a guest"), (2, "carla")):
        match = entered(people, league, 102, 40, 3)
        match = confirm(match=match, version=match.version, by=people[number], at=NOW)
        assert steps(match)[2] == f"Confirmation by {said}"


def test_match_page_says_until_when_a_result_can_be_disputed(
    league: League, people: list[Player]
) -> None:
    match = entered(people, league, 102, 40, 3)
    match = confirm(match=match, version=match.version, by=people[1], at=NOW)
    assert steps(match)[3] == (
        "Counts The standings and ratings have been updated. The result can be disputed until "
        "Sunday 8 Mar, 20:00."
    )
    assert steps(finalised(match))[3] == "Final The standings and ratings have been updated."


def test_page_of_a_forfeit_mentions_no_referee_or_confirmation(office: Player) -> None:
    league = world.round_robin(office, ["ana", "beto"], **DOMINOES)
    match = forfeit_fixture(fixture=world.first_fixture(league), seats=[1], by=office, at=NOW)
    assert steps(match) == [
        "Forfeit declared by office",
        (
            "Counts The standings have been updated. The result can be disputed until "
            "Sunday 8 Mar, 20:00."
        ),
    ]
    assert "result only" not in words(match)
    assert (
        reverse("fixture", args=[league.slug, match.fixture_id])
        in Client().get(reverse("match", args=[match.pk]), follow=True).content.decode()
    )


def test_page_of_a_match_played_on_the_site_mentions_no_confirmation(office: Player) -> None:
    ana = world.account("ana")
    league = world.found_league(office, visibility="public", **DOMINOES)
    world.enter_league(league, ana)
    match = record_played_match(
        game="dominoes",
        rules=league.rules,
        rules_hash=league.rules_hash,
        players=[office, ana],
        content={"totals": [102, 40]},
        began_at=NOW,
        at=NOW + HOUR,
        league=league,
    )
    assert steps(match) == [
        "Played on this site",
        "Referee found no errors",
        "Confirmation not needed: the match was played on this site",
        "Final The standings and ratings have been updated.",
    ]


@pytest.mark.parametrize(
    ("totals", "said"),
    [
        ((60, 60), "office and Beto draw"),
        ((60, 60, 60), "office, Beto and carla draw"),
        ((60, 40, 60), "office and carla share first place"),
        ((60, 59), "office wins the match"),
    ],
)
def test_players_with_equal_points_are_not_called_winners(
    league: League, people: list[Player], totals: tuple[int, ...], said: str
) -> None:
    match = entered(people, league, *totals, stopped=True)
    assert said in words(match)
    assert ("win the match" in words(match)) is False


@pytest.mark.slow
def test_page_of_a_match_that_does_not_count_mentions_no_changes(
    league: League, people: list[Player]
) -> None:
    match = entered(people, league, 102, 40, 3)
    match = dispute_match(match=match, version=match.version, by=people[1], at=NOW, reason="No.")
    assert steps(match)[-1] == "Disputed by Beto: “No.”"
    assert "updated" not in words(match)
    judge = world.account("judge")
    world.enter_league(league, judge)
    world.give_role(league, judge, Member.Role.ORGANISER)
    match = void_match(match=match, version=match.version, by=judge, at=NOW, reason="Wrong.")
    assert steps(match)[-1] == "Void : Wrong."
    assert "updated" not in words(match)


@pytest.mark.slow
def test_page_of_a_match_stopped_below_the_target_says_so(
    league: League, people: list[Player]
) -> None:
    said = "The match ended before anyone reached the target: 82 of 100 points."
    assert said in words(entered(people, league, 82, 58, 3, stopped=True))
    assert "before anyone reached" not in words(entered(people, league, 102, 58, 3))
    assert "before anyone reached" not in words(entered(people, league, 102, 58, 3, stopped=True))


def test_current_version_is_called_counting_only_if_the_match_counts(
    league: League, people: list[Player]
) -> None:
    match = entered(people, league, 102, 40, 3)
    match = hand_in(
        match=match, version=match.version, by=people[0], at=NOW, content={"totals": [103, 40, 3]}
    )
    versions = words(match).split("Earlier versions")[1]
    assert "103 : 40 : 3 awaiting confirmation" in versions
    assert "counts" not in versions
    match = confirm(match=match, version=match.version, by=people[1], at=NOW)
    assert "103 : 40 : 3 counts" in words(match).split("Earlier versions")[1]
    match = dispute_match(match=match, version=match.version, by=people[1], at=NOW, reason="No.")
    assert "103 : 40 : 3 disputed" in words(match).split("Earlier versions")[1]


def test_names_are_shown_beside_points_with_more_than_two_players(
    league: League, people: list[Player]
) -> None:
    match = entered(people, league, 102, 40, 3)
    assert "office 102 Beto 40 carla 3" in words(match)
    assert "102 : 40 : 3" not in words(match).split("The result was entered by")[0]
    results = Client().get(reverse("league_results", args=[league.slug])).content.decode()
    row = re.sub(r"<[^>]+>", " ", results.split('class="st-results ruled"')[1].split("</li>")[0])
    # The mark shows the initial of each name.
    assert re.findall(r"(office|Beto|carla)\s+(\d+)", " ".join(row.split())) == [
        ("office", "102"),
        ("Beto", "40"),
        ("carla", "3"),
    ]
    two = entered(people[:2], league, 102, 40)
    assert "102 : 40" in words(two)


@pytest.mark.slow
def test_fixture_is_linked_only_for_people_who_can_see_the_league(office: Player) -> None:
    """People with the key of a match need not know the URL of an unlisted league."""
    league = world.round_robin(office, ["ana", "beto"], **DOMINOES)
    League.objects.update(visibility="link")
    fixture = world.first_fixture(league)
    ana = world.called("ana")
    match = handed_in(open_match(fixture=fixture, by=ana, at=NOW), ana, {"totals": [102, 3]})
    address = reverse("fixture", args=[league.slug, fixture.pk])

    def page(client: Client) -> str:
        return client.get(reverse("match_key", args=[match.key]), follow=True).content.decode()

    assert address in page(browser(ana))
    assert "Awaiting confirmation" in page(browser(world.account("stranger")))
    assert address not in page(browser(world.account("another")))
