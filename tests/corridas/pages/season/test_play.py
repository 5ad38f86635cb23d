"""The play control: its choices, the progress of a run, and the pages that contain it."""

from __future__ import annotations

import datetime as dt
import re
from typing import Any

import pytest
from django.core.cache import cache
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from accounts.models import User
from corridas import calendar
from corridas.models import Corrida, Run, Season
from corridas.world.stops import StopOn, write
from tests.factories import World, small_circuit

HTMX = {"HX-Request": "true"}
PLAY = "/direccion/jugar/"
ON = "/direccion/adelante/"


@pytest.fixture
def director(world: World, client: Client) -> Client:
    """Return a test client of the site's administrator, who directs the site's circuit."""
    client.force_login(User.objects.create_superuser("empresario"))
    return client


def parts(client: Client, address: str = PLAY) -> str:
    return client.get(address, headers=HTMX).text


def counts(page: str) -> dict[str, int]:
    """Return the number of corridas that each choice would play, by its value."""
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


def test_the_play_control_says_how_many_corridas_each_choice_plays(
    world: World, director: Client
) -> None:
    for day, plaza in ((1, 1), (5, 0), (7, 0), (8, 1), (30, 1)):
        world.announce(dt.date(2027, 5, day), plaza=plaza)
    page = parts(director)
    assert counts(page) == {"next": 1, "feria": 2, "week": 3, "until": 5, "end": 5}
    assert "Play the next feria" in page
    assert "Continue</b>" not in page
    said = " ".join(re.sub(r"<[^>]+>", " ", page).split())
    assert "Play this feria" not in said
    assert "Feria de Pedro Romero, until 7 May" in said
    assert "Arles, 1 May" in said
    assert "Until 7 May" in said
    assert "Until the last corrida: Arles, 30 May" in said
    assert 'class="d-play"' in page
    assert 'class="d-play" open' not in page
    assert 'class="d-play" open' in parts(director, f"{PLAY}?play=open")
    assert 'class="d-play" open' not in parts(director, f"{PLAY}?until=2027-05-05")
    Corrida.objects.filter(date=dt.date(2027, 5, 1)).delete()
    assert "Play this feria" in parts(director)


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
def test_a_choice_of_the_play_control_plays_as_many_corridas_as_it_says(
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


def test_continuing_a_run_keeps_its_date_and_stop_conditions(
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


def test_continuing_a_run_of_a_number_of_corridas_plays_the_rest(
    world: World, director: Client, valkey: str
) -> None:
    for day in (3, 4, 5):
        world.announce(dt.date(2027, 5, day))
    a_run(world, most=4)
    assert counts(parts(director))["again"] == 2
    director.post(ON, {"far": "again"}, headers=HTMX)
    assert Run.objects.filter(most=2, total=2).exists()


@pytest.mark.parametrize(
    ("limits", "total"), [({}, 2), ({"most": 3}, 1), ({"until": dt.date(2027, 5, 4)}, 1)]
)
def test_continuing_a_run_of_a_feria_plays_the_rest_of_the_feria(
    world: World, director: Client, valkey: str, limits: dict[str, Any], total: int
) -> None:
    """Corridas between and after those of the feria are not played.

    A number of corridas and a date limit the new run as well.
    """
    for day, plaza in ((3, 1), (4, 0), (20, 0), (21, 1)):
        world.announce(dt.date(2027, 5, day), plaza=plaza)
    a_run(world, **{"feria": world.feria, "until": dt.date(2027, 12, 31), **limits})
    director.post(ON, {"far": "again"}, headers=HTMX)
    run = Run.objects.first()
    assert run is not None
    assert (run.active, run.feria, run.total) == (True, world.feria, total)


@pytest.mark.parametrize("headers", [{}, HTMX])
@pytest.mark.parametrize(("date", "said"), [("banana", True), ("2027-99-01", True), ("", False)])
def test_an_invalid_date_gets_an_error_message(
    world: World, director: Client, headers: dict[str, str], date: str, said: bool
) -> None:
    world.announce(dt.date(2027, 5, 1))
    answer = director.get(PLAY, {"until": date}, headers=headers)
    assert answer.status_code == 200
    assert ("This is not a date." in answer.text) == said
    refused = director.post(ON, {"far": "until", "until": date}, headers=headers)
    assert refused.status_code == 422
    assert ("This is not a date." if said else "Choose the date.") in refused.text


def test_an_active_run_is_shown_and_can_be_stopped(world: World, director: Client) -> None:
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


@pytest.mark.parametrize(
    ("until", "total", "goal"),
    [
        ((12, 31), 9, "To the end of the season"),
        ((12, 30), 9, "Until 30 December"),
        ((12, 10), 9, "Until 10 December"),
        ((10, 31), 9, "Until 31 October"),
        ((12, 31), 2, "To the end of the season"),
        ((12, 31), 1, "One corrida"),
        ((10, 31), 1, "One corrida"),
    ],
)
def test_the_goal_of_an_active_run_is_shown_in_panel_and_band(
    world: World, director: Client, until: tuple[int, int], total: int, goal: str
) -> None:
    world.announce(dt.date(2027, 5, 3), plaza=1)
    a_run(world, state="running", reason="", until=dt.date(2027, *until), total=total, done=0)
    said = " ".join(re.sub(r"<[^>]+>", " ", parts(director)).split())
    goals = r"To the end of the season|Until \d+ \w+|One corrida|Feria de Pedro Romero"
    assert re.findall(goals, said) == [goal, goal]
    Run.objects.update(feria=world.feria)
    said = " ".join(re.sub(r"<[^>]+>", " ", parts(director)).split())
    assert re.findall(goals, said) == [world.feria.name] * 2


def test_the_end_of_a_run_is_shown_to_the_browser_that_saw_it_play(
    world: World, director: Client
) -> None:
    world.announce(dt.date(2027, 5, 3))
    run = a_run(world)
    assert "d-run" not in parts(director)
    page = parts(director, f"{PLAY}?seen={run.pk}")
    assert "Stopped: a matador was injured" in page
    assert "far" in page
    assert "d-run" not in parts(director, f"{PLAY}?seen=banana")


def test_the_end_of_a_run_is_shown_although_the_next_season_has_begun(
    world: World, director: Client
) -> None:
    run = a_run(world)
    world.another_season(2028)
    page = parts(director, f"{PLAY}?seen={run.pk}")
    assert f"/temporada/2027/resumen/{run.pk}/" in page
    assert "/escalafon/2027/" in page
    assert "d-run" not in parts(director)
    assert "d-run" not in parts(director, f"{PLAY}?seen={run.pk + 1}")


def test_the_play_control_asks_before_it_posts_the_corrida_on_air(
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


@pytest.mark.parametrize("earlier", [0, 1])
def test_a_form_from_before_the_latest_run_plays_nothing_more(
    world: World, director: Client, valkey: str, earlier: int
) -> None:
    """The form is that of a second tab. The run in between may be the first one of the season."""
    for day in (3, 4):
        world.announce(dt.date(2027, 5, day))
    for _number in range(earlier):
        a_run(world)
    found = re.search(r'name="latest" value="(\d+)"', parts(director))
    assert found
    sent = {"far": "next", "latest": found[1]}
    a_run(world, state=Run.State.DONE)
    refused = director.post(ON, sent, headers=HTMX)
    assert "so no more were played this time." in refused.text
    assert Run.objects.count() == earlier + 1
    sent["latest"] = str(Run.objects.latest("pk").pk)
    assert "so no more were played" not in director.post(ON, sent, headers=HTMX).text
    assert Run.objects.count() == earlier + 2


def test_the_play_control_needs_at_most_ten_queries(world: World, director: Client) -> None:
    parts(director)  # from now on the session knows the directed circuits
    found = []
    for day in (1, 2, 3):
        world.announce(dt.date(2027, 5, day))
        with CaptureQueriesContext(connection) as queries:
            parts(director)
        found.append(len(queries))
    assert found[0] == found[2] <= 10


def test_the_play_control_works_without_javascript(
    world: World, director: Client, valkey: str
) -> None:
    world.announce(dt.date(2027, 5, 1))
    page = director.get(PLAY)
    assert page.status_code == 200
    assert "<h1" in page.text
    assert counts(page.text)["next"] == 1
    answer = director.post(ON, {"far": "next"})
    assert (answer.status_code, answer["Location"]) == (302, "/direccion/")


def test_a_season_without_corridas_left_says_so(world: World, director: Client) -> None:
    assert "No corridas left to play" in parts(director)
    Season.objects.all().delete()
    assert director.get(PLAY)["Location"] == "/direccion/"
    assert director.get(PLAY, headers=HTMX).status_code == 204


# Pages that contain the control


@pytest.mark.parametrize("page", ["/", "/escalafon/", "/temporada/", "/matadores/"])
def test_pages_contain_a_placeholder_of_the_control_for_the_director_only(
    world: World, director: Client, page: str
) -> None:
    world.announce(dt.date(2027, 5, 1))
    for _again in range(2):  # rendered once, then from the cache
        own = director.get(page).text
        assert f'data-load="{PLAY}"' in own
        assert "stop_on" not in own
        assert "play.js" not in Client().get(page).text
    fan = Client()
    fan.force_login(User.objects.create_user("fan"))
    assert "play.js" not in fan.get(page).text


@pytest.mark.slow
def test_a_director_finds_the_control_in_the_circuit_and_a_link_elsewhere(
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


def test_an_ended_run_links_to_its_digest_if_it_played_a_corrida(
    world: World, director: Client
) -> None:
    """A run counts too if it posted a corrida on air, which changed the lead and stopped the run.

    Its last corrida may have been deleted since.
    """
    last = world.post(world.announce(dt.date(2027, 3, 2)))
    world.announce(dt.date(2027, 5, 1))
    run = a_run(world, reason="leader")
    digest = f'href="/temporada/2027/resumen/{run.pk}/"'
    brought = {(2, last): True, (0, last): True, (2, None): True, (0, None): False}
    for (done, of), leads in brought.items():
        Run.objects.update(done=done, last=of)
        panel, band = parts(director, f"{PLAY}?seen={run.pk}").split('data-part="band"')
        assert digest not in panel
        assert (digest in band) is ("What happened" in band) is leads, (done, of)
        assert ("Last played: Ronda, 2 March." in " ".join(band.split())) is (of is not None)
    Run.objects.update(done=2, last=last, state="running")
    assert digest not in parts(director)


def test_an_ended_run_contains_a_note_that_figures_have_changed(
    world: World, director: Client
) -> None:
    """JavaScript shows the note on pages that are older than the run.

    A run without corridas has no note.
    """
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


def test_stop_conditions_are_shown_above_the_choices(world: World, director: Client) -> None:
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


# Limits, and runs of other circuits


def test_the_remaining_time_is_estimated_from_the_corridas_played(world: World) -> None:
    """The estimate is rounded up to whole seconds, and None before the first corrida."""
    at = dt.datetime(2027, 1, 1, tzinfo=dt.UTC)
    run = a_run(world, state=Run.State.RUNNING, asked_at=at - dt.timedelta(seconds=60))
    cases = {(0, 40): None, (1, 100): 5941, (30, 40): 21, (39, 40): 2, (40, 40): 1, (41, 40): 1}
    for (done, total), seconds in cases.items():
        Run.objects.update(done=done, total=total)
        progress = calendar.latest_run(world.season, at)
        assert progress is not None
        assert progress.seconds == seconds, (done, total)
    Run.objects.filter(pk=run.pk).update(state=Run.State.STOPPED, done=30)
    stopped = calendar.latest_run(world.season, at)
    assert stopped is not None
    assert stopped.seconds is None


@pytest.mark.parametrize("stop_on", ["", "leader", "injury,leader", write(StopOn)])
def test_the_continue_button_keeps_the_stop_conditions_of_the_run(
    world: World, director: Client, valkey: str, stop_on: str
) -> None:
    world.announce(dt.date(2027, 5, 3))
    run = a_run(world, stop_on=stop_on)
    band = parts(director, f"{PLAY}?seen={run.pk}").split('data-part="band"')[1]
    sent: dict[str, list[str]] = {}
    for name, value in re.findall(r'type="hidden" name="(\w+)" value="([^"]*)"', band):
        sent.setdefault(name, []).append(value)
    assert director.post(ON, {**sent, "far": "again"}, headers=HTMX).status_code == 200
    begun = Run.objects.exclude(pk=run.pk).get()
    assert begun.stop_on == stop_on


@pytest.mark.parametrize(
    ("day", "count"), [("04", 1), ("05", 3), ("06", 3), ("08", 3), ("09", 4), ("10", 4)]
)
def test_a_run_to_a_date_includes_the_corridas_of_that_day(
    world: World, director: Client, day: str, count: int
) -> None:
    world.join(2)
    for number, plaza, first in ((1, 1, 0), (5, 0, 0), (5, 1, 3), (9, 1, 0)):
        world.announce(dt.date(2027, 5, number), plaza=plaza, first=first)
    page = parts(director, f"{PLAY}?until=2027-05-{day}")
    assert re.findall(r'id="play-until-count">\s*(\d+)', page) == [str(count)]


def test_the_date_of_the_last_run_is_offered_while_it_is_in_the_future(
    world: World, director: Client
) -> None:
    """The offered date must be from the next corrida on and before the last one.

    Otherwise thirty days ahead are offered.
    """
    for month, day in ((5, 1), (5, 8), (6, 20)):
        world.announce(dt.date(2027, month, day))
    a_run(world)
    offered = {}
    for month, day in ((4, 30), (5, 1), (6, 19), (6, 20), (12, 31)):
        Run.objects.update(until=dt.date(2027, month, day))
        found = re.search(r'name="until"\s+value="2027-(\d\d-\d\d)"', parts(director))
        assert found
        offered[month, day] = found[1]
    assert offered == {
        (4, 30): "05-31", (5, 1): "05-01", (6, 19): "06-19", (6, 20): "05-31", (12, 31): "05-31",
    }  # fmt: skip
    Corrida.objects.filter(date__month=6).delete()
    assert re.search(r'name="until"\s+value="2027-05-08"', parts(director)), "no later corrida"


@pytest.mark.slow
def test_a_stopped_run_can_be_continued_with_what_is_left_of_it(
    world: World, director: Client
) -> None:
    """A run continues to its date, for its remaining corridas or to the end of its feria.

    If nothing is left, it cannot be continued.
    """
    for number, plaza in ((3, 1), (4, 0), (20, 0), (21, 1)):
        world.announce(dt.date(2027, 5, number), plaza=plaza)
    run = a_run(world, done=2)
    left: dict[str, tuple[dict[str, Any], int | None]] = {
        "date": ({"until": dt.date(2027, 5, 20)}, 3),
        "next date": ({"until": dt.date(2027, 5, 21)}, 4),
        "past": ({"until": dt.date(2027, 5, 2)}, None),
        "number": ({"until": dt.date(2027, 12, 31), "most": 3}, 1),
        "all of it": ({"until": dt.date(2027, 12, 31), "most": 2}, None),
        "feria": ({"until": dt.date(2027, 12, 31), "feria": world.feria}, 2),
    }
    for name, (fields, count) in left.items():
        Run.objects.update(**{"most": None, "feria": None, **fields})
        assert counts(parts(director)).get("again") == count, name
    Run.objects.update(most=None, feria=None)
    offered = {}
    for state in Run.State:
        Run.objects.filter(pk=run.pk).update(state=state)
        offered[state] = "again" in counts(parts(director))
    assert {state for state, is_offered in offered.items() if is_offered} == {
        Run.State.STOPPED, Run.State.FAILED,
    }  # fmt: skip


@pytest.mark.parametrize(
    ("day", "count", "last"),
    [(2, None, 0), (3, 1, 3), (4, 2, 4), (5, 2, 4), (19, 2, 4), (20, 3, 20), (21, 3, 20)],
)
def test_a_stopped_run_continues_up_to_and_including_its_date(
    world: World, director: Client, day: int, count: int | None, last: int
) -> None:
    for number in (3, 4, 20):
        world.announce(dt.date(2027, 5, number))
    a_run(world, until=dt.date(2027, 5, day))
    page = parts(director)
    assert counts(page).get("again") == count
    until = re.findall(r"Until (\d+) May, with the same conditions", page)
    assert until == ([str(last)] if count else [])


@pytest.mark.parametrize(("day", "count"), [(3, None), (4, 1), (19, 1), (20, 2), (21, 2)])
def test_a_stopped_run_of_a_feria_continues_up_to_and_including_its_date(
    world: World, director: Client, day: int, count: int | None
) -> None:
    """The corridas of 3 and 21 May are not part of the feria."""
    for number, plaza in ((3, 1), (4, 0), (20, 0), (21, 1)):
        world.announce(dt.date(2027, 5, number), plaza=plaza)
    a_run(world, feria=world.feria, until=dt.date(2027, 5, day))
    assert counts(parts(director)).get("again") == count


def test_the_end_of_a_run_of_another_circuit_is_not_shown(world: World, director: Client) -> None:
    world.announce(dt.date(2027, 5, 1))
    theirs = a_run(small_circuit("barrio", "Barrio"))
    assert "d-run" in parts(director, f"/circuitos/barrio{PLAY}?seen={theirs.pk}")
    assert "d-run" not in parts(director, f"{PLAY}?seen={theirs.pk}")
