"""Several page processes on one address, started with `manage.py web --processes 2`."""

from __future__ import annotations

import os
import signal
import socket
import time
from collections.abc import Iterator
from contextlib import ExitStack
from functools import partial
from pathlib import Path

import pytest

from tests.databases import copy_of
from tests.server.pages import Pages
from tests.waiting import PATIENCE, wait_until

BURST = 50


def served(data: Path, database: Path) -> Pages:
    copy_of(database, data / "temporada.sqlite3")
    return Pages(data)


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Iterator[Pages]:
    running = served(tmp_path_factory.mktemp("pages"), migrated)
    try:
        wait_until(running.answer)
        yield running
    finally:
        running.stop()


@pytest.fixture
def visitors() -> Iterator[ExitStack]:
    with ExitStack() as opened:
        yield opened


def come(pages: Pages, visitors: ExitStack, number: int) -> None:
    """Open this number of connections at once."""
    for _ in range(number):
        visitors.enter_context(socket.create_connection(("127.0.0.1", pages.port), PATIENCE))


@pytest.mark.slow
def test_burst_of_connections_is_shared_evenly(pages: Pages, visitors: ExitStack) -> None:
    for number in range(1, 4):
        come(pages, visitors, BURST)
        wait_until(lambda: sum(pages.connections()) == BURST)
        assert min(pages.connections()) >= 20, f"burst {number}: {pages.connections()}"
        visitors.close()
        wait_until(lambda: sum(pages.connections()) == 0)


def holds(pages: Pages, connections: int) -> bool:
    return sum(pages.connections()) == connections


@pytest.mark.slow
def test_visitors_do_not_wait_for_a_stopped_process(pages: Pages, visitors: ExitStack) -> None:
    still, _other = pages.children()
    os.kill(still, signal.SIGSTOP)
    try:
        come(pages, visitors, 10)
        wait_until(lambda: pages.connections() == [0, 10])
    finally:
        os.kill(still, signal.SIGCONT)
    # On a busy machine the stopped process may need a while to run again; meanwhile the other one
    # accepts all connections.
    for held in range(20, 80, 10):
        come(pages, visitors, 10)
        wait_until(partial(holds, pages, held))
        if min(pages.connections()) >= 9:
            break
    assert min(pages.connections()) >= 9


@pytest.mark.slow
def test_killed_page_process_is_replaced_and_gets_its_share(
    pages: Pages, visitors: ExitStack
) -> None:
    killed, _ = pages.children()
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: killed not in pages.children() and pages.answer())
    time.sleep(1)  # until it accepts connections
    come(pages, visitors, BURST)
    wait_until(lambda: sum(pages.connections()) == BURST)
    assert min(pages.connections()) >= 20


@pytest.mark.slow
def test_page_processes_stop_on_request(tmp_path: Path, migrated: Path) -> None:
    pages = served(tmp_path, migrated)
    wait_until(pages.answer)
    children = pages.children()
    assert pages.stop() == 0
    assert not any(Path(f"/proc/{child}").exists() for child in children)
