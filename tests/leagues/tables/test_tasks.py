"""Celery tasks of game tables, with and without a message broker, and the number of their
queries.
"""

from collections.abc import Iterator
from pathlib import Path

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext
from django.utils import timezone
from redis import Redis

from config.celery import app as celery_app
from leagues import tasks
from leagues.models import Table, TableMove
from leagues.tables import broadcast
from leagues.tables import log as table_log
from leagues.tables.automation import LOST_AFTER
from leagues.tables.operations import lobby
from leagues.tables.operations import moves as table_moves
from server.environment import broker
from tests.leagues.tables import sticks
from tests.leagues.tables.room import (
    SECOND,
    begun_table,
    log_of,
    open_table,
    person,
    row,
    take_sticks,
)

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.usefixtures("valkey")]
QUEUE = "tables"


@pytest.fixture(autouse=True)
def _unmixed(valkey: str) -> Iterator[None]:
    """Give the test its own connection to the message broker."""
    speak_to(valkey)
    yield
    celery_app._after_fork()  # type: ignore[attr-defined]


def speak_to(url: str) -> None:
    celery_app.conf.update(broker_url=broker(url))
    celery_app._after_fork()  # type: ignore[attr-defined]  # as a new process does


def queue_length(url: str, queue: str = QUEUE) -> int:
    return int(Redis.from_url(url).llen(queue))


def against_a_bot() -> Table:
    return lobby.create_table(
        host=person(), at=timezone.now(), game=sticks.KEY, profile="long", bots={0: "quick"}
    )


def test_bot_move_is_sent_to_the_queue_of_game_tables(valkey: str) -> None:
    table = against_a_bot()
    assert (queue_length(valkey), queue_length(valkey, "celery")) == (1, 0)
    Table.objects.update(deadline=timezone.now())
    tasks.play_bot(table.pk, 0)
    assert TableMove.objects.count() == 1
    assert queue_length(valkey) == 1, "next is a person"


def test_sweep_sends_the_bot_move_if_the_broker_was_unreachable(
    valkey: str, tmp_path: Path
) -> None:
    speak_to(f"unix://{tmp_path / 'nobody.sock'}")
    table = against_a_bot()
    assert row(table).state == "playing"
    tasks.sweep_tables()
    speak_to(valkey)
    Table.objects.update(deadline=timezone.now())
    tasks.sweep_tables()
    assert queue_length(valkey) == 0, "it may be on its way"
    Table.objects.update(deadline=timezone.now() - LOST_AFTER)
    tasks.sweep_tables()
    assert queue_length(valkey) == 1
    tasks.play_bot(table.pk, 0)
    assert row(table).moves_made == 1


def test_repeated_bot_task_makes_one_move(valkey: str) -> None:
    table = against_a_bot()
    Table.objects.update(deadline=timezone.now())
    for _ in range(3):
        tasks.play_bot(table.pk, 0)
    assert row(table).moves_made == 1
    tasks.play_bot(99999, 0)


def test_failed_bot_move_is_stored_and_repeated(valkey: str) -> None:
    table = lobby.create_table(
        host=person(), at=timezone.now(), game=sticks.KEY, profile="long", bots={0: "broken"}
    )
    for tries in (1, 2, 3):
        Table.objects.update(deadline=timezone.now())
        tasks.play_bot(table.pk, 0)
        assert row(table).failures == tries
    assert row(table).state == "closed"
    assert row(table).error == "RuntimeError: This bot is broken."


def queries(work: object) -> int:
    with CaptureQueriesContext(
        connection,
    ) as captured:
        work()  # type: ignore[operator]
    return len(captured)


@pytest.mark.parametrize("rounds", [1, 3])
def test_number_of_queries_of_a_move_does_not_grow_with_rounds(rounds: int) -> None:
    from tests.leagues.tables.room import play_round

    ana, beto = person(), person()
    table = begun_table([ana, beto], "long")
    for _ in range(rounds - 1):
        play_round(table, [ana, beto])
        for player in (ana, beto):
            table_moves.say_ready(table_id=table.pk, player=player, at=timezone.now())
    log_of(table)
    mover = [ana, beto][row(table).turn or 0]
    seen = row(table).moves_made
    # Two checks for changes, locks for table and seats, and inserts and updates of move, table and
    # moment, all in a transaction.
    assert queries(lambda: take_sticks(table, mover, 1, seen=seen)) == 9
    assert queries(lambda: broadcast.broadcast_of(table.pk, 0, "en")) == 1, "it is at hand"


def test_uncached_table_is_loaded_with_six_queries() -> None:
    table = begun_table([person(), person()], "long")

    table_log._cache.clear()
    assert queries(lambda: table_log.find_log(table.pk)) == 6
    assert queries(lambda: table_log.find_log(table.pk)) == 1


@pytest.mark.parametrize("busy", [1, 3])
def test_sweep_without_due_tables_takes_one_query(busy: int) -> None:
    for _ in range(busy):
        begun_table([person(), person()], "long")
        open_table(person())
    Table.objects.update(deadline=timezone.now() + 60 * SECOND)
    assert queries(tasks.sweep_tables) == 1
