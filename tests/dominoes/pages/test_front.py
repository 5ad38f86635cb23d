"""The start page of dominoes and the page that explains its rules."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from dominoes.game import GAME

pytestmark = pytest.mark.django_db


@pytest.mark.parametrize("language", ["en", "es"])
@pytest.mark.parametrize(
    "name", ["dominoes", "dominoes_rules", "dominoes_scoresheet", "leagues", "tables"]
)
def test_public_domino_pages_can_be_read_without_an_account(
    client: Client, name: str, language: str
) -> None:
    answer = client.get(reverse(name), headers={"accept-language": language})
    assert answer.status_code == 200
    assert f'lang="{language}"' in answer.content.decode()


def test_visitor_can_start_a_game_against_a_bot_by_entering_a_name(client: Client) -> None:
    front = client.get(reverse("dominoes")).content.decode()
    assert 'name="name"' in front
    answer = client.post(reverse("play_now"), {"game": GAME.key, "bot": "greedy", "name": "Carmen"})
    assert answer["Location"].startswith("/tables/")
    assert "Carmen" in client.get(answer["Location"]).content.decode()
    assert 'id="now-name"' not in client.get(reverse("dominoes")).content.decode()


def test_domino_rules_page_lists_every_profile_and_draws_the_four_matadors(client: Client) -> None:
    told = client.get(reverse("dominoes_rules")).content.decode()
    for profile in GAME.profiles:
        assert str(profile.name) in told
    four = told[told.index('class="dom-four"') :]
    assert four[: four.index("</p>")].count("dom-tile is-matador") == 4
