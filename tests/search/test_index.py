"""The search index is updated in the same transaction as the data."""

from __future__ import annotations

import datetime as dt
from io import StringIO

import pytest
from django.core.management import CommandError, call_command
from django.db import connection, transaction
from django.test import Client
from django.utils import timezone

from corridas import notifications
from corridas.models import Bull, Matador
from corridas.roster.history import columns, record_change
from corridas.simulation import new_circuit
from corridas.simulation.draw import announce
from corridas.simulation.winter import winter_over
from leagues.players import rename_player
from leagues.search_index import index_players
from search import index
from search.models import Entry
from search.sql import matching
from tests.corridas.simulation import world as seasons
from tests.factories import World, account
from tests.scratch import seeds
from tests.search.scene import assert_as_rebuilt, indexed, titles


def full_text(word: str) -> int:
    """Return how many rows of the full-text index match a word."""
    return Entry.objects.filter(matching([word])).count()


@pytest.mark.slow
def test_played_season_is_in_the_search_index(db: None) -> None:
    season = seasons.found("calm", seasons.CALM)
    assert_as_rebuilt()
    announce(season, until=dt.date(2026, 12, 31), fresh=seeds("index"))
    assert indexed("bull")
    assert_as_rebuilt()
    seasons.play_season(season)
    assert indexed("record")
    assert_as_rebuilt()
    winter_over(
        season, at=timezone.now(), fresh=seeds("winter"), on_winter=notifications.winter_over
    )
    assert_as_rebuilt()


def test_deleted_circuit_leaves_the_search_index(db: None) -> None:
    season = seasons.found("brief", seasons.BRIEF)
    assert Entry.objects.filter(scope=season.circuit_id).exists()
    other = Entry.objects.create(
        kind="matador", key=10**6, scope=season.circuit_id + 1, weight=1, words="otro"
    )
    new_circuit.unfound(season.circuit)
    assert not Entry.objects.filter(scope=season.circuit_id).exists()
    assert Entry.objects.filter(pk=other.pk).exists()
    assert not full_text("sevilla")


def test_name_of_several_bulls_is_indexed_once(world: World) -> None:
    for year in (2021, 2022):
        Bull.objects.create(
            ganaderia=world.herd, year=year, number=1, name="Bárbaro", coat="negro", weight=500
        )
    call_command("rebuild", "search", verbosity=0)
    (entry,) = Entry.objects.filter(kind="bull", words="barbaro")
    assert entry.key == Bull.objects.get(year=2022).pk


def test_rebuild_compares_the_index_and_repairs_it(world: World) -> None:
    call_command("rebuild", "search", "--check", stdout=StringIO())
    Entry.objects.filter(pk=Entry.objects.earliest("pk").pk).update(weight=9)
    Entry.objects.latest("pk").delete()
    Entry.objects.create(kind="bull", key=0, words="nobody")
    said = StringIO()
    with pytest.raises(CommandError, match="3 figures differ"):
        call_command("rebuild", "search", "--check", stdout=said)
    assert "bull 0: stored [None, 0, 'nobody'], calculated None" in said.getvalue()
    call_command("rebuild", "search", stdout=StringIO())
    call_command("rebuild", "search", "--check", stdout=StringIO())


@pytest.mark.slow
def test_roster_changes_and_their_undoing_update_the_search_index(world: World) -> None:
    matador, plaza, herd = world.matadors[0], world.plazas[0], world.herd
    bull = Bull.objects.filter(name="Cantinero 1").get()
    for row, name in ((matador, "name"), (plaza, "city"), (herd, "name"), (bull, "name")):
        before = columns(row)
        setattr(row, name, "Zaragoza")
        row.save()
        record_change(row=row, before=before, by=None, at=timezone.now())
    found = titles(Client(), "zarag")
    assert set(found) == {"matador", "plaza", "herd", "bull", "corrida", "feria"}
    assert "matador" not in titles(Client(), "romero")
    assert "bull" not in titles(Client(), "cantinero 1")
    assert_as_rebuilt()
    extra = Matador.objects.create(circuit=world.circuit, slug="x", name="Xavier")
    record_change(row=extra, before=None, by=None, at=timezone.now())
    assert titles(Client(), "xavier")["matador"] == ["Xavier"]
    record_change(row=extra, before=None, by=None, at=timezone.now(), removed=True)
    extra.delete()
    assert "matador" not in titles(Client(), "xavier")


@pytest.mark.slow
def test_player_and_league_changes_update_the_search_index(db: None) -> None:
    player = account("Ramona")
    assert titles(Client(), "ramona")["player"] == ["Ramona"]
    rename_player(player=player, name="Simona")
    assert "player" not in titles(Client(), "ramona")
    assert titles(Client(), "simona")["player"] == ["Simona"]
    other = account("Simona the Second")
    for column, value in (("merged_into", player), ("left_at", timezone.now())):
        assert set(titles(Client(), "simona")["player"]) >= {other.name}
        setattr(other, column, value)
        other.save()
        index_players([other.pk])
        assert titles(Client(), "simona")["player"] == ["Simona"]
        setattr(other, column, None)
        other.save()
        index_players([other.pk])


def test_name_without_letters_is_not_indexed_and_can_be_changed(world: World) -> None:
    player, bull = account("Ramona"), Bull.objects.filter(name="Cantinero 1").get()
    for name in ("❤", "ℌeraldo", "Simona"):
        rename_player(player=player, name=name)
        before = columns(bull)
        bull.name = name
        bull.save()
        record_change(row=bull, before=before, by=None, at=timezone.now())
        assert_as_rebuilt()
    assert {"player", "bull"} <= titles(Client(), "simona").keys()


def test_rolled_back_transaction_does_not_change_the_search_index(world: World) -> None:
    before = indexed()
    with transaction.atomic():
        account("Ramona")
        assert full_text("ramona")
        transaction.set_rollback(True)
    assert indexed() == before
    assert not full_text("ramona")


def test_full_text_index_follows_its_table(world: World) -> None:
    entry = Entry.objects.filter(kind="matador").first()
    assert entry is not None
    entry.words = "xylophon"
    entry.save()
    assert full_text("xylophon") == 1
    entry.delete()
    assert full_text("xylophon") == 0


def test_entries_added_in_several_steps_are_found_after_a_merge(db: None) -> None:
    for piece in range(6):
        index.add_rows(index.IndexRow("bull", piece * 100 + n, [f"toro{n}"]) for n in range(100))
    index.remove("bull", [7])
    index.merge()
    assert full_text("toro8") == 6 * 11  # the beginning of a word is enough: toro80 ...
    assert full_text("toro7") == 6 * 11 - 1
    if connection.vendor == "sqlite":
        with connection.cursor() as cursor:  # it complains of what does not fit the table
            cursor.execute("INSERT INTO search_words(search_words) VALUES ('integrity-check')")
