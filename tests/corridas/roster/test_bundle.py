"""Copying a whole roster from one circuit to another as one file."""

from __future__ import annotations

import datetime as dt

import pytest

from accounts.models import User
from corridas.models import Cartel, Change, Circuit, Ganaderia, Plaza
from corridas.roster.checks import Weight, check_roster
from corridas.roster.exchange import export
from corridas.roster.exchange.export import Form
from corridas.simulation.draw import announce
from corridas.simulation.schedule import calendar_of, plan
from corridas.world.roster import DATA
from fairness import Seed
from tests.corridas.roster.conftest import bring, look

pytestmark = pytest.mark.django_db


def bundle(circuit: Circuit, by: User) -> bytes:
    return export.export_roster(circuit=circuit, by=by, form=Form.BUNDLE)


@pytest.mark.slow
def test_an_exported_roster_imported_into_an_empty_circuit_exports_identically(
    legends: Circuit, bare: Circuit, keeper: User
) -> None:
    before = bundle(legends, keeper)
    assert bundle(legends, keeper) == before
    bring(bare, keeper, before, "campo-roster.zip")
    Circuit.objects.filter(pk=legends.pk).update(slug="otro")
    bare.refresh_from_db()
    bare.slug, bare.name = "campo", "El Campo"
    bare.save()
    assert bundle(bare, keeper) == before
    assert Change.objects.filter(circuit=bare).values("batch").distinct().count() == 1
    assert look(bare, keeper, before, "campo-roster.zip").plan.empty


@pytest.mark.slow
def test_a_season_can_be_played_with_an_imported_roster(
    legends: Circuit, bare: Circuit, director: User
) -> None:
    bring(bare, director, bundle(legends, director), "campo-roster.zip")
    bare.refresh_from_db()
    assert not [one for one in check_roster(circuit=bare) if one.weight is Weight.WRONG]
    season = plan(bare, 2026, calendar_of(bare)[:2], seed=Seed(b"s" * 32))
    announce(season, until=dt.date(2026, 2, 28), fresh=lambda: Seed(b"f" * 32))
    assert Cartel.objects.filter(corrida__season=season).count() > 3


def test_importing_a_roster_over_a_changed_roster_restores_it(
    legends: Circuit, director: User
) -> None:
    before = bundle(legends, director)
    Plaza.objects.filter(circuit=legends, slug="valencia").update(seats=7)
    Ganaderia.objects.filter(circuit=legends, slug="miura").update(renown=0)
    seen = look(legends, director, before, "campo-roster.zip")
    assert [(step.table, step.key[0]) for step in seen.plan.moving] == [
        ("plazas", "valencia"),
        ("herds", "miura"),
    ]
    bring(legends, director, before, "campo-roster.zip")
    assert bundle(legends, director) == before


def test_the_shipped_csv_files_can_be_imported(legends: Circuit, director: User) -> None:
    for table in ("matadors", "cards", "plazas", "herds", "deck", "ferias"):
        data = (DATA / f"{table}.csv").read_bytes()
        seen = look(legends, director, data, f"{table}.csv")
        assert not seen.wrong
        assert seen.plan.empty, (table, seen.plan.moving)


@pytest.mark.slow
def test_a_workbook_can_carry_the_whole_roster(
    legends: Circuit, bare: Circuit, director: User
) -> None:
    data = export.export_roster(circuit=legends, by=director, form=Form.XLSX)
    bring(bare, director, data, "campo-roster.xlsx")
    assert export.export_roster(circuit=bare, by=director, form=Form.CSV, table="cards") == (
        export.export_roster(circuit=legends, by=director, form=Form.CSV, table="cards")
    )
