"""Seasons to measure on: the shipped circuit and calendar, the same chance in every run."""

from collections.abc import Callable
from hashlib import sha256
from itertools import count
from pathlib import Path

from django.core.management import call_command
from django.utils import timezone

from bench.ground import close, use
from corridas import simulation
from corridas.models import Circuit, Run, Season
from corridas.operations.circuits import LEYENDAS
from corridas.operations.seasons import Goal, prepare_run
from corridas.simulation.founding import shipped
from fairness import Seed


def seeds(label: str) -> Callable[[], Seed]:
    """New seeds, one after another, that are the same ones in every run."""
    numbers = count()
    return lambda: Seed(sha256(f"{label}/{next(numbers)}".encode()).digest())


def found(path: Path, year: int) -> None:
    """Write a database with the shipped circuit and one planned season."""
    use(path)
    call_command("migrate", verbosity=0, interactive=False)
    simulation.found(shipped(), slug=LEYENDAS, name="Circuito Leyendas", owner=None, rules={})
    plan(year)
    close()


def plan(year: int) -> Season:
    """Plan a season of the shipped calendar in the database in use."""
    circuit = Circuit.objects.get(slug=LEYENDAS)
    return simulation.plan(circuit, year, shipped().ferias, seed=seeds(f"season/{year}")())


def latest() -> Season:
    """The latest season of the database in use."""
    return Season.objects.select_related("circuit__deck").latest("year")


def play(season: Season) -> Run:
    """Contract, play, store and post a season to its end, in this process."""
    run = prepare_run(season=season, goal=Goal(), at=timezone.now())
    fresh = seeds(f"cartel/{season.year}")
    for progress in simulation.chunks(run.pk, clock=timezone.now, fresh=fresh):
        run = progress
    if run.state != Run.State.DONE:
        raise RuntimeError(f"{season} was not played to its end: {run.state} {run.reason}")
    return run
