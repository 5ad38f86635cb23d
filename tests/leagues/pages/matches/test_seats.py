"""Who sat at a match: taken from the league or from friends by tapping names."""

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
    """Where a match of the league is begun; it has four seats."""
    League.objects.filter(pk=league.pk).update(seats=4)
    return f"/leagues/{league.slug}/match/"


def seats(page: str) -> dict[str, str]:
    """What the form would send of the seats."""
    return dict(re.findall(r'name="((?:seat|name)-\d)" value="([^"]*)"', page))


def offered_names(page: str) -> list[str]:
    """The names that can be tapped, in their order."""
    return re.findall(r'name="sit"[^>]*>\s*<b>([^<]*)</b>', page)


def test_who_enters_is_seated_already(there: str, people: list[Player], writer: Client) -> None:
    page = writer.get(there).text
    assert seats(page) == {"seat-0": str(people[0].pk)}
    assert people[0].name not in offered_names(page)
    assert set(offered_names(page)) == {one.name for one in people[1:]} | {"zoe"}


def test_names_are_tapped_in_the_order_of_the_seats(
    there: str, people: list[Player], writer: Client
) -> None:
    page = writer.get(there).text
    for person in reversed(people[1:]):
        answer = writer.post(there, {**seats(page), "sit": person.pk})
        assert answer.status_code == 200
        page = answer.text
    wanted = [people[0], *reversed(people[1:])]
    assert seats(page) == {f"seat-{place}": str(one.pk) for place, one in enumerate(wanted)}
    assert offered_names(page) == [], "every seat is taken"
    assert not Match.objects.exists()
    assert writer.post(there, seats(page)).status_code == 302
    order = MatchSeat.objects.order_by("number").values_list("player", flat=True)
    assert list(order) == [one.pk for one in wanted]


def test_somebody_stands_up_again(there: str, people: list[Player], writer: Client) -> None:
    full = {f"seat-{place}": str(one.pk) for place, one in enumerate(people)}
    page = writer.post(there, {**full, "leave": "1"}).text
    assert seats(page) == {key: value for key, value in full.items() if key != "seat-1"}
    page = writer.post(there, {**seats(page), "sit": people[1].pk}).text
    assert seats(page) == full


@pytest.mark.parametrize("sent", [{"sit": "x"}, {"sit": "999999"}, {"leave": "x"}, {"leave": "9"}])
def test_what_nobody_can_tap_changes_nothing(
    there: str, people: list[Player], writer: Client, sent: dict[str, str]
) -> None:
    chosen = {"seat-0": str(people[0].pk), "seat-2": str(people[2].pk)}
    page = writer.post(there, {**chosen, **sent})
    assert (page.status_code, seats(page.text)) == (200, chosen)


def test_nobody_sits_down_at_a_full_table(there: str, people: list[Player], writer: Client) -> None:
    full = {f"seat-{place}": str(one.pk) for place, one in enumerate(people)}
    zoe = Player.objects.get(name="zoe")
    assert seats(writer.post(there, {**full, "sit": zoe.pk}).text) == full


def test_a_script_is_answered_with_the_seats_alone(
    there: str, people: list[Player], writer: Client
) -> None:
    chosen = {"seat-0": str(people[0].pk), "sit": str(people[1].pk)}
    part = writer.post(there, chosen, headers=LIVE).text
    assert part.lstrip().startswith('<div id="seats"')
    assert "<html" not in part
    assert seats(part) == {"seat-0": str(people[0].pk), "seat-1": str(people[1].pk)}


def test_whom_one_played_with_comes_first(
    form: Form, there: str, people: list[Player], writer: Client
) -> None:
    zoe = Player.objects.get(name="zoe")
    form.open(League.objects.get(), [people[0], zoe, people[3], people[2]])
    assert offered_names(writer.get(there).text) == [
        "zoe",
        people[3].name,
        people[2].name,
        people[1].name,
    ]


def test_friends_are_tapped_as_well(form: Form, there: str, people: list[Player]) -> None:
    writer, new = browser(people[0]), f"/matches/new/{form.game}/"
    form.open(League.objects.get(), people)
    page = writer.get(new).text
    assert set(offered_names(page)) == {one.name for one in people[1:]}
    page = writer.post(new, {"name-1": "Nina", "sit": people[2].pk}).text
    assert seats(page)["name-1"] == "Nina"
    assert seats(page)["name-2"] == people[2].name
    assert people[2].name not in offered_names(page)


def test_a_league_of_one_says_that_nobody_else_plays(form: Form, boss: Player) -> None:
    league = form.league(boss, boss, account("ivo"))
    league.members.exclude(player=boss).update(plays=False)
    page = browser(boss).get(f"/leagues/{league.slug}/match/").text
    assert "Nobody else plays in this league yet." in page
