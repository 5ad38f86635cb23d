"""Behind which of the site's doors a page lies."""

from __future__ import annotations

import re

import pytest
from django.test import Client
from django.utils import timezone

from leagues.tables.operations.lobby import create_table
from tests.factories import account, browser

pytestmark = pytest.mark.django_db


def doors(client: Client, way: str) -> set[str]:
    """Where the site's navigation says one is."""
    return set(re.findall(r'<a href="([^"]+)" aria-current="page"', client.get(way).text))


@pytest.mark.parametrize(("game", "profile"), [("dominoes", "rulebook"), ("eltoro", "el-toro")])
def test_a_table_lies_behind_the_door_of_its_game(game: str, profile: str) -> None:
    ana = account("ana")
    table = create_table(host=ana, at=timezone.now(), game=game, profile=profile)
    assert doors(browser(ana), f"/tables/{table.pk}/") == {f"/{game}/"}


def test_lists_of_all_games_lie_behind_the_leagues() -> None:
    ana = account("ana")
    assert "/leagues/" in doors(browser(ana), f"/players/{ana.slug}/")


def test_who_is_signed_in_finds_a_word_beside_the_jacket() -> None:
    ana = account("ana")
    assert '<span class="me-word">Your page</span>' in browser(ana).get("/leagues/").text
    assert '<span class="me-word">Sign in</span>' in Client().get("/leagues/").text
