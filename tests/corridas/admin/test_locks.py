"""Columns that a cartel's commitment covers are locked, so that it can be verified later."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client

from corridas.models import Bull, Season
from tests.factories import World

DAY = dt.date(2027, 5, 1)
WRITTEN = ("ganaderia", "year", "number", "name", "coat", "weight", "sire")


def fields(office: Client, address: str) -> set[str]:
    """Return the names of the editable fields of the form at this URL."""
    return set(office.get(address).context["adminform"].form.fields) - {"seen"}


@pytest.mark.slow
@pytest.mark.parametrize(
    ("model", "promised"),
    [
        ("matador", {"circuit", "slug", "name", "alternativa"}),
        ("plaza", {"circuit", "slug", "name", "category"}),
        ("season", {"rules"}),
        ("deck", {"cards"}),
    ],
)
def test_fields_covered_by_a_cartel_s_commitment_are_locked(
    world: World, office: Client, model: str, promised: set[str]
) -> None:
    rows = {
        "matador": world.matadors[0],
        "plaza": world.plazas[0],
        "season": world.season,
        "deck": world.deck,
    }
    address = f"/admin/corridas/{model}/{rows[model].pk}/change/"
    before = fields(office, address)
    assert promised <= before
    world.announce(DAY)
    assert fields(office, address) == before - promised
    assert 'class="locked"' in office.get(address).text


def test_an_announced_bull_is_locked_and_the_state_of_a_bull_is_never_editable(
    world: World, office: Client
) -> None:
    bull = Bull.objects.create(
        ganaderia=world.herd, year=2022, number=7, name="Cantinero", coat="negro", weight=520
    )
    address = f"/admin/corridas/bull/{bull.pk}/change/"
    assert fields(office, address) == set(WRITTEN)
    bull.cartel = world.announce(DAY).cartel
    bull.save()
    assert fields(office, address) == {"sire"}
    office.post(address, {"name": "Otro", "state": "semental"})
    bull.refresh_from_db()
    assert (bull.name, bull.state) == ("Cantinero", "campo")


def test_the_rules_of_a_season_can_be_changed_until_the_first_cartel(
    world: World, office: Client
) -> None:
    address = f"/admin/corridas/season/{world.season.pk}/change/"
    given = {"rules": '{"bull_points": "against"}'}
    assert office.post(address, given).status_code == 302
    world.announce(DAY)
    office.post(address, {"rules": '{"bull_points": "for"}'})
    assert Season.objects.get().engine_rules().bull_points == "against"


def test_a_slug_is_derived_from_the_name_of_new_rows_only(world: World, office: Client) -> None:
    new = office.get("/admin/corridas/matador/add/").context["adminform"]
    assert new.prepopulated_fields
    kept = f"/admin/corridas/matador/{world.matadors[0].pk}/change/"
    assert not office.get(kept).context["adminform"].prepopulated_fields
