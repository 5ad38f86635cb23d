"""If the message broker is unreachable, no work is lost: a periodic task sends it again later."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db.models import F
from django.utils import timezone
from redis import Redis

from config.celery import app as celery_app
from corridas import tasks
from corridas.errors import OperationError
from corridas.models import Circuit, Corrida, Ganaderia, Lidia, MatadorCard, Run
from corridas.season.operations import Goal, queue_corrida, retry_corrida, run_season
from corridas.simulation import breakdowns
from corridas.simulation.run import NOBODY
from corridas.simulation.sweep import PATIENCE
from server.environment import broker
from tests.corridas.simulation import world
from tests.corridas.simulation.audit import faults

pytestmark = pytest.mark.usefixtures("rows")


def speak_to(url: str) -> None:
    """Use another broker for tasks, after closing connections to the previous one."""
    celery_app.conf.update(broker_url=broker(url))
    celery_app._after_fork()  # type: ignore[attr-defined]  # as a new process does


@pytest.fixture(autouse=True)
def _unmixed(valkey: str) -> Iterator[None]:
    """Close broker connections that an earlier test has left open."""
    speak_to(valkey)
    yield
    celery_app._after_fork()  # type: ignore[attr-defined]


@pytest.fixture
def gone(tmp_path: Path) -> None:
    """Use the address of a broker that does not exist."""
    speak_to(f"unix://{tmp_path / 'nobody.sock'}")


def waiting_in(url: str) -> int:
    """Return the number of messages in all queues."""
    server = Redis.from_url(url)
    return sum(int(server.llen(queue)) for queue in ("celery", "live", "long"))


def first() -> Corrida:
    return Corrida.objects.of_season(world.calm())[0]


def test_corrida_queued_without_a_broker_is_played_once_it_returns(gone: None, valkey: str) -> None:
    asked = timezone.now() - PATIENCE
    assert queue_corrida(corrida=first(), pace_ms=100, at=asked) is False
    assert (first().state, first().pace_ms, first().queued_at) == ("queued", 100, asked)
    assert hasattr(first(), "cartel")

    tasks.sweep()
    assert first().state == "queued", "a sweep with the broker away breaks nothing"

    speak_to(valkey)
    tasks.sweep()
    assert waiting_in(valkey) == 1
    tasks.play_corrida(first().pk)
    assert first().state == "on_air"
    assert first().lidias.count() == 6


def test_run_started_without_a_broker_is_played_once_it_returns(gone: None, valkey: str) -> None:
    asked = timezone.now() - Run.LOST_AFTER
    run, told = run_season(season=world.calm(), goal=Goal(corridas=2), at=asked)
    assert told is False
    speak_to(valkey)
    tasks.sweep()
    assert waiting_in(valkey) == 1
    tasks.run_season(run.pk)
    assert Run.objects.get().state == "done"
    assert Corrida.objects.over().count() == 2
    assert faults(world.calm()) == []


def test_worker_gets_a_message_at_once_if_the_broker_is_available(valkey: str) -> None:
    assert queue_corrida(corrida=first(), pace_ms=100, at=timezone.now()) is True
    assert waiting_in(valkey) == 1


def test_task_sent_just_now_is_not_sent_again(valkey: str) -> None:
    queue_corrida(corrida=first(), pace_ms=100, at=timezone.now())
    tasks.sweep()
    assert waiting_in(valkey) == 1


def test_message_delivered_twice_plays_a_corrida_once(valkey: str) -> None:
    queue_corrida(corrida=first(), pace_ms=50, at=timezone.now())
    tasks.play_corrida(first().pk)
    on_air_at = first().on_air_at
    tasks.play_corrida(first().pk)
    assert first().on_air_at == on_air_at
    assert faults(world.calm()) == []


@pytest.mark.usefixtures("valkey")
def test_periodic_task_posts_corridas_whose_broadcast_is_over() -> None:
    key = world.queue_all(world.calm())[0]
    tasks.play_corrida(key)
    Corrida.objects.filter(pk=key).update(ends_at=timezone.now() + dt.timedelta(minutes=1))
    tasks.sweep()
    assert first().state == "on_air"
    Corrida.objects.filter(pk=key).update(ends_at=timezone.now())
    tasks.sweep()
    assert first().state == "posted"
    tasks.sweep()
    assert world.calm().posted_version == 1


@pytest.mark.slow
def test_periodic_task_keeps_one_corrida_on_air_if_the_circuit_wants_it(valkey: str) -> None:
    season = world.calm()
    Circuit.objects.filter(pk=season.circuit_id).update(always_on_air=True, pace_ms=50)
    for played in range(4):
        tasks.sweep()
        tasks.sweep()
        assert Corrida.objects.filter(state="queued").count() == 1
        assert waiting_in(valkey) == played + 1
        corrida = Corrida.objects.get(state="queued")
        assert corrida == Corrida.objects.of_season(season)[played], "the next by date"
        tasks.play_corrida(corrida.pk)
        tasks.sweep()
        assert Corrida.objects.filter(state__in=("queued", "on_air")).count() == 1
        Corrida.objects.filter(pk=corrida.pk).update(ends_at=timezone.now())
        Corrida.objects.filter(state="queued").update(queued_at=timezone.now())
        if played < 3:
            continue
        tasks.sweep()
    assert not season.circuit.seasons.filter(year=world.YEAR + 1).exists(), "the champion stays"
    hour = dt.timedelta(hours=1)
    Corrida.objects.filter(season=season).update(
        posted_at=F("posted_at") - hour, queued_at=F("queued_at") - hour
    )
    tasks.sweep()
    assert Corrida.objects.over().filter(season=season).count() == 4
    assert faults(season) == []
    assert season.circuit.seasons.filter(year=world.YEAR + 1).exists(), "the next year is planned"


def test_corrida_that_cannot_be_played_fails_until_it_is_retried(valkey: str) -> None:
    season = world.wild()
    key = world.queue_all(season)[0]
    deck = season.circuit.deck
    cards, digest = deck.cards, deck.digest
    deck.cards, deck.digest = "4 | NATURAL+", "f" * 64
    deck.save()
    tasks.play_corrida(key)
    broken = Corrida.objects.get(pk=key)
    assert (broken.state, broken.attempts, broken.error) == ("failed", 1, breakdowns.INVALID)
    assert not broken.lidias.exists()
    deck.cards, deck.digest = cards, digest
    deck.save()
    Corrida.objects.filter(season=season, state="queued").update(state="announced")
    assert retry_corrida(corrida=Corrida.objects.get(pk=key), at=timezone.now())
    tasks.play_corrida(key)
    retried = Corrida.objects.get(pk=key)
    assert (retried.state, retried.error) == ("on_air", "")
    assert faults(season) == []


def test_corrida_without_available_matadors_does_not_delay_others(valkey: str) -> None:
    season = world.calm()
    Circuit.objects.filter(pk=season.circuit_id).update(always_on_air=True, pace_ms=50)
    cards = MatadorCard.objects.filter(matador__circuit=season.circuit_id)
    kept = list(cards)
    cards.delete()
    tasks.sweep()
    first, second, *_ = Corrida.objects.of_season(season)
    assert (first.state, first.error) == ("failed", NOBODY)
    MatadorCard.objects.bulk_create(kept)
    tasks.sweep()
    assert Corrida.objects.get(state="queued") == second
    assert retry_corrida(corrida=first, at=timezone.now()), "three are free again"
    assert first.cartel.puestos.count() == 3


def test_circuit_that_cannot_continue_does_not_delay_others(valkey: str) -> None:
    Circuit.objects.update(always_on_air=True, pace_ms=50)
    first = world.queue_all(world.calm())[0]
    tasks.play_corrida(first)
    Corrida.objects.filter(season=world.calm()).exclude(pk=first).update(state="announced")
    Corrida.objects.filter(pk=first).update(ends_at=timezone.now())
    Ganaderia.objects.filter(circuit=world.brief().circuit_id).delete()
    Lidia.objects.filter(corrida=first).update(ending="unheard of")
    tasks.sweep()
    assert Corrida.objects.get(pk=first).state == "on_air", "it cannot be posted"
    assert Corrida.objects.get(state="queued").season == world.wild()


def test_corrida_without_bulls_is_rejected_with_a_message(valkey: str) -> None:
    season = world.brief()
    Ganaderia.objects.filter(circuit=season.circuit_id).delete()
    with pytest.raises(OperationError, match="There are not enough bulls"):
        queue_corrida(corrida=season.corridas.all()[0], pace_ms=100, at=timezone.now())
