"""The page that shows the path of a runner, with the same permissions as its game table."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from eltoro.engine import DecisionKind
from leagues.models import Table
from tests.eltoro.table.test_streams import new_table, play_until
from tests.factories import browser
from tests.leagues.evening import people

pytestmark = pytest.mark.django_db


def way(table: Table, runner: str) -> str:
    return reverse("eltoro_way", args=[table.pk, runner])


def test_game_table_links_to_a_page_for_the_path_of_every_runner() -> None:
    """The page works without a script. It shows the streets and the chances of the destinations."""
    players = people("Ana", "Beto")
    table = new_table(players)
    _log, position = play_until(DecisionKind.CARD, table, players)
    ana = browser(players[0])
    page = ana.get(reverse("table", args=[table.pk])).content.decode()
    for seat, number in position.odds():
        runner = f"{'ab'[seat]}{number + 1}"
        assert f'href="{way(table, runner)}"' in page
    drawn = ana.get(way(table, "b2")).content.decode()
    assert drawn.count('class="elt-way') == 2
    assert drawn.count('class="elt-chance"') == sum(map(bool, position.odds()[1, 1].arrives))
    assert "elt-card-face" not in drawn, "no card of anybody"


@pytest.mark.slow
def test_path_page_of_a_runner_without_a_path_shows_only_the_map() -> None:
    players = people("Ana", "Beto")
    table = new_table(players)
    ana = browser(players[0])
    for runner in ("a99", "f1"):
        assert '<path class="elt-way' not in ana.get(way(table, runner)).content.decode()
    for runner in ("a0", "g1", "T1", "a1 ", "a\x00", "x" * 5000):
        assert ana.get(way(table, runner)).status_code == 404


def test_path_page_is_hidden_from_users_who_cannot_see_the_table() -> None:
    players = people("Ana", "Beto", "Carla")
    table = new_table(players[:2])
    Table.objects.filter(pk=table.pk).update(watch=Table.Watch.NOBODY)
    assert browser(players[1]).get(way(table, "a1")).status_code == 200
    assert browser(players[2]).get(way(table, "a1")).status_code == 404
    assert Client().get(reverse("eltoro_way", args=[10**30, "a1"])).status_code == 404
    assert browser(players[0]).post(way(table, "a1")).status_code == 405
