"""The admin calls games and columns by their names, in the reader's language."""

from __future__ import annotations

import pytest
from django.test import Client

from accounts.models import User
from leagues.models import League
from tests.leagues import game, world

pytestmark = pytest.mark.django_db


@pytest.fixture
def office() -> Client:
    """The browser of a superuser, on a site with one match of a league."""
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
def test_columns_and_games_have_names(
    office: Client, language: str, column: str, site: str
) -> None:
    page = office.get("/admin/leagues/match/", headers={"accept-language": language}).text
    assert f">{column}</a>" in page
    assert f">{site}</a>" in page
    assert '<td class="field-game_name">Highest card</td>' in page


def test_rows_of_one_game_are_filtered_by_its_name(office: Client) -> None:
    assert "1 match" in office.get(f"/admin/leagues/match/?game={game.KEY}").text
    assert "0 matches" in office.get("/admin/leagues/match/?game=dominoes").text


def test_pages_show_a_name_that_an_administrator_has_changed(office: Client) -> None:
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
