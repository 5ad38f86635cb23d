"""The end of a season: every page links to its champion first and says when the winter begins."""

from __future__ import annotations

import datetime as dt
import operator
import re
from functools import partial
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from accounts.models import User
from corridas import circuit_queries
from corridas.models import Circuit, Corrida, Run, Season, Winter
from corridas.season.pauses import WaitsFor
from tests.factories import World, browser_of

YEAR = 2027
OVER = f"/temporada/{YEAR}/final/"
LINK = f'href="{OVER}"'
HTMX = {"HX-Request": "true"}
HOUR = dt.timedelta(hours=1)


@pytest.fixture
def ana(lived: World) -> User:
    """Return the director whose run has just ended the season of a circuit that is always on
    air.
    """
    ana = User.objects.create_superuser("ana")
    lived.circuit.always_on_air = True
    lived.circuit.save()
    now = timezone.now()
    Corrida.objects.update(posted_at=now)
    Winter.objects.get_or_create(
        season=lived.season, defaults={"seed": b"s" * 32, "commitment": b"c" * 32}
    )
    run = Run.objects.create(
        season=lived.season,
        asked_by=ana,
        until=dt.date(YEAR, 12, 31),
        state=Run.State.DONE,
        asked_at=now,
        ended_at=now,
        done=3,
        total=3,
        last=Corrida.objects.order_by("-date")[0],
    )
    Corrida.objects.update(run=run)
    return ana


def page_text(page: str) -> str:
    return re.sub(r"\s+", " ", re.sub(r"<[^>]+>", " ", page))


def first_button(page: str) -> str:
    """Return the URL of the first filled button of a page."""
    found = re.search(r'class="btn go"\s+href="([^"]+)"', page)
    assert found
    return found[1]


def champion(page: str) -> str:
    found = re.search(r"<h1>([^<]+)</h1>", page)
    assert found
    return found[1].strip()


def time_text(later: dt.timedelta) -> str:
    """Return the time this long after the end of the run, as pages write it."""
    ended_at = Run.objects.get().ended_at
    assert ended_at
    at = timezone.localtime(ended_at + later)
    return f"{at:%H:%M} on {at.day} {at:%B}"


def ended_by_the_clock() -> None:
    Run.objects.update(asked_by=None)


def test_the_home_page_names_the_champion_and_links_to_him_first(ana: User, client: Client) -> None:
    who = champion(browser_of("bea").get(OVER).text)
    for visitor in (client, browser_of("ana")):
        home = visitor.get("/").text
        assert f"{who} wins the {YEAR} season" in page_text(home)
        assert first_button(home) == OVER


def test_the_home_page_of_a_user_with_unwatched_corridas_names_no_champion(
    ana: User, lived: World
) -> None:
    who = champion(browser_of("bea").get(OVER).text)
    since = timezone.now() - dt.timedelta(days=2000)
    User.objects.create_user("vera", shielded_since=since)
    Corrida.objects.update(on_air_at=timezone.now() - HOUR, ends_at=timezone.now() - HOUR)
    home = browser_of("vera").get("/").text
    hero = home[home.index("rec-hero") : home.index("</main>")]
    assert who in page_text(Client().get("/").text)
    assert f"{who} wins" not in page_text(home)
    assert first_button(hero) == OVER


def test_the_play_control_links_to_the_champion_first(ana: User) -> None:
    run = Run.objects.get()
    control = browser_of("ana").get(f"/direccion/jugar/?seen={run.pk}", headers=HTMX).text
    panel, band = control.split('data-part="band"')
    assert f"The {YEAR} season is over" in page_text(panel)
    assert first_button(panel) == OVER
    assert first_button(band) == OVER
    assert band.index(OVER) < band.index(f"/resumen/{run.pk}/")


def test_the_desk_links_to_the_champion_first(ana: User) -> None:
    desk = browser_of("ana").get("/direccion/").text
    band, main = desk[desk.index("play-band") :].split("<main")
    assert first_button(band) == OVER
    assert LINK in main


def test_an_ended_run_links_to_the_champion_although_the_next_season_has_begun(
    ana: User, lived: World
) -> None:
    following = Season.objects.create(
        circuit=lived.circuit, year=YEAR + 1, seed=b"s" * 32, commitment=b"c" * 32
    )
    Corrida.objects.create(season=following, plaza=lived.plazas[0], date=dt.date(YEAR + 1, 3, 1))
    run = Run.objects.get()
    control = browser_of("ana").get(f"/direccion/jugar/?seen={run.pk}", headers=HTMX).text
    panel, band = control.split('data-part="band"')
    assert "Next corrida" in panel
    assert first_button(band) == OVER


def test_a_run_before_the_end_of_the_season_links_to_its_digest(ana: User, lived: World) -> None:
    lived.announce(dt.date(YEAR, 5, 1))
    run = Run.objects.get()
    control = browser_of("ana").get(f"/direccion/jugar/?seen={run.pk}", headers=HTMX).text
    assert LINK not in control
    assert f"/resumen/{run.pk}/" in control
    assert LINK not in browser_of("ana").get("/").text.split("</main>")[0]


@pytest.mark.slow
def test_the_digest_of_the_last_run_links_to_the_champion_first(ana: User, lived: World) -> None:
    run = Run.objects.get()
    page = Client().get(f"/temporada/{YEAR}/resumen/{run.pk}/").text
    main = page[page.index("<main") :]
    assert first_button(main) == OVER
    assert main.index(OVER) < main.index("<h1")
    lived.announce(dt.date(YEAR, 5, 1))
    assert LINK not in Client().get(f"/temporada/{YEAR}/resumen/{run.pk}/").text


# When the winter begins


def test_the_end_page_says_that_the_winter_waits_for_the_director(
    ana: User, client: Client
) -> None:
    page = page_text(client.get(OVER).text)
    until = time_text(24 * HOUR)
    assert (
        f"The winter waits until the director has seen the champion, at the latest until {until}."
        in page
    )
    assert "Go to the next season" not in page


@pytest.mark.slow
def test_the_winter_no_longer_waits_once_the_director_has_opened_the_end_page(
    ana: User, client: Client
) -> None:
    bea = browser_of("bea")
    User.objects.filter(username="bea").update(is_superuser=True)
    for visitor in (client, bea):
        visitor.get(OVER)
        assert Winter.objects.get().end_seen_at is None
    browser_of("ana").head(OVER)
    browser_of("ana").get(OVER, headers={"Sec-Purpose": "prefetch;prerender"})
    assert Winter.objects.get().end_seen_at is None
    page = page_text(browser_of("ana").get(OVER).text)
    seen = Winter.objects.get().end_seen_at
    assert seen is not None
    assert "Winter begins automatically in a moment." in page
    assert "Go to the next season" in page
    browser_of("ana").get(OVER)
    assert Winter.objects.get().end_seen_at == seen


def test_the_end_page_says_when_the_winter_begins_automatically(ana: User, client: Client) -> None:
    ended_by_the_clock()
    until = time_text(HOUR)
    for page in (client.get(OVER).text, client.get("/").text):
        assert f"Winter begins automatically at {until}." in page_text(page)
    es = client.get(OVER, headers={"accept-language": "es"}).text
    assert "El invierno empieza automáticamente el " in page_text(es)


def test_the_end_page_stops_waiting_when_the_time_has_passed(
    ana: User, client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """No row changes meanwhile, so the cached page must not be shown any longer."""
    ended_by_the_clock()
    ended_at = Run.objects.get().ended_at
    assert ended_at
    second = dt.timedelta(seconds=1)
    told = []
    for later in (second, HOUR - second, HOUR, 2 * HOUR):
        monkeypatch.setattr(timezone, "now", partial(operator.add, ended_at, later))
        page = page_text(client.get(OVER).text)
        told.append("Winter begins automatically in a moment." in page)
        assert (f"Winter begins automatically at {time_text(HOUR)}." in page) is not told[-1]
    assert told == [False, False, True, True]


WAITS: dict[WaitsFor, tuple[dict[str, Any], str]] = {
    WaitsFor.START: ({"always_on_air": False}, "The winter begins when the director starts it."),
    WaitsFor.RESTS: ({"frozen_at": timezone.now()}, "Nothing goes on while the circuit rests."),
    WaitsFor.FULL: ({}, "The circuit has as many seasons as it may have, so this is the last."),
    WaitsFor.EVENING: (
        {"always_on_air": False, "evening": dt.time(21, 5), "zone": "Europe/Madrid"},
        "Winter begins automatically with the next daily corrida, at 21:05 (Europe/Madrid).",
    ),
    WaitsFor.DIRECTOR: ({}, "The winter waits until the director has seen the champion"),
    WaitsFor.CLOCK: ({}, "Winter begins automatically at "),
    WaitsFor.NOW: ({}, "Winter begins automatically in a moment."),
}


@pytest.mark.parametrize("waits_for", WaitsFor)
def test_every_page_says_what_the_winter_waits_for(
    ana: User,
    lived: World,
    client: Client,
    monkeypatch: pytest.MonkeyPatch,
    waits_for: WaitsFor,
) -> None:
    assert WAITS[WaitsFor.DIRECTOR][1] in page_text(
        client.get(OVER).text
    )  # this page is now cached
    fields, sentence = WAITS[waits_for]
    Circuit.objects.update(**fields)
    if waits_for in {WaitsFor.EVENING, WaitsFor.NOW}:
        Winter.objects.update(end_seen_at=timezone.now())
    elif waits_for == WaitsFor.CLOCK:
        ended_by_the_clock()
    elif waits_for == WaitsFor.FULL:
        monkeypatch.setattr(circuit_queries, "seasons_left", lambda _circuit: 0)
    assert sentence in page_text(client.get(OVER).text)
    if waits_for == WaitsFor.DIRECTOR:
        assert sentence in page_text(client.get("/").text)
        for address in ("/direccion/", "/direccion/jugar/"):
            assert sentence in page_text(browser_of("ana").get(address).text), address


def test_a_form_sent_after_the_winter_redirects_and_plays_no_second_winter(
    ana: User, lived: World
) -> None:
    """The page was open while the winter began automatically, or another director was faster."""
    Winter.objects.update(done_at=timezone.now())
    following = Season.objects.create(
        circuit=lived.circuit, year=YEAR + 1, seed=b"s" * 32, commitment=b"c" * 32
    )
    Corrida.objects.create(season=following, plaza=lived.plazas[0], date=dt.date(YEAR + 1, 3, 1))
    director = browser_of("ana")
    for then, where in (
        ("season", f"/temporada/{YEAR + 1}/"),
        ("winter", f"/temporada/{YEAR}/invierno/"),
    ):
        answer = director.post("/direccion/invierno/", {"year": YEAR, "then": then})
        assert (answer.status_code, where in answer["Location"]) == (302, True)
    assert lived.circuit.seasons.count() == 2
    for nonsense in ("", "x", "99999999999", "-1"):
        answer = director.post("/direccion/invierno/", {"year": nonsense})
        assert answer["Location"] == "/direccion/"
