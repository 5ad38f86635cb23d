"""Seasons for benchmarks: the bundled circuit and calendar, with the same seeds in every run."""

import datetime as dt
from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path

from django.core.management import call_command
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
from tools.bench.database import close_database, use_database


def seeds(label: str) -> Callable[[], Seed]:
    """Return a function that gives the same sequence of seeds in every run."""
    numbers = count()
    return lambda: Seed(sha256(f"{label}/{next(numbers)}".encode()).digest())


def create_database(path: Path, year: int) -> None:
    use_database(path)
    call_command("migrate", verbosity=0, interactive=False)
    create_circuit(year)
    close_database()


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
