"""The entry of the site's navigation that is marked as current."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone

from leagues.tables.operations.lobby import create_table
from tests.factories import account, browser

pytestmark = pytest.mark.django_db


def doors(client: Client, way: str) -> set[str]:
    """Return the URLs that the navigation marks as the current page."""
    return set(re.findall(r'<a href="([^"]+)" aria-current="page"', client.get(way).text))


@pytest.mark.parametrize(("game", "profile"), [("dominoes", "rulebook"), ("eltoro", "el-toro")])
def test_page_of_a_table_marks_its_game_in_the_navigation(game: str, profile: str) -> None:
    ana = account("ana")
    table = create_table(host=ana, at=timezone.now(), game=game, profile=profile)
    assert doors(browser(ana), f"/tables/{table.pk}/") == {f"/{game}/"}


def test_page_of_a_player_marks_the_leagues_in_the_navigation() -> None:
    ana = account("ana")
    assert "/leagues/" in doors(browser(ana), f"/players/{ana.slug}/")


def test_page_header_has_a_text_link_to_their_own_page_or_sign_in() -> None:
    ana = account("ana")
    assert '<span class="me-word">Your page</span>' in browser(ana).get("/leagues/").text
    assert '<span class="me-word">Sign in</span>' in Client().get("/leagues/").text
