"""Rows with a history are archived, not deleted.

Rows without a history can be deleted and restored.
"""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.test import Client

from corridas.errors import OperationError
from corridas.models import Change, Ganaderia, Matador, MatadorCard, Plaza
from corridas.season.operations import set_cartel
from tests.corridas.admin.conftest import card_fields
from tests.factories import CARD, World

DAY = dt.date(2027, 5, 1)


def way(kind: str, row: Any, rest: str) -> str:
    return f"/admin/corridas/{kind}/{row.pk}/{rest}/"


@pytest.mark.slow
def test_a_plaza_with_corridas_cannot_be_deleted_but_archived(world: World, office: Client) -> None:
    world.announce(DAY)
    ronda = world.plazas[0]
    said = "Archive it instead"
    shown = office.get(way("plaza", ronda, "change")).text
    assert said in shown
    assert "deletelink" not in shown
    answer = office.post(way("plaza", ronda, "delete"), {"post": "yes"}, follow=True)
    assert said in answer.text
    assert Plaza.objects.filter(pk=ronda.pk).exists()
    answer = office.post(way("plaza", ronda, "do/archive"), follow=True)
    assert "has been archived and will not be used in new seasons and carteles." in answer.text
    assert Plaza.objects.exclude(archived_at=None).get() == ronda
    assert "is already archived" in office.post(way("plaza", ronda, "do/archive"), follow=True).text
    office.post(way("plaza", ronda, "do/restore"))
    assert not Plaza.objects.exclude(archived_at=None).exists()
    assert Change.objects.filter(kind="plaza", row=ronda.pk).count() == 2
    told = office.post(way("plaza", ronda, "do/restore"), follow=True).text
    assert "is not archived" in told


@pytest.mark.slow
def test_a_matador_on_announced_carteles_can_retire_and_return(
    world: World, office: Client
) -> None:
    world.announce(DAY)
    romero = world.matadors[0]
    assert "Retire him instead." in office.get(way("matador", romero, "change")).text
    answer = office.post(way("matador", romero, "delete"), {"post": "yes"}, follow=True)
    assert "He still appears in: carteles" in answer.text
    office.post(way("matador", romero, "do/retire"))
    romero.refresh_from_db()
    assert (romero.state, romero.retired_in) == ("retired", 2027)
    assert (
        "has already retired." in office.post(way("matador", romero, "do/retire"), follow=True).text
    )
    office.post(way("matador", romero, "do/return"))
    romero.refresh_from_db()
    assert (romero.state, romero.retired_in) == ("active", None)
    assert "has not retired" in office.post(way("matador", romero, "do/return"), follow=True).text


@pytest.mark.slow
def test_a_matador_without_history_can_be_deleted_and_restored_with_his_card(
    world: World, office: Client
) -> None:
    curro = Matador.objects.create(circuit=world.circuit, slug="curro", name="Curro")
    card = MatadorCard.objects.create(matador=curro, rating=50, **CARD)
    assert office.post(way("matador", curro, "delete"), {"post": "yes"}).status_code == 302
    assert not Matador.objects.filter(slug="curro").exists()
    newest = Change.objects.all()[0]
    asked = office.post(way("change", newest, "do/undo-all"))
    assert "2 changes will be undone." in asked.text
    assert not Matador.objects.filter(slug="curro").exists()
    answer = office.post(way("change", newest, "do/undo-all"), {"sure": "yes"}, follow=True)
    assert "2 changes were undone." in answer.text
    back = Matador.objects.get(slug="curro")
    assert back.cards.get().oreja == card.oreja


@pytest.mark.slow
def test_the_history_of_a_row_names_the_user_and_can_undo_a_change(
    world: World, office: Client
) -> None:
    romero = world.matadors[0]
    page = way("matador", romero, "change")
    assert office.post(page, card_fields(romero) | {"apodo": "El Infalible"}).status_code == 302
    shown = office.get(way("matador", romero, "history")).text
    assert "<ins>El Infalible</ins>" in shown
    assert "ganadero" in shown
    change = Change.objects.get(kind="matador")
    assert (
        "Undone: El Infalible." in office.post(way("change", change, "do/undo"), follow=True).text
    )
    romero.refresh_from_db()
    assert romero.apodo == ""
    shown = office.get(way("matador", romero, "history")).text
    assert "undone by ganadero" in shown


@pytest.mark.slow
def test_chosen_changes_can_be_undone_in_the_list_of_changes(world: World, office: Client) -> None:
    for herd in ("a", "b"):
        row = {"circuit": world.circuit.pk, "name": herd, "slug": herd, "country": "ES"}
        row |= {"continent": "EU", "renown": "1"}
        assert office.post("/admin/corridas/ganaderia/add/", row).status_code == 302
    keys = list(Change.objects.values_list("pk", flat=True))
    given = {"action": "undo_chosen", "index": "0", "_selected_action": keys}
    asked = office.post("/admin/corridas/change/", given).text
    assert "2 changes will be undone." in asked
    assert all(f'name="_selected_action" value="{key}"' in asked for key in keys)
    assert Ganaderia.objects.count() == 3
    given |= {"sure": "yes"}
    office.post("/admin/corridas/change/", given)
    assert list(Ganaderia.objects.values_list("slug", flat=True)) == ["mayalde"]
    answer = office.post("/admin/corridas/change/", given, follow=True)
    assert "” has already been undone." in answer.text
    for query in ("?kind=ganaderia", "?kind=nothing", "?undone=undone", "?q=ganadero", "?undone=x"):
        assert office.get(f"/admin/corridas/change/{query}").status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "given", "field", "sentence"),
    [
        (
            "plaza",
            {"seats": "0"},
            "seats",
            (
                "Enter a number of seats from 1 to 99,999, or leave the field empty if the "
                "number is not known."
            ),
        ),
        (
            "plaza",
            {"slug": "arles"},
            "slug",
            "Another plaza in this circuit already has this address.",
        ),
        (
            "matador",
            {"born": "1754-13"},
            "born",
            "Enter a year, a month or a day, such as 1754, 1754-11 or 1754-11-19.",
        ),
        (
            "matador",
            {"died": "1700"},
            "died",
            ("This date is earlier than the date in the field “Born”."),
        ),
        (
            "matador",
            {"retired_in": "2027"},
            "retired_in",
            "Only a retired matador can have a year of retirement.",
        ),
        (
            "matador",
            {"slug": "matador-1"},
            "slug",
            "Another matador in this circuit already has this address.",
        ),
        ("matador", {"promise": "101"}, "promise", "Enter a potential from 1 to 100."),
    ],
)
def test_every_broken_rule_is_reported_at_its_field(
    world: World, office: Client, kind: str, given: dict[str, str], field: str, sentence: str
) -> None:
    row = world.plazas[0] if kind == "plaza" else world.matadors[0]
    page = way(kind, row, "change")
    form = office.get(page).context["adminform"].form
    sent = {n: str(v) for n in form.fields if (v := form[n].value()) not in (None, False)}
    if kind == "matador":
        sent |= card_fields(world.matadors[0], rating="90")
    answer = office.post(page, sent | given)
    said = answer.context["adminform"].form.errors
    assert sentence in " ".join(said[field])


@pytest.mark.slow
def test_padrino_and_testigo_are_two_other_matadors_of_the_same_circuit(
    world: World, office: Client
) -> None:
    romero, montes = world.matadors[:2]
    page = way("matador", romero, "change")
    both = {"padrino": str(montes.pk), "testigo": str(montes.pk)}
    said = office.post(page, card_fields(romero) | both).context["adminform"].form.errors
    assert said["testigo"] == ["The padrino and the testigo must be two different matadors."]
    own = {"padrino": str(romero.pk)}
    said = office.post(page, card_fields(romero) | own).context["adminform"].form.errors
    assert said["padrino"] == ["A matador can’t be his own padrino or testigo."]
    other = type(world.circuit).objects.create(slug="otro", name="Otro", deck=world.deck)
    far = Matador.objects.create(circuit=other, slug="far", name="Far")
    given = card_fields(romero) | {"padrino": str(far.pk)}
    said = office.post(page, given).context["adminform"].form.errors
    assert said["padrino"] == ["Far belongs to another circuit."]


def test_an_archived_herd_cannot_be_put_on_a_new_cartel(world: World) -> None:
    corrida = world.announce(DAY)
    Ganaderia.objects.update(archived_at="2027-01-01T00:00Z")
    herd = Ganaderia.objects.get()
    with pytest.raises(OperationError, match="is archived"):
        set_cartel(corrida=corrida, matadors=world.matadors[:3], herd=herd)
