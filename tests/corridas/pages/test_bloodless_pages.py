"""The wording without blood on all pages: what it says, and where the game's own terms stay."""

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
PRINTED = ("deck", "scoresheet", "glossary", "rulings")
"""Papers in the rulebook's own terms."""


@pytest.fixture
def bloody_season(lived: World) -> World:
    """A season with everything in it that is told otherwise."""
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
    """The director, without blood."""
    user = get_user_model().objects.create_user("presidente")
    bloody_season.circuit.owner = user
    bloody_season.circuit.save()
    client.force_login(user)
    client.cookies["wording"] = "bloodless"
    return client


def unsaid(page: str) -> list[str]:
    """What a page says, to eye, ear and who finds it, that the wording does without."""
    described = re.findall(r'name="description" content="([^"]*)"', page)
    return unfit(" ".join([*described, read(page)]).replace("As in life", ""))


def addresses(world: World) -> list[str]:
    """The pages that tell of the season, of its table's corridas, and of paper."""
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
def test_no_page_speaks_of_blood(reader: Client, bloody_season: World, language: str) -> None:
    found = {}
    for address in addresses(bloody_season):
        page = reader.get(address, headers={"accept-language": language}, follow=True)
        assert (page.status_code, "Cookie" in page["Vary"]) == (200, True), address
        found[address] = unsaid(page.text)
    assert {address: words for address, words in found.items() if words} == {}


@pytest.mark.parametrize("paper", PRINTED)
def test_papers_keep_the_terms_of_the_game_and_say_so(
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
    """A table of the reader's own."""
    return begin(reader, bloody_season)


POINTS = {f"p-{tercio}-{side}": "5" for tercio in range(3) for side in range(2)}
SLIPS: tuple[dict[str, str], ...] = (
    {"k-0": "-99", "avisos": "0", "number": "50", "hurt-0": "on", "hurt-1": "on", "hurt-2": "on"},
    POINTS | {f"k-{stroke}": "0" for stroke in range(3)} | {"indulto": "50", "avisos": "3"},
    POINTS | {f"k-{stroke}": "0" for stroke in range(5)} | {"indulto": "50", "avisos": "2"},
    POINTS | {"indulto": "1", "k-1": "-7", "hurt-2": "on"},
)
"""Sheets that the referee has something to say of."""
SCORES: tuple[dict[str, str], ...] = (
    {"ending": "killed", "modified": "60", "avisos": "3", "hurt-2": "on"},
    {"ending": "spared", "modified": "60"},
)


@pytest.mark.slow
@pytest.mark.parametrize("language", ["en", "es"])
def test_the_pad_speaks_of_no_blood_but_on_its_cards(
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


def test_names_of_records_need_no_other_wording() -> None:
    for language in ("en", "en-velvet", "es", "es-velvet"):
        with translation.override(language):
            assert [unfit(f"{one.label} {one.gloss}") for one in KINDS.values()] == [[]] * len(
                KINDS
            )


def test_a_kept_page_is_another_in_the_other_wording(bloody_season: World, client: Client) -> None:
    address = reverse("yearbook", args=[2027])
    usual = client.get(address)
    client.cookies["wording"] = "bloodless"
    other = client.get(address, headers={"If-None-Match": usual.get("ETag", "")})
    assert other.status_code == 200
    assert other.get("ETag", "another") != usual.get("ETag", "")
    assert ("Infirmary" in usual.text, "Days out" in other.text) == (True, True)
