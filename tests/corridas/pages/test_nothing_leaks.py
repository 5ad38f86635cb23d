"""Pages show a corrida on air only as far as its broadcast has reached."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

from corridas.broadcast import source
from tests.factories import World

# Seconds from one bull to the next at one card a second: thirty cards and the arrastre.
LIDIA = 42

ELSEWHERE = (
    "/escalafon/2027/",
    "/escalafon/2027/?until=2027-12-31",
    "/escalafon/2027.csv",
    "/escalafon/2027.csv?until=2027-12-31",
    "/matadores/",
    "/matadores/matador-0/",
    "/plazas/",
    "/ganaderias/",
    "/ganaderias/mayalde/",
    "/temporada/2027/?by=feria",
)


def bare(answer: Any) -> str:
    """Return a page without its CSRF tokens, which differ at each visit."""
    text: str = answer.getvalue().decode()
    return re.sub(r'name="csrfmiddlewaretoken" value="[^"]+"', "", text)


@pytest.mark.slow
@pytest.mark.parametrize("address", ELSEWHERE)
def test_rankings_and_lists_do_not_depend_on_a_corrida_on_air(
    lived: World, client: Client, address: str
) -> None:
    corrida = lived.announce(dt.date(2027, 3, 8))
    before = bare(client.get(address))
    lived.air(corrida, seconds=2 * LIDIA + 20)
    cache.clear()
    assert bare(client.get(address)) == before


@pytest.mark.parametrize("address", ["/", "/temporada/2027/?month=3", "/plazas/ronda/"])
def test_a_corrida_on_air_shows_results_of_finished_bulls_only(
    world: World, client: Client, address: str
) -> None:
    """The fourth bull earns a tail, but the broadcast has reached the third,

    so no page may show the tail yet.
    """
    corrida = world.announce(dt.date(2027, 3, 8))
    world.air(corrida, seconds=8 + 2 * LIDIA + 5)
    shown = client.get(address).text
    assert "Ovación" not in shown
    assert "badge tail" not in shown
    assert "badge ear" in shown
    assert "Silencio" in shown


@pytest.mark.parametrize("address", ["/", "/temporada/2027/?month=3", "/plazas/ronda/"])
def test_a_corrida_on_air_shows_no_result_before_its_first_bull_is_over(
    world: World, client: Client, address: str
) -> None:
    world.air(world.announce(dt.date(2027, 3, 8)), seconds=12)
    shown = client.get(address).text
    assert "badge ear" not in shown
    assert "Silencio" not in shown


def test_the_page_of_a_bull_in_the_ring_does_not_reveal_its_fate(
    world: World, client: Client
) -> None:
    corrida = world.air(world.announce(dt.date(2027, 3, 8)), seconds=400)
    bull = corrida.lidias.get(turn=1).bull
    bull.state = "muerto"
    bull.save()
    page = client.get(f"/toros/{bull.pk}/").text
    assert (
        "There is nothing to tell about this bull yet: he is still in the field, or his "
        "corrida is not over."
    ) in page
    assert "badge" not in page


def test_the_home_page_names_the_bull_that_is_in_the_ring(world: World, client: Client) -> None:
    corrida = world.air_in_earnest(world.announce(dt.date(2027, 3, 8)), seconds=12)
    page = client.get("/").text
    first, second = (corrida.lidias.get(turn=turn) for turn in (1, 2))
    assert f"<b>{first.bull.name}</b>" in page
    assert second.bull.name not in page
    assert f'href="/corridas/{corrida.pk}/"' in page
    assert page.count('stroke="var(--t1)"') == corrida_marks(page)


def corrida_marks(page: str) -> int:
    """Return the number of hash marks shown, after checking that it is between one and four.

    The broadcast is at twelve seconds. The paseíllo (opening parade) takes eight of them, so five
    moments of the first bull have been reached: its entrance and four cards. A card either makes a
    mark or belongs to an earlier card.
    """
    made = len(re.findall(r'stroke="var\(--t1\)"', page))
    assert 1 <= made <= 4
    assert 'stroke="var(--t3)"' not in page
    return made


def test_the_home_page_is_shown_although_a_corrida_on_air_cannot_be_replayed(
    world: World,
    client: Client,
    caplog: pytest.LogCaptureFixture,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    # A process logs each unreadable corrida only once.
    monkeypatch.setattr(source, "_unread", set())
    world.air(world.announce(dt.date(2027, 3, 8)), seconds=60)
    page = client.get("/")
    assert page.status_code == 200
    assert "Live" in page.text
    assert "does not replay" in caplog.text


def test_the_home_page_shows_the_next_cartel_with_its_matadors(
    lived: World, client: Client
) -> None:
    corrida = lived.announce(dt.date(2027, 4, 1), first=1)
    page = client.get("/").text
    poster = page[page.index('class="poster') :]
    assert f'href="/corridas/{corrida.pk}/"' in page
    for puesto in corrida.cartel.puestos.all():
        assert puesto.matador.name in poster
