"""The comparison of matadors: who is compared, which value is marked as the best, and the links."""

from __future__ import annotations

import datetime as dt
import re
from collections.abc import Iterator
from html import unescape
from itertools import combinations
from urllib.parse import parse_qs

import pytest
from django.core.cache import cache
from django.test import Client
from django.utils import timezone

from accounts.models import User
from corridas.escalafon.queries import ranking
from corridas.lists import queries
from corridas.models import Corrida, Escalafon, Injury, Matador, Season
from corridas.pages.lists.views import COMPARED, MAX_COMPARED
from tests.factories import World, browser_of

pytestmark = pytest.mark.django_db


@pytest.fixture(autouse=True)
def _fresh() -> Iterator[None]:
    cache.clear()
    yield
    cache.clear()


def test_two_matadors_are_compared_with_the_better_value_marked(
    lived: World, client: Client
) -> None:
    page = client.get("/matadores/comparar/?m=matador-0&m=matador-1").text
    career = page.partition("Career</th>")[2]
    ears = career.partition("Ears</th>")[2].partition("</tr>")[0]
    assert re.findall(r'<td( class="ahead")?>\s*<b class="fig">(\d+)</b>', ears) == [
        (' class="ahead"', "6"),
        ("", "3"),
    ]
    assert "/mano-a-mano/matador-0/matador-1/" in page


def marked(page: str, part: str, label: str) -> list[tuple[str, bool]]:
    """Return the values of a line of the comparison and whether each is marked as the best."""
    below = re.split(rf"{part}\s*</th>", page)[1]
    line = below.partition(f">{label}</th>")[2].partition("</tr>")[0]
    cell = r'<td( class="ahead")?>\s*<b class="fig">([^<]*)</b>(.*?)</td>'
    cells = re.findall(cell, line, re.DOTALL)
    assert all(bool(css) == (">best<" in rest) for css, _value, rest in cells)
    return [(value, bool(css)) for css, value, _rest in cells]


def compared(client: Client, *numbers: int) -> str:
    cache.clear()
    asked = "&".join(f"m=matador-{number}" for number in numbers)
    return client.get(f"/matadores/comparar/?{asked}").text


def sums(world: World, number: int, **counts: int) -> None:
    """Replace the season totals of a matador."""
    Escalafon.objects.filter(matador=world.matadors[number]).delete()
    if counts:
        Escalafon.objects.create(
            season=world.season, matador=world.matadors[number], category=1, **counts
        )


def test_fewer_avisos_are_better_but_not_without_a_corrida(lived: World, client: Client) -> None:
    sums(lived, 0, corridas=3, bulls=6, avisos=4, ears=2)
    sums(lived, 1, corridas=1, bulls=2, avisos=1, ears=0)
    sums(lived, 2)
    page = compared(client, 0, 1, 2)
    for part in ("Career", "Season 2027"):
        # The third matador has no avisos only because he has no corridas, so he is not the best.
        assert marked(page, part, "Avisos") == [("4", False), ("1", True), ("0", False)]
        assert marked(page, part, "Ears") == [("2", True), ("0", False), ("0", False)]
        assert marked(page, part, "Ears per bull") == [
            ("0.33", True), ("0.00", False), ("–", False),
        ]  # fmt: skip
        assert marked(page, part, "Bulls") == [("6", False), ("2", False), ("0", False)]


def test_no_value_is_the_best_if_all_are_equal_or_only_one_exists(
    lived: World, client: Client
) -> None:
    sums(lived, 0, corridas=3, bulls=6, avisos=1, ears=2)
    sums(lived, 1, corridas=3, bulls=6, avisos=1, ears=2)
    sums(lived, 2)
    level = compared(client, 0, 1)
    assert marked(level, "Career", "Avisos") == [("1", False), ("1", False)]
    assert marked(level, "Career", "Ears") == [("2", False), ("2", False)]
    alone = compared(client, 0, 2)
    for label in ("Corridas", "Ears", "Avisos"):
        assert [best for _value, best in marked(alone, "Career", label)] == [False, False]
    # Two matadors who share the best value are both marked, and a rating needs no corrida.
    sums(lived, 2, corridas=2, bulls=4, avisos=2, ears=1)
    shared = compared(client, 0, 1, 2)
    assert marked(shared, "Career", "Avisos") == [("1", True), ("1", True), ("2", False)]
    sums(lived, 0)
    assert marked(compared(client, 0, 1), "Career", "Rating") == [("90", True), ("89", False)]


def test_the_comparison_starts_with_the_first_two_matadors_of_the_ranking(
    lived: World, client: Client
) -> None:
    def compared_men(address: str) -> list[str]:
        page = client.get(address).text
        return re.findall(r'class="list-man" href="/matadores/([\w-]+)/"', page)

    table = [line.slug for line in ranking.standings(lived.season)]
    assert table[:2] != ["matador-0", "matador-1"]
    assert compared_men("/matadores/comparar/") == table[:2]
    assert compared_men("/matadores/comparar/?m=") == table[:2]
    assert compared_men("/matadores/comparar/?m=matador-0") == ["matador-0"]
    Escalafon.objects.exclude(matador=lived.matadors[0]).delete()
    cache.clear()
    assert compared_men("/matadores/comparar/") == ["matador-0"]
    Escalafon.objects.all().delete()
    cache.clear()
    assert compared_men("/matadores/comparar/") == []


# For each line of the comparison: whether more is better, fewer is better, or neither (None).
BETTER = {
    "rating": True,
    "seasons": None,
    "corridas": True,
    "bulls": None,
    "ears": True,
    "tails": True,
    "rate": True,
    "vueltas": True,
    "indultos": True,
    "avisos": False,
}


def test_every_line_of_the_comparison_marks_the_best_value(lived: World, client: Client) -> None:
    """The first matador has more of everything, the second less, the third nothing."""
    names = ("corridas", "ears", "tails", "vueltas", "indultos", "avisos")
    sums(lived, 0, **dict.fromkeys(names, 9), bulls=10)
    sums(lived, 1, **dict.fromkeys(names, 2), bulls=8)
    Matador.objects.create(circuit=lived.circuit, slug="matador-9", name="Nobody Yet")
    Escalafon.objects.create(
        season=lived.another_season(2026), matador=lived.matadors[0], category=2, corridas=1
    )
    page = compared(client, 0, 1, 9)
    assert [measure.key for measure in COMPARED] == list(BETTER)
    for measure in COMPARED:
        found = marked(page, "Career", str(measure.label))
        more = BETTER[measure.key]
        assert [best for _value, best in found] == [more is True, more is False, False], measure
        figures = [float(value) for value, _best in found[:2]]
        assert figures[0] > figures[1] or measure.key == "seasons", measure
        assert found[2][0] in {"0", "–"}
        if measure.key not in {"rating", "seasons"}:
            season = marked(page, "Season 2027", str(measure.label))
            assert [best for _value, best in season] == [more is True, more is False, False]


@pytest.mark.parametrize(
    ("rows", "seasons"),
    [
        ([], 0),
        ([(2027, 1)], 1),
        ([(2027, 1), (2027, 2)], 1),
        ([(2027, 1), (2027, 2), (2027, 3)], 1),
        ([(2027, 1), (2026, 1)], 2),
        ([(2027, 1), (2027, 2), (2026, 2), (2026, 3)], 2),
    ],
)
def test_a_season_counts_once_in_plazas_of_several_categories(
    lived: World, client: Client, rows: list[tuple[int, int]], seasons: int
) -> None:
    sums(lived, 0)
    before = Season.objects.create(
        circuit=lived.circuit, year=2026, seed=b"s" * 32, commitment=b"c" * 32
    )
    for year, category in rows:
        Escalafon.objects.create(
            season=lived.season if year == 2027 else before,
            matador=lived.matadors[0],
            category=category,
            corridas=2,
        )
    page = compared(client, 0, 1)
    value, _best = marked(page, "Career", "Seasons")[0]
    assert int(value) == seasons
    assert marked(page, "Career", "Corridas")[0][0] == str(2 * len(rows))
    listed = {row.slug: row.seasons for row in queries.matadors("leyendas")}
    assert (listed["matador-0"], listed["matador-1"]) == (seasons, 1)


def options(page: str) -> list[str]:
    """Return the matadors who can be added, in the order of the form."""
    return re.findall(r'<option value="([\w-]+)"', page.partition('id="m"')[2])


@pytest.mark.parametrize("count", range(1, MAX_COMPARED + 1))
def test_adding_or_removing_a_matador_keeps_the_others(
    lived: World, client: Client, count: int
) -> None:
    """The choices are in Spanish order. Nobody can be added to a full comparison."""
    for slug, name in (("a", "Ñito"), ("b", "Nuño"), ("c", "Óscar"), ("d", "Zurdo")):
        Matador.objects.create(circuit=lived.circuit, slug=slug, name=name)
    asked = ["matador-2", "matador-0", "matador-3", "d"][:count]
    page = client.get("/matadores/comparar/", {"m": asked}).text
    links = re.findall(r'class="list-drop"\s+href="\?([^"]*)"', page)
    left = [parse_qs(unescape(link))["m"] for link in links]
    assert left == [[slug for slug in asked if slug != gone] for gone in asked if count > 1]
    for slugs in left[-1:]:
        again = client.get("/matadores/comparar/", {"m": slugs}).text
        assert re.findall(r'class="list-man" href="/matadores/([\w-]+)/"', again) == slugs
    kept = re.findall(r'<input type="hidden" name="m" value="([\w-]+)">', page)
    everybody = ["matador-1", "matador-2", "b", "a", "c", "matador-0", "matador-3", "d"]
    full = count == MAX_COMPARED
    assert ("Remove a matador to compare another one." in page) is full
    assert kept == ([] if full else asked)
    assert options(page) == ([] if full else [slug for slug in everybody if slug not in asked])
    pairs = re.findall(r'href="/mano-a-mano/([\w-]+)/([\w-]+)/"', page)
    assert pairs == list(combinations(asked, 2))


@pytest.mark.parametrize(("more", "said"), [(0, False), (1, True)])
def test_the_number_of_compared_matadors_is_limited(
    lived: World, client: Client, more: int, said: bool
) -> None:
    """A matador who is named twice or does not exist takes no place."""
    slugs = [man.slug for man in lived.matadors]
    for number in range(more):
        slugs.append(f"more-{number}")
        Matador.objects.create(circuit=lived.circuit, slug=slugs[-1], name="More")
    page = client.get("/matadores/comparar/", {"m": ["nobody", slugs[0], *slugs]}).text
    assert re.findall(r'class="list-man" href="/matadores/([\w-]+)/"', page) == slugs[:MAX_COMPARED]
    assert ("You can compare 4 matadors at most." in page) is said
    assert "There is no matador at the address “nobody”" in page


def test_marks_and_form_are_shown_only_to_users_without_unwatched_corridas(
    lived: World, client: Client
) -> None:
    """The last ten bulls cannot be computed as of a day, so they are left out behind spoiler
    protection.
    """
    first, second, third, _fourth = lived.matadors
    Matador.objects.filter(pk=first.pk).update(state="retired", retired_in=2027)
    Matador.objects.filter(pk=second.pk).update(state="novillero")
    held = lived.post(lived.announce(dt.date(2027, 3, 10)))
    at = timezone.now()
    Corrida.objects.filter(pk=held.pk).update(on_air_at=at, ends_at=at)
    until = dt.date(2027, 3, 31)
    Injury.objects.create(
        matador=third, corrida=held, turn=1, grade="grave", since=held.date, until=until
    )
    User.objects.create_user("vera", shielded_since=at - dt.timedelta(days=1))
    address = "/matadores/comparar/?m=matador-0&m=matador-1&m=matador-2"
    marks = re.compile(r'badge (retired|vuelta|herida)">\s*([^<]*?)\s*<')
    page = client.get(address).text
    assert marks.findall(page) == [
        ("retired", "retired"), ("vuelta", "novillero"), ("herida", "injured until 31 Mar"),
    ]  # fmt: skip
    assert "Last ten bulls" in page
    page = browser_of("vera").get(address).text
    assert marks.findall(page) == [("vuelta", "novillero")]
    assert "Last ten bulls" not in page
