"""A worker killed before any SQL statement leaves rows with which another worker can continue.

The work is done in a separate process, which is killed with SIGKILL before its first statement, its
second, and so on until it finishes. After every kill the work is repeated from the start, unless an
earlier kill left the same rows. Except in nightly runs, only every twelfth statement within a
transaction is tried, because its changes do not exist before the commit.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Iterable, Iterator
from pathlib import Path

import pytest

from corridas.models import (
    Cartel,
    Commitment,
    Corrida,
    Injury,
    Lidia,
    Matador,
    Puesto,
    Reservation,
    Run,
)
from corridas.season import commitments
from corridas.season.operations import Goal
from corridas.simulation.play import play_on_air
from corridas.simulation.post import post_now
from corridas.world.gates import closing_day
from tests.corridas.simulation import world
from tests.corridas.simulation.audit import faults
from tests.corridas.simulation.world import NOW
from tests.databases import Postgres, copy_of, name_of, opened
from tests.scratch import dies_before, left_in, outside_transactions

Copies = Callable[[], str]
END = NOW + dt.timedelta(hours=1)


def put_on_air() -> bool:
    return play_on_air(first().pk, at=NOW)


def post() -> bool:
    return post_now(first().pk, at=END)


def run() -> object:
    return world.run_on(Run.objects.get())


def first() -> Corrida:
    return Corrida.objects.of_season(world.brief())[0]


def queued() -> None:
    world.queue_all(world.brief())


def on_air() -> None:
    queued()
    put_on_air()


def asked_to_run() -> None:
    world.begin(world.brief(), Goal(corridas=2))


def once(copies: Copies, prepare: Callable[[], object]) -> str:
    url = copies()
    with opened(url):
        prepare()
    return url


def kills(
    prepared: Callable[[], str], work: Callable[[], object], step: int = 1, least: int = 12
) -> Iterator[str]:
    """Yield databases that a killed worker left, for every statement or every `step`-th."""
    statement = 1
    while dies_before(url := prepared(), statement, work):
        yield url
        statement += step
    assert statement > least, "the work is longer than that"


class DatabaseCopies:
    """Copies of a prepared SQLite file."""

    def __init__(self, copies: Copies, prepare: Callable[[], object]) -> None:
        self._source = Path(once(copies, prepare).removeprefix("sqlite:///"))
        self._target = self._source.with_suffix(".killed")

    def __call__(self) -> str:
        for leftover in ("-wal", "-shm"):
            self._target.with_name(self._target.name + leftover).unlink(missing_ok=True)
        return copy_of(self._source, self._target)


def check_play(url: str) -> str:
    with opened(url):
        corrida = first()
        assert corrida.state in {"queued", "on_air"}
        assert bool(corrida.lidias.count()) == (corrida.state == "on_air")
        assert put_on_air() == (corrida.state == "queued")
        assert not put_on_air()
        assert post()
        check_once()
    return corrida.state


def check_post(url: str) -> str:
    with opened(url):
        state, before = first().state, faults(world.brief())
        assert before == []
        assert post() == (state == "on_air")
        assert not post()
        check_once()
    return state


def check_once() -> None:
    """Check that only the first corrida of the season is played, and that it is counted once."""
    season = world.brief()
    assert faults(season) == []
    assert list(Corrida.objects.over().filter(season=season)) == [first()]
    assert Lidia.objects.exclude(corrida=first()).count() == 0
    assert season.posted_version == 1
    assert Injury.objects.exists(), "the fierce deck hurts somebody"


def check_run(url: str) -> str:
    with opened(url):
        season = world.brief()
        assert faults(season) == []
        found = f"{Cartel.objects.count()} hung, {Corrida.objects.over().count()} played"
        assert Run.objects.get().done == Corrida.objects.over().count()
        run()
        ended = Run.objects.get()
        assert (ended.state, ended.done, ended.total) == ("done", 2, 2)
        assert Corrida.objects.over().count() == 2
        assert faults(season) == []
    return found


def reserved() -> None:
    """Reserve both corridas, sign two matadors for the second one, and ask for a run."""
    season = world.brief()
    corridas = list(Corrida.objects.of_season(season).select_related("season__circuit", "plaza"))
    closes_on = closing_day(corridas[0].date, dt.date.min)
    commitments.reserve(corridas, closes_on=closes_on, stage=Reservation.Stage.WINTER)
    commitments.change_plan(corridas, autopilot=True)
    men = Matador.objects.filter(circuit=season.circuit, state=Matador.State.ACTIVE)
    for matador in men.order_by("slug")[:2]:
        commitments.sign(
            corrida=corridas[1],
            matador=matador,
            fee=1,
            window=Commitment.Window.WINTER,
            on=closes_on,
        )
    asked_to_run()


def check_reserved(url: str) -> str:
    found = check_run(url)
    with opened(url):
        for corrida in Corrida.objects.of_season(world.brief()):
            signed = Commitment.objects.filter(corrida=corrida, released=False)
            on_cartel = Puesto.objects.filter(cartel=corrida.pk)
            assert set(signed.values_list("matador", flat=True)) == set(
                on_cartel.values_list("matador", flat=True)
            )
            assert signed.count() == 3
        assert {row.stage for row in Reservation.objects.all()} == {Reservation.Stage.OVER}
    return found


# A cartel and its commitment are published before the first card is drawn (Ruling F-2).
HUNG = {"0 hung, 0 played", "2 hung, 0 played"}
CASES = pytest.mark.parametrize(
    ("prepare", "work", "check", "left"),
    [
        pytest.param(queued, put_on_air, check_play, {"queued"}, id="play"),
        pytest.param(on_air, post, check_post, {"on_air"}, id="post"),
        pytest.param(asked_to_run, run, check_run, HUNG, id="run"),
        pytest.param(reserved, run, check_reserved, HUNG, id="reserved"),
    ],
)


@pytest.mark.slow
@CASES
def test_worker_killed_before_a_statement_can_be_replaced(
    copies: Copies,
    prepare: Callable[[], object],
    work: Callable[[], object],
    check: Callable[[str], str],
    left: set[str],
) -> None:
    fresh = DatabaseCopies(copies, prepare)
    outside_transactions(fresh(), work)  # fill the caches first
    places = outside_transactions(fresh(), work)
    assert places[-1] > 12, "the work is longer than that"
    some = sorted({*places, *range(1, places[-1], 12)})
    assert left <= found_by(check, killed_before(fresh, some, work))


@pytest.mark.nightly
@CASES
def test_worker_killed_before_every_statement_can_be_replaced(
    copies: Copies,
    prepare: Callable[[], object],
    work: Callable[[], object],
    check: Callable[[str], str],
    left: set[str],
) -> None:
    assert left <= found_by(check, kills(DatabaseCopies(copies, prepare), work))


def killed_before(
    prepared: Callable[[], str], statements: Iterable[int], work: Callable[[], object]
) -> Iterator[str]:
    for statement in statements:
        url = prepared()
        assert dies_before(url, statement, work), statement
        yield url


def found_by(check: Callable[[str], str], urls: Iterable[str]) -> set[str]:
    """Return what a check finds in these databases; databases with equal rows are checked once."""
    checked: dict[str, str] = {}
    for url in urls:
        rows = left_in(url)
        if rows not in checked:
            checked[rows] = check(url)
    return set(checked.values())


@CASES
def test_worker_killed_on_postgresql_can_be_replaced(
    postgres: Postgres,
    postgres_template: str,
    prepare: Callable[[], object],
    work: Callable[[], object],
    check: Callable[[str], str],
    left: set[str],
) -> None:
    source = postgres.copy(postgres_template)
    with opened(source):
        prepare()
    found = set()
    for url in kills(lambda: postgres.copy(name_of(source)), work, step=12, least=4):
        found.add(check(url))
        postgres.drop(url)
    assert left <= found
