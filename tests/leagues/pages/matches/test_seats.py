"""Choosing the players of a match by clicking names of league members or friends."""

from __future__ import annotations

import re

import pytest
from django.test import Client

from leagues.models import League, Match, MatchSeat, Player
from tests.factories import account, browser
from tests.leagues.pages.matches.form import Form
from tests.leagues.pages.matches.games import DOMINOES

LIVE = {"HX-Request": "true"}

pytestmark = pytest.mark.parametrize("form", [DOMINOES], indirect=True, ids=["dominoes"])


@pytest.fixture
def league(form: Form, boss: Player, people: list[Player]) -> League:
    return form.league(boss, *people, account("zoe"))


@pytest.fixture
def new_match_url(league: League) -> str:
    """Return the URL that opens a match with four seats in the league."""
    League.objects.filter(pk=league.pk).update(seats=4)
    return f"/leagues/{league.slug}/match/"


def seats(page: str) -> dict[str, str]:
    """Return the seats that the form would submit."""
    return dict(re.findall(r'name="((?:seat|name)-\d)" value="([^"]*)"', page))


def offered_names(page: str) -> list[str]:
    """Return the names that can be clicked, in their order."""
    return re.findall(r'name="sit"[^>]*>\s*<b>([^<]*)</b>', page)


def test_user_who_enters_a_match_has_the_first_seat(
    new_match_url: str, people: list[Player], writer: Client
) -> None:
    page = writer.get(new_match_url).text
    assert seats(page) == {"seat-0": str(people[0].pk)}
    assert people[0].name not in offered_names(page)
    assert set(offered_names(page)) == {one.name for one in people[1:]} | {"zoe"}


def test_clicked_names_take_the_seats_in_order(
    new_match_url: str, people: list[Player], writer: Client
) -> None:
    page = writer.get(new_match_url).text
    for person in reversed(people[1:]):
        answer = writer.post(new_match_url, {**seats(page), "sit": person.pk})
        assert answer.status_code == 200
        page = answer.text
    wanted = [people[0], *reversed(people[1:])]
    assert seats(page) == {f"seat-{place}": str(one.pk) for place, one in enumerate(wanted)}
    assert offered_names(page) == [], "every seat is taken"
    assert not Match.objects.exists()
    assert writer.post(new_match_url, seats(page)).status_code == 302
    order = MatchSeat.objects.order_by("number").values_list("player", flat=True)
    assert list(order) == [one.pk for one in wanted]


def test_chosen_player_can_be_removed_from_a_seat(
    new_match_url: str, people: list[Player], writer: Client
) -> None:
    full = {f"seat-{place}": str(one.pk) for place, one in enumerate(people)}
    page = writer.post(new_match_url, {**full, "leave": "1"}).text
    assert seats(page) == {key: value for key, value in full.items() if key != "seat-1"}
    page = writer.post(new_match_url, {**seats(page), "sit": people[1].pk}).text
    assert seats(page) == full


@pytest.mark.parametrize("sent", [{"sit": "x"}, {"sit": "999999"}, {"leave": "x"}, {"leave": "9"}])
def test_invalid_player_or_seat_changes_no_seats(
    new_match_url: str, people: list[Player], writer: Client, sent: dict[str, str]
) -> None:
    chosen = {"seat-0": str(people[0].pk), "seat-2": str(people[2].pk)}
    page = writer.post(new_match_url, {**chosen, **sent})
    assert (page.status_code, seats(page.text)) == (200, chosen)


def test_full_match_accepts_no_further_player(
    new_match_url: str, people: list[Player], writer: Client
) -> None:
    full = {f"seat-{place}": str(one.pk) for place, one in enumerate(people)}
    zoe = Player.objects.get(name="zoe")
    assert seats(writer.post(new_match_url, {**full, "sit": zoe.pk}).text) == full


def test_htmx_request_returns_only_the_seats(
    new_match_url: str, people: list[Player], writer: Client
) -> None:
    chosen = {"seat-0": str(people[0].pk), "sit": str(people[1].pk)}
    part = writer.post(new_match_url, chosen, headers=LIVE).text
    assert part.lstrip().startswith('<div id="seats"')
    assert "<html" not in part
    assert seats(part) == {"seat-0": str(people[0].pk), "seat-1": str(people[1].pk)}


def test_players_of_earlier_matches_are_offered_first(
    form: Form, new_match_url: str, people: list[Player], writer: Client
) -> None:
    zoe = Player.objects.get(name="zoe")
    form.open(League.objects.get(), [people[0], zoe, people[3], people[2]])
    assert offered_names(writer.get(new_match_url).text) == [
        "zoe",
        people[3].name,
        people[2].name,
        people[1].name,
    ]


def test_friends_are_offered_for_a_match_without_league(
    form: Form, new_match_url: str, people: list[Player]
) -> None:
    writer, new = browser(people[0]), f"/matches/new/{form.game}/"
    form.open(League.objects.get(), people)
    page = writer.get(new).text
    assert set(offered_names(page)) == {one.name for one in people[1:]}
    page = writer.post(new, {"name-1": "Nina", "sit": people[2].pk}).text
    assert seats(page)["name-1"] == "Nina"
    assert seats(page)["name-2"] == people[2].name
    assert people[2].name not in offered_names(page)


def test_league_of_one_player_says_that_nobody_else_plays(form: Form, boss: Player) -> None:
    league = form.league(boss, boss, account("ivo"))
    league.members.exclude(player=boss).update(plays=False)
    page = browser(boss).get(f"/leagues/{league.slug}/match/").text
    assert "Nobody else plays in this league yet." in page
