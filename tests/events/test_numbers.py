"""A reader who continues from an event number misses no event, in whatever order writers commit."""

import datetime as dt
import threading
import time
from collections.abc import Callable
from functools import partial

import pytest
from django.db import connection, transaction

from events.models import Event, Tally
from events.numbering import newest_number, publish
from events.operations import MAX_DATA_LENGTH, NewEvent, record_event, record_events
from events.queries import EventReader, page_after
from tests.databases import opened
from tests.events.conftest import KIND
from tests.waiting import PATIENCE

NOW = dt.datetime(2026, 11, 21, 20, tzinfo=dt.UTC)
EVERYBODY = EventReader()


def happen(*subjects: str, due: dt.datetime | None = None) -> None:
    record_events([NewEvent(KIND, subject, {}, NOW, due=due) for subject in subjects])


def read_all(after: int = 0, limit: int = 3) -> list[tuple[int, str]]:
    """Read all events, page by page, with a cursor."""
    seen: list[tuple[int, str]] = []
    while True:
        page = page_after(EVERYBODY, after, limit)
        seen += [(event.number or 0, event.subject) for event in page.events]
        if page.reached >= page.newest:
            return seen
        after = page.reached


@pytest.mark.django_db(transaction=True)
def test_events_are_numbered_in_order_and_rolled_back_ones_are_not() -> None:
    happen("a", "b")
    with transaction.atomic():
        happen("never")
        transaction.set_rollback(True)
    with transaction.atomic():
        happen("c")
        assert newest_number() == 2
    assert read_all() == [(1, "a"), (2, "b"), (3, "c")]


@pytest.mark.django_db(transaction=True)
def test_delayed_event_is_invisible_until_it_is_due() -> None:
    later = NOW + dt.timedelta(seconds=30)
    happen("held back", due=later)
    happen("at once")
    assert read_all() == [(1, "at once")]
    assert publish(at=NOW + dt.timedelta(seconds=29)) == 0
    assert publish(at=later) == 1
    assert read_all() == [(1, "at once"), (2, "held back")]


@pytest.mark.django_db(transaction=True)
def test_event_numbers_are_never_reused_after_deletion() -> None:
    happen("a", "b")
    Event.objects.filter(number=2).delete()
    happen("c")
    assert read_all() == [(1, "a"), (3, "c")]


@pytest.mark.django_db(transaction=True)
def test_events_left_without_a_number_are_numbered_later(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("events.operations.number_waiting", lambda at: 1 / 0)
    happen("a")  # the writer gets no error
    assert read_all() == []
    assert publish(at=NOW) == 1
    assert read_all() == [(1, "a")]


@pytest.mark.django_db
def test_unregistered_kinds_and_large_data_are_rejected() -> None:
    with pytest.raises(ValueError, match="Nobody registered"):
        record_event(kind="no.such", subject="x/1", at=NOW, data={})
    with pytest.raises(ValueError, match="characters of data"):
        record_event(kind=KIND, subject="x/1", at=NOW, data={"long": "x" * MAX_DATA_LENGTH})
    assert not Event.objects.exists()


def test_event_committed_later_gets_a_later_number(shared: str) -> None:
    """The writer who records first commits last.

    If events were numbered when they are recorded, readers would miss its event.
    """
    with opened(shared):
        written, go_on = threading.Event(), threading.Event()
        if connection.vendor == "sqlite":
            pytest.skip("SQLite has one writer at a time")

        def slow() -> None:
            with opened(shared), transaction.atomic():
                happen("first written")
                written.set()
                assert go_on.wait(PATIENCE)

        writer = threading.Thread(target=slow)
        writer.start()
        assert written.wait(PATIENCE)
        happen("first stored")
        assert read_all() == [(1, "first stored")]
        go_on.set()
        writer.join(PATIENCE)
        assert read_all(after=1) == [(2, "first written")]


def test_reader_misses_no_event_of_many_concurrent_writers(shared: str) -> None:
    writers, each = 6, 15
    seen: list[tuple[int, str]] = []
    over = threading.Event()

    def write(name: int) -> None:
        with opened(shared):
            for number in range(each):
                with transaction.atomic():
                    happen(f"{name}/{number}")
                    if connection.vendor != "sqlite":
                        time.sleep(0.001 * ((name * 7 + number * 3) % 5))

    def follow() -> None:
        cursor = 0
        with opened(shared):
            while True:
                last_look = over.is_set()
                page = page_after(EVERYBODY, cursor, 4)
                seen.extend((event.number or 0, event.subject) for event in page.events)
                cursor = page.reached
                if last_look and cursor >= page.newest:
                    break

    with opened(shared):
        reader = threading.Thread(target=follow)
        reader.start()
        run_all([partial(write, name) for name in range(writers)])
        publish(at=NOW)  # events left without a number
        over.set()
        reader.join(PATIENCE)
        assert [number for number, _ in seen] == list(range(1, writers * each + 1))
        assert len({subject for _, subject in seen}) == writers * each
        for name in range(writers):
            own = [subject for _, subject in seen if subject.startswith(f"{name}/")]
            assert own == [f"{name}/{number}" for number in range(each)]
        assert Tally.objects.get().last == writers * each


def run_all(works: list[Callable[[], None]]) -> None:
    threads = [threading.Thread(target=work) for work in works]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
