"""Two users edit the same row at once.

The second user sees who changed which field and keeps what he or she typed.
"""

from __future__ import annotations

import datetime as dt
import json
from typing import Any

import pytest
from django.conf import settings
from django.test import Client

from accounts.models import User
from corridas.models import Bull, Change, Ganaderia, MatadorCard
from tests.corridas.admin.conftest import card_fields
from tests.factories import World


@pytest.fixture
def other(db: None) -> Client:
    client = Client()
    client.force_login(User.objects.create_superuser("ana"))
    return client


def herd_form(client: Client, herd: Ganaderia) -> dict[str, str]:
    """Return the unchanged form data of a herd's admin page."""
    form = client.get(page(herd)).context["adminform"].form
    given = {name: form_text(form[name].value()) for name in form.fields}
    return given | {"seen": form.initial["seen"]}


def form_text(value: Any) -> str:
    return "" if value is None else str(value)


def page(herd: Ganaderia) -> str:
    return f"/admin/corridas/ganaderia/{herd.pk}/change/"


def errors(answer: Any) -> dict[str, str]:
    assert answer.status_code == 200
    found = answer.context["adminform"].form.errors
    return {name: " ".join(said) for name, said in found.items()}


@pytest.mark.slow
def test_the_second_user_sees_who_changed_a_field_and_keeps_the_typed_values(
    world: World, office: Client, other: Client
) -> None:
    mine, hers = herd_form(office, world.herd), herd_form(other, world.herd)
    hers |= {"name": "Miura", "renown": "4"}
    assert other.post(page(world.herd), hers).status_code == 302
    Change.objects.update(at=dt.datetime(2027, 1, 5, 22, 30, tzinfo=dt.UTC))
    mine |= {"name": "Pablo Romero", "encaste": "Jijona"}
    office.cookies[settings.ZONE_COOKIE_NAME] = "Asia/Tokyo"
    answer = office.post(page(world.herd), mine)
    said = errors(answer)
    assert (
        "ana entered “Miura” here (6 January 2027, 07:30). Save again to keep your value."
    ) in said["name"]
    assert "ana entered “4” here" in said["renown"]
    assert (
        "This entry was changed while you were editing it, so nothing has been saved "
        "yet. What you typed is still here. Check the marked fields, then save again."
    ) in said["__all__"]
    form = answer.context["adminform"].form
    assert [form[name].value() for name in ("name", "encaste", "renown")] == [
        "Pablo Romero",
        "Jijona",
        "4",
    ]
    world.herd.refresh_from_db()
    assert world.herd.name == "Miura"

    again = {name: form_text(form[name].value()) for name in form.fields}
    assert office.post(page(world.herd), again).status_code == 302
    world.herd.refresh_from_db()
    told = (world.herd.name, world.herd.encaste, world.herd.renown)
    assert told == ("Pablo Romero", "Jijona", 4)


@pytest.mark.slow
def test_saving_an_unchanged_form_does_not_overwrite_newer_changes(
    world: World, office: Client, other: Client
) -> None:
    mine, hers = herd_form(office, world.herd), herd_form(other, world.herd)
    other.post(page(world.herd), hers | {"name": "Miura"})
    assert office.post(page(world.herd), mine).status_code == 302
    world.herd.refresh_from_db()
    assert world.herd.name == "Miura"
    assert Change.objects.count() == 1


def test_a_change_without_history_is_attributed_to_the_site(world: World, office: Client) -> None:
    mine = herd_form(office, world.herd)
    Ganaderia.objects.update(renown=9)
    said = errors(office.post(page(world.herd), mine | {"name": "Miura"}))
    assert said["renown"].startswith("The site entered “9” here")


@pytest.mark.parametrize("seen", ["", "nothing", "[1]", '"x"', '{"renown": [1], "name": {}}'])
def test_an_invalid_value_of_the_hidden_field_causes_no_server_error(
    world: World, office: Client, seen: str
) -> None:
    mine = herd_form(office, world.herd) | {"name": "Miura", "seen": seen}
    assert office.post(page(world.herd), mine).status_code in {200, 302}


@pytest.mark.slow
def test_two_users_who_edit_the_same_card_see_each_other_s_changes(
    world: World, office: Client, other: Client
) -> None:
    romero = world.matadors[0]
    way = f"/admin/corridas/matador/{romero.pk}/change/"
    opened = office.get(way).context["inline_admin_formsets"][0].formset.forms[0]
    seen = {"cards-0-seen": opened.initial["seen"]}
    assert other.post(way, card_fields(romero, rating="70")).status_code == 302
    answer = office.post(way, card_fields(romero, rating="90", vuelta="33-50") | seen)
    formset = answer.context["inline_admin_formsets"][0].formset
    assert "ana entered “70” here" in formset.forms[0].errors["rating"][0]
    assert formset.forms[0]["vuelta"].value() == "33-50"
    assert MatadorCard.objects.get(matador=romero).rating == 70


def bulls_form(client: Client) -> dict[str, str]:
    """Return the unchanged form data of the list of bulls."""
    formset = client.get("/admin/corridas/bull/").context["cl"].formset
    count = str(len(formset.forms))
    given = {"form-TOTAL_FORMS": count, "form-INITIAL_FORMS": count, "_save": "Save"}
    for form in formset.forms:
        for name, field in form.fields.items():
            if not field.disabled:
                given[form.add_prefix(name)] = form_text(form[name].value())
        given[form.add_prefix("id")] = str(form.instance.pk)
    return given


@pytest.fixture
def bulls(world: World) -> list[Bull]:
    return [
        Bull.objects.create(
            ganaderia=world.herd, year=2027, number=n, name=f"Toro {n}", coat="negro", weight=500
        )
        for n in (1, 2)
    ]


def test_edits_in_a_list_are_recorded_in_the_history_as_one_batch(
    bulls: list[Bull], office: Client
) -> None:
    given = bulls_form(office)
    assert json.loads(given["form-0-seen"])["weight"] == 500
    given |= {"form-0-weight": "530", "form-1-name": "Cantinero"}
    assert office.post("/admin/corridas/bull/", given).status_code == 302
    changes = Change.objects.order_by("row").values_list("before", "after", "by__username")
    assert sorted(map(str, changes)) == sorted(
        map(
            str,
            [
                ({"name": "Toro 1"}, {"name": "Cantinero"}, "ganadero"),
                ({"weight": 500}, {"weight": 530}, "ganadero"),
            ],
        )
    )
    assert len(set(Change.objects.values_list("batch", flat=True))) == 1


def test_an_invalid_value_in_a_list_gets_an_error_in_its_row(
    bulls: list[Bull], office: Client
) -> None:
    answer = office.post("/admin/corridas/bull/", bulls_form(office) | {"form-0-weight": "20"})
    assert answer.context["cl"].formset.forms[0].errors == {
        "weight": ["A bull must weigh from 300 to 800 kg."]
    }
    assert not Change.objects.exists()


def test_a_list_row_that_was_changed_meanwhile_is_rejected_and_others_keep_new_values(
    bulls: list[Bull], office: Client, other: Client
) -> None:
    mine, hers = bulls_form(office), bulls_form(other)
    other.post("/admin/corridas/bull/", hers | {"form-0-weight": "530", "form-1-weight": "540"})
    answer = office.post("/admin/corridas/bull/", mine | {"form-0-weight": "510"})
    forms = answer.context["cl"].formset.forms
    assert "ana entered “530” here" in forms[0].errors["weight"][0]
    assert forms[0]["weight"].value() == "510"
    assert not forms[1].errors
    assert forms[1]["weight"].value() == "540"
    assert sorted(Bull.objects.values_list("weight", flat=True)) == [530, 540]


def test_a_dead_bull_is_locked_in_the_list_of_bulls(
    world: World, bulls: list[Bull], office: Client
) -> None:
    Bull.objects.filter(pk=bulls[0].pk).update(state=Bull.State.MUERTO)
    given = bulls_form(office) | {"form-1-weight": "700", "form-1-name": "Otro"}
    office.post("/admin/corridas/bull/", given)
    bulls[0].refresh_from_db()
    assert (bulls[0].weight, bulls[0].name) == (500, "Toro 1")
