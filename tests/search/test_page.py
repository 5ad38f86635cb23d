"""The search page and its API: results, permissions, and messages for unusual queries."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.conf import settings
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from corridas.models import Record
from corridas.spoilers.hiding import ALL, reveal
from leagues.models import League, Player
from search import views
from tests.factories import World, account, browser, guest, league, name_alike, record_book
from tests.search.scene import reindex, titles

pytestmark = pytest.mark.usefixtures("world")


@pytest.mark.parametrize(
    ("question", "kind", "title"),
    [
        ("montes", "matador", "Francisco Montes"),
        ("MONT", "matador", "Francisco Montes"),
        ("jose red", "matador", "José Redondo"),
        ("ron", "plaza", "Ronda, La Vieja"),
        ("la vieja arles", "plaza", "Arles, La Vieja"),
        ("mayalde", "herd", "Conde de Mayalde"),
        ("cantinero 3", "bull", "Cantinero 3"),
        ("14 de mayo", "corrida", "Ronda, 14 May 2027"),
        ("May 14", "corrida", "Ronda, 14 May 2027"),
        ("Ronda 2027", "corrida", "Ronda, 14 May 2027"),
        ("14/5", "corrida", "Ronda, 14 May 2027"),
        ("feria de pedro", "corrida", "Ronda, 14 May 2027"),
        ("temporada 2027", "season", "Season 2027"),
        ("season", "season", "Season 2027"),
        ("monte", "glossary", "montera"),
    ],
)
def test_search_finds_names_dates_and_words_by_their_beginnings(
    question: str, kind: str, title: str
) -> None:
    assert title in titles(Client(), question)[kind]


@pytest.mark.parametrize("question", ["onda", "13 de mayo", "Arles 2027", "zzz", "1 mayo"])
def test_search_finds_no_plaza_or_corrida_for_other_queries(question: str) -> None:
    assert "corrida" not in titles(Client(), question)
    assert "plaza" not in titles(Client(), question)


def test_groups_show_two_results_and_link_to_the_others(world: World) -> None:
    found = titles(Client(), "cantinero")
    assert len(found["bull"]) == 2
    assert len(titles(Client(), "cantinero", kind="bull")["bull"]) == 6
    page = Client().get("/buscar/", {"q": "cantinero"})
    assert "Bulls: 4 more" in page.content.decode()
    listed = Client().get("/buscar/", {"q": "cantinero", "kind": "bull"}).content.decode()
    assert listed.count('class="hit"') == 6
    assert "<mark>Cantinero</mark>" in listed


def test_results_of_one_kind_have_pages(world: World) -> None:
    corrida = world.announce(dt.date(2027, 5, 15))
    for place in range(6):
        world.bull(corrida, place, "Cantinero")
    for day in range(1, 29):
        world.announce(dt.date(2027, 6, day), plaza=1, first=day)
    reindex()
    first = Client().get("/buscar/", {"q": "arles", "kind": "corrida"}).content.decode()
    assert first.count('class="hit"') == 25
    assert "page=2" in first
    second = Client().get("/buscar/", {"q": "arles", "kind": "corrida", "page": "2"})
    assert second.content.decode().count('class="hit"') == 3


@pytest.mark.parametrize(
    ("size", "pages"), [(2, [2, 2, 2]), (3, [3, 3]), (4, [4, 2]), (5, [5, 1]), (6, [6]), (7, [6])]
)
def test_the_last_page_of_results_links_to_no_next_page(
    monkeypatch: pytest.MonkeyPatch, size: int, pages: list[int]
) -> None:
    monkeypatch.setattr(views, "PAGE_SIZE", size)
    found, links = [], []
    for number in range(1, len(pages) + 1):
        asked = {"q": "cantinero", "kind": "bull", "page": str(number)}
        page = Client().get("/buscar/", asked, headers={"HX-Request": "true"}).text
        found.append(page.count('class="hit"'))
        links.append('rel="next"' in page)
    assert found == pages
    assert links == [True] * (len(pages) - 1) + [False]


@pytest.mark.parametrize(
    ("size", "last", "hits"), [(2, 3, 2), (3, 2, 3), (4, 2, 2), (5, 2, 1), (6, 1, 6), (7, 1, 6)]
)
def test_a_page_behind_the_end_shows_the_last_page_of_results(
    monkeypatch: pytest.MonkeyPatch, size: int, last: int, hits: int
) -> None:
    """The last page may be full."""
    monkeypatch.setattr(views, "PAGE_SIZE", size)

    def shown(page: int) -> list[str]:
        asked = {"q": "cantinero", "kind": "bull", "page": str(page)}
        text = Client().get("/buscar/", asked, headers={"HX-Request": "true"}).text
        return re.findall(r'class="hit" href="([^"]+)"', text)

    assert len(shown(last)) == hits
    assert shown(last + 1) == shown(9) == shown(last)


def test_groups_of_results_have_a_fixed_order() -> None:
    page = Client().get("/buscar/", {"q": "m"}).content.decode()
    headings = ["Matadors", "Herds", "Corridas", "Glossary"]
    places = [page.index(f'id="found-{key}"') for key in ("matador", "herd", "corrida", "glossary")]
    assert places == sorted(places)
    assert all(heading in page for heading in headings)


@pytest.mark.parametrize(
    ("query", "sentence"),
    [
        ({}, "Enter a name, a place"),
        ({"q": ""}, "Enter a name, a place"),
        ({"q": "   "}, "Enter letters or digits"),
        ({"q": '"*"'}, "Enter letters or digits"),
        ({"q": "a" * 10_000}, "Only the first 100 characters"),
        ({"q": "ronda " * 2_000}, "Only the first 100 characters"),
        ({"q": 'NEAR("ronda" "la")'}, "have no special meaning here"),
        ({"q": "ronda*"}, "have no special meaning here"),
        ({"q": "ronda -arles"}, "have no special meaning here"),
        ({"q": "words:ronda"}, "have no special meaning here"),
        ({"q": "ronda\x00", "kind": "plaza"}, "1 result"),
        ({"q": "zzzz"}, "No word that begins like this was found"),
        ({"q": "ronda", "kind": "weather"}, "This kind of result does not exist"),
        ({"q": "ronda", "kind": "plaza", "page": "x"}, "1 result"),
        ({"q": "ronda", "kind": "plaza", "page": "0"}, "1 result"),
        ({"q": "ronda", "kind": "plaza", "page": "99999"}, "1 result"),
        ({"q": "zzzz", "kind": "plaza", "page": "2"}, "No word that begins like this was found"),
    ],
)
def test_unusual_queries_get_a_message(query: dict[str, str], sentence: str) -> None:
    for headers in ({}, {"HX-Request": "true"}):
        response = Client().get("/buscar/", query, headers=headers)
        assert response.status_code == 200
        assert re.search(rf">\s*[^<]*{re.escape(sentence)}", response.content.decode())


@pytest.mark.parametrize(
    ("query", "status"),
    [
        ({"q": "a" * 10_000}, 200),
        ({"q": 'NEAR("ronda")'}, 200),
        ({"q": '"*"'}, 422),
        ({"q": ""}, 400),
        ({}, 400),
        ({"q": "ronda", "kind": "weather"}, 400),
        ({"q": "ronda", "colour": "red"}, 422),
    ],
)
def test_unusual_api_queries_get_a_status_code(query: dict[str, str], status: int) -> None:
    assert Client().get("/api/v1/search/", query).status_code == status


def test_results_while_typing_are_a_fragment() -> None:
    response = Client().get("/buscar/", {"q": "ronda"}, headers={"HX-Request": "true"})
    assert "<html" not in response.content.decode()
    assert "data-say" in response.content.decode()
    assert "no-store" in response["Cache-Control"]


def test_every_page_has_an_empty_search_box() -> None:
    Client().get("/buscar/", {"q": "mayalde"})
    home = Client().get("/").content.decode()
    assert 'action="/buscar/"' in home
    assert "mayalde" not in home


def test_players_are_found_by_users_who_may_see_them() -> None:
    known, hidden, mate = account("Ramona"), account("Ramiro"), account("Mate")
    Player.objects.filter(pk=hidden.pk).update(public=False)
    guest("Ramon the guest")
    assert titles(Client(), "ram").get("player") == ["Ramona"]
    assert set(titles(browser(hidden), "ram")["player"]) == {"Ramona", "Ramiro"}
    league("dominoes", mate, hidden, known, rules={}, visibility=League.Visibility.PRIVATE)
    assert set(titles(browser(mate), "ram")["player"]) == {"Ramona", "Ramiro"}
    admin = account("Admin", is_superuser=True)
    assert titles(browser(admin), "ram", kind="player")["player"]
    assert len(titles(browser(admin), "ram", kind="player")["player"]) == 3


@pytest.mark.parametrize(
    ("zone", "day"),
    [
        ("", "1 July 2027"),  # the site's
        ("Europe/Madrid", "2 July 2027"),
        ("America/New_York", "1 July 2027"),
        ("Asia/Tokyo", "2 July 2027"),
        ("Nowhere/City", "1 July 2027"),
    ],
)
def test_player_result_has_a_date_in_the_visitors_time_zone(zone: str, day: str) -> None:
    """The player joined at half past midnight in Madrid, which is the previous day in UTC."""
    at = dt.datetime(2027, 7, 1, 22, 30, tzinfo=dt.UTC)
    account("Ramona", at=at)
    own = browser(guest("Ramon", at=at))
    own.cookies[settings.ZONE_COOKIE_NAME] = zone
    page = own.get("/buscar/", {"q": "ram"}).text
    assert f"player, since {day}" in page
    assert f"guest, since {day}" in page
    assert len(re.findall(r"since \d+", page)) == 2


def test_leagues_are_found_by_users_who_may_see_them() -> None:
    organiser, stranger = account("Organiser"), account("Stranger")
    for visibility in League.Visibility:
        league(
            "dominoes",
            organiser,
            rules={},
            name=f"Monday {visibility}",
            slug=f"monday-{visibility}",
            invitation=visibility,
            visibility=visibility,
        )
    reindex()
    assert titles(Client(), "monday")["league"] == ["Monday public"]
    assert titles(browser(stranger), "monday")["league"] == ["Monday public"]
    assert len(titles(browser(organiser), "monday", kind="league")["league"]) == 3


@pytest.mark.slow
def test_results_hide_unwatched_records_and_careers(world: World) -> None:
    person = account("shielded")
    assert person.user is not None
    person.user.shielded_since = timezone.now() - dt.timedelta(days=1)
    person.user.save()
    corrida = world.air(world.announce(dt.date(2027, 5, 20), plaza=1), 60)
    Record.objects.create(
        book=record_book(world.circuit),
        key="share_ears",
        value=2,
        season=world.season,
        corrida=corrida,
        matador=world.matadors[0],
    )
    world.matadors[0].state = "retired"
    world.matadors[0].retired_in = 2027
    world.matadors[0].save()
    reindex()
    client = browser(person)
    assert titles(Client(), "most ears")["record"] == ["Most ears in an afternoon"]
    assert "record" not in titles(client, "most ears")
    assert "retired" in Client().get("/buscar/", {"q": "romero"}).content.decode()
    assert "retired" not in client.get("/buscar/", {"q": "romero"}).content.decode()
    shown = client.get("/api/v1/search/", {"q": "most ears"}, headers={"Veiled": "show"})
    assert shown.json()["total"] == 1


@pytest.mark.parametrize(("circuit", "shown"), [("leyendas", True), (ALL, True), ("otro", False)])
def test_results_show_records_and_careers_of_a_revealed_circuit(
    world: World, circuit: str, shown: bool
) -> None:
    """Revealing another circuit does not reveal this one."""
    person = account("shielded", shielded_since=timezone.now() - dt.timedelta(days=1))
    corrida = world.air(world.announce(dt.date(2027, 5, 20), plaza=1), 60)
    Record.objects.create(
        book=record_book(world.circuit), key="share_ears", value=2, season=world.season,
        corrida=corrida, matador=world.matadors[0],
    )  # fmt: skip
    world.matadors[0].state, world.matadors[0].retired_in = "retired", 2027
    world.matadors[0].save()
    reindex()
    client = browser(person)
    session = client.session
    reveal(session, circuit, at=timezone.now())
    session.save()
    assert ("record" in titles(client, "most ears")) is shown
    assert ("retired" in client.get("/buscar/", {"q": "romero"}).text) is shown


def test_search_works_in_both_languages() -> None:
    spanish = Client(headers={"accept-language": "es"})
    page = spanish.get("/buscar/", {"q": "may 14"}).content.decode()
    assert "<mark>14</mark> de <mark>may</mark>o" in page
    page = spanish.get("/buscar/", {"q": "zzzz"}).content.decode()
    assert "Nothing" not in page


def test_number_of_queries_does_not_grow_with_the_results(world: World) -> None:
    def queries(question: str) -> int:
        with CaptureQueriesContext(connection) as captured:
            Client().get("/buscar/", {"q": question})
        return len(captured)

    before = queries("r")
    for day in range(1, 20):
        world.announce(dt.date(2027, 7, day), first=day)
    reindex()
    assert queries("r") == before <= 10
    assert queries("zzzz") == 1


def test_search_box_distinguishes_matadors_of_one_name(world: World) -> None:
    called = name_alike(world)
    reindex()
    assert titles(Client(), world.matadors[0].name)["matador"] == called
