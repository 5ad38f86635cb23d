"""Small circuits for tests: one with the shipped deck, others whose deck injures very often."""

import datetime as dt
from hashlib import sha256
from pathlib import Path

from corridas import notifications
from corridas.models import Circuit, Corrida, Deck, Run, Season
from corridas.season.operations import Goal, prepare_run
from corridas.simulation import new_circuit
from corridas.simulation.draw import announce
from corridas.simulation.new_circuit import shipped
from corridas.simulation.run import run_on as run_to_end
from corridas.simulation.schedule import plan
from corridas.world.calendar import CalendarEntry
from fairness import Seed
from tests.scratch import seeds

FIERCE = Path(__file__).parents[2] / "playthroughs" / "deck-fierce.txt"
NOW = dt.datetime(2026, 3, 1, 17, tzinfo=dt.UTC)
YEAR = 2026
CALM = (
    CalendarEntry("Feria de la Prueba", "las-ventas", "03-01", 2, "daily"),
    CalendarEntry("Corrida suelta", "valencia", "03-02", 1, "daily"),
    CalendarEntry("Corrida de ultramar", "plaza-mexico", "03-20", 1, "daily"),
)
WILD = (
    CalendarEntry("Feria de Sangre", "las-ventas", "03-01", 6, "daily"),
    CalendarEntry("Feria de Provincias", "valencia", "03-03", 3, "alternate"),
    CalendarEntry("Corridas de pueblo", "valdemorillo", "03-02", 2, "weekend"),
)


BRIEF = (CalendarEntry("Dos tardes", "las-ventas", "03-01", 2, "daily"),)


def found(slug: str, entries: tuple[CalendarEntry, ...]) -> Season:
    """Found a circuit with the shipped roster and a season of these calendar entries."""
    circuit = new_circuit.found(shipped(), slug=slug, name=slug.title(), owner=None, rules={})
    return plan(circuit, YEAR, entries, seed=Seed(sha256(slug.encode()).digest()))


def found_all() -> None:
    found("calm", CALM)
    cards = fiercest()
    digest = sha256(cards.encode()).hexdigest()
    deck = Deck.objects.create(name="Fierce", cards=cards, digest=digest)
    for slug, entries in (("wild", WILD), ("brief", BRIEF)):
        Circuit.objects.filter(seasons=found(slug, entries)).update(deck=deck)


def fiercest() -> str:
    """Return the fierce deck, with HERIDA (a wound) in the BULL entry of every card."""
    lines = [line.split(" | ") for line in FIERCE.read_text().splitlines() if line.strip()]
    return "\n".join(" | ".join((*line[:4], "HERIDA", *line[5:])) for line in lines)


def found_long() -> Season:
    """Found a circuit with the first forty entries of the shipped calendar."""
    return found("long", tuple(shipped().ferias[:40]))


def calm() -> Season:
    """Return a season of four corridas with the shipped deck, one of them across the ocean."""
    return _of("calm")


def wild() -> Season:
    """Return a season of eleven corridas, many of which are broken off."""
    return _of("wild")


def brief() -> Season:
    """Return a season of two corridas with the fierce deck."""
    return _of("brief")


def _of(slug: str) -> Season:
    return Season.objects.select_related("circuit").get(circuit__slug=slug)


def queue_all(season: Season, *, pace_ms: int = 1000) -> list[int]:
    """Announce and queue every corrida of a season, and return their keys in order."""
    announce(season, until=dt.date(YEAR, 12, 31), fresh=seeds("queue"))
    corridas = Corrida.objects.of_season(season)
    corridas.update(state=Corrida.State.QUEUED, queued_at=NOW, pace_ms=pace_ms)
    return list(corridas.values_list("pk", flat=True))


def begin(season: Season, goal: Goal | None = None, stop_on: tuple[object, ...] = ()) -> Run:
    """Create a run that no worker has started yet."""
    return prepare_run(
        season=season,
        goal=goal or Goal(),
        at=NOW,
        stop_on=stop_on,  # type: ignore[arg-type]  # members of StopOn, from any test
    )


def run_on(run: Run) -> Run:
    """Play a run to its end in this process."""
    return run_to_end(
        run.pk, clock=lambda: NOW, fresh=seeds(f"run/{run.pk}"), on_end=notifications.run_ended
    )


def play_season(season: Season) -> Run:
    return run_on(begin(season))
