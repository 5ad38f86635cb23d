"""Revalidation calculates every finished round again, in the order of keys, and reports
differences.
"""

import datetime as dt

import pytest

from actas import revalidation
from leagues.models import TableRound
from leagues.tables.operations import moves as table_moves
from tests.leagues.tables.room import NOW, begun_table, person, play_round

pytestmark = pytest.mark.django_db


def test_revalidation_checks_only_finished_rounds() -> None:
    ana, beto = person(), person()
    table = begun_table([ana, beto], "long")
    for _ in range(2):
        play_round(table, [ana, beto])
        for player in (ana, beto):
            table_moves.say_ready(table_id=table.pk, player=player, at=NOW)
    shelf = next(one for one in revalidation.sources() if one.kind == "rounds")
    assert shelf.count(None) == 2
    assert [revalidation.check_item(item) for item in shelf.items(None, 0)] == [[], []]
    first, second = (item.key for item in shelf.items(None, 0))
    assert [item.key for item in shelf.items(None, first)] == [second]
    assert shelf.count(NOW.date()) == 2
    assert shelf.count(NOW.date() + dt.timedelta(days=1)) == 0
    TableRound.objects.filter(pk=second).update(points=[5, 5])
    lines = [revalidation.check_item(item) for item in shelf.items(None, 0)]
    assert lines[0] == []
    assert lines[1][0].startswith("points: ")
