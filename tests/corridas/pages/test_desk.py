"""The director's desk: who may sit there, and what is said when something cannot be."""

from __future__ import annotations

import datetime as dt
import json
import re
import time

import pytest
from django.test import Client
from redis import Redis

from accounts.models import User
from corridas.models import Corrida, Run
from live.stats import STATS_KEY
from tests.factories import World


@pytest.fixture
def director(world: World, client: Client) -> Client:
    """The browser of who directs the circuit."""
    world.circuit.owner = User.objects.create_user("empresario")
    world.circuit.save()
    client.force_login(world.circuit.owner)
    return client


def test_a_stranger_is_sent_to_the_door(world: World, client: Client) -> None:
    answer = client.get("/direccion/")
    assert answer.status_code == 302
    assert "login" in answer["Location"]


@pytest.mark.parametrize("way", ["", "adelante/", "alto/", "al-aire/", "marcha/"])
def test_a_visitor_who_directs_nothing_is_refused(world: World, client: Client, way: str) -> None:
    client.force_login(User.objects.create_user("visitor"))
    ask = client.get if way in {"", "marcha/"} else client.post
    assert ask(f"/direccion/{way}").status_code == 403
    assert not Run.objects.exists()


def test_the_desk_shows_what_is_to_come(world: World, director: Client) -> None:
    corrida = world.announce(dt.date(2027, 5, 1))
    page = director.get("/direccion/").text
    assert f"/direccion/cartel/{corrida.pk}/" in page
    assert "1 corrida is still to be played" in page


def test_the_season_runs_on_and_says_what_is_left(
    world: World, director: Client, valkey: str
) -> None:
    for day in (1, 2, 3):
        world.announce(dt.date(2027, 5, day))
    answer = director.post("/direccion/adelante/", {"far": "end", "stop_on": ["injury"]})
    assert answer.status_code == 302
    run = Run.objects.get()
    assert (run.total, run.stop_on) == (3, "injury")
    fragment = director.get("/direccion/marcha/").text
    assert "0 / 3" in fragment
    assert "3 corridas left" in fragment
    assert 'hx-trigger="every 1s"' in fragment


def test_time_left_follows_from_what_is_done(world: World, director: Client, valkey: str) -> None:
    world.announce(dt.date(2027, 5, 1))
    director.post("/direccion/adelante/", {"far": "next"})
    Run.objects.update(done=30, total=40, asked_at=dt.datetime.now(dt.UTC) - dt.timedelta(0, 60))
    fragment = director.get("/direccion/marcha/").text
    assert "about 21 seconds" in fragment or "about 20 seconds" in fragment


def test_a_run_can_be_stopped(world: World, director: Client, valkey: str) -> None:
    world.announce(dt.date(2027, 5, 1))
    director.post("/direccion/adelante/", {"far": "end"})
    director.post("/direccion/alto/")
    assert Run.objects.get().stop_requested
    assert "Stopping…" in director.get("/direccion/").text


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"far": "until"}, "Choose the date."),
        ({"far": "feria"}, "Choose the feria."),
        ({"far": "until", "until": "2027-01-01"}, "There are no corridas left to play until then."),
        ({"far": "moon"}, "moon"),
    ],
)
def test_a_goal_that_cannot_be_is_said_beside_the_field(
    world: World, director: Client, given: dict[str, str], said: str
) -> None:
    world.announce(dt.date(2027, 5, 1))
    answer = director.post("/direccion/adelante/", given)
    assert answer.status_code == 422
    error = answer.text[answer.text.index('class="error"') :]
    assert said in error
    assert not Run.objects.exists()


def test_a_pace_out_of_bounds_is_said_beside_the_field(world: World, director: Client) -> None:
    corrida = world.announce(dt.date(2027, 5, 1))
    answer = director.post("/direccion/al-aire/", {"corrida": corrida.pk, "pace_ms": 1})
    assert answer.status_code == 422
    assert "not 1." in answer.text
    corrida.refresh_from_db()
    assert corrida.state == Corrida.State.ANNOUNCED


def test_a_matador_twice_on_a_cartel_is_refused_by_name(world: World, director: Client) -> None:
    corrida = world.announce(dt.date(2027, 5, 1))
    romero, montes = world.matadors[0], world.matadors[1]
    given = {"chosen": 1, "matador": [romero.pk, montes.pk, romero.pk]}
    answer = director.post(f"/direccion/cartel/{corrida.pk}/", given)
    assert answer.status_code == 422
    assert "Pedro Romero is on the cartel twice." in answer.text


def test_a_date_taken_is_refused(world: World, director: Client) -> None:
    world.announce(dt.date(2027, 5, 1), plaza=0, first=0)
    other = world.announce(dt.date(2027, 5, 2), plaza=1, first=1)
    Corrida.objects.filter(pk=other.pk).update(date=dt.date(2027, 5, 1))
    given = {"chosen": 1, "matador": [matador.pk for matador in world.matadors[:3]]}
    answer = director.post(f"/direccion/cartel/{other.pk}/", given)
    assert "is already announced at La Vieja, Ronda on that day." in answer.text


def test_a_broadcast_is_cut_short(world: World, director: Client) -> None:
    corrida = world.air_in_earnest(world.announce(dt.date(2027, 5, 1)), seconds=30)
    address = f"/direccion/al-aire/{corrida.pk}/"
    assert address in director.get("/direccion/").text
    asked = director.post(address)
    assert "The number of people watching is not known at the moment." in asked.text
    corrida.refresh_from_db()
    assert not corrida.is_over
    director.post(address, hidden_fields(asked.text))
    corrida.refresh_from_db()
    assert corrida.is_over


def hidden_fields(page: str) -> dict[str, list[str]]:
    """What the form with which a page asks sends along."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page):
        found.setdefault(name, []).append(value)
    return found


def follow(valkey: str, **lines: int) -> None:
    """Let a process of the feed say who follows what: `corrida_en=3` and so on."""
    following = {name.replace("_", "-", 1).replace("_", "/"): n for name, n in lines.items()}
    word = {"clients": 9, "sent": 1, "at": time.time(), "following": following}
    Redis.from_url(valkey).hset(STATS_KEY, f"here:{len(lines)}", json.dumps(word))


def test_running_on_asks_before_it_posts_what_is_on_air(
    world: World, director: Client, valkey: str
) -> None:
    corrida = world.air_in_earnest(world.announce(dt.date(2027, 5, 1)), seconds=30)
    world.announce(dt.date(2027, 5, 8))
    follow(
        valkey, **{f"corrida_en_{corrida.pk}": 2, f"corrida_es_{corrida.pk}": 1, "corrida_en_0": 5}
    )
    given = {"far": "end", "stop_on": ["injury", "leader"]}
    asked = director.post("/direccion/adelante/", given)
    assert asked.status_code == 200
    assert "3 people are watching." in asked.text
    assert f"/corridas/{corrida.pk}/" in asked.text
    corrida.refresh_from_db()
    assert corrida.state == Corrida.State.ON_AIR
    assert not Run.objects.exists()
    fields = hidden_fields(asked.text)
    assert {name: fields[name] for name in given} == {
        "far": ["end"],
        "stop_on": ["injury", "leader"],
    }
    other = world.air_in_earnest(world.announce(dt.date(2027, 5, 2), plaza=1, first=3), seconds=5)
    again = director.post("/direccion/adelante/", fields)
    assert set(hidden_fields(again.text)["post"]) == {str(corrida.pk), str(other.pk)}
    assert not Run.objects.exists()
    assert director.post("/direccion/adelante/", hidden_fields(again.text)).status_code == 302
    assert Run.objects.get().stop_on == "injury,leader"
    assert set(Corrida.objects.over()) == {corrida, other}
    assert 'data-mode="live"' in director.get(f"/corridas/{corrida.pk}/").text


@pytest.mark.parametrize(
    ("count", "said"), [(0, "Nobody is watching."), (1, "1 person is watching.")]
)
def test_how_many_watch_is_said_in_words(
    world: World, director: Client, valkey: str, count: int, said: str
) -> None:
    corrida = world.air_in_earnest(world.announce(dt.date(2027, 5, 1)), seconds=30)
    follow(valkey, **{f"corrida_es-bloodless_{corrida.pk}": count})
    assert said in director.post(f"/direccion/al-aire/{corrida.pk}/").text
