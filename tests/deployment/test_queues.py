"""Long-running tasks never delay a broadcast, even with a queue full of them (real processes)."""

from __future__ import annotations

import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.conf import settings

from config.celery import app
from server.valkey import Valkey
from tests.site import ROOT, Site

# Number of circuits whose whole season is played at once. They take longer than the measured
# corridas.
RUNS = 12
CORRIDAS = 3

SCRIPT = f"""
import time
import django
django.setup()
from django.utils import timezone
from corridas.models import Circuit, Corrida, Run
from corridas.season.operations import queue_corrida
from corridas.season.operations import Goal, run_season
from corridas.circuit_queries import SHIPPED
from corridas.simulation.new_circuit import found, shipped
from corridas.simulation.schedule import plan
from fairness import Seed

for number in range({RUNS}):
    slug = f"long-{{number}}"
    found(shipped(), slug=slug, name=slug, owner=None, rules={{}})
    circuit = Circuit.objects.get(slug=slug)
    season = plan(circuit, 2026, shipped().ferias, seed=Seed.fresh())
    run_season(season=season, goal=Goal(), at=timezone.now())
leyendas = Circuit.objects.get(slug=SHIPPED)
# Otherwise the site itself may queue the corrida that is looked up below.
Circuit.objects.filter(pk=leyendas.pk).update(always_on_air=False, evening=None)
for _ in range({CORRIDAS}):
    waiting = Corrida.objects.filter(season__circuit=leyendas, state="announced")
    corrida = waiting.order_by("date", "pk")[0]
    queue_corrida(corrida=corrida, at=timezone.now(), pace_ms=1000)
    while Corrida.objects.get(pk=corrida.pk).state == "queued":
        time.sleep(0.02)
    assert Corrida.objects.get(pk=corrida.pk).state == "on_air"
active = Run.objects.filter(state__in=Run.ACTIVE).count()
print(active)
"""


@pytest.fixture
def busy(tmp_path: Path, prepared: Path, valkey_server: Valkey) -> Iterator[Site]:
    site = Site(tmp_path / "data", prepared, REDIS_URL=valkey_server.url)
    site.start()
    yield site
    site.stop()


@pytest.mark.slow
def test_corrida_goes_on_air_at_once_while_seasons_are_played(busy: Site) -> None:
    environment = busy.environment() | {"DJANGO_SETTINGS_MODULE": "config.settings"}
    told = subprocess.run(
        [sys.executable, "-c", SCRIPT],
        cwd=ROOT,
        env=environment,
        capture_output=True,
        text=True,
        check=False,
    )
    assert told.returncode == 0, told.stderr
    still_running = int(told.stdout.splitlines()[-1])
    assert still_running > RUNS // 2, "The corridas waited until most of the runs were over."


@pytest.mark.parametrize("fork", [True, False])
def test_every_task_has_a_queue_that_a_worker_serves(fork: bool) -> None:
    from server.workers import workers

    app.loader.import_default_modules()
    served = {
        queue
        for child in workers(fork)
        if child.command
        for queue in child.command[list(child.command).index("--queues") + 1].split(",")
    }
    routes = {route["queue"] for route in settings.CELERY_TASK_ROUTES.values()}
    assert routes | {"celery"} == served
    assert app.amqp.router.route({}, "corridas.tasks.play_corrida")["queue"].name == "live"
    assert app.amqp.router.route({}, "corridas.tasks.run_season")["queue"].name == "long"
