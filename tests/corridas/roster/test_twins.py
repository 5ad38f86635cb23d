"""Two circuits with rows of the same names: an import changes only its own circuit."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.core.exceptions import PermissionDenied
from django.db.models import QuerySet

from accounts.models import User
from corridas.card_chances import NO_CHANCES
from corridas.errors import OperationError
from corridas.models import Bull, Change, Circuit, Ganaderia, Matador, MatadorCard, Plaza
from corridas.roster.exchange import commit, export
from corridas.roster.exchange.commit import last_import, undo_import
from corridas.roster.exchange.export import Form
from corridas.roster.files import RowVerdict, bulls_gone, current_roster
from corridas.simulation.new_circuit import shipped
from tests.corridas.roster.conftest import NOW, bring, fault_places, look
from tests.factories import CARD, World, small_circuit

pytestmark = pytest.mark.django_db

CARDS = "matador,rating," + ",".join(name for name in CARD) + "\n"
FACE = ",".join(CARD.values()) + "\n"
FILES = {
    "plazas": "slug,name,city,country,continent,category,seats\n"
    "ronda,Otra Ronda,Ronda,ES,EU,1,77\nnueva,Nueva,Nueva,ES,EU,3,\n",
    "herds": "slug,name,country,continent\nmayalde,Otro Conde,ES,EU\nuna,Una,ES,EU\n",
    "matadors": "slug,name,apodo,padrino\n"
    "matador-0,Otro Romero,R,matador-1\nnuevo,Nuevo,,matador-0\n",
    "cards": CARDS + f"matador-0,13,{FACE}matador-1,14,{FACE}",
    "bulls": "herd,year,number,name,coat,weight,state,sire_year,sire_number\n"
    "mayalde,2020,1,Otro,negro,501,,2020,9\nmayalde,2024,8,Hijo,negro,500,,2020,1\n",
    "ferias": "feria,plaza,starts,corridas,days\nGoyesca,ronda,09-20,2,daily\n",
}


@pytest.fixture
def ana(db: None) -> User:
    return User.objects.create_user("ana")


@pytest.fixture
def eva(db: None) -> User:
    return User.objects.create_user("eva")


def peopled(slug: str, owner: User) -> World:
    """Return a circuit with a young bull and a sire."""
    world = small_circuit(slug, slug.title(), owner=owner)
    for number, state in ((1, "campo"), (9, "semental")):
        Bull.objects.create(
            ganaderia=world.herd,
            year=2020,
            number=number,
            name=f"{slug} {number}",
            coat="negro",
            weight=500,
            state=state,
        )
    return world


@pytest.fixture
def hers(ana: User) -> World:
    return peopled("campo", ana)


@pytest.fixture
def other(hers: World, eva: User) -> World:
    return peopled("otro", eva)


def rows(circuit: Circuit) -> list[Any]:
    """Return all rows of a circuit's roster with primary keys, and without calculated chances."""
    circuit = Circuit.objects.get(pk=circuit.pk)
    owned: tuple[QuerySet[Any], ...] = (
        Plaza.objects.filter(circuit=circuit),
        Ganaderia.objects.filter(circuit=circuit),
        Matador.objects.filter(circuit=circuit),
        MatadorCard.objects.filter(matador__circuit=circuit),
        Bull.objects.filter(ganaderia__circuit=circuit),
    )
    found = [
        [{name: row[name] for name in row.keys() - NO_CHANCES.keys()} for row in some.values()]
        for some in (table.order_by("pk") for table in owned)
    ]
    return [circuit.calendar, circuit.deck_id, *found]


@pytest.mark.parametrize("table", FILES)
def test_an_import_changes_one_circuit_and_its_undo_changes_only_that_one(
    hers: World, other: World, ana: User, eva: User, table: str
) -> None:
    before, theirs = rows(hers.circuit), rows(other.circuit)
    done = bring(hers.circuit, ana, FILES[table], f"{table}.csv")
    assert rows(hers.circuit) != before
    assert rows(other.circuit) == theirs
    hers.circuit.refresh_from_db()
    assert look(hers.circuit, ana, FILES[table], f"{table}.csv").plan.empty
    changes = Change.objects.filter(batch=done.batch)
    assert set(changes.values_list("circuit", "by")) == {(hers.circuit.pk, ana.pk)}
    with pytest.raises(OperationError):
        undo_import(circuit=other.circuit, batch=done.batch, by=eva, at=NOW)
    with pytest.raises(PermissionDenied):
        undo_import(circuit=hers.circuit, batch=done.batch, by=eva, at=NOW)
    count = changes.count()
    assert undo_import(circuit=hers.circuit, batch=done.batch, by=ana, at=NOW) == count
    assert rows(hers.circuit) == before
    assert rows(other.circuit) == theirs
    with pytest.raises(OperationError):
        undo_import(circuit=hers.circuit, batch=done.batch, by=ana, at=NOW)


def test_only_the_last_import_of_each_circuit_can_be_undone(
    hers: World, other: World, ana: User, eva: User
) -> None:
    assert last_import(hers.circuit) is None
    first = bring(hers.circuit, ana, FILES["plazas"], "plazas.csv")
    second = bring(hers.circuit, ana, FILES["herds"], "herds.csv")
    theirs = bring(other.circuit, eva, FILES["plazas"], "plazas.csv")
    with pytest.raises(OperationError):
        undo_import(circuit=hers.circuit, batch=first.batch, by=ana, at=NOW)
    for circuit, batch, by in (
        (hers.circuit, second.batch, "ana"),
        (other.circuit, theirs.batch, "eva"),
    ):
        last = last_import(circuit)
        assert last is not None
        assert (last.batch, last.at, last.by, last.rows) == (batch, NOW, by, 2)
    undo_import(circuit=hers.circuit, batch=second.batch, by=ana, at=NOW)
    last = last_import(hers.circuit)
    assert last is not None
    assert last.batch == first.batch


def test_a_later_change_of_a_single_row_does_not_hide_the_last_import(
    hers: World, ana: User
) -> None:
    done = bring(hers.circuit, ana, FILES["plazas"], "plazas.csv")
    Change.objects.create(
        circuit=hers.circuit, kind="herd", row=hers.herd.pk, title="x", at=NOW + dt.timedelta(1)
    )
    last = last_import(hers.circuit)
    assert last is not None
    assert last.batch == done.batch


def test_undoing_an_imported_deck_changes_only_one_circuit(
    hers: World, other: World, ana: User
) -> None:
    assert hers.circuit.deck_id == other.circuit.deck_id
    file = export.export_roster(circuit=hers.circuit, by=ana, form=Form.CSV, table="deck")
    theirs, before = rows(other.circuit), rows(hers.circuit)
    lines = file.decode("utf-8-sig").splitlines()
    lines[1] = lines[1].replace("QUITE", "CHICUELINA")
    done = bring(hers.circuit, ana, "\n".join(lines), "deck.csv")
    assert rows(hers.circuit) != before
    undo_import(circuit=hers.circuit, batch=done.batch, by=ana, at=NOW)
    assert rows(hers.circuit) == before
    assert rows(other.circuit) == theirs


def test_an_import_whose_rows_were_changed_since_cannot_be_undone(hers: World, ana: User) -> None:
    done = bring(hers.circuit, ana, FILES["plazas"], "plazas.csv")
    Plaza.objects.filter(circuit=hers.circuit, slug="ronda").update(seats=78)
    before = rows(hers.circuit)
    with pytest.raises(OperationError):
        undo_import(circuit=hers.circuit, batch=done.batch, by=ana, at=NOW)
    assert rows(hers.circuit) == before


@pytest.mark.parametrize("table", FILES)
def test_a_previewed_file_can_be_imported_only_by_its_user_into_its_circuit(
    hers: World, other: World, ana: User, eva: User, table: str
) -> None:
    token = look(hers.circuit, ana, FILES[table], f"{table}.csv").token
    assert token
    Circuit.objects.filter(pk=other.circuit.pk).update(owner=ana)
    other.circuit.refresh_from_db()
    for circuit, by, error in (
        (other.circuit, ana, OperationError),
        (hers.circuit, eva, PermissionDenied),
    ):
        with pytest.raises(error):
            commit.commit_import(circuit=circuit, token=token, by=by, at=NOW)
    Circuit.objects.filter(pk=hers.circuit.pk).update(owner=eva)
    hers.circuit.refresh_from_db()
    with pytest.raises(OperationError):
        commit.commit_import(circuit=hers.circuit, token=token, by=eva, at=NOW)
    assert not Change.objects.exists()


def test_another_user_can_neither_preview_nor_export_a_roster(hers: World, eva: User) -> None:
    with pytest.raises(PermissionDenied):
        look(hers.circuit, eva, FILES["plazas"])
    for form in Form:
        with pytest.raises(PermissionDenied):
            export.export_roster(circuit=hers.circuit, by=eva, form=form, table="plazas")


def test_the_roster_of_a_circuit_contains_only_its_own_rows(hers: World, other: World) -> None:
    for world in (hers, other):
        mark = f"<{world.circuit.slug}>"
        Plaza.objects.filter(circuit=world.circuit).update(city=mark)
        Ganaderia.objects.filter(circuit=world.circuit).update(encaste=mark)
        Matador.objects.filter(circuit=world.circuit).update(birthplace=mark)
        MatadorCard.objects.filter(matador__circuit=world.circuit).update(
            rating=len(world.circuit.slug)
        )
    found = current_roster(hers.circuit, shipped().ferias)
    counts = {name: len(records) for name, records in found.tables.items()}
    assert counts | {"ferias": 0} == {
        "plazas": 2,
        "herds": 1,
        "matadors": 4,
        "cards": 4,
        "bulls": 2,
        "deck": 70,
        "ferias": 0,
    }
    assert "<otro>" not in str(found)
    assert str(found).count("<campo>") == 7
    assert {row["rating"] for row in found.tables["cards"].values()} == {"5"}
    assert {row["plaza"] for row in found.tables["ferias"].values()} <= {"ronda", "arles"}


def test_a_cartel_of_another_circuit_locks_no_rows_here(
    hers: World, other: World, ana: User, eva: User
) -> None:
    corrida = other.announce(dt.date(2027, 3, 8))
    Bull.objects.filter(ganaderia=other.herd, number=1).update(cartel=corrida.pk, place=0)
    for table, column in (("plazas", "name"), ("matadors", "name"), ("bulls", "name")):
        assert not look(hers.circuit, ana, FILES[table], f"{table}.csv").wrong
        faults = fault_places(look(other.circuit, eva, FILES[table], f"{table}.csv"))
        assert (2, column) in [fault[:2] for fault in faults]
        assert {line for line, *_rest in faults} == {2}
    verdicts = {
        world.circuit.slug: [
            step.verdict for step in look(world.circuit, by, FILES["cards"]).plan.steps
        ]
        for world, by in ((hers, ana), (other, eva))
    }
    assert verdicts == {"campo": [RowVerdict.CHANGED] * 2, "otro": [RowVerdict.PRINTING] * 2}
    assert not look(other.circuit, eva, FILES["herds"]).wrong  # no cartel locks a herd


def test_a_bull_that_fought_in_another_circuit_is_a_different_bull(
    hers: World, other: World, ana: User, eva: User
) -> None:
    Bull.objects.filter(ganaderia=other.herd, number=1).update(state="muerto")
    key = ("mayalde", "2020", "1")
    assert bulls_gone(hers.circuit, [key]) == {}
    assert set(bulls_gone(other.circuit, [key, ("mayalde", "2020", "9")])) == {key}
    assert not look(hers.circuit, ana, FILES["bulls"], "bulls.csv").wrong
    assert {
        line for line, *_rest in fault_places(look(other.circuit, eva, FILES["bulls"], "b.csv"))
    } == {2}


def test_only_missing_rows_of_the_imported_circuit_are_archived(
    hers: World, other: World, ana: User
) -> None:
    theirs = rows(other.circuit)
    for table in ("plazas", "herds", "matadors"):
        bring(hers.circuit, ana, FILES[table], f"{table}.csv", archive=True)
    assert set(
        Plaza.objects.filter(circuit=hers.circuit, archived_at=NOW).values_list("slug", flat=True)
    ) == {"arles"}
    retired = Matador.objects.filter(circuit=hers.circuit, state="retired")
    assert {row.slug for row in retired} == {"matador-1", "matador-2", "matador-3"}
    assert rows(other.circuit) == theirs


def test_a_reference_to_a_row_of_another_circuit_is_reported(
    hers: World, other: World, ana: User
) -> None:
    Matador.objects.create(circuit=other.circuit, slug="suyo", name="Suyo", birthplace="", born="")
    Ganaderia.objects.create(
        circuit=other.circuit, slug="suya", name="Suya", country="ES", continent="EU"
    )
    Plaza.objects.create(
        circuit=other.circuit,
        slug="suya",
        name="Suya",
        city="Suya",
        country="ES",
        continent="EU",
        category=1,
    )
    for text, column in (
        ("slug,name,padrino\nnuevo,Nuevo,suyo\n", "padrino"),
        ("slug,name,testigo\nnuevo,Nuevo,suyo\n", "testigo"),
        (CARDS + f"suyo,13,{FACE}", "matador"),
        ("herd,year,number,name,coat,weight\nsuya,2024,8,Hijo,negro,500\n", "herd"),
        ("feria,plaza,starts,corridas,days\nX,suya,09-01,1,daily\n", "plaza"),
    ):
        assert [fault[1] for fault in fault_places(look(hers.circuit, ana, text))] == [column]
