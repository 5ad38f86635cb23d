"""The page of a winter: its commitment beforehand, and the news afterwards."""

from __future__ import annotations

import datetime as dt
import re
from dataclasses import replace
from hashlib import sha256
from typing import Any

import pytest
from django.core.cache import cache
from django.db.models import F
from django.test import Client
from django.utils import timezone

from corridas.broadcast import source
from corridas.models import (
    Bull,
    Corrida,
    Escalafon,
    Matador,
    MatadorCard,
    Plaza,
    Season,
    Winter,
)
from corridas.pages.season.winter import card_changes
from corridas.simulation import winter_queries
from corridas.simulation.packed_year import pack
from corridas.simulation.schedule import promise_winter
from corridas.simulation.winter import closing_careers
from corridas.simulation.winter_queries import FRESH_DAYS
from corridas.stage.showing import Ceremony
from corridas.world.winter import Year
from fairness import Seed
from tests.corridas.pages.conftest import Counted
from tests.factories import CARD, World, name_alike, small_circuit

ADDRESS = "/temporada/2027/invierno/"
SEED = Seed(sha256(b"winter").digest())


@pytest.fixture
def promised(lived: World) -> World:
    promise_winter(lived.season, SEED)
    return lived


def matador_names(world: World, number: int) -> dict[str, str]:
    matador = world.matadors[number]
    return {"slug": matador.slug, "name": matador.name}


def news(world: World, each: int = 1) -> list[dict[str, Any]]:
    """Return this many news items of every kind; the four matadors take turns."""
    bull = Bull.objects.filter(ganaderia=world.herd).first()
    assert bull is not None
    herd = {"slug": world.herd.slug, "name": world.herd.name}
    rest = [matador_names(world, number) for number in range(each)]
    return [
        *({"kind": "retired", **one, "why": "age"} for one in rest),
        *({"kind": "returned", **one} for one in rest),
        *(
            {
                "kind": "alternativa",
                **one,
                "padrino": matador_names(world, 3),
                "testigo": matador_names(world, 2),
                "plaza": "ronda",
                "date": "2028-01-02",
            }
            for one in rest
        ),
        *(
            {"kind": "debut", **one, "country": "ES", "birthplace": "Ronda", "age": 18}
            for one in rest
        ),
        *({"kind": "card", **one, "before": 90, "after": 95, "printing": 2} for one in rest),
        *({"kind": "card", **one, "before": 90, "after": 84, "printing": 2} for one in rest),
        *({"kind": "herd", **herd, "before": 3, "after": 1} for _ in rest),
        *(
            {
                "kind": "sire",
                "bull": bull.pk,
                "name": bull.name,
                "number": bull.number,
                "herd": herd,
            }
            for _ in rest
        ),
    ]


def turn(world: World, each: int = 1) -> None:
    for matador in world.matadors:
        MatadorCard.objects.create(matador=matador, rating=95, printing=2, since=2028, **CARD)
    Winter.objects.filter(season=world.season).update(
        done_at=timezone.now(), news=news(world, each)
    )
    world.season.posted_version += 1
    world.season.save()


def test_a_season_that_is_over_says_so_and_links_to_the_desk(
    promised: World, client: Client
) -> None:
    """At first a corrida is left to play. Then this corrida fails, which ends the season."""
    waiting = promised.announce(dt.date(2027, 5, 1))
    playing = "The 2027 season is still in progress."
    over = "The 2027 season is over, and its winter has not begun yet."
    before = client.get(ADDRESS).text
    assert playing in before
    assert over not in before
    # A failed corrida posts nothing, but the cached page must not be shown any longer.
    Corrida.objects.filter(pk=waiting.pk).update(state=Corrida.State.FAILED)
    after = client.get(ADDRESS).text
    assert over in after
    assert playing not in after
    main = after[after.index('<main id="main">') :]
    assert 'href="/direccion/"' in main
    assert 'href="/temporada/2027/final/"' in main
    Corrida.objects.filter(pk=waiting.pk).update(state=Corrida.State.ON_AIR)
    assert playing in client.get(ADDRESS).text


def test_before_the_winter_its_commitment_is_shown(promised: World, client: Client) -> None:
    promised.announce(dt.date(2027, 5, 1))
    text = client.get(ADDRESS).text
    winter = Winter.objects.get(season=promised.season)
    assert bytes(winter.commitment).hex() in text
    assert SEED.value.hex() not in text
    assert (
        "season is still in progress. After its last corrida, cards are reprinted, some "
        "matadors retire, others come back, and novilleros become matadors." in text
    )


@pytest.mark.parametrize("language", ["en", "es"])
def test_after_the_winter_its_news_are_shown(
    promised: World, client: Client, language: str
) -> None:
    client.get(ADDRESS)
    turn(promised)
    text = client.get(ADDRESS, headers={"accept-language": language}).text
    assert SEED.value.hex() in text
    for place in ("/matadores/matador-0/", "/matadores/matador-3/", "/plazas/ronda/"):
        assert f'href="{place}"' in text
    assert f'href="/ganaderias/{promised.herd.slug}/"' in text
    assert re.search(r'href="/toros/\d+/"', text)
    assert "Padrino" in text
    assert 'datetime="2028-01-02"' in text
    assert not re.search(r'\sstyle="|<style|\son\w+="', text)


@pytest.mark.parametrize(
    ("printed", "changes"),
    [
        ({}, []),
        (
            {"dos_orejas": "94-98", "oreja": "81-93"},
            [("dos", "Dos orejas", 1, "95–98", "94–98"), ("oreja", "Oreja", -1, "81–94", "81–93")],
        ),
        ({"vuelta": "78-88"}, [("r-vuelta", "Vuelta", 0, "79–89", "78–88")]),
        ({"indulto": "-"}, [("r-indulto", "Indulto", -2, "99–100", "–")]),
    ],
)
def test_a_new_card_shows_what_changed(
    printed: dict[str, str], changes: list[tuple[str, str, int, str, str]]
) -> None:
    before = CARD | {
        "oreja": "81-94",
        "dos_orejas": "95-98",
        "vuelta": "79-89",
        "indulto": "99-100",
    }
    old, new = MatadorCard(rating=80, **before), MatadorCard(rating=83, **(before | printed))
    assert list(card_changes(old, new)) == changes


def test_a_new_rating_is_shown_with_the_changed_ranges_of_the_card(
    promised: World, client: Client
) -> None:
    turn(promised)
    assert "New rating, same ranges" in client.get(ADDRESS).text
    MatadorCard.objects.filter(printing=2).update(aviso="-")
    Season.objects.update(posted_version=F("posted_version") + 1)
    text = client.get(ADDRESS).text
    assert "New rating, same ranges" not in text
    assert re.search(r'<span lang="es">Aviso</span>\s*<b>-\d+</b>', text)


def test_a_retirement_is_shown_with_age_and_career_totals(promised: World, client: Client) -> None:
    Matador.objects.update(counted_from=2027 - 44, promise=70)
    careers = [career for _man, career in closing_careers(promised.season, SEED)]
    turn(promised, 3)
    Winter.objects.update(known=pack(Year(year=2027, careers=careers, herds=())))
    text = client.get(ADDRESS).text
    section = text[text.index('id="retired"') :].partition("</section>")[0]
    said = re.findall(r"<p>([^<]*44[^<]*)</p>", section)
    assert len(said) == len(set(said)) == 3
    assert "Age made the decision for him." not in text


def test_a_winter_without_news_says_so(promised: World, client: Client) -> None:
    """A reprinted card with the same rating is no news, but a debut is."""
    quiet = "A quiet winter: nothing changed."
    Winter.objects.filter(season=promised.season).update(done_at=timezone.now())
    assert quiet in client.get(ADDRESS).text
    same = {"kind": "card", **matador_names(promised, 0), "before": 90, "after": 90, "printing": 2}
    debut = {"kind": "debut", **matador_names(promised, 1), "country": "ES", "birthplace": "Ronda",
        "age": 18}  # fmt: skip
    for items, said in (([same], True), ([same, debut], False)):
        cache.clear()
        Winter.objects.update(news=items)
        text = client.get(ADDRESS).text
        assert (quiet in text) is said
        assert 'id="rose"' not in text
        assert "New sires" not in text


def test_a_winter_links_to_the_other_winters_of_its_circuit(
    promised: World, client: Client
) -> None:
    Winter.objects.update(done_at=timezone.now())
    assert "Other winters" not in client.get(ADDRESS).text
    for year in (2025, 2026, 2028):
        promise_winter(promised.another_season(year), SEED)
    Winter.objects.exclude(season__year=2028).update(done_at=timezone.now())
    barrio = small_circuit("barrio", "Barrio")
    promise_winter(barrio.another_season(2024), SEED)
    Winter.objects.filter(season__circuit=barrio.circuit).update(done_at=timezone.now())
    cache.clear()
    found = re.findall(r'href="/temporada/(\d+)/invierno/"\s*(aria-current="page")?\s*>\s*\d',
        client.get(ADDRESS).text)  # fmt: skip
    assert found == [("2027", 'aria-current="page"'), ("2026", ""), ("2025", "")]


def test_news_about_a_deleted_matador_have_no_link(promised: World, client: Client) -> None:
    turn(promised)
    stray = {"kind": "retired", "slug": "nobody", "name": "Nadie", "why": "age"}
    sworn = next(item for item in news(promised) if item["kind"] == "alternativa")
    Winter.objects.update(news=[stray, {**sworn, "plaza": "gone"}])
    text = client.get(ADDRESS).text
    assert re.findall(r'href="/plazas/[^"]', text) == []
    assert "Nadie" in text
    assert 'href="/matadores/nobody/"' not in text


@pytest.mark.parametrize("year", ["1999", "99999"])
def test_the_winter_of_an_unknown_season_is_not_found(
    promised: World, client: Client, year: str
) -> None:
    assert client.get(f"/temporada/{year}/invierno/").status_code == 404


def test_the_page_of_a_winter_needs_as_many_queries_for_three_news_items_as_for_one(
    promised: World, counted: Counted
) -> None:
    turn(promised)
    one = counted(ADDRESS)
    Winter.objects.update(news=news(promised, 3))
    assert counted(ADDRESS) == one <= 12


def test_a_cached_winter_page_needs_one_query(
    promised: World, client: Client, django_assert_num_queries: Any
) -> None:
    turn(promised)
    client.get(ADDRESS)
    with django_assert_num_queries(1):
        assert client.get(ADDRESS).status_code == 200


def test_the_season_links_to_its_winter(promised: World, client: Client) -> None:
    assert f'href="{ADDRESS}"' in client.get("/temporada/2027/").text


def test_a_matador_s_page_shows_retirement_sponsors_and_rating_changes(
    promised: World, client: Client
) -> None:
    godson, padrino, testigo, _ = promised.matadors
    client.get("/matadores/matador-0/")
    turn(promised)
    godson.padrino, godson.testigo = padrino, testigo
    godson.state, godson.retired_in, godson.counted_from = "retired", 2027, 2000
    godson.alternativa = dt.date(2027, 1, 2)
    godson.save()
    text = client.get("/matadores/matador-0/").text
    assert "retired after the 2027 season" in text
    assert re.search(r"Age at retirement\s*</dt>\s*<dd>27", text)
    assert 'href="/matadores/matador-1/"' in text
    assert "printing 1" in text
    assert "printing 2" in text
    assert "+5" in text
    assert 'href="/matadores/matador-0/"' in client.get("/matadores/matador-1/").text


def test_a_cached_matador_page_needs_one_query(
    promised: World, client: Client, django_assert_num_queries: Any
) -> None:
    client.get("/matadores/matador-0/")
    with django_assert_num_queries(1):
        client.get("/matadores/matador-0/")


def test_a_bull_links_to_its_sire_and_a_sire_to_its_sons(promised: World, client: Client) -> None:
    sire, son = Bull.objects.filter(ganaderia=promised.herd).order_by("pk")[:2]
    sire.state, son.sire = Bull.State.SEMENTAL, sire
    sire.save()
    son.save()
    assert f'href="/toros/{sire.pk}/"' in client.get(f"/toros/{son.pk}/").text
    assert f'href="/toros/{son.pk}/"' in client.get(f"/toros/{sire.pk}/").text


def test_the_home_page_links_to_a_winter_until_enough_corridas_are_posted(
    promised: World, client: Client
) -> None:
    turn(promised)
    MatadorCard.objects.filter(printing=2).delete()
    fresh = promised.another_season(2028)
    promised.season = fresh
    promised.announce(dt.date(2028, 3, 1), plaza=1)
    for posted in (0, FRESH_DAYS):
        fresh.posted_version = posted
        fresh.save()
        assert f'href="{ADDRESS}"' in client.get("/").text
    fresh.posted_version = FRESH_DAYS + 1
    fresh.save()
    assert f'href="{ADDRESS}"' not in client.get("/").text


@pytest.fixture
def taken(promised: World) -> Corrida:
    """Return the corrida of the next season in which a matador takes his alternativa, as the
    winter agreed.
    """
    turn(promised)
    following = Season.objects.create(
        circuit=promised.circuit, year=2028, seed=b"s" * 32, commitment=b"c" * 32
    )
    corrida = replace(promised, season=following).announce(dt.date(2028, 1, 2), first=2)
    new, _, testigo, padrino = promised.matadors
    Matador.objects.filter(pk=new.pk).update(
        alternativa=corrida.date, alternativa_place="Ronda", padrino=padrino, testigo=testigo
    )
    return corrida


def test_the_winter_links_to_the_corrida_of_an_alternativa(taken: Corrida, client: Client) -> None:
    assert f'href="/corridas/{taken.pk}/"' in client.get(ADDRESS).text
    Winter.objects.update(version=1)
    cache.clear()
    assert f'href="/corridas/{taken.pk}/"' not in client.get(ADDRESS).text


def test_the_winter_shows_what_its_commitment_contained(taken: Corrida, client: Client) -> None:
    assert "&quot;version&quot;:3" in client.get(ADDRESS).text
    Winter.objects.update(version=1)
    cache.clear()
    assert "&quot;version" not in client.get(ADDRESS).text


@pytest.mark.parametrize(("language", "coming"), [("en", "Still to come"), ("es", "Pendiente")])
def test_the_matador_links_to_the_corrida_of_his_alternativa(
    taken: Corrida, client: Client, language: str, coming: str
) -> None:
    def read() -> str:
        cache.clear()
        address = "/matadores/matador-0/"
        return client.get(address, headers={"accept-language": language}).text

    assert f'href="/corridas/{taken.pk}/"' in read()
    assert coming in read()
    Corrida.objects.filter(pk=taken.pk).update(state="posted")
    assert f'href="/corridas/{taken.pk}/"' in read()
    assert coming not in read()


def test_the_corrida_names_the_matador_who_takes_the_alternativa_and_his_sponsors(
    taken: Corrida, client: Client
) -> None:
    def roles() -> list[str]:
        text = client.get(f"/corridas/{taken.pk}/").text
        people = text.split('class="co-terna"')[1].split("</ol>")[0].split("<li>")[1:]
        names = ("alternativa", "padrino", "testigo")
        return [next((name for name in names if f">{name}<" in one), "") for one in people]

    def sentence() -> str:
        page = client.get(f"/corridas/{taken.pk}/").text
        found = re.search(r'<p class="co-sworn">(.*?)</p>', page, re.DOTALL)
        return " ".join(found[1].split()) if found else ""

    new, _, testigo, padrino = Matador.objects.order_by("pk")
    assert roles() == ["testigo", "padrino", "alternativa"]
    assert sentence() == (
        f"{new.billing} takes the alternativa here from {padrino.billing}, with {testigo.billing} "
        "as witness."
    )
    Matador.objects.filter(alternativa=taken.date).update(testigo=None)
    assert roles() == ["", "", ""]
    assert sentence() == ""


def test_the_broadcast_contains_the_alternativa(world: World) -> None:
    """The matador who takes it appears second. The others are padrino and testigo."""
    corrida = world.announce(dt.date(2027, 5, 1))
    padrino, new, testigo = world.matadors[:3]
    assert source.showing_of(world.air_in_earnest(corrida, seconds=9)).ceremony is None
    day = dt.date(2027, 5, 2)
    Matador.objects.filter(pk=new.pk).update(alternativa=day, padrino=padrino, testigo=testigo)
    sworn = world.air_in_earnest(world.announce(day), seconds=9)
    assert source.showing_of(sworn).ceremony == Ceremony(novillero=1, padrino=0, testigo=2)


# Corridas that delay a winter


@pytest.mark.parametrize("with_cartel", [True, False])
@pytest.mark.parametrize("state", Corrida.State)
def test_corridas_that_are_left_in_a_season_delay_its_winter(
    world: World, state: Corrida.State, with_cartel: bool
) -> None:
    """A failed corrida without a cartel was not held because no three matadors were available.

    It is over, so it delays nothing.
    """
    corrida = world.announce(dt.date(2027, 5, 1))
    if not with_cartel:
        corrida.cartel.delete()
    Corrida.objects.update(state=state)
    counted = {
        Corrida.State.ANNOUNCED: "waiting",
        Corrida.State.QUEUED: "on_the_sand",
        Corrida.State.ON_AIR: "on_the_sand",
        Corrida.State.AT_TABLE: "at_tables",
        Corrida.State.FAILED: "failed" if with_cartel else "",
    }.get(state, "")
    left = winter_queries.left_in_season(world.season)
    names = ("waiting", "on_the_sand", "at_tables", "failed")
    assert {name: getattr(left, name) for name in names if getattr(left, name)} == (
        {counted: 1} if counted else {}
    )
    assert left.going_on is (counted not in {"", "failed"})


def herd(name: str, before: int, after: int) -> dict[str, Any]:
    """Return a news item about a herd's place by renown; places count from 0."""
    return {"kind": "herd", "slug": name.lower(), "name": name, "before": before, "after": after}


def test_herds_are_shown_with_their_places_and_risen_herds_first(
    promised: World, client: Client
) -> None:
    news = [herd("Alba", 4, 0), herd("Baeza", 2, 1), herd("Cobaleda", 0, 2), herd("Domecq", 1, 21)]
    Winter.objects.update(done_at=timezone.now(), news=news)
    text = client.get(ADDRESS).text
    lines = re.findall(r'<li class="(up|down)">(.*?)</li>', text, re.DOTALL)
    told = [(way, " ".join(re.sub(r"<[^>]+>", " ", line).split())) for way, line in lines]
    assert told == [
        ("up", "Alba ▲ from 5th to 1st"),
        ("up", "Baeza ▲ from 3rd to 2nd"),
        ("down", "Domecq ▼ from 2nd to 22nd"),
        ("down", "Cobaleda ▼ from 1st to 3rd"),
    ]
    assert "New sires" not in text


@pytest.mark.parametrize("kind", ["retired", "returned", "alternativa"])
def test_the_news_start_with_the_matador_with_most_ears_and_ties_keep_their_order(
    promised: World, client: Client, kind: str
) -> None:
    """A matador without known totals has no ears, and neither has a new matador."""
    (row,) = [item for item in news(promised) if item["kind"] == kind]
    order = [{"slug": "nobody", "name": "Nadie"}, *(matador_names(promised, n) for n in (2, 1, 0))]
    items = [row | named for named in order]

    def lead() -> str:
        Winter.objects.update(done_at=timezone.now(), news=items)
        cache.clear()
        page = client.get(ADDRESS).text
        return re.sub(
            r"<[^>]+>", "", page[page.index('id="lead-h"') + 12 :].split("</h2>")[0]
        ).strip()

    rows = Escalafon.objects.filter(season=promised.season)
    rows.update(ears=0)
    assert lead() == "Nadie"
    rows.update(ears=5)
    if kind == "alternativa":
        assert lead() == "Nadie"
        return
    assert lead() == promised.matadors[2].name
    Escalafon.objects.filter(pk=rows.filter(matador=promised.matadors[1])[0].pk).update(ears=50)
    assert lead() == promised.matadors[1].name


def test_the_page_distinguishes_matadors_of_one_name(promised: World, client: Client) -> None:
    stored = [item for item in news(promised, each=2) if item["kind"] == "debut"]
    Winter.objects.filter(season=promised.season).update(done_at=timezone.now(), news=stored)
    called = name_alike(promised)
    text = client.get(ADDRESS).text
    assert all(f">{name}</a>" in text for name in called)
    assert Winter.objects.get(season=promised.season).news == stored


# Chances before and after a reprinted card


def card_news(world: World) -> None:
    """Finish the winter, in which the first matador's card is printed again."""
    first = matador_names(world, 0)
    item = {"kind": "card", **first, "before": 76, "after": 82, "printing": 2}
    Winter.objects.update(done_at=timezone.now(), news=[item])
    card = world.matadors[0].cards.get()
    card.pk, card.printing, card.rating = None, 2, 82
    card.save()


def set_ear(world: World, before: float | None, after: float | None) -> None:
    cards = world.matadors[0].cards
    cards.filter(printing=1).update(ear_1=before)
    cards.filter(printing=2).update(ear_1=after)


@pytest.mark.parametrize(
    ("before", "after", "said"),
    [
        (0.28, 0.304, "An ear in Pamplona: 30 % instead of 28 %"),
        (0.28, 0.26, "An ear in Pamplona: 26 % instead of 28 %"),
        (0.281, 0.279, "An ear in Pamplona: 28 %, as before"),
        (None, 0.3, ""),
        (0.3, None, ""),
        (None, None, ""),
    ],
)
def test_a_reprinted_card_shows_the_chance_of_an_ear_in_the_largest_first_category_plaza(
    promised: World, client: Client, before: float | None, after: float | None, said: str
) -> None:
    """Chances of one printing only are not shown."""
    Plaza.objects.update(category=1)
    for number, (city, seats) in enumerate((("Ronda", None), ("Pamplona", 19_000))):
        plaza = promised.plazas[number]
        Plaza.objects.filter(pk=plaza.pk).update(city=city, seats=seats)
    card_news(promised)
    set_ear(promised, before, after)
    page = " ".join(client.get(ADDRESS).text.split())
    assert said in page
    assert ("An ear in" in page) is bool(said)


@pytest.mark.parametrize("archived", [False, True])
def test_without_a_first_category_plaza_the_winter_names_no_city(
    promised: World, client: Client, archived: bool
) -> None:
    Plaza.objects.update(category=1 if archived else 2, archived_at=timezone.now())
    card_news(promised)
    set_ear(promised, 0.28, 0.3)
    page = " ".join(client.get(ADDRESS).text.split())
    assert "An ear in a first-category plaza: 30 % instead of 28 %" in page
    set_ear(promised, 0.3, 0.3)
    cache.clear()
    assert "An ear in a first-category plaza: 30 %, as before" in " ".join(
        client.get(ADDRESS).text.split()
    )


@pytest.mark.usefixtures("without_chances")
def test_a_cached_page_of_a_winter_changes_when_chances_are_calculated(
    promised: World, client: Client
) -> None:
    card_news(promised)
    assert "An ear in" not in client.get(ADDRESS).text
    set_ear(promised, 0.28, 0.3)
    MatadorCard.objects.update(ears_1=0.5)
    assert "An ear in" in client.get(ADDRESS).text
