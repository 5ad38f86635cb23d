"""Seasons for benchmarks: the bundled circuit and calendar, with the same seeds in every run."""

import datetime as dt
import os
import shutil
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path

from django.utils import timezone

from corridas import notifications
from corridas.circuit_queries import SHIPPED
from corridas.models import Circuit, Corrida, Run, Season
from corridas.season.operations import Goal, prepare_run
from corridas.simulation import new_circuit, schedule
from corridas.simulation.draw import announce
from corridas.simulation.new_circuit import shipped
from corridas.simulation.play import play_on_air
from corridas.simulation.run import chunks, prepare
from corridas.simulation.winter import winter_over
from fairness import Seed
from tools.bench.processes import resident
from tools.bench.scratch_site import close_database, use_database
from tools.bench.timing import Spent, timed

# Milliseconds a card: what is on air stays on air while it is measured.
SLOW_MS = 60_000


def seeds(label: str) -> Callable[[], Seed]:
    """Return a function that gives the same sequence of seeds in every run."""
    numbers = count()
    return lambda: Seed(sha256(f"{label}/{next(numbers)}".encode()).digest())


def create_circuit(year: int) -> Season:
    new_circuit.found(shipped(), slug=SHIPPED, name="Circuito Leyendas", owner=None, rules={})
    return plan(year)


def plan(year: int) -> Season:
    circuit = Circuit.objects.get(slug=SHIPPED)
    return schedule.plan(circuit, year, shipped().ferias, seed=seeds(f"season/{year}")())


def announce_all(season: Season) -> int:
    until, fresh = dt.date(season.year, 12, 31), seeds(f"cartel/{season.pk}")
    return announce(season, until=until, fresh=fresh)


def latest() -> Season:
    return Season.objects.select_related("circuit__deck").latest("year")


def play(season: Season, *, leave: int = 0) -> Run:
    """Plan, play, store and publish a season in this process, except its last `leave` corridas."""
    announced = season.corridas.filter(state=Corrida.State.ANNOUNCED).count()
    goal = Goal(corridas=announced - leave)
    run = prepare_run(season=season, goal=goal, at=timezone.now())
    fresh = seeds(f"cartel/{season.year}")
    for progress in chunks(run.pk, clock=timezone.now, fresh=fresh, on_end=notifications.run_ended):
        run = progress
    if run.state != Run.State.DONE:
        raise RuntimeError(f"{season} was not played to its end: {run.state} {run.reason}")
    return run


def winter(season: Season) -> Season:
    fresh = seeds(f"winter/{season.year}")
    return winter_over(season, at=timezone.now(), fresh=fresh, on_winter=notifications.winter_over)


def play_all(database: str) -> list[int]:
    """Play fifty seasons with their winters, as a worker would.

    Copy the database before the fifth and the last season. Return the memory after each season.
    """
    path, memory = Path(database), []
    for number in range(1, 51):
        if number in {5, 50}:
            close_database()
            shutil.copyfile(path, path.with_name(f"before-{number}.sqlite3"))
        use_database(path)
        season = latest()
        play(season)
        winter(season)
        memory.append(resident(os.getpid()))
    close_database()
    return memory


def play_latest_with_winter() -> Spent:
    season = latest()
    with timed() as spent:
        play(season)
        winter(season)
    return spent


def put_on_air(*, at: dt.datetime, pace_ms: int) -> Corrida:
    """Play the next corrida of the latest season and put it on air from `at`."""
    season = latest()
    waiting = season.corridas.filter(state=Corrida.State.ANNOUNCED)
    corrida = waiting.order_by("date", "pk")[0]
    prepare(season, corrida.date, seeds("on air"), at=timezone.now())
    queued = {"state": Corrida.State.QUEUED, "queued_at": at, "pace_ms": pace_ms}
    Corrida.objects.filter(pk=corrida.pk).update(**queued)
    if not play_on_air(corrida.pk, at=at):
        raise RuntimeError(f"{corrida} could not be put on air.")
    return Corrida.objects.get(pk=corrida.pk)


def moments(corrida: Corrida) -> list[float]:
    """Return the instants of all cards of a corrida on air."""
    assert corrida.on_air_at is not None
    cards = [len(draws) for draws in corrida.lidias.values_list("draws", flat=True)]
    return corrida.timeline(cards).moments(corrida.on_air_at.timestamp())
