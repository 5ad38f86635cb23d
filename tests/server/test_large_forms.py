"""Forms with many fields are accepted from signed-in users, on the pages that have such forms."""

from __future__ import annotations

from urllib.parse import urlencode

import pytest
from django.test import Client
from django.urls import reverse

from accounts.models import User
from config.large_forms import MAX_FIELDS
from corridas.addresses import address
from corridas.models import Circuit, Plaza
from tests.corridas.pages.barrio import founded
from tests.factories import browser_of
from tests.html_forms import sent_by
from tests.leagues import game, world

pytestmark = pytest.mark.django_db
URL_ENCODED = "application/x-www-form-urlencoded"
TOO_MUCH = "You sent more data than the site can read at once. Nothing was saved."


def post(client: Client, at: str, fields: int, **sent: str) -> int:
    pairs = [*sent.items(), *((f"f{number}", "") for number in range(fields - len(sent)))]
    answer = client.post(at, urlencode(pairs), URL_ENCODED)
    assert (TOO_MUCH in answer.text) == (answer.status_code == 400)
    return answer.status_code


@pytest.mark.slow
@pytest.mark.parametrize(
    ("fields", "status"), [(1000, 422), (1001, 422), (MAX_FIELDS, 422), (MAX_FIELDS + 1, 400)]
)
def test_page_with_a_large_form_accepts_many_fields(fields: int, status: int) -> None:
    ana = browser_of("ana")
    at = address(founded().slug, "circuit_calendar")
    assert post(ana, at, fields, calendar="nonsense") == status


def test_import_with_many_decisions_is_accepted() -> None:
    game.register()
    office = world.account("office")
    league = world.found_league(office)
    at = reverse("league_import", args=[league.slug])
    answers = {f"decision:{number}": "yes" for number in range(1500)}
    assert post(browser_of("office"), at, 1600, token="gone", **answers) == 302


@pytest.mark.slow
def test_other_pages_and_visitors_may_send_a_thousand_fields(client: Client) -> None:
    founded()
    preferences = reverse("preferences")
    assert post(client, preferences, 1000) == 200
    assert post(client, preferences, 1001) == 400
    ana, profile = browser_of("ana"), reverse("profile")
    assert post(ana, profile, 1000) == 422
    assert post(ana, profile, 1001) == 400
    assert post(ana, "/nowhere/", 1001) == 404


@pytest.mark.parametrize("charset", ["rot13", "utf-16", "latin-1"])
def test_large_form_in_another_encoding_is_rejected_like_a_small_one(charset: str) -> None:
    ana, at = browser_of("ana"), address(founded().slug, "circuit_calendar")
    for count in (1, 1100):
        body = urlencode({f"f{number}": "" for number in range(count)}).encode()
        answer = ana.generic("POST", at, body, f"{URL_ENCODED}; charset={charset}")
        assert answer.status_code == 400


@pytest.mark.slow
def test_large_form_is_protected_against_csrf() -> None:
    user = User.objects.create_user("ana")
    ana = Client(enforce_csrf_checks=True)
    ana.force_login(user)
    at = address(founded().slug, "circuit_calendar")
    page = ana.get(at).text
    token = sent_by(page, having="calendar")["csrfmiddlewaretoken"][0]
    assert (
        ana.post(at, urlencode({f"f{n}": "" for n in range(1100)}), URL_ENCODED).status_code == 403
    )
    assert post(ana, at, 1100, csrfmiddlewaretoken=token) == 422


@pytest.mark.slow
def test_admin_list_of_all_plazas_can_be_saved(admin_client: Client) -> None:
    """Three circuits with the shipped roster have 189 plazas."""
    for name in ("Uno", "Dos", "Tres"):
        founded(name, roster=Circuit.Roster.LEGENDS)
    at = "/admin/corridas/plaza/?circuit=all&all="
    sent = sent_by(admin_client.get(at).text, having="form-0-city")
    assert sent["form-TOTAL_FORMS"] == ["189"]
    assert sum(map(len, sent.values())) > 1000
    sent |= {"form-188-city": ["Otra ciudad"], "_save": ["Save"]}
    answer = admin_client.post(at, urlencode(sent, doseq=True), URL_ENCODED)
    assert answer.status_code == 302, answer.text[:500]
    last = int(sent["form-188-id"][0])
    assert list(Plaza.objects.filter(city="Otra ciudad").values_list("pk", flat=True)) == [last]
