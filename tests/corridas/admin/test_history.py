"""The history of the rosters: who changed which row, and how a change is undone."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from accounts.models import User
from corridas.errors import OperationError
from corridas.models import Change, Ganaderia, Matador, MatadorCard
from corridas.roster.history import Edit, columns, record_change, record_changes, undo, undo_batch
from tests.factories import CARD, World

AT = dt.datetime(2027, 1, 5, 12, tzinfo=dt.UTC)


@pytest.fixture
def ana(db: None) -> User:
    return User.objects.create_user("ana")


def rename(herd: Ganaderia, name: str, by: User | None) -> Change:
    before = columns(herd)
    herd.name = name
    herd.save()
    change = record_change(row=herd, before=before, by=by, at=AT)
    assert change is not None
    return change


def test_a_change_stores_the_changed_columns_and_invalidates_cached_pages(
    world: World, ana: User
) -> None:
    change = rename(world.herd, "Miura", ana)
    assert (change.before, change.after) == ({"name": "Conde de Mayalde"}, {"name": "Miura"})
    assert (change.circuit, change.kind, change.by) == (world.circuit, "ganaderia", ana)
    world.season.refresh_from_db()
    assert world.season.posted_version == 1


def test_saving_without_changes_records_no_change(world: World) -> None:
    assert record_change(row=world.herd, before=columns(world.herd), by=None, at=AT) is None
    assert not Change.objects.exists()


def test_an_undo_is_a_change_that_can_itself_be_undone(world: World, ana: User) -> None:
    change = rename(world.herd, "Miura", ana)
    back = undo(change=change, by=ana, at=AT)
    world.herd.refresh_from_db()
    change.refresh_from_db()
    assert world.herd.name == "Conde de Mayalde"
    assert change.undone_by == back
    undo(change=back, by=ana, at=AT)
    world.herd.refresh_from_db()
    assert world.herd.name == "Miura"


def test_a_change_cannot_be_undone_twice(world: World, ana: User) -> None:
    change = rename(world.herd, "Miura", ana)
    undo(change=change, by=ana, at=AT)
    with pytest.raises(OperationError, match="” has already been undone"):
        undo(change=change, by=ana, at=AT)


def test_undo_of_a_column_that_was_changed_again_names_the_user_who_changed_it(
    world: World, ana: User
) -> None:
    first = rename(world.herd, "Miura", None)
    rename(world.herd, "Pablo Romero", ana)
    for zone, when in (
        ("UTC", "5 January 2027, 12:00"),
        ("Pacific/Auckland", "6 January 2027, 01:00"),
    ):
        said = pytest.raises(OperationError, match=f"changed again by ana on {when}. Undo")
        with timezone.override(zone), said:
            undo(change=first, by=None, at=AT)
    world.herd.refresh_from_db()
    assert world.herd.name == "Pablo Romero"


def test_undo_leaves_columns_that_were_changed_later(world: World, ana: User) -> None:
    first = rename(world.herd, "Miura", ana)
    before = columns(world.herd)
    world.herd.renown = 7
    world.herd.save()
    record_change(row=world.herd, before=before, by=ana, at=AT)
    undo(change=first, by=ana, at=AT)
    world.herd.refresh_from_db()
    assert (world.herd.name, world.herd.renown) == ("Conde de Mayalde", 7)


def test_undo_deletes_a_created_row_and_restores_a_deleted_row(world: World) -> None:
    herd = Ganaderia.objects.create(
        circuit=world.circuit, slug="miura", name="Miura", country="ES", continent="EU"
    )
    made = record_change(row=herd, before=None, by=None, at=AT)
    assert made
    gone = undo(change=made, by=None, at=AT)
    assert not Ganaderia.objects.filter(slug="miura").exists()
    undo(change=gone, by=None, at=AT)
    assert columns(Ganaderia.objects.get(slug="miura")) == made.after


def test_undo_does_not_delete_a_row_that_other_rows_depend_on(world: World) -> None:
    made = record_change(row=world.plazas[0], before=None, by=None, at=AT)
    assert made
    with pytest.raises(
        OperationError, match="can’t be removed, because other entries depend on it"
    ):
        undo(change=made, by=None, at=AT)


def test_a_change_announced_on_a_cartel_cannot_be_undone(world: World) -> None:
    romero = world.matadors[0]
    before = columns(romero)
    romero.name = "Otro"
    romero.save()
    change = record_change(row=romero, before=before, by=None, at=AT)
    assert change
    world.announce(dt.date(2027, 5, 1))
    with pytest.raises(
        OperationError,
        match="” has been announced since it was changed, so the change can’t be undone",
    ):
        undo(change=change, by=None, at=AT)


def test_undo_is_rejected_for_a_printed_card_and_for_an_invalid_card(world: World) -> None:
    card = world.matadors[0].cards.get()
    before = columns(card)
    card.oreja, card.ovacion = "42-81", "38-41"
    card.save()
    change = record_change(row=card, before=before, by=None, at=AT)
    assert change
    MatadorCard.objects.filter(pk=card.pk).update(aplausos="25-36", ovacion="38-41")
    Change.objects.filter(pk=change.pk).update(before={"oreja": "43-81"}, after={"oreja": "42-81"})
    change.refresh_from_db()
    with pytest.raises(OperationError, match="not in any range: 37, 42"):
        undo(change=change, by=None, at=AT)
    world.announce(dt.date(2027, 5, 1))
    with pytest.raises(
        OperationError,
        match="” has been announced since it was changed, so the change can’t be undone",
    ):
        undo(change=change, by=None, at=AT)


def test_a_batch_of_changes_is_undone_completely_or_not_at_all(world: World, ana: User) -> None:
    matador = Matador.objects.create(circuit=world.circuit, slug="curro", name="Curro")
    card = MatadorCard.objects.create(matador=matador, rating=50, **CARD)
    edits = [Edit(matador, None), Edit(card, None)]
    before = columns(world.herd)
    world.herd.name = "Miura"
    world.herd.save()
    edits.append(Edit(world.herd, before))
    record_changes(edits=edits, by=ana, at=AT, batch="import-1")
    rename(world.herd, "Pablo Romero", ana)
    with pytest.raises(OperationError, match="changed again by ana"):
        undo_batch(batch="import-1", by=ana, at=AT)
    assert Matador.objects.filter(slug="curro").exists()
    undo(change=Change.objects.filter(batch="")[0], by=ana, at=AT)
    assert len(undo_batch(batch="import-1", by=ana, at=AT)) == 3
    assert not Matador.objects.filter(slug="curro").exists()
    with pytest.raises(OperationError, match="All these changes have already been undone"):
        undo_batch(batch="import-1", by=ana, at=AT)


def test_an_empty_batch_name_undoes_nothing(db: None) -> None:
    with pytest.raises(OperationError, match="All these changes have already been undone"):
        undo_batch(batch="", by=None, at=AT)


def test_undo_does_not_restore_a_slug_that_is_the_address_of_a_page(world: World) -> None:
    matador = world.matadors[0]
    Matador.objects.filter(pk=matador.pk).update(slug="comparar")
    matador.refresh_from_db()
    before = columns(matador)
    matador.slug = "otro"
    matador.save()
    change = record_change(row=matador, before=before, by=None, at=AT)
    assert change is not None
    with pytest.raises(
        OperationError, match="This address is already used by another page on this site"
    ):
        undo(change=change, by=None, at=AT)
    matador.refresh_from_db()
    assert matador.slug == "otro"
