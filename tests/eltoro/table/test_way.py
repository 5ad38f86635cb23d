"""The way of a runner, on a page of its own: for who may see the table, as far as they may."""

from __future__ import annotations

import pytest
from django.test import Client
from django.urls import reverse

from eltoro.engine import Ask
from leagues.models import Table
from tests.eltoro.table.test_streams import begun, until
from tests.factories import browser
from tests.leagues.evening import people

pytestmark = pytest.mark.django_db


def way(table: Table, runner: str) -> str:
    return reverse("eltoro_way", args=[table.pk, runner])


def test_the_table_leads_to_every_runners_way() -> None:
    """Drawn with its streets and the chances of the destinations, without a script."""
    players = people("Ana", "Beto")
    table = begun(players)
    _log, position = until(Ask.CARD, table, players)
    ana = browser(players[0])
    page = ana.get(reverse("table", args=[table.pk])).content.decode()
    for seat, number in position.odds():
        runner = f"{'ab'[seat]}{number + 1}"
        assert f'href="{way(table, runner)}"' in page
    drawn = ana.get(way(table, "b2")).content.decode()
    assert drawn.count('class="elt-way') == 2
    assert drawn.count('class="elt-chance"') == sum(map(bool, position.odds()[1, 1].arrives))
    assert "elt-card-face" not in drawn, "no card of anybody"


def test_a_runner_that_has_no_way_leaves_the_map_alone() -> None:
    players = people("Ana", "Beto")
    table = begun(players)
    ana = browser(players[0])
    for runner in ("a99", "f1"):
        assert '<path class="elt-way' not in ana.get(way(table, runner)).content.decode()
    for runner in ("a0", "g1", "T1", "a1 ", "a\x00", "x" * 5000):
        assert ana.get(way(table, runner)).status_code == 404


def test_who_may_not_see_the_table_sees_no_way() -> None:
    players = people("Ana", "Beto", "Carla")
    table = begun(players[:2])
    Table.objects.filter(pk=table.pk).update(watch=Table.Watch.NOBODY)
    assert browser(players[1]).get(way(table, "a1")).status_code == 200
    assert browser(players[2]).get(way(table, "a1")).status_code == 404
    assert Client().get(reverse("eltoro_way", args=[10**30, "a1"])).status_code == 404
    assert browser(players[0]).post(way(table, "a1")).status_code == 405
