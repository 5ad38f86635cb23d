"""The calendar of a season by month and by feria, and the coming corridas in a user's calendar."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from corridas import notifications
from corridas.models import Corrida, Feria, Season, Winter
from tests.factories import World, browser_of, small_circuit

YEAR = 2027
ADDRESS = f"/temporada/{YEAR}/"
CURRENT = r'aria-current="true"\s*>\s*(.*?)\s*</a>'


def listed(page: str) -> list[int]:
    """Return the keys of the listed corridas."""
    main = page[page.index('<main id="main">') :]
    return [int(pk) for pk in re.findall(r'<li>\s*<a href="/corridas/(\d+)/">', main)]


def text_of(html: str) -> str:
    return " ".join(re.sub(r"<[^>]+>", " ", html).split())


@pytest.mark.parametrize(
    ("query", "shown", "chips"),
    [
        ("", [0, 1, 2], ["By month", "Mar", "All plazas"]),
        ("?month=5", [4, 3], ["By month", "May", "All plazas"]),
        ("?month=05", [4, 3], ["By month", "May", "All plazas"]),
        # A month without corridas and an invalid one are replaced by that of the last corrida.
        ("?month=4", [0, 1, 2], ["By month", "Mar", "All plazas"]),
        ("?month=moon", [0, 1, 2], ["By month", "Mar", "All plazas"]),
        ("?category=1", [0, 2], ["By month", "Mar", "1st category"]),
        ("?category=2", [1], ["By month", "Mar", "2nd category"]),
        ("?category=3", [], ["By month", "Mar", "3rd category"]),
        ("?category=4", [0, 1, 2], ["By month", "Mar", "All plazas"]),
        ("?month=5&category=2", [4], ["By month", "May", "2nd category"]),
    ],
)
def test_the_calendar_lists_a_month_in_plazas_of_a_category(
    lived: World, client: Client, query: str, shown: list[int], chips: list[str]
) -> None:
    """Corridas are listed by date, although the later one in May was planned first."""
    later = lived.announce(dt.date(YEAR, 5, 2))
    lived.announce(dt.date(YEAR, 5, 1), plaza=1)
    keys = [corrida.pk for corrida in Corrida.objects.order_by("pk")]
    assert keys[3] == later.pk
    Corrida.objects.create(
        season=lived.another_season(YEAR + 1), plaza=lived.plazas[0], date=dt.date(YEAR + 1, 3, 1)
    )
    page = client.get(ADDRESS + query).text
    assert listed(page) == [keys[number] for number in shown]
    assert [text_of(chip) for chip in re.findall(CURRENT, page, re.DOTALL)] == chips
    assert ("There are no corridas at these plazas this month." in page) is (not shown)
    assert re.findall(r'href="[^"]*month=(\d+)[^"]*"', page)[:2] == ["3", "5"]


def test_the_calendar_begins_with_the_first_month_until_a_corrida_was_fought(
    world: World, client: Client
) -> None:
    """The feria, or the plaza without one, is named below the city."""
    world.join(2)
    first = world.announce(dt.date(YEAR, 4, 1))
    second = world.announce(dt.date(YEAR, 4, 1), plaza=1, first=3)
    world.announce(dt.date(YEAR, 5, 1))
    page = client.get(ADDRESS).text
    assert listed(page) == [first.pk, second.pk]
    assert page.count('class="day"') == 1
    assert [text_of(small) for small in re.findall(r'<small class="soft">.*?</small>', page,
        re.DOTALL)] == ["Feria de Pedro Romero", "La Vieja"]  # fmt: skip


def test_the_calendar_by_feria_counts_the_corridas_held(lived: World, client: Client) -> None:
    lived.announce(dt.date(YEAR, 3, 9))
    Feria.objects.create(
        season=lived.season, plaza=lived.plazas[1], slug="arles", name="Feria de Arles",
        starts=dt.date(YEAR, 2, 1), ends=dt.date(YEAR, 2, 1),
    )  # fmt: skip
    page = client.get(f"{ADDRESS}?by=feria").text
    body = page[page.index("<tbody>") : page.index("</tbody>")]
    assert [text_of(row) for row in re.findall(r"<tr>.*?</tr>", body, re.DOTALL)] == [
        "1 Feb Feria de Arles Arles 0 / 0", "1 Mar– 9 Mar Feria de Pedro Romero Ronda 2 / 3",
    ]  # fmt: skip
    assert [text_of(chip) for chip in re.findall(CURRENT, page, re.DOTALL)] == ["By feria"]
    assert listed(page) == []


def test_the_page_of_a_feria_lists_its_own_corridas_by_date(lived: World, client: Client) -> None:
    """Only the cartel of an announced corrida can be chosen, and only by the director."""
    lived.circuit.owner = User.objects.create_user("ana")
    lived.circuit.save()
    for number in (2, 1):
        lived.announce(dt.date(YEAR, 5, number))
    queued = lived.announce(dt.date(YEAR, 4, 1))
    Corrida.objects.filter(pk=queued.pk).update(state="queued")
    lived.announce(dt.date(YEAR, 5, 3), plaza=1)
    own = list(Corrida.objects.filter(plaza=lived.plazas[0]).order_by("date"))
    page = client.get(f"{ADDRESS}goyesca/").text
    assert listed(page) == [corrida.pk for corrida in own]
    assert "/direccion/cartel/" not in page
    planned = browser_of("ana").get(f"{ADDRESS}goyesca/").text
    chosen = dict.fromkeys(re.findall(r"/direccion/cartel/(\d+)/", planned))
    assert list(chosen) == [str(corrida.pk) for corrida in own if corrida.date.month == 5]
    Corrida.objects.filter(state="announced").update(state="queued")
    assert "/direccion/cartel/" not in browser_of("ana").get(f"{ADDRESS}goyesca/").text
    assert client.get(f"/temporada/{YEAR + 1}/goyesca/").status_code == 404


def test_only_the_director_can_begin_a_season_and_choose_its_carteles(world: World) -> None:
    owner = User.objects.create_user("ana")
    before = Season.objects.create(
        circuit=world.circuit, year=YEAR - 1, seed=b"s" * 32, commitment=b"c" * 32
    )
    Winter.objects.create(
        season=before, seed=b"s" * 32, commitment=b"c" * 32, done_at=timezone.now()
    )
    world.circuit.always_on_air, world.circuit.owner = True, owner
    world.circuit.save()
    corrida = world.announce(dt.date(YEAR, 3, 1))
    for browser, may in ((browser_of("ana"), True), (browser_of("eva"), False)):
        assert ("Begin the season now" in browser.get(ADDRESS).text) is may
        feria = browser.get(f"{ADDRESS}goyesca/").text
        assert (f"/direccion/cartel/{corrida.pk}/" in feria) is may


# The calendar feed of a user


def test_the_feed_of_a_user_contains_the_coming_corridas_of_his_circuits(world: World) -> None:
    """A broadcast lasts until its end, or two hours if that is not known yet.

    Corridas that are over and those of other or archived circuits are left out.
    """
    ana, now = User.objects.create_user("ana"), timezone.now()
    world.circuit.owner = ana
    world.circuit.save()
    barrio = small_circuit("barrio", "Barrio", owner=ana)
    others = [
        small_circuit("viejo", "Viejo", owner=ana, archived_at=now),
        small_circuit("ajeno", "Ajeno", owner=User.objects.create_user("eva")),
    ]
    for other in others:
        other.announce(dt.date(YEAR, 5, 1))
    days = [barrio.announce(dt.date(YEAR, 5, 2)), world.announce(dt.date(YEAR, 5, 1))]
    world.post(world.announce(dt.date(YEAR, 4, 1)))
    aired, queued, over = (world.announce(dt.date(YEAR, 5, day)) for day in (3, 4, 5))
    begun, ends = now - dt.timedelta(minutes=5), now + dt.timedelta(minutes=40)
    set_to = Corrida.objects.filter
    set_to(pk=aired.pk).update(state="on_air", on_air_at=begun)
    set_to(pk=queued.pk).update(state="queued", on_air_at=begun, ends_at=ends)
    set_to(pk=over.pk).update(state="failed")
    found = list(notifications.afternoons_of(ana, "https://example.org:8000", now))
    assert [str(event["uid"]) for event in found] == [
        f"corrida-{corrida.pk}@example.org" for corrida in (days[1], days[0], aired, queued)
    ]
    assert [event.decoded("dtstart") for event in found] == [
        dt.date(YEAR, 5, 1), dt.date(YEAR, 5, 2), begun, begun,
    ]  # fmt: skip
    assert [event.decoded("dtend", None) for event in found] == [
        None, None, begun + dt.timedelta(hours=2), ends,
    ]  # fmt: skip
    assert [str(event["summary"]) for event in found[:2]] == [
        "Circuito Leyendas: La Vieja", "Barrio: La Vieja",
    ]  # fmt: skip
    assert str(found[1]["url"]) == (
        f"https://example.org:8000/circuitos/barrio/corridas/{days[0].pk}/"
    )


def test_the_feed_of_a_user_is_cut_at_its_limit(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    ana = User.objects.create_user("ana")
    world.circuit.owner = ana
    world.circuit.save()
    for day in (3, 1, 2):
        world.announce(dt.date(YEAR, 5, day))
    monkeypatch.setattr(notifications, "OCCASIONS", 2)
    found = notifications.afternoons_of(ana, "https://example.org", timezone.now())
    assert [event.decoded("dtstart").day for event in found] == [1, 2]
