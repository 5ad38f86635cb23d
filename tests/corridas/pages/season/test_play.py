"""The play control: its choices, what it says while a season is played, and where it stands."""

from __future__ import annotations

import datetime as dt
import re

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from corridas.models import Corrida, Run, Season
from tests.factories import World

HTMX = {"HX-Request": "true"}
PLAY = "/direccion/jugar/"
ON = "/direccion/adelante/"


@pytest.fixture
def director(world: World, client: Client) -> Client:
    """The browser of the site's administrator, who directs the shipped circuit."""
    client.force_login(User.objects.create_superuser("empresario"))
    return client


def parts(client: Client, address: str = PLAY) -> str:
    return client.get(address, headers=HTMX).text


def counts(page: str) -> dict[str, int]:
    """Corridas that each choice would play, by its value."""
    ways = re.findall(
        r'name="far" value="(\w+)">.*?class="n"[^>]*>\s*(\d+)<small>', page, re.DOTALL
    )
    return {far: int(count) for far, count in ways}


def a_run(world: World, **fields: object) -> Run:
    given = {
        "season": world.season,
        "until": dt.date(2027, 5, 20),
        "asked_at": dt.datetime(2020, 1, 1, tzinfo=dt.UTC),
        "total": 9,
        "done": 2,
        "state": Run.State.STOPPED,
        "reason": "injury",
        "stop_on": "injury,leader",
    }
    return Run.objects.create(**given | fields)


def test_each_choice_says_how_many_corridas_it_plays(world: World, director: Client) -> None:
    for day, plaza in ((1, 1), (5, 0), (7, 0), (8, 1), (30, 1)):
        world.announce(dt.date(2027, 5, day), plaza=plaza)
    page = parts(director)
    assert counts(page) == {"next": 1, "feria": 2, "week": 3, "until": 5, "end": 5}
    assert "Play the next feria" in page
    assert "Continue</b>" not in page


def test_every_stop_condition_is_offered(world: World, director: Client) -> None:
    world.announce(dt.date(2027, 5, 1))
    page = parts(director)
    for value in ("injury", "indulto", "leader"):
        assert f'name="stop_on" value="{value}"' in page


@pytest.mark.parametrize(
    ("far", "total", "until"),
    [
        ("next", 1, dt.date(2027, 12, 31)),
        ("feria", 2, dt.date(2027, 12, 31)),
        ("week", 3, dt.date(2027, 5, 7)),
        ("end", 4, dt.date(2027, 12, 31)),
    ],
)
def test_a_choice_plays_what_it_says(
    world: World, director: Client, valkey: str, far: str, total: int, until: dt.date
) -> None:
    for day, plaza in ((1, 1), (5, 0), (7, 0), (8, 1)):
        world.announce(dt.date(2027, 5, day), plaza=plaza)
    answer = director.post(ON, {"far": far, "stop_on": ["indulto"]}, headers=HTMX)
    assert answer.status_code == 200
    assert f"0 / {total}" in answer.text
    run = Run.objects.get()
    assert (run.total, run.until, run.stop_on) == (total, until, "indulto")
    assert (run.feria is not None) == (far == "feria")


def test_continuing_keeps_the_date_and_the_conditions(
    world: World, director: Client, valkey: str
) -> None:
    for day in (3, 4, 25):
        world.announce(dt.date(2027, 5, day))
    a_run(world, most=None)
    page = parts(director)
    assert counts(page)["again"] == 2
    assert re.search(r'value="injury" checked', page)
    assert not re.search(r'value="indulto" checked', page)
    assert 'value="2027-05-20"' in page
    director.post(ON, {"far": "again", "stop_on": ["injury", "leader"]}, headers=HTMX)
    run = Run.objects.first()
    assert run is not None
    assert (run.total, run.until, run.stop_on) == (2, dt.date(2027, 5, 20), "injury,leader")


def test_a_run_of_so_many_corridas_goes_on_with_the_rest(
    world: World, director: Client, valkey: str
) -> None:
    for day in (3, 4, 5):
        world.announce(dt.date(2027, 5, day))
    a_run(world, most=4)
    assert counts(parts(director))["again"] == 2
    director.post(ON, {"far": "again"}, headers=HTMX)
    assert Run.objects.filter(most=2, total=2).exists()


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(("date", "said"), [("banana", True), ("2027-99-01", True), ("", False)])
def test_what_is_no_date_is_said(
    world: World, director: Client, headers: dict[str, str], date: str, said: bool
) -> None:
    world.announce(dt.date(2027, 5, 1))
    answer = director.get(PLAY, {"until": date}, headers=headers)
    assert answer.status_code == 200
    assert ("This is not a date." in answer.text) == said
    refused = director.post(ON, {"far": "until", "until": date}, headers=headers)
    assert refused.status_code == 422
    assert ("This is not a date." if said else "Choose the date.") in refused.text


def test_another_date_is_counted(world: World, director: Client) -> None:
    for day in (1, 5, 9):
        world.announce(dt.date(2027, 5, day))
    count = re.search(
        r'id="play-until-count">\s*(\d+)', parts(director, f"{PLAY}?until=2027-05-06")
    )
    assert count is not None
    assert count[1] == "2"


def test_a_run_is_shown_as_it_is_stored_and_can_be_stopped(world: World, director: Client) -> None:
    world.announce(dt.date(2027, 5, 3))
    run = a_run(world, state=Run.State.RUNNING, reason="")
    page = parts(director)
    assert "2 / 9" in page
    assert "Until 20 May" in page
    assert "Now playing: Ronda, 3 May." in page
    assert "Stop</button>" in re.sub(r"\s+", " ", page).replace(" </button>", "</button>")
    stopped = director.post("/direccion/alto/", headers=HTMX)
    assert "Stopping…" in stopped.text
    run.refresh_from_db()
    assert run.stop_requested


def test_the_end_of_a_run_is_told_to_who_saw_it_play(world: World, director: Client) -> None:
    world.announce(dt.date(2027, 5, 3))
    run = a_run(world)
    assert "d-run" not in parts(director)
    page = parts(director, f"{PLAY}?seen={run.pk}")
    assert "Stopped: a matador was injured" in page
    assert "far" in page
    assert "d-run" not in parts(director, f"{PLAY}?seen=banana")


def test_the_end_is_told_where_the_next_season_has_begun_by_itself(
    world: World, director: Client
) -> None:
    run = a_run(world)
    world.another_season(2028)
    page = parts(director, f"{PLAY}?seen={run.pk}")
    assert f"/temporada/2027/resumen/{run.pk}/" in page
    assert "/escalafon/2027/" in page
    assert "d-run" not in parts(director)
    assert "d-run" not in parts(director, f"{PLAY}?seen={run.pk + 1}")


def test_it_asks_before_it_posts_what_is_on_air(
    world: World, director: Client, valkey: str
) -> None:
    corrida = world.air_in_earnest(world.announce(dt.date(2027, 5, 1)), seconds=30)
    world.announce(dt.date(2027, 5, 8))
    assert "You will be asked to confirm first." in parts(director)
    asked = director.post(ON, {"far": "next"}, headers=HTMX)
    assert asked.status_code == 200
    assert "Post results and continue" in asked.text
    assert f'name="post" value="{corrida.pk}"' in asked.text
    assert not Run.objects.exists()
    director.post(ON, {"far": "next", "post": [corrida.pk]}, headers=HTMX)
    assert Run.objects.count() == 1
    corrida.refresh_from_db()
    assert corrida.is_over


def test_it_costs_at_most_ten_queries(world: World, director: Client) -> None:
    parts(director)  # from now on the session knows
    found = []
    for day in (1, 2, 3):
        world.announce(dt.date(2027, 5, day))
        with CaptureQueriesContext(connection) as queries:
            parts(director)
        found.append(len(queries))
    assert found[0] == found[2] <= 10


def test_the_page_works_without_a_script(world: World, director: Client, valkey: str) -> None:
    world.announce(dt.date(2027, 5, 1))
    page = director.get(PLAY)
    assert page.status_code == 200
    assert "<h1" in page.text
    assert counts(page.text)["next"] == 1
    answer = director.post(ON, {"far": "next"})
    assert (answer.status_code, answer["Location"]) == (302, "/direccion/")


def test_a_season_without_corridas_says_so(world: World, director: Client) -> None:
    assert "No corridas left to play" in parts(director)
    Season.objects.all().delete()
    assert director.get(PLAY)["Location"] == "/direccion/"
    assert director.get(PLAY, headers=HTMX).status_code == 204


# Where it stands --------------------------------------------------------------------------


@pytest.mark.parametrize("page", ["/", "/escalafon/", "/temporada/", "/matadores/"])
def test_pages_hold_only_its_place_and_only_for_its_director(
    world: World, director: Client, page: str
) -> None:
    world.announce(dt.date(2027, 5, 1))
    for _again in range(2):  # as it is drawn, and as it is kept
        own = director.get(page).text
        assert f'data-load="{PLAY}"' in own
        assert "stop_on" not in own
        assert "play.js" not in Client().get(page).text
    fan = Client()
    fan.force_login(User.objects.create_user("fan"))
    assert "play.js" not in fan.get(page).text


def test_the_director_of_a_circuit_finds_it_on_its_pages_and_a_link_elsewhere(
    world: World, client: Client
) -> None:
    owner = User.objects.create_user("ana")
    world.circuit.slug, world.circuit.owner, world.circuit.public = "barrio", owner, True
    world.circuit.save()
    client.force_login(owner)
    home = "/circuitos/barrio/"
    assert f'data-load="{home}direccion/jugar/"' in client.get(home).text
    assert "d-go" not in client.get("/leagues/").text
    parts(client, f"{home}direccion/jugar/")
    cache.clear()
    elsewhere = client.get("/leagues/").text
    assert f'class="d-go" href="{home}direccion/"' in elsewhere
    assert "data-load" not in elsewhere
    stranger = Client()
    stranger.force_login(User.objects.create_user("eva"))
    assert "d-go" not in stranger.get(home).text
    assert stranger.get(f"{home}direccion/jugar/").status_code == 403
    Corrida.objects.all().delete()
    world.circuit.public = False
    world.circuit.save()
    assert stranger.get(f"{home}direccion/jugar/").status_code == 404
    world.circuit.frozen_at = dt.datetime(2027, 1, 1, tzinfo=dt.UTC)
    world.circuit.save()
    assert "data-load" not in client.get(home).text


def test_an_ended_run_holds_the_note_that_figures_have_changed(
    world: World, director: Client
) -> None:
    """The script shows it on pages that are older than the run; a run without corridas has none."""
    note = "data-changed"
    last = world.post(world.announce(dt.date(2027, 3, 2)))
    world.announce(dt.date(2027, 5, 1))
    run = a_run(world, last=last)
    ended = parts(director, f"{PLAY}?seen={run.pk}")
    assert note in ended
    assert "The figures on this page have changed." in ended
    Run.objects.update(last=None, done=0)
    assert note not in parts(director, f"{PLAY}?seen={run.pk}")
    Run.objects.update(last=last, state="running", ended_at=None)
    active = parts(director)
    assert "data-active" in active
    assert note not in active


def test_stop_conditions_stand_above_the_choices_as_chosen(world: World, director: Client) -> None:
    world.announce(dt.date(2027, 5, 1))
    a_run(world, stop_on="injury,leader")
    page = parts(director)
    assert page.index("Stop early when") < page.index('class="d-ways"')
    assert page.index('class="d-ways"') < page.index('value="end"')
    boxes = dict(re.findall(r'name="stop_on" value="(\w+)"( checked)?', page))
    chosen = {name for name, checked in boxes.items() if checked}
    assert chosen == {"injury", "leader"}
    assert set(boxes) >= {"injury", "leader", "indulto", "record"}
    Run.objects.update(state="running", ended_at=None)
    active = parts(director)
    menu = active[active.index('class="d-menu"') : active.index('data-part="band"')]
    assert "Stops early when:" in menu
    assert menu.count("a matador is injured") == menu.count("the lead changes") == 1
    assert "a bull is spared" not in menu
    Run.objects.update(stop_on="")
    assert "Stops early when:" not in parts(director)
