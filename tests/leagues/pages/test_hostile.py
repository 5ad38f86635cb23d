"""Arbitrary requests get a response without a crash, and change nothing without permission."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from fairness import Seed
from leagues.models import League, Player
from tests.databases import Postgres, opened
from tests.factories import browser
from tests.leagues.pages import hostile
from tests.leagues.world import account, found_league, round_robin


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("who", ["stranger", "other"])
def test_arbitrary_requests_of_outsiders_change_no_rows(who: str) -> None:
    """The visitor is a stranger or a guest of another player."""
    there, people = hostile.create_club()
    before = hostile.rows()
    check(there, people, who, inside=False)
    assert hostile.changed_rows(before, hostile.rows()) == []


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("who", ["member", "organiser"])
def test_arbitrary_requests_of_members_get_a_response(who: str) -> None:
    there, people = hostile.create_club()
    check(there, people, who, inside=True)


def check(there: hostile.Club, people: dict[str, Player], who: str, *, inside: bool) -> None:
    chance = Seed(bytes(32)).chance(who)
    client = browser(people.get(who))
    for answer in hostile.send_requests(client, there, chance, inside=inside):
        assert answer.status_code < 500


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["0", "00", "-1", "٠", "1e9", "99999999", "x"])
def test_invalid_page_number_of_results_shows_a_page(page: str) -> None:
    """“00” is a number, but not a page number: pages start with 1."""
    league = found_league(account("ana"), visibility=League.Visibility.PUBLIC)
    address = reverse("league_results", args=[league.slug])
    assert Client().get(address, {"page": page}).status_code == 200


@pytest.mark.django_db
def test_user_with_an_account_is_told_why_joining_is_impossible() -> None:
    """Users with an account enter no name, so the form must be validated without that field."""
    league = round_robin(account("ana"), ["berta", "carla"])
    client = browser(account("late"))
    answer = client.post(reverse("league_join", args=[league.invitation]))
    assert answer.status_code == 422
    assert "have been drawn, so nobody else can join" in answer.content.decode()


# A character that PostgreSQL rejects in every text, while SQLite accepts it.
ODD = "\x00"


def test_null_character_in_a_url_causes_no_database_error(
    postgres: Postgres, unblocked: None
) -> None:
    """Keys, invitations, and names of leagues and games are looked up in the database."""
    with opened(postgres.copy("migrated")):
        _there, people = hostile.create_club()
        client = browser(people["organiser"])
        for address, query in (
            ("/leagues/join/a%00b/", {}),
            ("/matches/key/a%00b/", {}),
            ("/guests/a%00b/", {}),
            ("/tables/1/join/a%00b/", {}),
            ("/tables/", {"game": ODD}),
            ("/tables/new/", {"league": ODD}),
            ("/matches/1/", {"in": ODD}),
            ("/leagues/new/", {"game": ODD}),
        ):
            assert client.get(address, query).status_code in (200, 302, 404, 410), address
