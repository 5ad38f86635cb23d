"""Pages of plazas, herds, bulls, matadors and ferias: what comes first, and what is hidden."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.db.models import F
from django.test import Client
from django.utils import timezone

from accounts.models import User
from corridas import results
from corridas.broadcast import source
from corridas.models import Bull, Corrida, Injury, Lidia, Matador, Season
from corridas.simulation.post import post_due
from tests.corridas.pages.conftest import Counted
from tests.factories import World, browser_of

pytestmark = pytest.mark.django_db

ONE_EAR, TWO_EARS, TAIL, NOTHING = (1, None, 0), (2, None, 0), (3, None, 0), (0, 3, 0)
AN_HOUR = 60 * 60


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    """Clear the cache, because another test may use the same primary keys for other rows."""
    source._cache.clear()


def text(client: Client, address: str, language: str = "en") -> str:
    page = client.get(address, headers={"accept-language": language})
    assert page.status_code == 200
    return page.text


def part(page: str, heading: str) -> str:
    """Return the section or the collapsible part with this heading."""
    found = re.search(
        rf"<section[^>]*>(?:(?!</section>).)*>\s*{heading}\s*<.*?</section>", page, re.DOTALL
    )
    assert found, heading
    return found[0]


def posted_corrida(world: World, day: int, seconds: float = 24 * AN_HOUR) -> Corrida:
    """Return a corrida that was played by the engine, broadcast and posted."""
    corrida = world.air_in_earnest(world.announce(dt.date(2027, 3, day)), seconds=seconds)
    post_due(at=timezone.now())
    corrida.refresh_from_db()
    assert corrida.is_over
    return corrida


# Plazas


def test_a_plaza_shows_coming_corridas_first_then_the_latest(lived: World, client: Client) -> None:
    for day in (1, 2, 3, 4):
        lived.announce(dt.date(2027, 5, day))
    lived.post(lived.announce(dt.date(2027, 3, 8)), [TAIL, TWO_EARS, *[NOTHING] * 4])
    page = text(client, "/plazas/ronda/")
    order = ("Next corridas", "Latest corridas", "Season by season", "Best afternoons")
    places = [
        page.index(heading) for heading in (*order, "Triumphs by matador", "Calendar of 2027")
    ]
    assert places == sorted(places)
    assert re.findall(r"\d May", part(page, "Next corridas")) == ["1 May", "2 May", "3 May"]
    assert re.findall(r"\d Mar", part(page, "Latest corridas")) == ["8 Mar", "6 Mar", "2 Mar"]
    best = part(page, "Best afternoons")
    assert "4 ears" in best
    assert "8 Mar 2027" in best
    calendar = page[page.index('<details class="fold">') :]
    assert "<summary>" in calendar
    assert "4 May" in calendar


def test_a_plaza_without_corridas_says_that_there_are_none(world: World, client: Client) -> None:
    page = text(client, "/plazas/ronda/")
    assert "No more corridas are announced here this season." in page
    assert "No corrida has been held here yet." in page


def test_two_ears_in_one_corrida_are_a_triumph(lived: World, client: Client) -> None:
    brought = [ONE_EAR, TWO_EARS, NOTHING, NOTHING, NOTHING, NOTHING]
    lived.post(lived.announce(dt.date(2027, 3, 8), first=0), brought)
    lived.post(lived.announce(dt.date(2027, 3, 9), first=0), brought)
    rows = re.findall(
        r"<tr>.*?</tr>", part(text(client, "/plazas/ronda/"), "Triumphs by matador"), re.DOTALL
    )
    second = next(row for row in rows if "matador-1/" in row)
    assert "<td>2</td>" in second


# Herds and bulls


def test_a_herd_counts_its_bulls_by_fate_and_names_its_sires(lived: World, client: Client) -> None:
    corrida = Corrida.objects.filter(plaza=lived.plazas[0]).earliest("date")
    Lidia.objects.filter(corrida=corrida, turn=3).update(ending="spared")
    Lidia.objects.filter(corrida=corrida, turn=4).update(ending="three_avisos")
    sire = Bull.objects.get(lidia__corrida=corrida, lidia__turn=3)
    Bull.objects.filter(pk=sire.pk).update(state="semental")
    son = Lidia.objects.filter(corrida__date__gt=corrida.date).earliest("pk")
    Bull.objects.filter(pk=son.bull_id).update(sire=sire)
    page = text(client, "/ganaderias/mayalde/")
    figures = r'"fig">(\d+)</b>\s*<span>([^<]+)<'
    found = re.findall(figures, part(page, "What became of the herd’s bulls"))
    fates = {words: int(figure) for figure, words in found}
    assert fates == {
        "killed in the ring": 16,
        "spared": 1,
        "returned to the corrals after three avisos": 1,
    }
    sires = part(page, "Its sires")
    assert f"/toros/{sire.pk}/" in sires
    assert "1 son fought" in sires


def test_a_herd_without_a_spared_bull_says_that_there_is_none(lived: World, client: Client) -> None:
    assert "None of this herd’s bulls has been spared yet." in text(client, "/ganaderias/mayalde/")


@pytest.mark.parametrize("language", ["en", "es"])
def test_a_bull_s_page_tells_the_story_of_its_lidia(
    world: World, client: Client, language: str
) -> None:
    corrida = posted_corrida(world, 2)
    lidia = corrida.lidias.select_related("bull", "finisher").order_by("turn")[0]
    page = text(client, f"/toros/{lidia.bull_id}/", language)
    cards = re.findall(rf"/corridas/{corrida.pk}/1/(\d+)/", page)
    assert len(cards) > 3
    assert [int(card) for card in cards] == sorted(map(int, cards))
    assert 'class="toro-drawn"' in page
    others = corrida.lidias.exclude(pk=lidia.pk).values_list("bull_id", flat=True)
    assert all(f"/toros/{other}/" in page for other in others)
    assert "/ganaderias/mayalde/" in page


def test_a_bull_whose_cards_cannot_be_replayed_still_shows_its_figures(
    lived: World, client: Client
) -> None:
    bull = lived.herd.bulls.earliest("pk")
    page = text(client, f"/toros/{bull.pk}/")
    assert "Points for the kill" in page
    assert "The cards that counted" not in page


def test_a_bull_s_page_needs_as_many_queries_after_three_corridas_as_after_one(
    world: World, counted: Counted
) -> None:
    first = posted_corrida(world, 2)
    address = f"/toros/{first.lidias.earliest('turn').bull_id}/"
    counted(address)  # this process now has the rendered corrida in its cache
    one = counted(address)
    for day in (4, 6):
        world.post(world.announce(dt.date(2027, 3, day)))
    assert counted(address) == one <= 15


@pytest.mark.parametrize(
    ("coat", "mark"),
    [
        ("negro", None),
        ("negro bragado", "white"),
        ("negro listón", "pale"),
        ("castaño chorreado", "dark"),
        ("nevado", "spots"),
        ("berrendo en negro", "white"),
    ],
)
def test_a_bull_is_drawn_in_the_colour_of_its_coat(
    lived: World, client: Client, coat: str, mark: str | None
) -> None:
    bull = lived.herd.bulls.earliest("pk")
    Bull.objects.filter(pk=bull.pk).update(coat=coat)
    page = text(client, f"/toros/{bull.pk}/")
    assert f'aria-label="{bull.name}, {coat}"' in page
    seen = set(re.findall(r'<path class="(white|pale|dark|spots)"', page))
    assert seen == ({mark} if mark else set())


# Matadors and ferias


def test_a_matador_s_page_starts_with_the_season_and_collapses_earlier_corridas(
    lived: World, client: Client
) -> None:
    lived.another_season(2026)
    page = text(client, "/matadores/matador-0/")
    assert page.index("Season 2027") < page.index('class="mat-nums"')
    assert page.index("Infirmary") < page.index("Corridas by season")
    assert re.search(r'<details class="fold" id="season-2027">', page)
    assert 'href="?season=2026#season-2026"' in page
    other = text(client, "/matadores/matador-0/?season=2026")
    assert re.search(r'<details class="fold" id="season-2026" open>', other)


@pytest.mark.parametrize(
    "season", ["banana", "1999", "2027 ", "99999999999999999999", "%00", "x" * 999]
)
def test_a_matador_s_page_says_that_he_did_not_appear_in_the_requested_season(
    lived: World, client: Client, season: str
) -> None:
    page = text(client, f"/matadores/matador-0/?season={season}")
    assert "Choose a season from the list." in page
    assert "Season 2027" in page


def test_a_feria_is_summarized_before_its_days(lived: World, client: Client) -> None:
    lived.post(lived.announce(dt.date(2027, 3, 8)), [TAIL, TWO_EARS, *[NOTHING] * 4])
    page = text(client, "/temporada/2027/goyesca/")
    assert page.index("Most ears") < page.index("Day by day")
    assert "3<sup>/3</sup>" in page
    assert "Mon 8 Mar" in page
    assert "lun" in text(client, "/temporada/2027/goyesca/", "es").lower()


def test_a_feria_that_has_not_begun_has_no_summary(world: World, client: Client) -> None:
    world.announce(dt.date(2027, 3, 2))
    page = text(client, "/temporada/2027/goyesca/")
    assert "Most ears" not in page
    assert "mat-nums" not in page


def test_the_summary_of_a_feria_leaves_out_hidden_corridas(world: World) -> None:
    corridas = [
        world.post(world.announce(dt.date(2027, 3, day)), [TAIL, ONE_EAR, *[NOTHING] * 4])
        for day in (2, 4)
    ]
    both = results.afternoons(corridas, timezone.now())
    one = results.afternoons(corridas, timezone.now(), hidden={corridas[1].pk})
    assert (results.summary(both).ears, results.summary(one).ears) == (6, 3)
    assert (results.summary(both).played, results.summary(one).played) == (2, 1)
    assert [(share.slug, ears, tails) for share, ears, tails in results.summary(one).leaders] == [
        ("matador-0", 2, 1),
        ("matador-1", 1, 0),
    ]
    assert results.summary([]).leaders == []


# Spoilers


@pytest.fixture
def hidden(world: World) -> Corrida:
    """Return the second of two corridas. Vera, who has spoiler protection, has not watched it.

    The first corrida was never broadcast.
    """
    world.post(world.announce(dt.date(2027, 3, 1)), [ONE_EAR, *[NOTHING] * 5])
    corrida = posted_corrida(world, 9)
    User.objects.create_user("vera", shielded_since=timezone.now() - dt.timedelta(days=9))
    return corrida


@pytest.mark.slow
def test_pages_show_a_protected_user_nothing_of_an_unwatched_corrida(
    world: World, hidden: Corrida
) -> None:
    Lidia.objects.filter(corrida=hidden).update(trophy=3, crowd=None)
    vera, anybody = browser_of("vera"), Client()
    for address in ("/plazas/ronda/", "/ganaderias/mayalde/", "/temporada/2027/goyesca/"):
        page = text(vera, address)
        assert "Dos orejas y rabo" not in page
        assert "badge tail" not in page
        assert f"/corridas/{hidden.pk}/1/" not in page
        assert "badge tail" in text(anybody, address)
    first = Lidia.objects.exclude(corrida=hidden).earliest("turn")
    herd = part(text(vera, f"/toros/{first.bull_id}/"), "Its herd")
    assert '"fig">6</b>' in re.sub(r"\s+", " ", herd)
    assert '"fig">12</b>' in part(text(anybody, f"/toros/{first.bull_id}/"), "Its herd")


def test_a_protected_user_sees_a_bull_s_figures_only_after_watching(
    world: World, hidden: Corrida
) -> None:
    bull = hidden.lidias.earliest("turn").bull_id
    page = browser_of("vera").get(f"/toros/{bull}/").text
    assert "mat-nums" not in page
    assert "The cards that counted" not in page
    assert "mat-nums" in text(Client(), f"/toros/{bull}/")


def test_the_page_of_a_bull_on_air_does_not_reveal_the_other_bulls(
    world: World, client: Client
) -> None:
    corrida = world.air(world.announce(dt.date(2027, 3, 2)), seconds=70)
    page = text(client, f"/toros/{corrida.lidias.earliest('turn').bull_id}/")
    assert "Its brothers on that afternoon" not in page
    assert "mat-nums" not in page


def test_a_matador_s_page_says_that_he_is_injured(lived: World, client: Client) -> None:
    corrida = Corrida.objects.over().order_by("-date")[0]
    matador = corrida.cartel.puestos.all()[0].matador
    address = f"/matadores/{matador.slug}/"
    assert "injured until" not in text(client, address)
    rest = {"since": corrida.date, "until": corrida.date + dt.timedelta(days=400)}
    Injury.objects.create(matador=matador, corrida=corrida, turn=1, grade="leve", **rest)
    Season.objects.filter(pk=corrida.season_id).update(posted_version=F("posted_version") + 1)
    assert f"injured until {rest['until'].day} " in text(client, address)
    assert "herido hasta el" in text(client, address, "es")


def test_a_matador_without_a_card_has_a_page(world: World, client: Client) -> None:
    Matador.objects.create(circuit=world.circuit, slug="nuevo", name="Alguien Nuevo")
    assert "Alguien Nuevo" in text(client, "/matadores/nuevo/")
