"""Whatever a browser asks or sends: an answer, no crash, and nothing moved by who may not."""

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
def test_who_is_in_no_league_moves_nothing(who: str) -> None:
    """Neither a stranger nor a guest of somebody else changes a row that was there."""
    there, people = hostile.create_club()
    before = hostile.rows()
    check(there, people, who, inside=False)
    assert hostile.changed_rows(before, hostile.rows()) == []


@pytest.mark.slow
@pytest.mark.django_db
@pytest.mark.parametrize("who", ["member", "organiser"])
def test_who_is_inside_gets_an_answer_to_anything(who: str) -> None:
    there, people = hostile.create_club()
    check(there, people, who, inside=True)


def check(there: hostile.Club, people: dict[str, Player], who: str, *, inside: bool) -> None:
    chance = Seed(bytes(32)).chance(who)
    client = browser(people.get(who))
    for answer in hostile.send_requests(client, there, chance, inside=inside):
        assert answer.status_code < 500


@pytest.mark.django_db
@pytest.mark.parametrize("page", ["0", "00", "-1", "٠", "1e9", "99999999", "x"])
def test_a_page_of_results_that_there_is_not_is_the_first(page: str) -> None:
    """“00” was a number and not nought: lists do not begin before their beginning."""
    league = found_league(account("ana"), visibility=League.Visibility.PUBLIC)
    address = reverse("league_results", args=[league.slug])
    assert Client().get(address, {"page": page}).status_code == 200


@pytest.mark.django_db
def test_who_has_an_account_is_told_why_they_cannot_join() -> None:
    """They give no name, so nobody had looked at the form in which it is said."""
    league = round_robin(account("ana"), ["berta", "carla"])
    client = browser(account("late"))
    answer = client.post(reverse("league_join", args=[league.invitation]))
    assert answer.status_code == 422
    assert "have been drawn, so nobody else can join" in answer.content.decode()


ODD = "\x00"
"""A sign that PostgreSQL takes in no text, and SQLite in any."""


def test_a_sign_that_a_database_refuses_is_refused_before_it(
    postgres: Postgres, unblocked: None
) -> None:
    """Keys and invitations were looked up as they came, and names of leagues and games."""
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
