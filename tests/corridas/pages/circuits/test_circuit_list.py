"""The list of circuits and the strip above the pages of a circuit, for every kind of reader."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from corridas.addresses import address
from corridas.models import Circuit, CircuitCopy, Corrida, Season
from tests.factories import World, browser_of, small_circuit

pytestmark = pytest.mark.django_db


@pytest.fixture
def world() -> World:
    """Return a public circuit that is directed by Ana."""
    ana = User.objects.create_user("ana")
    return small_circuit("barrio", "Barrio", owner=ana, public=True)


def listed(client: Client, heading: str) -> dict[str, str]:
    """Return what a part of the list says about each circuit, by slug."""
    page = " ".join(client.get(reverse("circuits")).text.split())
    section = page.partition(f'aria-labelledby="{heading}"')[2].partition("</section>")[0]
    return {
        slug: re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", line))
        for line in section.split("<li")[1:]
        for slug in re.findall(r'href="/circuitos/([^/]+)/"', line)[:1]
    }


def test_each_line_of_the_list_describes_its_circuit(world: World) -> None:
    ana, berta = browser_of("ana"), browser_of("berta")
    other = User.objects.get(username="berta")
    now = timezone.now()
    more: dict[str, dict[str, Any]] = {
        "frozen": {"frozen_at": now, "owner": other},
        "site": {"owner": None, "roster": Circuit.Roster.GENERATED},
        "offered": {"owner": world.circuit.owner, "offered_to": other},
        "hidden": {"public": False, "owner": world.circuit.owner},
        "gone": {"archived_at": now, "frozen_at": now, "owner": world.circuit.owner},
    }
    for slug, columns in more.items():
        given = {"public": True, **columns}
        Circuit.objects.create(slug=slug, name=slug.title(), deck=world.deck, **given)
    Season.objects.create(circuit=world.circuit, year=2026, seed=bytes(32))
    once = Circuit.objects.get(slug="frozen")
    Season.objects.create(circuit=once, year=2031, seed=bytes(32))
    Corrida.objects.create(
        season=world.season, plaza=world.plazas[0], date=dt.date(2027, 3, 1), state="on_air"
    )
    public = listed(Client(), "all-h")
    assert public.keys() == {"barrio", "frozen", "site", "offered"}
    assert "Director: ana · 2 seasons, the latest in 2027 ·" in public["barrio"]
    assert "Live" in public["barrio"]
    assert "Director: berta · 1 season, in 2031 ·" in public["frozen"]
    assert "frozen" in public["frozen"]
    assert "Live" not in public["frozen"]
    assert "Circuit run by the site · no season yet ·" in public["site"]
    for slug in ("barrio", "site", "offered"):
        for word in ("frozen", "archived", "private", "offered to"):
            assert word not in public[slug]
    mine = listed(ana, "mine-h")
    assert mine.keys() == {"barrio", "offered", "hidden", "gone"}
    assert "private" in mine["hidden"]
    assert "offered to berta" in mine["offered"]
    assert "archived" in mine["gone"]
    assert "frozen" not in mine["gone"]
    offers = listed(berta, "off-h")
    assert offers.keys() == {"offered"}
    assert "offered to" not in offers["offered"]
    assert listed(berta, "mine-h").keys() == {"frozen"}
    assert listed(ana, "off-h") == {}


def test_the_list_offers_only_what_its_reader_can_do(world: World, settings: Settings) -> None:
    """Superusers can restore circuits that were archived long ago."""
    ana, root = browser_of("ana"), browser_of("root")
    User.objects.filter(username="root").update(is_superuser=True)
    users = {user.username: user for user in User.objects.all()}
    deck, old = world.deck, timezone.now() - dt.timedelta(days=40)
    for name in ("ana", "root"):
        Circuit.objects.create(
            slug=f"old-{name}", name="Old", deck=deck, owner=users[name], archived_at=old
        )
        Circuit.objects.create(
            slug=f"new-{name}",
            name="New",
            deck=deck,
            owner=users[name],
            archived_at=timezone.now(),
        )
    Circuit.objects.create(slug="offer", name="Offer", deck=deck, offered_to=users["ana"])
    ways = {
        "create": f'href="{reverse("circuit_new")}"',
        "import": f'href="{reverse("circuit_bring")}"',
        "accept": 'name="accept"',
        "decline": 'name="decline"',
        "copy": f'action="{address("barrio", "circuit_copy")}"',
        "desk": f'href="{address("barrio", "desk")}"',
        "old": f'action="{address("old-ana", "circuit_restore")}"',
        "new": f'action="{address("new-ana", "circuit_restore")}"',
        "old of root": f'action="{address("old-root", "circuit_restore")}"',
    }

    def offered(client: Client) -> set[str]:
        page = client.get(reverse("circuits")).text
        return {name for name, part in ways.items() if part in page}

    settings.MAX_CIRCUITS_PER_USER = 2
    assert offered(Client()) == {"create"}
    everything = {"create", "import", "accept", "decline", "copy", "desk", "new"}
    assert offered(ana) == everything
    assert offered(root) == {"create", "import", "copy", "old of root"}
    assert "You can direct up to" not in ana.get(reverse("circuits")).text
    CircuitCopy.objects.create(asked_by=users["ana"], name="Copy", asked_at=old)
    assert offered(ana) == {"decline", "desk"}
    assert "You can direct up to 2 circuits" in ana.get(reverse("circuits")).text


STRIP = {
    "desk": 'href="/circuitos/barrio/direccion/"',
    "offer": "This circuit is offered to you",
    "private": '<span class="badge">private</span>',
    "archived": "Archived: only you can see this circuit.",
    "frozen": "This circuit is frozen",
    "still": "is-still",
}


def strip(client: Client) -> set[str]:
    page = client.get(address("barrio", "plazas")).text
    aside = page.partition('<aside class="ci-strip')[2].partition("</aside>")[0]
    return {name for name, part in STRIP.items() if part in aside}


def test_the_strip_of_a_circuit_says_what_state_it_is_in(world: World) -> None:
    ana, berta = browser_of("ana"), browser_of("berta")
    row = Circuit.objects.filter(pk=world.circuit.pk)
    assert (strip(ana), strip(berta), strip(Client())) == ({"desk"}, set(), set())
    row.update(offered_to=User.objects.get(username="berta"), public=False)
    assert (strip(ana), strip(berta)) == ({"desk", "private"}, {"offer", "private"})
    row.update(public=True, frozen_at=timezone.now())
    assert strip(Client()) == {"frozen", "still"}
    row.update(archived_at=timezone.now())
    assert strip(ana) == {"desk", "archived", "still"}


def test_the_home_page_of_a_circuit_describes_it(world: World) -> None:
    def facts() -> dict[str, str]:
        page = Client().get(address("barrio", "home")).text
        about = page.partition('aria-labelledby="about-h"')[2].partition("</section>")[0]
        found = re.findall(r"<dt>(.+?)</dt>\s*<dd>(.+?)</dd>", about, re.DOTALL)
        return {name: " ".join(re.sub("<[^>]+>", "", said).split()) for name, said in found}

    row = Circuit.objects.filter(pk=world.circuit.pk)
    first = facts()
    assert (first["Director"], first["Calendar"]) == ("ana", "managed by the site")
    assert "Founded" not in first
    assert ":" not in first["Roster"]
    entry = {"feria": "", "plaza": "ronda", "starts": "03-01", "corridas": 1, "days": "daily"}
    founded = dt.datetime(2026, 11, 2, 18, tzinfo=dt.UTC)
    row.update(owner=None, founded_at=founded, calendar=[entry], roster_seed="sol y sombra")
    then = facts()
    assert (then["Director"], then["Founded"]) == ("–", "2 November 2026")
    assert then["Roster"] == f"{first['Roster']}: sol y sombra"
    assert then["Calendar"] == "its own calendar, with 1 row"
    assert len(then) > 5, "the rules of the circuit"
    row.update(calendar=[])
    assert facts()["Calendar"] == "its own calendar, with 0 rows"


def test_the_site_s_own_circuit_has_no_form_to_delete_it(admin_client: Client) -> None:
    small_circuit()
    page = admin_client.get(address("", "circuit_delete")).text
    assert "This is the site’s own circuit and can’t be deleted." in page
    assert "Delete circuit permanently" not in page
