"""The end of a season in the API: when the next one begins, and how open carteles are filled."""

from __future__ import annotations

import datetime as dt

import pytest
from django.utils import timezone

from corridas.models import Cartel, Corrida, Run, Season, Winter
from tests.corridas.api.conftest import Program
from tests.factories import World

SEASON = "circuits/leyendas/seasons/2027/"
HOUR = dt.timedelta(hours=1)


def left_open(world: World, *days: dt.date) -> list[Corrida]:
    corridas = [world.announce(day, first=number) for number, day in enumerate(days)]
    Cartel.objects.filter(corrida__in=corridas).delete()
    return corridas


def parsed(text: str) -> dt.datetime:
    return dt.datetime.fromisoformat(text)


def test_the_winter_says_what_it_waits_for(world: World, nobody: Program) -> None:
    Winter.objects.create(season=world.season, seed=b"s" * 32, commitment=b"c" * 32)
    world.post(world.announce(dt.date(2027, 3, 1)))
    waiting = world.announce(dt.date(2027, 3, 5))
    now = timezone.now()

    def winter_state() -> tuple[str | None, str | None]:
        winter = nobody.get_json(f"{SEASON}winter/")
        return winter["waits_for"], winter["due_at"]

    assert winter_state() == (None, None), "the season is played"
    waiting.delete()
    Corrida.objects.update(posted_at=now)
    assert winter_state() == ("start", None)
    world.circuit.always_on_air = True
    world.circuit.save()
    waits_for, due_at = winter_state()
    assert (waits_for, parsed(due_at or "")) == ("clock", now + HOUR)
    Corrida.objects.update(posted_at=now - HOUR)
    assert winter_state() == ("now", None)
    Winter.objects.update(done_at=now)
    assert winter_state() == (None, None)


def test_the_desk_lists_open_carteles_and_when_they_are_contracted(
    world: World, director: Program
) -> None:
    first = world.announce(dt.date(2027, 3, 1))
    second = world.announce(dt.date(2027, 3, 2))
    near, far = left_open(world, dt.date(2027, 5, 3), dt.date(2027, 5, 4))
    rows = director.get_json(f"{SEASON}desk/")["open_carteles"]
    assert [
        (row["id"], row["date"], row["contracted_on"], row["contracted_with"]) for row in rows
    ] == [
        (near.pk, "2027-05-03", "2027-03-01", first.pk),
        (far.pk, "2027-05-04", "2027-03-02", second.pk),
    ]


def test_a_run_can_stop_before_open_carteles_are_contracted(
    world: World, director: Program
) -> None:
    left_open(world, dt.date(2027, 3, 1), dt.date(2027, 3, 2))
    run = director.ask("POST", f"{SEASON}runs/", {"stop_on": ["carteles"]}).json()
    assert (run["stop_on"], run["carteles"]) == (["carteles"], 0)
    Run.objects.update(state=Run.State.STOPPED, reason="carteles")
    other = director.ask("POST", f"{SEASON}runs/", {}).json()
    assert (other["stop_on"], other["carteles"]) == ([], 2)


def test_the_open_carteles_of_a_feria_can_be_filled(
    world: World, director: Program, stranger: Program
) -> None:
    (mine,) = left_open(world, dt.date(2027, 3, 1))
    (outside,) = left_open(world, dt.date(2027, 3, 20))
    Corrida.objects.filter(pk=mine.pk).update(feria=world.feria)
    Corrida.objects.filter(pk=outside.pk).update(feria=None)
    way = f"{SEASON}carteles/"
    assert stranger.ask("POST", way, {"feria": None}).status_code == 403
    assert director.ask("POST", way, {"feria": "nowhere"}).status_code == 422
    assert director.ask("POST", way, {}).status_code == 400
    assert director.ask("POST", way, {"feria": world.feria.slug}).json() == {"carteles": 1}
    assert list(Cartel.objects.values_list("corrida", flat=True)) == [mine.pk]
    assert director.ask("POST", way, {"feria": world.feria.slug}).status_code == 409
    assert director.ask("POST", way, {"feria": None}).json() == {"carteles": 1}


@pytest.fixture
def winter(world: World) -> Winter:
    """Return a winter that has just ended, before the season of a circuit that is always on air."""
    before = Season.objects.create(
        circuit=world.circuit, year=2026, seed=b"s" * 32, commitment=b"c" * 32
    )
    world.circuit.always_on_air = True
    world.circuit.save()
    left_open(world, dt.date(2027, 3, 1))
    return Winter.objects.create(
        season=before, seed=b"s" * 32, commitment=b"c" * 32, done_at=timezone.now()
    )


def test_a_new_season_waits_for_an_hour_or_until_the_director_begins_it(
    winter: Winter, director: Program, stranger: Program
) -> None:
    assert winter.done_at
    desk = director.get_json(f"{SEASON}desk/")
    assert parsed(desk["open_until"]) == winter.done_at + HOUR
    assert stranger.ask("POST", f"{SEASON}begin/", {}).status_code == 403
    begun = director.ask("POST", f"{SEASON}begin/", {})
    assert (begun.status_code, begun.json()["year"]) == (200, 2027)
    assert director.get_json(f"{SEASON}desk/")["open_until"] is None
    first = director.ask("POST", "circuits/leyendas/seasons/2026/begin/", {})
    assert first.status_code == 409, "there is no winter before it"
