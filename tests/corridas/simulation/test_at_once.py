"""Two workers that start the same operation at the same moment perform it once."""

import datetime as dt
from collections.abc import Callable
from itertools import chain

import pytest

from corridas import notifications
from corridas.errors import OperationError
from corridas.models import Commitment, Corrida, Injury, Matador, Reservation, Run, Season
from corridas.season import commitments
from corridas.season.operations import Goal, queue_corrida
from corridas.simulation.play import play_on_air
from corridas.simulation.post import post_due, post_now
from corridas.simulation.run import run_on
from corridas.world.stops import StopOn
from tests.corridas.simulation import world
from tests.corridas.simulation.audit import faults
from tests.corridas.simulation.world import NOW
from tests.databases import opened
from tests.scratch import at_once, seeds

END = NOW + dt.timedelta(hours=1)


def prepared(url: str, prepare: Callable[[], list[int]]) -> list[int]:
    with opened(url):
        return prepare()


def queued() -> list[int]:
    return world.queue_all(world.brief())


def on_air() -> list[int]:
    keys = queued()
    for key in keys:
        play_on_air(key, at=NOW)
    return keys


def audited(url: str) -> list[str]:
    with opened(url):
        return faults(world.brief())


def test_two_workers_put_a_corrida_on_air_once(shared: str) -> None:
    keys = prepared(shared, queued)

    def play() -> list[bool]:
        return [play_on_air(key, at=NOW) for key in keys]

    came = at_once(shared, play, play, play)
    assert [sum(won) for won in zip(*came, strict=True)] == [1, 1]
    assert audited(shared) == []


def test_two_workers_post_a_corrida_once(shared: str) -> None:
    keys = prepared(shared, on_air)

    def post() -> list[int]:
        return post_due(at=END)

    came = at_once(shared, post, post, post)
    assert sorted(chain(*came)) == sorted(keys)
    with opened(shared):
        assert (
            1 <= world.brief().posted_version <= len(keys)
        )  # a season's corridas are posted together
    assert audited(shared) == []


def test_ending_a_broadcast_while_another_worker_posts_it_posts_once(shared: str) -> None:
    keys = prepared(shared, on_air)
    came = at_once(
        shared,
        lambda: [post_now(key, at=END) for key in keys],
        lambda: [post_now(key, at=END) for key in reversed(keys)],
    )
    assert sum(map(sum, came)) == 2
    assert audited(shared) == []


def begin_run(url: str, season: Callable[[], Season], goal: Goal, *stop_on: StopOn) -> Run:
    with opened(url):
        return world.begin(season(), goal, stop_on)


def two_workers_at(url: str, run: Run) -> Run:
    def work(name: str) -> object:
        return run_on(run.pk, clock=lambda: NOW, fresh=seeds(name), on_end=notifications.run_ended)

    came = at_once(url, lambda: work("one"), lambda: work("other"))
    assert [type(ended) for ended in came] == [Run, Run], came
    with opened(url):
        return Run.objects.select_related("season").get(pk=run.pk)


@pytest.mark.slow
def test_two_workers_play_a_run_to_the_end_once(shared: str) -> None:
    ended = two_workers_at(shared, begin_run(shared, world.wild, Goal()))
    assert (ended.state, ended.done, ended.total) == ("done", 11, 11)
    with opened(shared):
        assert Corrida.objects.over().count() == 11
        assert faults(ended.season) == []


def test_two_workers_play_no_more_corridas_than_the_run_asks_for(shared: str) -> None:
    ended = two_workers_at(shared, begin_run(shared, world.calm, Goal(corridas=3)))
    assert (ended.state, ended.done) == ("done", 3)
    with opened(shared):
        assert Corrida.objects.over().count() == 3
        assert faults(ended.season) == []


def test_run_stopped_by_one_worker_is_not_continued_by_another(shared: str) -> None:
    ended = two_workers_at(shared, begin_run(shared, world.wild, Goal(), StopOn.INJURY))
    assert (ended.state, ended.reason) == ("stopped", "injury")
    with opened(shared):
        assert Corrida.objects.over().count() == ended.done
        hurt = Injury.objects.values_list("corrida", flat=True).distinct()
        assert list(hurt) == [ended.last_id], "the first injury stops it"
        assert faults(ended.season) == []


def test_second_run_of_a_season_started_at_once_is_rejected(shared: str) -> None:
    came = at_once(shared, lambda: world.begin(world.calm()), lambda: world.begin(world.calm()))
    assert {type(answer) for answer in came} == {Run, OperationError}
    with opened(shared):
        assert Run.objects.count() == 1


@pytest.mark.usefixtures("valkey")
def test_two_directors_put_a_corrida_on_air_once(shared: str) -> None:
    def ask() -> bool:
        corrida = Corrida.objects.of_season(world.calm())[0]
        return queue_corrida(corrida=corrida, pace_ms=100, at=NOW)

    came = at_once(shared, ask, ask)
    # False if the broker answered too slowly; then the periodic task sends the message.
    assert {type(answer) for answer in came} == {bool, OperationError}
    with opened(shared):
        assert Corrida.objects.filter(state="queued").count() == 1


def reserved_with_one_place() -> list[int]:
    """Reserve the first corrida of a season, and sign two of its three matadors."""
    season = world.calm()
    corrida = Corrida.objects.of_season(season).select_related("season__circuit", "plaza")[0]
    stage = Reservation.Stage.WINTER
    commitments.reserve([corrida], closes_on=corrida.date - dt.timedelta(30), stage=stage)
    men = list(Matador.objects.filter(circuit=season.circuit, state="active").order_by("slug")[:4])
    for matador in men[:2]:
        sign(matador.pk)
    return [matador.pk for matador in men[2:]]


def sign(matador: int) -> Commitment:
    reservation = Reservation.objects.select_related("corrida__season__circuit").get()
    return commitments.sign(
        corrida=reservation.corrida,
        matador=Matador.objects.get(pk=matador),
        fee=1,
        window=Commitment.Window.WINTER,
        on=reservation.closes_on,
    )


def test_the_last_place_is_given_once(shared: str) -> None:
    third, fourth = prepared(shared, reserved_with_one_place)
    came = at_once(shared, lambda: sign(third), lambda: sign(fourth), lambda: sign(third))
    assert sorted(type(answer).__name__ for answer in came) == [
        "Commitment",
        "OperationError",
        "OperationError",
    ]
    with opened(shared):
        assert Commitment.objects.count() == 3


def test_a_season_that_is_played_accepts_no_signature(shared: str) -> None:
    third, _fourth = prepared(shared, reserved_with_one_place)
    came = at_once(shared, lambda: sign(third), lambda: world.begin(world.calm()))
    assert type(came[1]) is Run
    run = two_workers_at(shared, came[1])
    assert (run.state, run.reason, run.done) == ("stopped", "gate", 0)
    with opened(shared):
        signed = Commitment.objects.filter(matador=third).count()
        assert signed == (type(came[0]) is Commitment)
        assert Reservation.objects.get().asked == "winter"
