"""Pages in the bloodless wording do not mention blood, except in the game's own terms."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _

from corridas.labels import KINDS
from corridas.models import Bull, Matador, Run, Winter
from corridas.simulation.schedule import promise_winter
from fairness import Seed
from leagues.models import Match
from tests.corridas.pages.tabletop.table import begin, press
from tests.corridas.stage.test_bloodless import read, unfit
from tests.factories import World

NOTE = _("This page uses the same terms as the game’s rulebook and cards.")
BARE = ("home", "escalafon", "matadors", "plazas", "herds", "season", "records", "hall", "desk")
TABLES = ("tienta", "tienta_new", "imprenta", "imprenta_matadors", "imprenta_lists", "happenings")
YEARS = ("escalafon", "season_over", "winter", "yearbook", "awards")
# URL names of printable pages. They use the terms of the rulebook in every wording.
PRINTED = ("deck", "scoresheet", "glossary", "rulings")


@pytest.fixture
def bloody_season(lived: World) -> World:
    """Return a circuit with all data that the bloodless wording describes in other words.

    These are an injury, a spared bull, a dead matador, a retirement, and a run that was stopped by
    such events.
    """
    day = lived.plazas[0].corridas.earliest("date")
    lived.hurt_and_spare(day)
    Matador.objects.filter(pk=lived.matadors[0].pk).update(died="1839", deathplace="Ronda")
    rested = {"until": day.date, "state": "stopped", "reason": "injury,indulto"}
    rested |= {"asked_at": timezone.now()}
    Run.objects.create(season=lived.season, **rested)
    lived.announce(dt.date(2027, 5, 1))
    promise_winter(lived.season, Seed(b"w" * 32))
    sire = Bull.objects.filter(lidia__ending="spared").get()
    herd = {"slug": lived.herd.slug, "name": lived.herd.name}
    stopped = {"slug": "matador-1", "name": "Francisco Montes", "why": "injuries"}
    news = [
        {"kind": "retired", **stopped},
        {"kind": "sire", "bull": sire.pk, "name": sire.name, "number": 1, "herd": herd},
    ]
    Winter.objects.update(news=news, done_at=timezone.now())
    return lived


@pytest.fixture
def reader(bloody_season: World, client: Client) -> Client:
    """Return a client of the circuit's director, who has chosen the bloodless wording."""
    user = get_user_model().objects.create_user("presidente")
    bloody_season.circuit.owner = user
    bloody_season.circuit.save()
    client.force_login(user)
    client.cookies["wording"] = "bloodless"
    return client


def unsaid(page: str) -> list[str]:
    """Return the words of a page that the bloodless wording must not contain.

    The description for search engines is part of the page.
    """
    described = re.findall(r'name="description" content="([^"]*)"', page)
    return unfit(" ".join([*described, read(page)]).replace("As in life", ""))


def addresses(world: World) -> list[str]:
    """Return the URLs of the pages about a season, of corridas at real tables and of printing."""
    year = world.season.year
    bulls = Bull.objects.filter(lidia__turn__in=(1, 3)).order_by("pk")[:2]
    return [
        *(reverse(name) for name in (*BARE, *TABLES)),
        *(reverse(name, args=[year]) for name in YEARS),
        reverse("matador", args=["matador-0"]),
        reverse("herd", args=[world.herd.slug]),
        reverse("plaza", args=[world.plazas[0].slug]),
        *(reverse("bull", args=[bull.pk]) for bull in bulls),
    ]


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es"])
def test_pages_in_the_bloodless_wording_do_not_mention_blood(
    reader: Client, bloody_season: World, language: str
) -> None:
    found = {}
    for address in addresses(bloody_season):
        page = reader.get(address, headers={"accept-language": language}, follow=True)
        assert (page.status_code, "Cookie" in page["Vary"]) == (200, True), address
        found[address] = unsaid(page.text)
    assert {address: words for address, words in found.items() if words} == {}


@pytest.mark.parametrize("paper", PRINTED)
def test_printable_pages_ignore_the_bloodless_wording_and_say_so(
    world: World, client: Client, paper: str
) -> None:
    address = reverse(f"imprenta_{paper}")
    usual = client.get(address).text
    client.cookies["wording"] = "bloodless"
    told = client.get(address).text
    assert (str(NOTE) in usual, str(NOTE) in told) == (False, True)
    assert read(told).replace(str(NOTE), "").split() == read(usual).split()


@pytest.fixture
def match(bloody_season: World, reader: Client) -> Match:
    """Return a match of Indulto at a real table that belongs to the reader."""
    return begin(reader, bloody_season)


POINTS = {f"p-{tercio}-{side}": "5" for tercio in range(3) for side in range(2)}
# Form data of scoresheets on which the referee (the check of results) comments.
SLIPS: tuple[dict[str, str], ...] = (
    {"k-0": "-99", "avisos": "0", "number": "50", "hurt-0": "on", "hurt-1": "on", "hurt-2": "on"},
    POINTS | {f"k-{stroke}": "0" for stroke in range(3)} | {"indulto": "50", "avisos": "3"},
    POINTS | {f"k-{stroke}": "0" for stroke in range(5)} | {"indulto": "50", "avisos": "2"},
    POINTS | {"indulto": "1", "k-1": "-7", "hurt-2": "on"},
)
SCORES: tuple[dict[str, str], ...] = (
    {"ending": "killed", "modified": "60", "avisos": "3", "hurt-2": "on"},
    {"ending": "spared", "modified": "60"},
)


@pytest.mark.slow
@pytest.mark.parametrize("language", [pytest.param("en", marks=pytest.mark.nightly), "es"])
def test_the_form_of_a_lidia_does_not_mention_blood_in_the_bloodless_wording(
    reader: Client, match: Match, language: str
) -> None:
    reader.defaults["HTTP_ACCEPT_LANGUAGE"] = language
    ways = [("sheet", sent) for sent in SLIPS] + [("score", sent) for sent in SCORES]
    for way, sent in ways:
        reader.cookies["wording"] = "bloodless"
        press(reader, match, "put", way=way, form=way, bull=1, **sent)
        assert unsaid(reader.get(f"/tienta/{match.pk}/").text) == [], sent
        del reader.cookies["wording"]
        assert len(unsaid(reader.get(f"/tienta/{match.pk}/").text)) > 1, sent
    reader.cookies["wording"] = "bloodless"
    page = reader.get(f"/tienta/{match.pk}/?bull=2").text
    assert unsaid(page) == []
    with translation.override(language):
        assert str(NOTE) in page


def test_names_of_records_do_not_mention_blood_in_any_wording() -> None:
    for language in ("en", "en-velvet", "es", "es-velvet"):
        with translation.override(language):
            assert [unfit(f"{one.label} {one.gloss}") for one in KINDS.values()] == [[]] * len(
                KINDS
            )


def test_each_wording_has_its_own_cached_page_and_etag(
    bloody_season: World, client: Client
) -> None:
    address = reverse("yearbook", args=[2027])
    usual = client.get(address)
    client.cookies["wording"] = "bloodless"
    other = client.get(address, headers={"If-None-Match": usual.get("ETag", "")})
    assert other.status_code == 200
    assert other.get("ETag", "another") != usual.get("ETag", "")
    assert ("Infirmary" in usual.text, "Days out" in other.text) == (True, True)
