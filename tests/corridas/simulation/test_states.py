"""Database constraints of circuits and corridas, and operations allowed in each state."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable
from typing import Any

import pytest
from django.db import IntegrityError, transaction

from accounts.models import User
from corridas import circuit_queries as circuits
from corridas.errors import OperationError
from corridas.models import (
    Award,
    Bull,
    Circuit,
    Corrida,
    Escalafon,
    Feria,
    Ganaderia,
    Injury,
    Lidia,
    Matador,
    MatadorCard,
    Plaza,
    Puesto,
    Record,
    RecordBook,
    Run,
    Season,
    Winter,
)
from corridas.roster import operations as roster_operations
from corridas.season import operations as season_operations
from corridas.season.operations import Goal, open_next_season, prepare_run
from corridas.simulation.winter_queries import left_in_season
from tests.corridas.pages.conftest import World
from tests.corridas.simulation.arena import NOW, day_of, fight, in_year
from tests.factories import record_book

S = Corrida.State
TICK = dt.timedelta(microseconds=1)
OVER = {S.POSTED, S.SUSPENDED}


@pytest.fixture(autouse=True)
def _nobody_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    """Replace the broker, because messages to workers are tested elsewhere."""
    monkeypatch.setattr("corridas.season.operations.enqueue", lambda *_, **__: True)


# Corridas by state


@pytest.mark.parametrize("state", S.values)
def test_querysets_select_corridas_by_state(mine: World, state: str) -> None:
    corrida = fight(mine, mine.announce(day_of(mine, 2)), state=state)
    Lidia.objects.filter(turn=6).update(ends_at=NOW + TICK)
    assert corrida.is_over is (state in OVER)
    chosen = {
        "over": state in OVER,
        "to_come": state in {S.ANNOUNCED, S.QUEUED},
        "on_air": state == S.ON_AIR,
        "free_for_the_sand": state in {S.ANNOUNCED, S.FAILED},
    }
    told = {name: getattr(Corrida.objects, name)().exists() for name in chosen}
    assert told == chosen
    assert Lidia.objects.posted().count() == (6 if state in OVER else 0)
    assert Lidia.objects.shown(at=NOW).count() == (6 if state in OVER else 5)
    assert Lidia.objects.shown(at=NOW - TICK).count() == (6 if state in OVER else 0)


@pytest.mark.parametrize("state", S.values)
def test_matador_on_air_cannot_be_broadcast_in_another_corrida(
    mine: World, other: World, state: str
) -> None:
    Corrida.objects.filter(pk=mine.announce(day_of(mine, 2)).pk).update(state=state)
    waits, foreign = mine.announce(day_of(mine, 3), first=3), other.announce(day_of(other, 2))
    free = set(Corrida.objects.free_for_the_sand().exclude(date=day_of(mine, 2)))
    free |= set(Corrida.objects.free_for_the_sand().filter(pk=foreign.pk))
    assert free == ({foreign} if state in {S.QUEUED, S.ON_AIR} else {waits, foreign})


def test_corridas_of_a_season_are_ordered_by_date(mine: World, other: World) -> None:
    late, early = mine.announce(day_of(mine, 9)), mine.announce(day_of(mine, 3))
    in_year(mine, 2028).announce(dt.date(2028, 1, 1))
    other.announce(day_of(other, 1))
    assert list(Corrida.objects.of_season(mine.season)) == [early, late]


@pytest.mark.parametrize(("pace_ms", "gap"), [(999, 500), (1000, 12_000), (None, 500)])
def test_slow_broadcast_has_longer_pauses(pace_ms: int | None, gap: int) -> None:
    timeline = Corrida(pace_ms=pace_ms).timeline([10] * 6)
    assert timeline.interval_ms == gap
    assert timeline.paseillo_ms == (8_000 if gap > 500 else 500)
    assert timeline.pace_ms == (pace_ms or 1)


@pytest.mark.parametrize("rest", ["frozen_at", "archived_at", None])
def test_frozen_and_archived_circuits_are_not_awake(mine: World, rest: str | None) -> None:
    if rest:
        Circuit.objects.filter(pk=mine.circuit.pk).update(**{rest: NOW})
    assert Circuit.objects.awake().filter(pk=mine.circuit.pk).exists() is (rest is None)


@pytest.mark.parametrize("state", Run.State.values)
def test_queued_and_running_runs_are_active(state: str) -> None:
    assert Run(state=state).active is (state in {"queued", "running"})


# Database constraints

Make = Callable[[World], object]


def change(model: type[Any], **columns: Any) -> Make:
    return lambda world: model.objects.filter(pk=model.objects.first().pk).update(**columns)


def again(model: type[Any], *distinct: str) -> Make:
    """Return a function that saves a copy of the first row, with other values in some columns."""

    def make(world: World) -> None:
        row = model.objects.first()
        row.pk, row._state.adding = None, True
        for assignment in distinct:
            name, _, value = assignment.partition("=")
            setattr(row, name, int(value) if value.isdigit() else value)
        row.save()

    return make


def run(state: str) -> Make:
    return lambda world: Run.objects.create(
        season=world.season, until=NOW.date(), asked_at=NOW, state=state
    )


REFUSED: dict[str, Make] = {
    "pace 0": change(Circuit, pace_ms=0),
    "pace 60001": change(Circuit, pace_ms=60_001),
    "category 0": change(Plaza, category=0),
    "category 4": change(Plaza, category=4),
    "continent": change(Plaza, continent="AS"),
    "seats 0": change(Plaza, seats=0),
    "seats 100000": change(Plaza, seats=100_000),
    "herd continent": change(Ganaderia, continent="AS"),
    "place 6": change(Bull, place=6),
    "weight 299": change(Bull, weight=299),
    "weight 801": change(Bull, weight=801),
    "fate": change(Bull, state="lost"),
    "promise 0": change(Matador, promise=0),
    "promise 101": change(Matador, promise=101),
    "active but retired": change(Matador, retired_in=2020),
    "state of a matador": change(Matador, state="dead"),
    "printing 0": change(MatadorCard, printing=0),
    "rating 0": change(MatadorCard, rating=0),
    "rating 101": change(MatadorCard, rating=101),
    "feria ends": change(Feria, ends=dt.date(2027, 2, 28)),
    "season twice": again(Season),
    "plaza twice": again(Plaza),
    "herd twice": again(Ganaderia),
    "matador twice": again(Matador),
    "feria twice": again(Feria),
    "printing twice": again(MatadorCard),
    "bull twice": again(Bull),
    "corrida twice": again(Corrida),
    "counters twice": again(Escalafon),
    "record twice": again(Record),
    "book twice": again(RecordBook),
    "injury twice": again(Injury),
    "award of a season twice": again(Award),
    "a run on twice": lambda world: (run("queued")(world), run("running")(world)),
    "place twice": again(Puesto, "date=2020-01-01"),
    "two plazas a day": again(Puesto, "order=2"),
}
ALLOWED: dict[str, Make] = {
    "pace 1": change(Circuit, pace_ms=1),
    "pace 60000": change(Circuit, pace_ms=60_000),
    "category 3": change(Plaza, category=3),
    "America": change(Plaza, continent="AM"),
    "seats 1": change(Plaza, seats=1),
    "seats 99999": change(Plaza, seats=99_999),
    "place 5": change(Bull, place=5),
    "no place": change(Bull, place=None),
    "weight 300": change(Bull, weight=300),
    "weight 800": change(Bull, weight=800),
    "promise 1": change(Matador, promise=1),
    "promise 100": change(Matador, promise=100),
    "retired": change(Matador, state="retired", retired_in=2020),
    "retired some time": change(Matador, state="retired", retired_in=None),
    "rating 1": change(MatadorCard, rating=1),
    "rating 100": change(MatadorCard, rating=100),
    "a feria of a day": change(Feria, starts=dt.date(2027, 3, 9)),
    "another year": again(Season, "year=2030"),
    "another category": again(Escalafon, "category=2"),
    "another record": again(Record, "key=share_tails"),
    "another scope": again(RecordBook, "scope=plaza"),
    "another award": again(Award, "key=bull"),
    "another bull": again(Bull, "number=99"),
    "another year of bulls": again(Bull, "year=2030"),
    "a run after a run": lambda world: [
        run(state)(world) for state in ("done", "failed", "queued")
    ],
}


@pytest.fixture
def furnished(mine: World) -> World:
    """Return the circuit with one row of each model, from which invalid copies are made."""
    corrida = mine.announce(day_of(mine, 2))
    Bull.objects.create(
        ganaderia=mine.herd, year=2027, number=1, name="X", coat="negro", weight=500, place=0
    )
    who = {"matador": mine.matadors[0]}
    Escalafon.objects.create(season=mine.season, category=1, **who)
    Record.objects.create(book=record_book(mine.circuit), key="share_ears", value=1)
    Award.objects.create(season=mine.season, key="triumph", score=1)
    day = {"since": corrida.date, "until": corrida.date}
    Injury.objects.create(corrida=corrida, turn=1, grade="leve", **who, **day)
    return mine


@pytest.mark.parametrize("what", REFUSED)
def test_database_rejects_invalid_rows(furnished: World, what: str) -> None:
    with pytest.raises(IntegrityError), transaction.atomic():
        REFUSED[what](furnished)


@pytest.mark.parametrize("what", ALLOWED)
def test_database_accepts_rows_at_the_limits(furnished: World, what: str) -> None:
    ALLOWED[what](furnished)


def test_injury_cannot_end_before_it_begins(furnished: World) -> None:
    since = Injury.objects.get().since
    Injury.objects.update(until=since)
    with pytest.raises(IntegrityError), transaction.atomic():
        Injury.objects.update(until=since - dt.timedelta(1))


def test_award_is_given_once_for_each_feria(furnished: World, other: World) -> None:
    for feria in (furnished.feria, other.feria):
        Award.objects.create(season=feria.season, feria=feria, key="triumph", score=1)
    with pytest.raises(IntegrityError), transaction.atomic():
        Award.objects.create(season=furnished.season, feria=furnished.feria, key="triumph", score=2)


def test_matador_cannot_be_his_own_padrino_or_testigo(furnished: World) -> None:
    one, two, three, _ = furnished.matadors
    own = Matador.objects.filter(pk=one.pk)
    for wrong in ({"padrino": one}, {"testigo": one}, {"padrino": two, "testigo": two}):
        with pytest.raises(IntegrityError), transaction.atomic():
            own.update(**{"padrino": None, "testigo": None} | wrong)
    own.update(padrino=two, testigo=three)


# Queueing a corrida for broadcast


def queue(corrida: Corrida, pace_ms: int = 1000) -> None:
    season_operations.queue_corrida(corrida=corrida, pace_ms=pace_ms, at=NOW)


@pytest.mark.parametrize("state", S.values)
def test_only_announced_and_failed_corridas_can_be_queued(mine: World, state: str) -> None:
    corrida = mine.announce(day_of(mine, 2))
    Corrida.objects.filter(pk=corrida.pk).update(state=state, attempts=2, error="gone")
    if state in {S.ANNOUNCED, S.FAILED}:
        queue(corrida)
        corrida.refresh_from_db()
        told = (corrida.state, corrida.queued_at, corrida.attempts, corrida.error)
        assert told == (S.QUEUED, NOW, 0, "")
    else:
        with pytest.raises(OperationError, match="no longer waiting"):
            queue(corrida)
        assert Corrida.objects.get(pk=corrida.pk).state == state


@pytest.mark.parametrize("pace_ms", [50, 60_000])
def test_fastest_and_slowest_pace_are_accepted(mine: World, pace_ms: int) -> None:
    corrida = mine.announce(day_of(mine, 2))
    queue(corrida, pace_ms)
    assert Corrida.objects.get(pk=corrida.pk).pace_ms == pace_ms


@pytest.mark.parametrize(("done_at", "own", "refused"), [
    (NOW, True, True), (None, True, False), (NOW, False, False),
])  # fmt: skip
def test_no_corrida_can_be_queued_after_the_winter_of_its_season(
    mine: World, done_at: dt.datetime | None, own: bool, refused: bool
) -> None:
    season = mine.season if own else in_year(mine, 2026).season
    Winter.objects.create(season=season, seed=b"", commitment=b"", done_at=done_at)
    corrida = mine.announce(day_of(mine, 2))
    if refused:
        with pytest.raises(
            OperationError,
            match="The winter after this season has ended, so the corrida can no longer be changed",
        ):
            queue(corrida)
    else:
        queue(corrida)


@pytest.mark.parametrize("state", Run.State.values)
def test_no_corrida_can_be_queued_while_a_run_plays_its_season(
    mine: World, other: World, state: str
) -> None:
    own, foreign = mine.announce(day_of(mine, 2)), other.announce(day_of(other, 2))
    Run.objects.create(season=mine.season, until=NOW.date(), asked_at=NOW, state=state)
    queue(foreign)
    if state in Run.ACTIVE:
        with pytest.raises(OperationError, match="The season is being played"):
            queue(own)
        with pytest.raises(OperationError, match="The season is being played"):
            season_operations.set_cartel(corrida=own, matadors=mine.matadors[:3])
    else:
        queue(own)


def test_corrida_waits_if_its_matador_is_on_air_elsewhere(mine: World) -> None:
    busy = fight(mine, mine.announce(day_of(mine, 2)))
    waits = mine.announce(day_of(mine, 3), first=3)
    with pytest.raises(
        OperationError,
        match=(
            r"One of this corrida’s matadors is still fighting in another corrida\. "
            "Wait until the other corrida has ended"
        ),
    ):
        queue(waits)
    Corrida.objects.filter(pk=busy.pk).update(state=S.POSTED)
    queue(waits)


@pytest.mark.parametrize(("own", "circuits"), [(700, 700), (None, 3000)])
def test_failed_corrida_is_retried_at_its_own_pace(
    mine: World, own: int | None, circuits: int
) -> None:
    corrida = mine.announce(day_of(mine, 2))
    Corrida.objects.filter(pk=corrida.pk).update(state=S.FAILED, pace_ms=own)
    corrida.refresh_from_db()
    season_operations.retry_corrida(corrida=corrida, at=NOW)
    assert Corrida.objects.get(pk=corrida.pk).pace_ms == circuits


# A cartel chosen by the director


@pytest.mark.parametrize(
    ("since", "until", "free"), [(5, 9, False), (7, 7, False), (8, 9, True), (5, 6, True)]
)
def test_injured_matador_cannot_be_put_on_a_cartel(
    mine: World, since: int, until: int, free: bool
) -> None:
    corrida, past = mine.announce(day_of(mine, 7)), mine.announce(day_of(mine, 1))
    Injury.objects.create(
        matador=mine.matadors[3], corrida=past, turn=1, grade="leve",
        since=day_of(mine, since), until=day_of(mine, until),
    )  # fmt: skip
    trio = mine.matadors[1:]
    if free:
        season_operations.set_cartel(corrida=corrida, matadors=trio)
        assert Puesto.objects.filter(cartel=corrida.pk, matador=trio[2]).exists()
    else:
        with pytest.raises(OperationError, match="is injured and can’t appear on that day"):
            season_operations.set_cartel(corrida=corrida, matadors=trio)


@pytest.mark.parametrize("state", ["novillero", "retired"])
def test_only_active_matadors_can_be_put_on_a_cartel(mine: World, state: str) -> None:
    corrida = mine.announce(day_of(mine, 7))
    Matador.objects.filter(pk=mine.matadors[3].pk).update(state=state)
    trio = list(Matador.objects.filter(pk__in=[one.pk for one in mine.matadors[1:]]))
    with pytest.raises(OperationError, match="not an active matador"):
        season_operations.set_cartel(corrida=corrida, matadors=trio)


def test_archived_herd_cannot_be_chosen_but_an_announced_one_stays(mine: World) -> None:
    corrida = mine.announce(day_of(mine, 7))
    herds = [
        Ganaderia.objects.create(
            circuit=mine.circuit, slug=f"h{number}", name=f"H{number}", country="ES",
            continent="EU", renown=0, archived_at=gone,
        )
        for number, gone in enumerate((NOW, None))
    ]  # fmt: skip
    with pytest.raises(OperationError, match="archived"):
        season_operations.set_cartel(corrida=corrida, matadors=mine.matadors[:3], herd=herds[0])
    season_operations.set_cartel(corrida=corrida, matadors=mine.matadors[:3])
    assert Corrida.objects.get(pk=corrida.pk).cartel.ganaderia == mine.herd
    season_operations.set_cartel(corrida=corrida, matadors=mine.matadors[:3], herd=herds[1])
    assert Corrida.objects.get(pk=corrida.pk).cartel.ganaderia == herds[1]


# Starting a run


def prepared(world: World, **goal: Any) -> Run:
    return prepare_run(season=world.season, goal=Goal(**goal), at=NOW)


@pytest.mark.parametrize(
    ("goal", "total"),
    [
        ({}, 4),
        ({"corridas": 1}, 1),
        ({"corridas": 9}, 4),
        ({"until": dt.date(2027, 3, 4)}, 3),
        ({"until": dt.date(2027, 3, 3)}, 2),
        ({"until": dt.date(2027, 3, 4), "corridas": 2}, 2),
    ],
)
def test_run_plays_unplayed_corridas_up_to_its_goal(
    mine: World, other: World, goal: dict[str, Any], total: int
) -> None:
    for day, plaza in ((2, 0), (3, 1), (4, 0)):
        mine.announce(day_of(mine, day), plaza=plaza)
    mine.announce(dt.date(2027, 12, 31))
    for day, state in enumerate((S.FAILED, S.AT_TABLE, S.POSTED, S.SUSPENDED), start=10):
        Corrida.objects.filter(pk=mine.announce(day_of(mine, day)).pk).update(state=state)
    other.announce(day_of(other, 2))
    run = prepared(mine, **goal)
    assert (run.total, run.done, run.state) == (total, 0, Run.State.QUEUED)
    assert run.until == goal.get("until", dt.date(2027, 12, 31))
    assert run.most == goal.get("corridas")


def test_run_of_a_feria_counts_its_corridas_only(mine: World) -> None:
    mine.announce(day_of(mine, 2))
    mine.announce(day_of(mine, 3), plaza=1)
    assert prepared(mine, feria=mine.feria).total == 1


def test_run_ends_broadcasts_and_the_queue_of_its_own_season(mine: World, other: World) -> None:
    airs = [fight(world, world.announce(day_of(world, 2))) for world in (mine, other)]
    queued = [world.announce(day_of(world, 3)) for world in (mine, other)]
    Corrida.objects.filter(pk__in=[one.pk for one in queued]).update(
        state=S.QUEUED, queued_at=NOW, pace_ms=100
    )
    assert prepared(mine).total == 1
    states = [Corrida.objects.get(pk=one.pk).state for one in (*airs, *queued)]
    assert states == [S.POSTED, S.ON_AIR, S.ANNOUNCED, S.QUEUED]
    cleared = Corrida.objects.get(pk=queued[0].pk)
    assert (cleared.pace_ms, cleared.queued_at) == (None, None)


@pytest.mark.parametrize("state", Run.State.values)
def test_season_has_one_active_run_at_a_time(mine: World, other: World, state: str) -> None:
    for world in (mine, other):
        world.announce(day_of(world, 2))
    Run.objects.create(season=mine.season, until=NOW.date(), asked_at=NOW, state=state)
    assert prepared(other).total == 1
    if state in Run.ACTIVE:
        with pytest.raises(OperationError, match="already being played"):
            prepared(mine)
    else:
        assert prepared(mine).total == 1


@pytest.mark.parametrize("state", Run.State.values)
def test_active_run_can_be_asked_to_stop(mine: World, other: World, state: str) -> None:
    run, bystander = (
        Run.objects.create(season=world.season, until=NOW.date(), asked_at=NOW, state=state)
        for world in (mine, other)
    )
    if state in Run.ACTIVE:
        season_operations.request_stop(run=run)
    else:
        with pytest.raises(OperationError, match="This run of corridas has already ended"):
            season_operations.request_stop(run=run)
    run.refresh_from_db()
    bystander.refresh_from_db()
    assert (run.stop_requested, bystander.stop_requested) == (state in Run.ACTIVE, False)


# Before the winter


@pytest.mark.parametrize(
    ("state", "where"),
    [
        (S.ANNOUNCED, "waiting"),
        (S.QUEUED, "on_the_sand"),
        (S.ON_AIR, "on_the_sand"),
        (S.AT_TABLE, "at_tables"),
        (S.FAILED, "failed"),
        (S.POSTED, None),
        (S.SUSPENDED, None),
    ],
)
def test_unplayed_corridas_of_a_season_are_counted_by_state(
    mine: World, other: World, state: str, where: str | None
) -> None:
    Corrida.objects.filter(pk=mine.announce(day_of(mine, 2)).pk).update(state=state)
    other.announce(day_of(other, 2))
    in_year(mine, 2028).announce(dt.date(2028, 3, 2))
    told = left_in_season(mine.season)
    names = ("waiting", "on_the_sand", "at_tables", "failed")
    assert {name: getattr(told, name) for name in names} == {name: name == where for name in names}
    assert told.going_on is (where not in {None, "failed"})


@pytest.mark.parametrize("state", Run.State.values)
def test_active_run_prevents_the_winter(mine: World, other: World, state: str) -> None:
    Run.objects.create(season=mine.season, until=NOW.date(), asked_at=NOW, state=state)
    assert (
        left_in_season(mine.season).running
        is left_in_season(mine.season).going_on
        is (state in Run.ACTIVE)
    )
    assert not left_in_season(other.season).running


def test_next_winter_belongs_to_the_first_season_without_one(mine: World) -> None:
    worlds = (in_year(mine, 2026), mine, in_year(mine, 2028))
    for world in worlds:
        Winter.objects.create(season=world.season, seed=b"", commitment=b"", done_at=NOW)
    with pytest.raises(OperationError, match="has no season that can be ended"):
        open_next_season(circuit=mine.circuit, at=NOW)
    Winter.objects.exclude(season=worlds[0].season).update(done_at=None)
    mine.announce(day_of(mine, 2))
    with pytest.raises(OperationError, match="1 corrida is still to be played"):
        open_next_season(circuit=mine.circuit, at=NOW)


# Rosters


def test_matador_retires_in_the_latest_season_of_his_circuit(mine: World, other: World) -> None:
    in_year(mine, 2029)
    in_year(other, 2040)
    matador = mine.matadors[0]
    with pytest.raises(OperationError, match="has not retired"):
        roster_operations.bring_back_matador(matador=matador, by=None, at=NOW)
    roster_operations.retire_matador(matador=matador, by=None, at=NOW)
    matador.refresh_from_db()
    assert (matador.state, matador.retired_in) == ("retired", 2029)
    with pytest.raises(OperationError, match="has already retired"):
        roster_operations.retire_matador(matador=matador, by=None, at=NOW)
    roster_operations.bring_back_matador(matador=matador, by=None, at=NOW)
    matador.refresh_from_db()
    assert (matador.state, matador.retired_in) == ("active", None)
    assert set(Matador.objects.values_list("state", flat=True)) == {"active"}


def test_plaza_or_herd_is_archived_once_and_restored_once(mine: World, other: World) -> None:
    for place in (mine.plazas[0], mine.herd):
        with pytest.raises(OperationError, match="not archived"):
            roster_operations.restore_place(place=place, by=None, at=NOW)
        roster_operations.archive_place(place=place, by=None, at=NOW)
        place.refresh_from_db()
        assert place.archived_at == NOW
        with pytest.raises(OperationError, match="already archived"):
            roster_operations.archive_place(place=place, by=None, at=NOW)
        roster_operations.restore_place(place=place, by=None, at=NOW)
        place.refresh_from_db()
        assert place.archived_at is None


# Limits


@pytest.fixture
def ana(both: tuple[World, World]) -> User:
    """Return the director of both circuits."""
    user = User.objects.create_user("ana")
    Circuit.objects.update(owner=user)
    for world in both:
        world.circuit.refresh_from_db()
    return user


@pytest.mark.parametrize(("bound", "free"), [(3, 1), (2, 0), (1, 0)])
def test_circuits_of_an_owner_are_counted_without_archived_ones(
    ana: User, mine: World, settings: Any, bound: int, free: int
) -> None:
    settings.MAX_CIRCUITS_PER_USER = bound
    Circuit.objects.create(slug="x", name="X", deck=mine.deck, owner=ana, archived_at=NOW)
    Circuit.objects.create(slug="y", name="Y", deck=mine.deck)
    Circuit.objects.create(slug="z", name="Z", deck=mine.deck, owner=User.objects.create_user("b"))
    assert circuits.circuits_left(ana) == free
    Circuit.objects.filter(pk=mine.circuit.pk).update(frozen_at=NOW)
    assert circuits.circuits_left(ana) == free, "one that is frozen is kept"


@pytest.mark.parametrize(("bound", "free"), [(3, 1), (2, 0), (1, 0)])
def test_seasons_are_counted_by_circuit(
    ana: User, mine: World, other: World, settings: Any, bound: int, free: int
) -> None:
    settings.SEASONS_A_CIRCUIT = bound
    in_year(mine, 2028)
    for year in (2028, 2029, 2030):
        in_year(other, year)
    assert circuits.seasons_left(mine.circuit) == free


@pytest.mark.parametrize(("bound", "free"), [(5, 2), (3, 0), (2, 0)])
def test_matadors_of_a_circuit_are_counted_without_retired_ones(
    ana: User, mine: World, settings: Any, bound: int, free: int
) -> None:
    settings.MATADORS_A_CIRCUIT = bound
    Matador.objects.filter(pk=mine.matadors[0].pk).update(state="retired")
    Matador.objects.filter(pk=mine.matadors[1].pk).update(state="novillero")
    assert circuits.matadors_left(mine.circuit) == free


@pytest.mark.parametrize("state", S.values)
def test_queued_and_broadcast_corridas_count_as_on_air(
    ana: User, mine: World, other: World, settings: Any, state: str
) -> None:
    settings.MAX_LIVE_CORRIDAS_PER_USER = 3
    Corrida.objects.filter(pk=other.announce(day_of(other, 2)).pk).update(state=state)
    assert circuits.sand_left(mine.circuit) == 3 - (state in {S.QUEUED, S.ON_AIR})


# Which users see which circuit


@pytest.mark.parametrize(
    ("who", "columns", "seen"),
    [
        ("nobody", {}, True),
        ("nobody", {"public": False}, False),
        ("nobody", {"archived_at": NOW}, False),
        ("nobody", {"frozen_at": NOW}, True),
        ("owner", {"public": False}, True),
        ("owner", {"archived_at": NOW}, True),
        ("offered", {"public": False}, True),
        ("offered", {"public": False, "archived_at": NOW}, False),
        ("stranger", {"public": False}, False),
        ("root", {"public": False, "archived_at": NOW}, True),
    ],
)
def test_circuit_lists_depend_on_the_user(
    mine: World, other: World, who: str, columns: dict[str, Any], seen: bool
) -> None:
    from django.contrib.auth.models import AnonymousUser

    users: dict[str, Any] = {
        name: User.objects.create_user(name) for name in ("owner", "offered", "stranger")
    }
    users |= {"root": User.objects.create_superuser("root"), "nobody": AnonymousUser()}
    Circuit.objects.filter(pk=other.circuit.pk).update(public=False)
    Circuit.objects.filter(pk=mine.circuit.pk).update(
        owner=users["owner"], offered_to=users["offered"], **columns
    )
    own = circuits.seen_by(users[who]).filter(pk=mine.circuit.pk)
    assert own.exists() is seen
    circuit = Circuit.objects.get(pk=mine.circuit.pk)
    assert users[who].has_perm("corridas.view_circuit", circuit) is seen
    directs = who in {"owner", "root"}
    assert users[who].has_perm("corridas.direct_circuit", circuit) is directs
    listed = [one.slug for one in circuits.public_circuits()]
    assert (mine.circuit.slug in listed) is (circuit.public and not circuit.archived_at)
    takes = [one.slug for one in circuits.offered_to(users["offered"])]
    assert takes == ([] if circuit.archived_at else ["leyendas"])
    assert [one.slug for one in circuits.circuits_of(users["owner"])] == ["leyendas"]
