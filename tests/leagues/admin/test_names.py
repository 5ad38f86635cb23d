"""The admin shows names of games and columns in the user's language."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from leagues.models import League
from tests.leagues import game, world

pytestmark = pytest.mark.django_db


@pytest.fixture
def office() -> Client:
    """Return a client of a superuser, on a site with one league match."""
    game.register()
    ana, beto = world.account("ana"), world.account("beto")
    league = world.found_league(ana)
    for one in (ana, beto):
        world.enter_league(league, one)
    world.played(league, [ana, beto], [10, 3])
    client = Client()
    client.force_login(User.objects.create_superuser("boss"))
    return client


@pytest.mark.parametrize(
    ("language", "column", "site"), [("en", "League", "Leagues"), ("es", "Liga", "Ligas")]
)
def test_admin_translates_columns_and_shows_names_of_games(
    office: Client, language: str, column: str, site: str
) -> None:
    page = office.get("/admin/leagues/match/", headers={"accept-language": language}).text
    assert f">{column}</a>" in page
    assert f">{site}</a>" in page
    assert '<td class="field-game_name">Highest card</td>' in page


def test_admin_filters_matches_by_game(office: Client) -> None:
    assert "1 match" in office.get(f"/admin/leagues/match/?game={game.KEY}").text
    assert "0 matches" in office.get("/admin/leagues/match/?game=dominoes").text


def test_cached_pages_show_a_name_changed_in_the_admin(office: Client) -> None:
    league, ana = League.objects.get(), world.called("ana")
    League.objects.update(visibility="public")
    visitor = Client()
    at = f"/leagues/{league.slug}/"
    assert "Thursday" in visitor.get(at).text
    inline = {"members-TOTAL_FORMS": 0, "members-INITIAL_FORMS": 0}
    office.post(
        f"/admin/leagues/league/{league.pk}/change/", {"name": "Copa Zoe", "about": "", **inline}
    )
    page = visitor.get(at).text
    assert "Copa Zoe" in page
    assert "Thursday" not in page
    office.post(f"/admin/leagues/player/{ana.pk}/change/", {"name": "Zenobia", "public": "on"})
    page = visitor.get(at).text
    assert "Zenobia" in page
    assert [former.name for former in ana.former_names.all()] == ["ana"]
