"""Many seasons in a row, also after an interruption; no query reads the whole history.

The environment variable `SEASONS` sets the number. Fifty seasons take some minutes.
"""

import os
import re
import signal
from collections.abc import Callable, Iterator
from io import StringIO
from typing import Any

import pytest
from django.core.management import CommandError, call_command
from django.db import connection

from corridas import notifications
from corridas.models import Circuit, Corrida, Matador, MatadorCard, Run, Season, Winter
from corridas.simulation.rows import latest_cards
from corridas.simulation.run import chunks
from corridas.simulation.winter import winter_over
from tests.corridas.simulation import world
from tests.corridas.simulation.audit import faults
from tests.scratch import seeds

SEASONS = int(os.environ.get("SEASONS", "4"))
HISTORY = ("lidia", "puesto", "bull", "escalafon", "injury", "cartel", "corrida", "matadorcard")
SCAN = re.compile(rf"SCAN \S*({'|'.join(f'corridas_{name}' for name in HISTORY)})\b")

pytestmark = pytest.mark.usefixtures("rows")


@pytest.fixture
def circuit(rows: str) -> Circuit:
    """The `wild` circuit, each season of which has the eleven corridas of its first season."""
    circuit = Circuit.objects.get(slug="wild")
    circuit.calendar = [list(entry) for entry in world.WILD]
    circuit.save(update_fields=["calendar"])
    return circuit


def play(**options: Any) -> str:
    said = StringIO()
    call_command("play", circuit="wild", stdout=said, **options)
    return said.getvalue()


def years(circuit: Circuit, *, over: bool) -> list[int]:
    seasons = circuit.seasons.filter(winter__done_at__isnull=not over)
    return list(seasons.order_by("year").values_list("year", flat=True))


@pytest.mark.slow
def test_play_seasons_ends_as_many_seasons_as_requested(circuit: Circuit) -> None:
    assert f"{SEASONS} of {SEASONS} seasons ended." in play(count=SEASONS)
    last = world.YEAR + SEASONS
    assert years(circuit, over=True) == list(range(world.YEAR, last))
    assert years(circuit, over=False) == [last]
    call_command("rebuild", "escalafon", "--check", circuit="wild", stdout=StringIO())
    call_command("verify", "winters", circuit="wild", stdout=StringIO())
    for season in circuit.seasons.filter(year__lt=last):
        assert not Corrida.objects.to_come().filter(season=season).exists()
    (ended,) = circuit.seasons.filter(year=last - 1)
    assert [fault for fault in faults(ended) if "has the form" not in fault] == []


@pytest.mark.slow
def test_latest_cards_has_one_card_for_each_active_matador(circuit: Circuit) -> None:
    play(count=2)
    active = Matador.objects.filter(circuit=circuit, state="active")
    cards = latest_cards(circuit.pk)
    assert list(cards) == list(active.order_by("pk").values_list("pk", flat=True))
    for matador in active:
        newest = matador.cards.order_by("printing").last()
        assert newest is not None
        assert cards[matador.pk].pk == newest.pk
    assert MatadorCard.objects.filter(matador__circuit=circuit, printing=3).exists()


@pytest.mark.slow
def test_no_query_scans_the_history_of_earlier_seasons(circuit: Circuit) -> None:
    """Every query on past seasons uses an index, according to SQLite's query planner."""
    play(count=2)
    asked: dict[str, Any] = {}

    def note(execute: Callable[..., Any], sql: str, params: Any, many: bool, context: Any) -> Any:
        if sql.split(" ", 1)[0] in {"SELECT", "UPDATE", "DELETE"} and (params or not many):
            asked.setdefault(sql, params[0] if many and params else params)
        return execute(sql, params, many, context)

    season = circuit.seasons.get(year=world.YEAR + 2)
    with connection.execute_wrapper(note):
        world.play_season(season)
        winter_over(
            season, at=world.NOW, fresh=seeds("explained"), on_winter=notifications.winter_over
        )
    assert len(asked) > 40
    assert [found for sql, params in asked.items() for found in scans(sql, params)] == []


def scans(sql: str, params: Any) -> Iterator[str]:
    """Return the steps of a query plan that scan a whole table of past results."""
    with connection.cursor() as cursor:
        cursor.execute(f"EXPLAIN QUERY PLAN {sql}", params)
        for *_, step in cursor.fetchall():
            if SCAN.search(step):
                yield f"{step}: {sql[:300]}"


@pytest.mark.slow
def test_interrupted_play_seasons_finishes_its_current_step(
    circuit: Circuit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("corridas.simulation.run.CHUNK", 2)

    def interrupted(*arguments: Any, **options: Any) -> Iterator[Run]:
        for place, run in enumerate(chunks(*arguments, **options)):
            if place == 1:
                os.kill(os.getpid(), signal.SIGINT)
            yield run

    before = signal.getsignal(signal.SIGINT)
    monkeypatch.setattr("corridas.management.playing.chunks", interrupted)
    said = play(count=2)
    assert signal.getsignal(signal.SIGINT) is before
    assert f"--circuit wild --to {world.YEAR + 1}" in said
    assert Run.objects.get(season__circuit=circuit).state == "stopped"
    assert 0 < Corrida.objects.over().filter(season__circuit=circuit).count() < 11
    monkeypatch.undo()
    assert "2 of 2 seasons ended." in play(to=world.YEAR + 1)
    assert years(circuit, over=True) == [world.YEAR, world.YEAR + 1]


@pytest.mark.slow
def test_run_left_by_a_killed_process_is_continued(circuit: Circuit) -> None:
    run = world.begin(world.wild())
    Run.objects.filter(pk=run.pk).update(state=Run.State.RUNNING)
    assert "1 of 1 seasons ended." in play(count=1)
    assert Run.objects.get(season__year=world.YEAR, season__circuit=circuit).state == "done"


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"to": world.YEAR - 1}, "nothing to play"),
        ({"count": 0}, "nothing to play"),
    ],
)
def test_play_seasons_rejects_invalid_options_with_a_message(
    circuit: Circuit, options: Any, sentence: str
) -> None:
    with pytest.raises(CommandError, match=sentence):
        play(**options)


def test_play_seasons_names_an_unknown_circuit() -> None:
    with pytest.raises(CommandError, match="no circuit"):
        call_command("play", circuit="nowhere", count=1, stdout=StringIO())


def test_play_seasons_rejects_a_frozen_circuit(circuit: Circuit) -> None:
    Circuit.objects.filter(pk=circuit.pk).update(frozen_at=world.NOW)
    with pytest.raises(CommandError, match="is frozen, so no corridas can be played in it"):
        play(count=1)
    assert not Winter.objects.filter(season__circuit=circuit, done_at__isnull=False).exists()
    assert not Season.objects.filter(circuit=circuit, year=world.YEAR + 1).exists()
