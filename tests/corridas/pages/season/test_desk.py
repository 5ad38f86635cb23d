"""The director's desk: permissions, runs of corridas, broadcasts, and the list of decisions."""

from __future__ import annotations

import datetime as dt
import json
import re
import time
from collections.abc import Callable

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from redis import Redis

from accounts.models import User
from corridas.models import Cartel, Corrida, Feria, Injury, Run, Season, Winter
from corridas.world.calendar import CalendarEntry
from leagues.models import Match
from live.stats import STATS_KEY
from tests.corridas.pages.tabletop.test_tabletop_desk import give, with_bulls
from tests.factories import World, name_alike, small_circuit


@pytest.fixture
def director(world: World, client: Client) -> Client:
    """Return a test client that is signed in as the circuit's director."""
    world.circuit.owner = User.objects.create_user("empresario")
    world.circuit.save()
    client.force_login(world.circuit.owner)
    return client


def test_a_visitor_must_sign_in_to_open_the_desk(world: World, client: Client) -> None:
    answer = client.get("/direccion/")
    assert answer.status_code == 302
    assert "login" in answer["Location"]


@pytest.mark.parametrize("way", ["", "adelante/", "alto/", "al-aire/", "jugar/"])
def test_a_user_who_directs_no_circuit_cannot_open_the_desk(
    world: World, client: Client, way: str
) -> None:
    client.force_login(User.objects.create_user("visitor"))
    ask = client.get if way in {"", "jugar/"} else client.post
    assert ask(f"/direccion/{way}").status_code == 403
    assert not Run.objects.exists()


def test_the_desk_lists_coming_corridas(world: World, director: Client) -> None:
    corrida = world.announce(dt.date(2027, 5, 1))
    page = director.get("/direccion/").text
    assert f"/direccion/cartel/{corrida.pk}/" in page
    assert "1 corrida is still to be played" in page
    queued = world.announce(dt.date(2027, 5, 2), plaza=1, first=1)
    Corrida.objects.filter(pk=queued.pk).update(state=Corrida.State.QUEUED)
    page = director.get("/direccion/").text
    rows = re.findall(r'<li class="d-next">(.*?)</li>', page, re.DOTALL)
    first, second = (" ".join(re.sub(r"<[^>]+>", " ", row).split()) for row in rows)
    assert "1 May : Ronda Ronda" in first
    assert "· Feria de Pedro Romero Pedro Romero, Francisco Montes, José Redondo Plan" in first
    assert "·" not in second
    assert second.endswith(str(Corrida.State.QUEUED.label))
    assert f"/direccion/cartel/{queued.pk}/" not in page


def test_the_desk_marks_the_feria_of_the_next_corrida_and_those_that_are_over(
    lived: World, director: Client
) -> None:
    other = Feria.objects.create(
        season=lived.season, plaza=lived.plazas[1], slug="arles", name="Feria de Arles",
        starts=dt.date(2027, 5, 1), ends=dt.date(2027, 5, 9),
    )  # fmt: skip
    coming = lived.announce(dt.date(2027, 5, 1), plaza=1)
    marked = r'<li(?: class="(\w+)")?>\s*<a href="/temporada/2027/(\w+)/">'
    Corrida.objects.filter(pk=coming.pk).update(feria=other)
    page = director.get("/direccion/").text
    assert re.findall(marked, page) == [("done", "goyesca"), ("now", "arles")]
    assert "2 of 2" in page
    assert "0 of 1" in page
    alone = lived.announce(dt.date(2027, 4, 1), plaza=1)
    page = director.get("/direccion/").text
    assert alone.feria is None
    assert re.findall(marked, page) == [("done", "goyesca"), ("", "arles")]


def test_the_desk_offers_the_next_open_cartel_after_one_was_announced(
    world: World, director: Client
) -> None:
    announced = world.announce(dt.date(2027, 5, 1))
    bare = Corrida.objects.create(
        season=world.season, plaza=world.plazas[1], date=dt.date(2027, 5, 8)
    )
    said = "The next open cartel is"
    page = director.get(f"/direccion/?announced={announced.pk}").text
    assert f"/direccion/cartel/{bare.pk}/" in page[page.index(said) :][:400]
    page = director.get("/direccion/").text
    assert said not in page
    assert "Fill the rest" in page
    world.circuit.frozen_at = timezone.now()
    world.circuit.save()
    assert "Fill the rest" not in director.get("/direccion/").text


def test_a_circuit_without_a_season_can_plan_one_in_a_possible_year(
    world: World, director: Client
) -> None:
    Season.objects.all().delete()
    page = director.get("/direccion/")
    assert page.status_code == 200
    assert f'name="year" value="{timezone.now().year}"' in page.text
    answer = director.post("/direccion/empezar/", {"year": "12"})
    assert answer.status_code == 422
    assert 'value="12"' in answer.text
    assert not Season.objects.exists()


def test_the_director_can_play_to_the_end_of_the_season(
    world: World, director: Client, valkey: str
) -> None:
    for day in (1, 2, 3):
        world.announce(dt.date(2027, 5, day))
    answer = director.post("/direccion/adelante/", {"far": "end", "stop_on": ["injury"]})
    assert answer.status_code == 302
    run = Run.objects.get()
    assert (run.total, run.stop_on) == (3, "injury")
    page = director.get("/direccion/").text
    assert "0 / 3" in page
    assert "of 3 played" in page
    assert "data-active" in page


def test_the_remaining_time_is_estimated_from_the_corridas_played(
    world: World, director: Client, valkey: str
) -> None:
    world.announce(dt.date(2027, 5, 1))
    director.post("/direccion/adelante/", {"far": "next"})
    Run.objects.update(done=30, total=40, asked_at=dt.datetime.now(dt.UTC) - dt.timedelta(0, 60))
    page = director.get("/direccion/").text
    assert "About 21 seconds" in page or "About 20 seconds" in page


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
        ({"far": "until", "until": "banana"}, "This is not a date."),
        ({"far": "feria"}, "There are no ferias left to play this season."),
        ({"far": "feria", "feria": "moon"}, "Select a valid choice."),
        ({"far": "again"}, "There is no interrupted season that can be continued."),
        ({"far": "end", "stop_on": ["moon"]}, "moon"),
        (
            {"far": "until", "until": "2027-01-01"},
            "There are no corridas left to play up to the date that you chose.",
        ),
        ({"far": "moon"}, "moon"),
    ],
)
def test_an_impossible_goal_gets_an_error_at_its_field(
    world: World, director: Client, given: dict[str, str], said: str
) -> None:
    world.announce(dt.date(2027, 5, 1), plaza=1)
    answer = director.post("/direccion/adelante/", given)
    assert answer.status_code == 422
    error = answer.text[answer.text.index('class="error"') :]
    assert said in error
    assert f'value="{given.get("until", "2027-05-01")}"' in answer.text, "the date stays"
    assert not Run.objects.exists()


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"pace": "own", "seconds": "0.001"}, "greater than or equal to 0.05"),
        ({"pace": "own", "seconds": "61"}, "less than or equal to 60"),
        ({"pace": "own", "seconds": "banana"}, "Enter a number."),
        ({"pace": "own"}, "Enter the seconds per card."),
        ({"pace": "crawl"}, "crawl"),
    ],
)
def test_an_impossible_pace_gets_an_error_at_its_field(
    world: World, director: Client, given: dict[str, str], said: str
) -> None:
    corrida = world.announce(dt.date(2027, 5, 1))
    answer = director.post("/direccion/al-aire/", {"corrida": corrida.pk, **given})
    assert answer.status_code == 422
    assert said in answer.text
    corrida.refresh_from_db()
    assert corrida.state == Corrida.State.ANNOUNCED


@pytest.mark.parametrize(
    ("given", "pace_ms"),
    [({"pace": "3"}, 3000), ({"pace": "1.2"}, 1200), ({"pace": "own", "seconds": "0.05"}, 50)],
)
def test_a_pace_can_be_chosen_by_name_or_in_seconds(
    world: World, director: Client, valkey: str, given: dict[str, str], pace_ms: int
) -> None:
    corrida = world.announce(dt.date(2027, 5, 1))
    answer = director.post("/direccion/al-aire/", {"corrida": corrida.pk, **given})
    assert answer.status_code == 302
    corrida.refresh_from_db()
    assert (corrida.state, corrida.pace_ms) == (Corrida.State.QUEUED, pace_ms)


def test_the_desk_lists_carteles_that_lost_a_matador_and_his_substitute(
    world: World, director: Client
) -> None:
    fought = world.announce(dt.date(2027, 5, 1))
    corrida = world.announce(dt.date(2027, 5, 8))
    hurt = corrida.cartel.puestos.get(order=0).matador
    Injury.objects.create(
        matador=hurt,
        corrida=fought,
        turn=1,
        grade="grave",
        since=dt.date(2027, 5, 2),
        until=dt.date(2027, 5, 9),
    )
    page = director.get("/direccion/").text
    assert f"{hurt.billing} is out until 9 May" in page
    assert "Ronda, 8 May: if you do nothing, a substitute will be chosen automatically." in todo(
        page
    )
    other = world.matadors[3]
    corrida.cartel.puestos.filter(order=0).update(matador=other, instead_of=hurt)
    said = todo(director.get("/direccion/").text)
    assert f"Ronda, 8 May: if you do nothing, {other.billing} will be the substitute." in said


def test_an_injury_in_an_unwatched_corrida_is_not_shown(world: World, director: Client) -> None:
    aired = world.air_in_earnest(world.announce(dt.date(2027, 5, 1)), seconds=30)
    corrida = world.announce(dt.date(2027, 5, 8))
    hurt = corrida.cartel.puestos.get(order=0).matador
    spell = {"since": dt.date(2027, 5, 2), "until": dt.date(2027, 5, 9)}
    Injury.objects.create(matador=hurt, corrida=aired, turn=1, grade="grave", **spell)
    assert "is out until" in director.get("/direccion/").text
    User.objects.update(shielded_since=dt.datetime(2020, 1, 1, tzinfo=dt.UTC))
    assert "is out until" not in director.get("/direccion/").text


@pytest.mark.slow
def test_the_desk_lists_open_carteles_and_failures_or_says_there_is_nothing_to_do(
    world: World, director: Client
) -> None:
    corrida = world.announce(dt.date(2027, 5, 8))
    assert "Nothing is waiting for you." in director.get("/direccion/").text
    corrida.cartel.puestos.all().delete()
    corrida.cartel.delete()
    assert "1 cartel still to be chosen" in director.get("/direccion/").text
    Corrida.objects.filter(pk=corrida.pk).update(state=Corrida.State.FAILED, error="A broken card.")
    page = director.get("/direccion/").text
    assert "could not be played" in page
    assert "A broken card." in page
    assert "Start the winter" in page


def test_an_htmx_request_gets_only_the_contents_of_the_desk(world: World, director: Client) -> None:
    world.announce(dt.date(2027, 5, 8))
    part = director.get("/direccion/", headers={"HX-Request": "true"}).text
    assert "Needs a decision" in part
    assert "<html" not in part


@pytest.mark.slow
def test_the_desk_needs_as_many_queries_for_more_corridas(world: World, director: Client) -> None:
    world.announce(dt.date(2027, 5, 1))
    director.get("/direccion/")  # from now on the session knows the directed circuits
    with CaptureQueriesContext(connection) as one:
        director.get("/direccion/")
    for day in (2, 3):
        world.announce(dt.date(2027, 5, day), plaza=1)
    with CaptureQueriesContext(connection) as three:
        director.get("/direccion/")
    assert len(three) == len(one) <= 22


def test_a_cartel_with_the_same_matador_twice_names_him_in_the_error(
    world: World, director: Client
) -> None:
    corrida = world.announce(dt.date(2027, 5, 1))
    romero, montes = world.matadors[0], world.matadors[1]
    given = {"chosen": 1, "matador": [romero.pk, montes.pk, romero.pk]}
    answer = director.post(f"/direccion/cartel/{corrida.pk}/", given)
    assert answer.status_code == 422
    assert "Pedro Romero is on the cartel twice." in answer.text


def test_a_matador_who_is_announced_elsewhere_on_that_day_is_rejected(
    world: World, director: Client
) -> None:
    world.announce(dt.date(2027, 5, 1), plaza=0, first=0)
    other = world.announce(dt.date(2027, 5, 2), plaza=1, first=1)
    Corrida.objects.filter(pk=other.pk).update(date=dt.date(2027, 5, 1))
    given = {"chosen": 1, "matador": [matador.pk for matador in world.matadors[:3]]}
    answer = director.post(f"/direccion/cartel/{other.pk}/", given)
    assert "is already announced in Ronda (La Vieja) on that day." in answer.text


def test_a_broadcast_can_be_cut_short(world: World, director: Client) -> None:
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
    """Return the hidden fields of the form that asks for confirmation."""
    found: dict[str, list[str]] = {}
    for name, value in re.findall(r'<input type="hidden" name="(\w+)" value="([^"]*)">', page):
        found.setdefault(name, []).append(value)
    return found


def follow(valkey: str, **lines: int) -> None:
    """Report how many clients follow each feed, as a live process does:

    `corrida_en=3` and so on.
    """
    following = {name.replace("_", "-", 1).replace("_", "/"): n for name, n in lines.items()}
    word = {"clients": 9, "sent": 1, "at": time.time(), "following": following}
    Redis.from_url(valkey).hset(STATS_KEY, f"here:{len(lines)}", json.dumps(word))


def test_a_run_asks_before_it_posts_the_corrida_on_air(
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
def test_the_number_of_people_watching_is_shown_in_words(
    world: World, director: Client, valkey: str, count: int, said: str
) -> None:
    corrida = world.air_in_earnest(world.announce(dt.date(2027, 5, 1)), seconds=30)
    follow(valkey, **{f"corrida_es-bloodless_{corrida.pk}": count})
    assert said in director.post(f"/direccion/al-aire/{corrida.pk}/").text


# The list of decisions


def todo(page: str) -> str:
    """Return the text of the list of decisions."""
    part = page[page.index('id="todo-h"') : page.index("</section>", page.index('id="todo-h"'))]
    return " ".join(re.sub(r"<[^>]+>", " ", part).split()).replace(" :", ":")


def hurt(world: World, number: int, until: dt.date) -> Injury:
    return Injury.objects.create(
        matador=world.matadors[number],
        corrida=Corrida.objects.earliest("date"),
        turn=1,
        grade="grave",
        since=dt.date(2027, 3, 2),
        until=until,
    )


@pytest.mark.slow
def test_the_desk_lists_an_injured_matador_once_with_all_his_substitutes(
    lived: World, director: Client
) -> None:
    """He misses two carteles.

    The corrida on the day after his rest is not listed. Another matador is injured later.
    """
    first, second, back = (
        lived.announce(dt.date(2027, 5, day), plaza, 0) for day, plaza in ((1, 0), (9, 1), (10, 0))
    )
    assert "is out until" not in todo(director.get("/direccion/").text)
    hurt(lived, 0, dt.date(2027, 5, 9))
    stands_in = lived.matadors[3]
    place = second.cartel.puestos.get(matador=lived.matadors[0])
    place.instead_of, place.matador = place.matador, stands_in
    place.card = stands_in.cards.earliest("printing")
    place.save()
    said = todo(director.get("/direccion/").text)
    name = lived.matadors[0].billing
    assert said.count(f"{name} is out until 9 May") == 1
    assert "Ronda, 1 May: if you do nothing, a substitute will be chosen automatically." in said
    assert f"Arles, 9 May: if you do nothing, {stands_in.billing} will be the substitute." in said
    assert "10 May" not in said
    assert back.cartel.puestos.filter(matador=lived.matadors[0]).exists()
    hurt(lived, 1, dt.date(2027, 5, 1))
    both = todo(director.get("/direccion/").text)
    assert both.index(name) < both.index(f"{lived.matadors[1].billing} is out until 1 May")
    page = director.get("/direccion/").text
    assert page.count("is out until") == 2
    assert f"/direccion/cartel/{first.pk}/" in page


def test_more_than_five_injured_matadors_are_counted(lived: World, director: Client) -> None:
    for day in range(1, 3):
        lived.announce(dt.date(2027, 5, day), 0, 0)
    for number in range(3):
        hurt(lived, number, dt.date(2027, 5, 30))
    assert "more matador" not in director.get("/direccion/").text
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("corridas.pages.season.desk.LOST_SHOWN", 2)
        said = todo(director.get("/direccion/").text)
    assert said.count("is out until") == 2
    assert "1 more matador misses later carteles" in said


def test_a_season_that_is_over_offers_no_corrida_to_broadcast(
    lived: World, director: Client
) -> None:
    waiting = lived.announce(dt.date(2027, 5, 1))
    page = director.get("/direccion/").text
    assert "Broadcast a corrida live" in page
    assert 'name="corrida"' in page
    Corrida.objects.filter(pk=waiting.pk).delete()
    over = director.get("/direccion/").text
    assert "Broadcast a corrida live" not in over
    assert 'name="corrida"' not in over
    assert "Start the winter" in over
    assert 'name="leave"' not in over
    failed = lived.announce(dt.date(2027, 5, 1))
    Corrida.objects.filter(pk=failed.pk).update(state=Corrida.State.FAILED)
    over = " ".join(director.get("/direccion/").text.split())
    assert 'name="leave" value="yes"> Leave out the corrida that could not be played.' in over


def test_a_corrida_on_air_is_shown_although_no_other_can_be_broadcast(
    lived: World, director: Client
) -> None:
    lived.air(lived.announce(dt.date(2027, 5, 1)), seconds=9)
    page = director.get("/direccion/").text
    assert "Broadcast a corrida live" in page
    assert "Post results" in page
    assert 'name="corrida"' not in page


def test_a_corrida_that_is_no_longer_available_is_rejected(lived: World, director: Client) -> None:
    """Another browser has played the last corrida meanwhile."""
    gone = lived.announce(dt.date(2027, 5, 1))
    Corrida.objects.filter(pk=gone.pk).delete()
    answer = director.post("/direccion/al-aire/", {"corrida": gone.pk, "pace": "3"})
    assert answer.status_code == 422
    assert "Broadcast a corrida live" in answer.text
    assert 'name="corrida"' in answer.text
    assert 'action="/direccion/al-aire/"' in answer.text


@pytest.mark.parametrize("state", Corrida.State)
def test_only_announced_corridas_without_matadors_are_listed_as_open_carteles(
    world: World, director: Client, state: Corrida.State
) -> None:
    """A corrida that failed because no three matadors were available is over, so nothing can be
    chosen for it.
    """
    world.announce(dt.date(2027, 5, 1))
    bare = Corrida.objects.create(
        season=world.season, plaza=world.plazas[1], date=dt.date(2027, 5, 8), state=state
    )
    page = director.get("/direccion/").text
    is_open = state == Corrida.State.ANNOUNCED
    assert ("1 cartel still to be chosen" in page) is is_open
    opening = page[page.index('id="open-h"') :] if 'id="open-h"' in page else ""
    assert (f"/direccion/cartel/{bare.pk}/" in opening) is is_open
    fixed = director.get(f"/direccion/cartel/{bare.pk}/").context["fixed"]
    assert (fixed == "") is is_open


# Functions that add one task to a desk without tasks and return the text about it.
DAY = dt.date(2027, 5, 8)


def _lost(world: World, director: Client) -> str:
    hurt(world, 0, DAY)
    return "is out until"


def _failed(world: World, director: Client) -> str:
    other = world.announce(dt.date(2027, 5, 9))
    Corrida.objects.filter(pk=other.pk).update(state=Corrida.State.FAILED)
    return "could not be played"


def _open(world: World, director: Client) -> str:
    Corrida.objects.create(season=world.season, plaza=world.plazas[1], date=dt.date(2027, 5, 9))
    return "1 cartel still to be chosen"


def _interrupted(world: World, director: Client) -> str:
    Run.objects.create(
        season=world.season,
        until=DAY,
        asked_at=timezone.now(),
        state=Run.State.FAILED,
        reason="A broken card.",
    )
    return "The season was interrupted"


def _broken_calendar(world: World, director: Client) -> str:
    entry = CalendarEntry("Fin de año", "ronda", "sunday>=12-26", 1, "daily")
    world.circuit.calendar = [entry._asdict()]
    world.circuit.save()
    return "The calendar does not fit into a later year"


def _pause(world: World, director: Client) -> str:
    before = Season.objects.create(
        circuit=world.circuit, year=2026, seed=b"s" * 32, commitment=b"c" * 32
    )
    Winter.objects.create(
        season=before, seed=b"s" * 32, commitment=b"c" * 32, done_at=timezone.now()
    )
    world.circuit.always_on_air = True
    world.circuit.save()
    return "Begin the season now"


def _unconfirmed(world: World, director: Client) -> str:
    give(director, with_bulls(world, dt.date(2027, 5, 9)))
    Match.objects.update(state=Match.State.HANDED_IN)
    return "a result from a real table"


TASKS = [_lost, _failed, _open, _interrupted, _broken_calendar, _pause, _unconfirmed]


@pytest.mark.parametrize("task", TASKS)
def test_a_desk_with_one_task_does_not_say_that_there_is_nothing_to_do(
    world: World, director: Client, task: Callable[[World, Client], str]
) -> None:
    quiet = "Nothing is waiting for you."
    world.announce(DAY)
    assert quiet in director.get("/direccion/").text
    said = task(world, director)
    page = director.get("/direccion/").text
    assert said in page
    assert quiet not in page


@pytest.mark.parametrize("count", [1, 2, 3, 4, 5])
def test_the_desk_lists_every_corrida_that_an_injured_matador_misses_once(
    world: World, director: Client, count: int
) -> None:
    """The first three are shown at once, the others below the number of all of them."""
    world.post(world.announce(dt.date(2027, 3, 2), first=1))
    days = range(8, 8 + count)
    for number in days:
        world.announce(dt.date(2027, 5, number))
    hurt(world, 0, dt.date(2027, 5, 20))
    said = todo(director.get("/direccion/").text)
    assert re.findall(r"Ronda, (\d+) May:", said) == [str(number) for number in days]
    first, _all, others = said.partition(f"All {count} corridas he misses")
    assert first.count("if you do nothing") == min(count, 3)
    assert others.count("if you do nothing") == max(count - 3, 0)


@pytest.mark.parametrize(
    ("since", "until", "misses"),
    [
        ("05-01", "05-07", False),
        ("05-01", "05-08", True),
        ("05-08", "05-08", True),
        ("05-09", "05-20", False),
    ],
)
def test_a_matador_misses_corridas_on_the_first_and_last_day_of_his_injury(
    world: World, director: Client, since: str, until: str, misses: bool
) -> None:
    fought = world.announce(dt.date(2027, 4, 1))
    world.announce(dt.date(2027, 5, 8))
    Corrida.objects.filter(pk=fought.pk).update(state=Corrida.State.POSTED)
    row = hurt(world, 0, dt.date.fromisoformat(f"2027-{until}"))
    Injury.objects.filter(pk=row.pk).update(since=dt.date.fromisoformat(f"2027-{since}"))
    assert ("is out until" in todo(director.get("/direccion/").text)) is misses


@pytest.mark.slow
def test_rows_of_another_circuit_are_not_found(world: World, director: Client, valkey: str) -> None:
    mine, theirs = world.announce(dt.date(2027, 5, 1)), small_circuit("barrio", "Barrio")
    other = theirs.announce(dt.date(2027, 5, 2))
    open_there = Corrida.objects.create(
        season=theirs.season, feria=theirs.feria, plaza=theirs.plazas[0], date=dt.date(2027, 5, 3)
    )
    assert director.get(f"/direccion/cartel/{mine.pk}/").status_code == 200
    assert director.get(f"/direccion/cartel/{other.pk}/").status_code == 404
    assert director.post(f"/direccion/al-aire/{other.pk}/").status_code == 404
    shown = director.post("/direccion/al-aire/", {"corrida": other.pk, "pace": "3"})
    assert shown.status_code == 422
    filled = director.post("/direccion/carteles/", {"feria": theirs.feria.pk}, follow=True)
    assert "No cartel is open here any more." in filled.text
    played = director.post("/direccion/adelante/", {"far": "feria", "feria": theirs.feria.pk})
    assert played.status_code == 422
    assert (
        f"/direccion/cartel/{open_there.pk}/"
        not in director.get(f"/direccion/?announced={other.pk}").text
    )
    theirs.season.refresh_from_db()
    assert not Run.objects.exists()
    assert not Cartel.objects.filter(corrida=open_there).exists()


def test_injured_matadors_on_the_desk_are_sorted_by_the_first_corrida_they_miss(
    world: World, director: Client
) -> None:
    """The first matador is injured twice.

    If two matadors miss the same cartel, its order decides.
    """
    for number, first in ((1, 2), (8, 0)):
        world.announce(dt.date(2027, 5, number), first=first)
    names = [matador.billing for matador in world.matadors]
    hurt(world, 1, dt.date(2027, 5, 9))
    hurt(world, 0, dt.date(2027, 5, 8))
    Injury.objects.create(
        matador=world.matadors[0],
        corrida=Corrida.objects.latest("date"),
        turn=1,
        grade="leve",
        since=dt.date(2027, 5, 9),
        until=dt.date(2027, 6, 30),
    )
    hurt(world, 3, dt.date(2027, 5, 1))
    said = todo(director.get("/direccion/").text)
    order = ((3, "1 May"), (0, "8 May"), (1, "9 May"))
    places = [said.index(f"{names[number]} is out until {day}") for number, day in order]
    assert places == sorted(places)
    assert said.count("is out until") == 3


def test_the_desk_and_the_corrida_page_distinguish_matadors_of_one_name(
    world: World, director: Client
) -> None:
    called = name_alike(world)
    corrida = world.announce(dt.date(2027, 5, 1))
    for address in ("/direccion/", f"/direccion/cartel/{corrida.pk}/", f"/corridas/{corrida.pk}/"):
        text = director.get(address).text
        assert all(name in text for name in called), address
