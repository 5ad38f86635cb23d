"""Fixtures for broadcasts: a corrida with the shipped roster, a known seed and a settable clock."""

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
from corridas.world.calendar import CalendarEntry
from corridas.world.roster import DATA, load
from fairness import Seed
from tests.databases import written_again

START = dt.datetime(2026, 4, 5, 18, 30, tzinfo=dt.UTC)
PACE_MS = 60_000
# How long after the start of a moment (one step of the broadcast) a test looks at it.
MARGIN = dt.timedelta(seconds=4)
SEED = bytes(range(32))


def seeds(first: bytes = SEED) -> Callable[[], Seed]:
    """Return a function that returns seeds from a fixed sequence."""
    given = iter(range(1000))
    return lambda: Seed(first[:31] + bytes([next(given) % 256]))


@written_again
def announce() -> Corrida:
    """Return the first corrida of a season, with an announced cartel."""
    roster = load(DATA)
    circuit = new_circuit.found(roster, slug="leyendas", name="Leyendas", owner=None, rules={})
    entries: list[CalendarEntry] = list(roster.ferias)[:4]
    season = plan(circuit, 2026, entries, seed=Seed(SEED))
    draw.announce(season, until=dt.date(2026, 2, 28), fresh=seeds())
    found = Corrida.objects.filter(season=season, cartel__isnull=False).order_by("date").first()
    assert found is not None
    return found


def put_on_air(corrida: Corrida, start: dt.datetime = START) -> Corrida:
    """Queue and play a corrida whose broadcast begins at `start`."""
    Corrida.objects.filter(pk=corrida.pk).update(state="queued", pace_ms=PACE_MS)
    assert play_on_air(corrida.pk, at=start)
    return fetch(corrida.pk)


def fetch(pk: int) -> Corrida:
    """Return the corrida with the related rows that its page needs."""
    return Corrida.objects.select_related("season__circuit", "plaza", "cartel__deck").get(pk=pk)


@written_again
def played() -> Corrida:
    """Return the first corrida of a season, on air from START."""
    return put_on_air(announce())


@dataclass
class OnAir:
    """A corrida on air and its rendered broadcast; `at` sets how far the broadcast is."""

    corrida: Corrida
    showing: Showing

    def at(self, moment: int) -> None:
        """Set the start of the broadcast so that it has now reached this moment (-1: just before
        the parade).
        """
        now = dt.datetime.now(dt.UTC)
        elapsed = self.showing.timeline.offset(moment) if moment >= 0 else dt.timedelta(seconds=-9)
        start = now - elapsed - MARGIN
        end = start + dt.timedelta(milliseconds=self.showing.timeline.length_ms)
        Corrida.objects.filter(pk=self.corrida.pk).update(on_air_at=start, ends_at=end)

    def scene(self, moment: int, language: str = "en") -> Scene:
        """Return a moment as the page shows it."""
        return Scene(showing=self.showing, moment=moment, language=language)


@pytest.fixture
def announced(db: None) -> Corrida:
    """Return an announced corrida that has not been played."""
    return announce()


@pytest.fixture
def on_air(db: None) -> OnAir:
    """Return a corrida on air from START, played from a known seed."""
    corrida = played()
    return OnAir(corrida, source.showing_of(corrida))


@pytest.fixture(autouse=True)
def _nothing_kept() -> Iterator[None]:
    """Clear the caches, because another test may use the same primary keys for other rows."""
    for kept in (source._cache, queries._on_air):
        kept.clear()
    yield
    for kept in (source._cache, queries._on_air):
        kept.clear()
