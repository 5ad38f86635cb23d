"""The lists of a circuit: order, filters, columns, files, marks, spoilers and queries."""

from __future__ import annotations

import csv
import datetime as dt
import io
import re
from collections.abc import Iterator
from dataclasses import replace

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from pytest_django import Settings

from accounts.models import User
from corridas.escalafon.queries import ranking
from corridas.lists import definitions, queries
from corridas.models import (
    Bull,
    Corrida,
    Escalafon,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Plaza,
    Season,
)
from corridas.simulation.derived_book import rebuild_book
from corridas.simulation.post import post_due, post_now
from tests.factories import CARD, RABO, World, browser_of, small_circuit

pytestmark = pytest.mark.django_db
LISTS = {
    "/matadores/": definitions.MATADORS,
    "/ganaderias/": definitions.HERDS,
    "/plazas/": definitions.PLAZAS,
    "/toros/": definitions.BULLS,
    "/resultados/": definitions.RESULTS,
}


@pytest.fixture(autouse=True)
def _fresh(settings: Settings) -> Iterator[None]:
    # Number of downloads a minute, because a test downloads every column of a list.
    settings.DOWNLOADS_A_MINUTE = 1000
    cache.clear()
    yield
    cache.clear()


def rows(client: Client, address: str) -> list[dict[str, str]]:
    """Return the rows of the list as CSV."""
    join = "&" if "?" in address else "?"
    answer = client.get(f"{address}{join}format=csv")
    assert answer.status_code == 200
    return list(csv.DictReader(io.StringIO(answer.getvalue().decode("utf-8-sig"))))


def names(client: Client, address: str) -> list[str]:
    """Return the first column of the list."""
    return [next(iter(row.values())) for row in rows(client, address)]


@pytest.mark.parametrize(
    ("asked", "expected"),
    [
        ("", ["Francisco Montes", "José Redondo", "Pedro Romero", "Rafael Molina"]),
        ("?sort=-name", ["Rafael Molina", "Pedro Romero", "José Redondo", "Francisco Montes"]),
        ("?sort=ears", ["Pedro Romero", "Francisco Montes", "José Redondo", "Rafael Molina"]),
        ("?sort=-rating", ["Rafael Molina", "José Redondo", "Francisco Montes", "Pedro Romero"]),
        ("?q=jose", ["José Redondo"]),
        ("?q=MOL raf", ["Rafael Molina"]),
        ("?q=olina", []),
        ("?category=2&sort=rating", ["Francisco Montes", "José Redondo", "Rafael Molina"]),
        ("?season=2027&category=1", ["Francisco Montes", "José Redondo", "Pedro Romero"]),
        ("?state=retired", []),
    ],
)
def test_the_list_of_matadors_can_be_sorted_and_filtered(
    lived: World, client: Client, asked: str, expected: list[str]
) -> None:
    assert names(client, f"/matadores/{asked}") == expected


# Initial order of the lists


def order_of(page: str) -> str:
    found = re.search(r"Sorted by: ([^<]*?)\.", page)
    assert found
    return found[1]


def test_matadors_are_listed_in_the_order_of_the_ranking(lived: World, client: Client) -> None:
    """Matadors without a place come last, by name.

    The order differs from that of names, ears or ratings.
    """
    Escalafon.objects.all().delete()
    for number, corridas in ((3, 9), (1, 5), (2, 5)):
        Escalafon.objects.create(
            season=lived.season, matador=lived.matadors[number], category=1, corridas=corridas
        )
    Matador.objects.create(circuit=lived.circuit, slug="zz", name="Ángel Zurdo")
    table = [line.slug for line in ranking.standings(lived.season)]
    assert table == ["matador-3", "matador-1", "matador-2"]
    first = names(client, "/matadores/")
    assert first == [
        "Rafael Molina", "Francisco Montes", "José Redondo", "Ángel Zurdo", "Pedro Romero",
    ]  # fmt: skip
    assert names(client, "/matadores/?sort=-place")[:3] == first[2::-1]
    assert names(client, "/matadores/?sort=-place")[3:] == first[3:], "empty cells stay last"
    assert order_of(client.get("/matadores/").text) == "Place in the escalafón"
    assert order_of(client.get("/matadores/?sort=rating").text) == "Rating"


def test_before_the_first_corrida_matadors_are_listed_by_last_year_s_ranking(
    lived: World, client: Client
) -> None:
    table = [line.name for line in ranking.standings(lived.season)]
    season = Season.objects.create(
        circuit=lived.circuit, year=2028, seed=b"t" * 32, commitment=b"c" * 32
    )
    replace(lived, season=season).announce(dt.date(2028, 1, 4), plaza=1)
    assert names(client, "/matadores/")[: len(table)] == table


def test_a_user_with_spoiler_protection_gets_the_ranking_of_the_corridas_watched(
    lived: World,
) -> None:
    """The last corrida, which was not watched, would put another matador on top."""
    aired = lived.post(lived.announce(dt.date(2027, 4, 9), 0, 2), [RABO] * 6)
    lived.post(lived.announce(dt.date(2027, 4, 10), 0, 2), [RABO] * 6)
    at = timezone.now()
    Corrida.objects.filter(pk=aired.pk).update(on_air_at=at, ends_at=at)
    User.objects.create_user("vera", shielded_since=at - dt.timedelta(days=1))
    season = lived.season
    now = [line.name for line in ranking.standings(season)]
    seen = ranking.ranking_of(season, ranking.CATEGORIES, dt.date(2027, 4, 8)).lines
    assert now[0] != seen[0].name
    assert names(Client(), "/matadores/")[0] == now[0]
    assert names(browser_of("vera"), "/matadores/")[0] == seen[0].name


@pytest.mark.databases
def test_bulls_are_listed_by_trophy_with_empty_cells_last(lived: World, client: Client) -> None:
    """One bull has no trophy.

    Another lidia was broken off and has neither a trophy nor a crowd reaction.
    """
    Lidia.objects.exclude(corrida=Corrida.objects.earliest("date")).delete()
    first, *others = Lidia.objects.order_by("turn")
    trophies = [(None, None), (0, 3), (3, 6), (1, 5), (1, 6), (0, None)]
    for lidia, (trophy, crowd) in zip([first, *others], trophies, strict=True):
        Lidia.objects.filter(pk=lidia.pk).update(trophy=trophy, crowd=crowd)
    turns = [row["turn"] for row in rows(client, "/toros/")]
    assert turns == ["3", "5", "4", "2", "6", "1"]
    assert [row["turn"] for row in rows(client, "/toros/?sort=-verdict")] == [
        "2", "6", "4", "5", "3", "1",
    ]  # fmt: skip
    assert order_of(client.get("/toros/").text) == "Outcome"


def test_herds_are_listed_by_ears_and_ties_by_name(lived: World, client: Client) -> None:
    rebuild_book(lived.circuit, write_rows=True)
    for slug, name in (("z", "Zalduendo"), ("a", "Aldama"), ("n", "Ñíguez")):
        Ganaderia.objects.create(
            circuit=lived.circuit, slug=slug, name=name, country="ES", continent="EU"
        )
    assert names(client, "/ganaderias/") == ["Conde de Mayalde", "Aldama", "Ñíguez", "Zalduendo"]
    assert names(client, "/ganaderias/?q=maya") == ["Conde de Mayalde"]
    assert names(client, "/ganaderias/?q=lduendo") == []
    assert order_of(client.get("/ganaderias/").text) == "Ears"
    assert order_of(client.get("/plazas/").text) == "Category"
    assert order_of(client.get("/resultados/").text) == "Day"


def test_lists_mark_retired_and_injured_matadors_and_novilleros(
    lived: World, client: Client
) -> None:
    first, second, third, _fourth = lived.matadors
    Matador.objects.filter(pk=first.pk).update(state="retired", retired_in=2027)
    Matador.objects.filter(pk=second.pk).update(state="novillero")
    corrida = Corrida.objects.latest("date")
    Injury.objects.create(
        matador=third,
        corrida=corrida,
        turn=1,
        grade="grave",
        since=corrida.date,
        until=dt.date(2027, 3, 31),
    )
    page = client.get("/matadores/").text
    marks = re.findall(r'badge (retired|vuelta|herida)">([^<]*)<', page)
    assert marks == [
        ("vuelta", "novillero"),
        ("herida", "injured until 31 Mar"),
        ("retired", "retired"),
    ]
    assert names(client, "/matadores/?state=hurt") == [third.name]
    assert names(client, "/matadores/?state=retired") == [first.name]
    assert names(client, "/matadores/?state=novillero") == [second.name]


@pytest.mark.parametrize(
    ("asked", "said"),
    [
        ("?banana=1", "There is no filter called “banana”"),
        ("?cols=ears,banana", "There is no column called “banana”"),
        ("?sort=banana", "The table can’t be sorted by “banana”"),
        ("?country=XX", "“XX” is not an option of the filter “Country”"),
        (f"?q={'a' * 10_000}", "Search texts can have at most 60 characters"),
        (
            "?" + "&".join(f"x{n}=1" for n in range(9)),
            ("4 more options of this list were ignored."),
        ),
    ],
)
def test_an_unknown_option_of_a_list_is_ignored_and_reported(
    lived: World, client: Client, asked: str, said: str
) -> None:
    page = client.get(f"/plazas/{asked}")
    assert page.status_code == 200
    assert said in page.text
    file = client.get(f"/plazas/{asked}&format=csv")
    assert file.status_code == 400
    assert said in file.text


@pytest.mark.parametrize("key", ["since", "until"])
def test_an_invalid_date_in_a_list_filter_is_reported(
    lived: World, client: Client, key: str
) -> None:
    for text in ("banana", "2027-02-31"):
        page = client.get(f"/resultados/?{key}={text}").text
        assert f"“{text}” is not a valid date." in page
        assert page.count("<tr>") == 4


@pytest.mark.parametrize("address", LISTS)
@pytest.mark.parametrize("more", ["page=0", "page=99", "page=x", "q=%27%22%3C", "cols=&sort="])
def test_strange_query_parameters_do_not_break_a_list(
    lived: World, client: Client, address: str, more: str
) -> None:
    assert client.get(f"{address}?{more}").status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize("address", LISTS)
def test_every_column_of_a_list_can_be_sorted_in_both_directions_and_chosen(
    lived: World, client: Client, address: str
) -> None:
    listing = LISTS[address]
    whole = ",".join(listing.by_key)
    for column in listing.columns:
        if column.sortable:
            there = rows(client, f"{address}?cols={whole}&sort={column.key}")
            back = rows(client, f"{address}?cols={whole}&sort=-{column.key}")
            assert list(there[0])[: len(listing.columns)] == list(listing.by_key)
            assert len(there) == len(back) > 0
        page = client.get(f"{address}?cols={column.key}&sort={listing.sort}").text
        shown = page.partition("<thead>")[2].partition("</thead>")[0].count("<th")
        assert shown == (1 if column == listing.columns[0] else 2)


def test_every_list_marks_its_own_tab(lived: World, client: Client) -> None:
    tabs = (*LISTS, "/enfermeria/", "/matadores/comparar/")
    for address in tabs:
        page = client.get(address).text
        menu = page[page.index('<nav class="tabs rec-tabs') :].partition("</nav>")[0]
        assert re.findall(r'href="([^"]+)" aria-current="page"', menu) == [address]
        assert menu.count("href=") == len(tabs)


def test_the_sorted_column_has_aria_sort(lived: World, client: Client) -> None:
    page = client.get("/plazas/?sort=ears").text
    assert page.count("aria-sort") == 1
    assert re.search(r'aria-sort="descending"\s*>\s*<a href="\?sort=-ears"', page)


def test_plazas_show_the_ears_and_corridas_held_there(lived: World, client: Client) -> None:
    lived.announce(dt.date(2027, 5, 1))
    found = {row["city"]: row for row in rows(client, "/plazas/")}
    assert found["Ronda"]["ears"] == "6"
    assert found["Ronda"]["corridas"] == "2"
    assert found["Ronda"]["rate"] == "3.00"
    assert (found["Ronda"]["last"], found["Ronda"]["next"]) == ("2027-03-06", "2027-05-01")
    assert (found["Arles"]["ears"], found["Arles"]["next"]) == ("3", "")


def test_herds_show_the_totals_of_their_bulls(lived: World, client: Client) -> None:
    rebuild_book(lived.circuit, write_rows=True)
    Bull.objects.update(state="muerto")
    lived.bull(lived.announce(dt.date(2027, 5, 1)), 0, "Novato")
    Ganaderia.objects.create(
        circuit=lived.circuit, slug="x", name="Aldama", country="PT", continent="EU"
    )
    found = rows(client, "/ganaderias/?cols=bulls,ears,tails,rate")
    assert [tuple(row.values())[:5] for row in found] == [
        ("Conde de Mayalde", "18", "9", "3", "0.50"),
        ("Aldama", "0", "0", "0", ""),
    ]
    assert names(client, "/ganaderias/?country=PT") == ["Aldama"]


def test_the_list_of_bulls_shows_the_latest_season_unless_a_filter_is_set(
    lived: World, client: Client
) -> None:
    lived.season = lived.another_season(2028)
    later = lived.post(lived.announce(dt.date(2028, 4, 1)), [RABO] * 6)
    assert len(rows(client, "/toros/")) == 6
    assert len(rows(client, "/toros/?season=2027")) == 18
    assert len(rows(client, "/toros/?season=all&herd=mayalde")) == 24
    assert len(rows(client, "/toros/?season=all&matador=matador-3")) == 2
    assert len(rows(client, "/toros/?season=all&plaza=arles&trophy=1")) == 1
    page = client.get("/toros/?season=all").text
    assert "Choose a herd, a matador, a plaza or spared bulls" in page
    assert "6 bulls." in page
    bull = Lidia.objects.filter(corrida=later).earliest("turn").bull
    assert names(client, f"/toros/?q={bull.name[:6]}&sort=number")[0] == bull.name


def test_bulls_can_be_filtered_by_fate(lived: World, client: Client) -> None:
    lived.hurt_and_spare(Corrida.objects.earliest("date"))
    spared = Bull.objects.get(lidia__ending="spared")
    Bull.objects.filter(lidia__isnull=False).update(state="muerto")
    Bull.objects.filter(pk=spared.pk).update(state="semental")
    young = lived.bull(lived.announce(dt.date(2027, 5, 1)), 0, "Novato")
    assert names(client, "/toros/?season=all&fate=semental") == [spared.name]
    assert len(rows(client, "/toros/?fate=muerto")) == 17
    assert names(client, "/toros/?fate=campo") == [young.name]
    page = client.get("/toros/?fate=campo&matador=matador-0").text
    assert "Bulls that are still in the field have not fought yet" in page


def test_results_name_the_matadors_and_their_ears(lived: World, client: Client) -> None:
    page = client.get("/resultados/?sort=-date").text
    assert page.index("6 Mar 2027") < page.index("4 Mar 2027") < page.index("2 Mar 2027")
    assert re.search(r"Pedro Romero</a> <small>3 ears</small>", page)
    assert rows(client, "/resultados/")[0]["matadors"] == (
        "Pedro Romero, Francisco Montes, José Redondo"
    )


def test_posting_a_corrida_stores_its_totals(world: World) -> None:
    corrida = world.air_in_earnest(world.announce(dt.date(2027, 3, 20)), seconds=100_000)
    assert corrida.pk in post_due(at=timezone.now())
    corrida.refresh_from_db()
    lidias = Lidia.objects.filter(corrida=corrida)
    assert corrida.ears == sum(min(2, lidia.trophy or 0) for lidia in lidias)
    assert corrida.tails == sum(lidia.trophy == 3 for lidia in lidias)
    assert corrida.indultos == lidias.filter(ending="spared").count()
    assert corrida.hurt == Injury.objects.filter(corrida=corrida).count()


def test_names_that_look_like_formulas_are_escaped_in_the_file(
    lived: World, client: Client
) -> None:
    Matador.objects.filter(pk=lived.matadors[0].pk).update(name="=1+1")
    assert "'=1+1" in names(client, "/matadores/")


@pytest.mark.slow
def test_a_corrida_on_air_changes_no_list(lived: World, client: Client) -> None:
    """When the corrida is over, it changes all lists."""
    corrida = lived.announce(dt.date(2027, 3, 20))

    def shown() -> dict[str, bytes]:
        return {address: client.get(address, {"format": "csv"}).getvalue() for address in LISTS}

    before = shown()
    lived.air_in_earnest(corrida, seconds=30)
    assert shown() == before
    post_now(corrida.pk, at=timezone.now())
    after = shown()
    assert [address for address in LISTS if after[address] == before[address]] == []


# Spoilers


@pytest.fixture
def shielded() -> Client:
    user = User.objects.create_user("vera")
    User.objects.filter(pk=user.pk).update(shielded_since=timezone.now() - dt.timedelta(days=2))
    client = Client()
    client.force_login(user)
    return client


@pytest.mark.slow
def test_results_and_bulls_of_an_unwatched_corrida_are_left_out(
    lived: World, client: Client, shielded: Client
) -> None:
    aired = lived.air_in_earnest(lived.announce(dt.date(2027, 3, 20)), seconds=100_000)
    assert aired.pk in post_due(at=timezone.now())
    for address, whole, seen in (("/resultados/", 4, 3), ("/toros/", 24, 18)):
        assert len(rows(client, address)) == whole
        assert len(rows(shielded, address)) == seen
    assert rows(shielded, "/plazas/?cols=corridas")[0]["corridas"] == "2"
    assert rows(client, "/plazas/?cols=corridas")[0]["corridas"] == "3"
    herds = [rows(each, "/ganaderias/?cols=bulls")[0]["bulls"] for each in (client, shielded)]
    assert int(herds[0]) - int(herds[1]) == 6
    sums = [
        sum(int(row["corridas"]) for row in rows(each, "/matadores/?cols=corridas"))
        for each in (client, shielded)
    ]
    assert sums[0] - sums[1] == 3


def test_a_winter_after_an_unwatched_corrida_reveals_nothing(lived: World) -> None:
    first, second, *_others = lived.matadors
    Matador.objects.filter(pk=first.pk).update(state="retired", retired_in=2027)
    Matador.objects.filter(pk=second.pk).update(alternativa=dt.date(2028, 3, 1))
    novice = Matador.objects.create(circuit=lived.circuit, slug="novice", name="A Novice")
    MatadorCard.objects.create(matador=novice, rating=44, since=2028, **CARD)
    now = {row.slug: row for row in queries.matadors("leyendas")}
    seen = {row.slug: row for row in queries.matadors("leyendas", dt.date(2027, 3, 31))}
    assert now["matador-0"].state == "retired"
    assert now["matador-1"].state == "active"
    assert "novice" in now
    assert seen["matador-0"].state == "active"
    assert (seen["matador-1"].state, seen["matador-1"].alternativa) == ("novillero", None)
    assert "novice" not in seen
    assert seen["matador-0"].form == []
    # A card of the next year and an alternativa on the last day itself.
    MatadorCard.objects.create(matador=second, rating=99, printing=2, since=2028, **CARD)
    Matador.objects.filter(pk=second.pk).update(alternativa=dt.date(2027, 3, 31))
    lived.another_season(2028)
    now = {row.slug: row for row in queries.matadors("leyendas")}
    seen = {row.slug: row for row in queries.matadors("leyendas", dt.date(2027, 3, 31))}
    assert (now["matador-1"].rating, seen["matador-1"].rating) == (99, 89)
    assert (now["matador-1"].corridas, seen["matador-1"].corridas) == (6, 3)
    assert seen["matador-1"].state == "active"


def test_the_choice_of_columns_shows_which_ones_are_shown(lived: World, client: Client) -> None:
    """The other filters are unfolded if one of them is used, or other columns are chosen."""
    Plaza.objects.create(
        circuit=lived.circuit, slug="nueva", name="La Nueva", city="Ronda", country="ES",
        continent="EU", category=2,
    )  # fmt: skip
    asked = "cols=ears&cols=country"
    page = client.get(f"/plazas/?{asked}").text
    boxes = re.findall(r'name="cols" value="(\w+)"( checked)?', page)
    assert {name for name, checked in boxes if checked} == {"ears", "country"}
    assert len(boxes) > 4
    folded = {
        query: 'list-more"' in (text := client.get(f"/resultados/{query}").text)
        and 'list-more" open' not in text
        for query in ("", "?season=2027", "?plaza=nueva", "?cols=ears")
    }
    assert folded == {"": True, "?season=2027": True, "?plaza=nueva": False, "?cols=ears": False}
    options = re.findall(r'<option value="(?:ronda|nueva|arles)"[^>]*>([^<]+)<',
        client.get("/resultados/").text)  # fmt: skip
    assert options == ["Arles", "Ronda (La Nueva)", "Ronda (La Vieja)"]


# Queries and limits

DEAREST = (
    *("/matadores/?season=2027&sort=ears", "/ganaderias/?sort=rate", "/plazas/?sort=ears"),
    *("/toros/?q=f&sort=matador", "/resultados/?sort=herd&matador=matador-0&with=tails"),
    *("/matadores/comparar/?m=matador-0&m=matador-1", "/enfermeria/"),
)


def count(address: str) -> int:
    cache.clear()
    with CaptureQueriesContext(connection) as asked:
        assert Client().get(address).status_code == 200
    return len(asked)


@pytest.mark.parametrize("address", DEAREST)
def test_a_list_needs_at_most_twelve_queries_however_long_it_is(lived: World, address: str) -> None:
    before = count(address)
    assert before <= 12
    for n in range(3):
        lived.post(lived.announce(dt.date(2027, 4, 1 + n), n % 2))
        Plaza.objects.create(
            circuit=lived.circuit, slug=f"p{n}", name="N", city=f"C{n}", country="ES",
            continent="EU", category=3,
        )  # fmt: skip
        Matador.objects.create(circuit=lived.circuit, slug=f"n{n}", name=f"N{n}")
    assert count(address) == before


@pytest.mark.slow
def test_lists_of_an_empty_circuit_can_be_opened(client: Client) -> None:
    world = small_circuit()
    for address in (*LISTS, "/enfermeria/", "/matadores/comparar/"):
        assert client.get(address).status_code == 200
    Season.objects.all().delete()
    world.circuit.matadors.all().delete()
    for address in (*LISTS, "/enfermeria/", "/matadores/comparar/"):
        assert client.get(address).status_code == 200


@pytest.mark.parametrize(
    "address",
    [
        *(f"/{name}/?format=csv" for name in ("matadores", "ganaderias", "plazas", "toros")),
        *("/resultados/?format=csv", "/escalafon/?format=csv", "/escalafon/2027.csv"),
    ],
)
def test_downloads_of_visitors_are_limited_per_minute(
    lived: World, client: Client, settings: Settings, address: str
) -> None:
    settings.DOWNLOADS_A_MINUTE = 1
    assert client.get(address).status_code == 200
    refused = client.get(address)
    assert refused.status_code == 429
    assert "Wait a minute" in refused.text
    client.force_login(User.objects.create_user("ana"))
    assert client.get(address).status_code == 200
