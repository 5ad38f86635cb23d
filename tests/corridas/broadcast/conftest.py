"""A corrida on air in rows: shipped roster, a known seed, a clock that each test sets."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterator
from dataclasses import dataclass

import pytest

from corridas.broadcast import queries, source
from corridas.models import Corrida
from corridas.simulation import draw, new_circuit
from corridas.simulation.play import play_on_air
from corridas.simulation.schedule import plan
from corridas.stage.scene import Scene
from corridas.stage.showing import Showing
from corridas.world.calendar import Entry
from corridas.world.roster import DATA, load
from fairness import Seed
from tests.databases import written_again

START = dt.datetime(2026, 4, 5, 18, 30, tzinfo=dt.UTC)
PACE_MS = 60_000
MARGIN = dt.timedelta(seconds=4)
"""How far into a moment a test looks at it."""
SEED = bytes(range(32))


def seeds(first: bytes = SEED) -> Callable[[], Seed]:
    """Seeds one after the other, always the same ones."""
    given = iter(range(1000))
    return lambda: Seed(first[:31] + bytes([next(given) % 256]))


@written_again
def announce() -> Corrida:
    """The first corrida of a season, its cartel on the walls."""
    roster = load(DATA)
    circuit = new_circuit.found(roster, slug="leyendas", name="Leyendas", owner=None, rules={})
    entries: list[Entry] = list(roster.ferias)[:4]
    season = plan(circuit, 2026, entries, seed=Seed(SEED))
    draw.announce(season, until=dt.date(2026, 2, 28), fresh=seeds())
    found = Corrida.objects.filter(season=season, cartel__isnull=False).order_by("date").first()
    assert found is not None
    return found


def put_on_air(corrida: Corrida, start: dt.datetime = START) -> Corrida:
    """Queue and play it, on air from `start`."""
    Corrida.objects.filter(pk=corrida.pk).update(state="queued", pace_ms=PACE_MS)
    assert play_on_air(corrida.pk, at=start)
    return fetch(corrida.pk)


def fetch(pk: int) -> Corrida:
    """The corrida as the page reads it."""
    return Corrida.objects.select_related("season__circuit", "plaza", "cartel__deck").get(pk=pk)


@written_again
def played() -> Corrida:
    """The same corrida, on air from START."""
    return put_on_air(announce())


@dataclass
class OnAir:
    """A corrida on air and its showing; `at` sets its clock."""

    corrida: Corrida
    showing: Showing

    def at(self, moment: int) -> None:
        """Let the broadcast stand at this moment now (-1: just before the paseíllo)."""
        now = dt.datetime.now(dt.UTC)
        elapsed = self.showing.timeline.offset(moment) if moment >= 0 else dt.timedelta(seconds=-9)
        start = now - elapsed - MARGIN
        end = start + dt.timedelta(milliseconds=self.showing.timeline.length_ms)
        Corrida.objects.filter(pk=self.corrida.pk).update(on_air_at=start, ends_at=end)

    def scene(self, moment: int, language: str = "en") -> Scene:
        """A moment as the page shows it."""
        return Scene(showing=self.showing, moment=moment, language=language)


@pytest.fixture
def announced(db: None) -> Corrida:
    """A corrida on the bill, not yet fought."""
    return announce()


@pytest.fixture
def on_air(db: None) -> OnAir:
    """A corrida on air from START, played from a known seed."""
    corrida = played()
    return OnAir(corrida, source.showing_of(corrida))


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """Rows of one test are not those of another, though their numbers may be."""
    for kept in (source._cache, queries._on_air):
        kept.clear()
    yield
    for kept in (source._cache, queries._on_air):
        kept.clear()
