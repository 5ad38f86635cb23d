"""Several page processes at one address, as `manage.py web --processes 2` starts them."""

from __future__ import annotations

import os
import re
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from urllib.request import urlopen

import pytest

from tests.databases import copy_of
from tests.site import ROOT, free_port, inherited
from tests.waiting import PATIENCE, wait_until

BURST = 50
ESTABLISHED = "01"


class Pages:
    """Two page processes, and who holds which connections."""

    def __init__(self, data: Path, database: Path) -> None:
        copy_of(database, data / "temporada.sqlite3")
        self.port = free_port()
        self._process = subprocess.Popen(
            [sys.executable, "manage.py", "web", "--port", str(self.port), "--processes", "2"],
            cwd=ROOT,
            env=inherited() | {"DATA": str(data)},
        )

    def children(self) -> list[int]:
        command = ["ps", "--ppid", str(self._process.pid), "-o", "pid="]
        listed = subprocess.run(command, capture_output=True, text=True, check=False)
        return sorted(map(int, listed.stdout.split()))

    def connections(self) -> list[int]:
        """How many connections each process holds."""
        open_here = {
            fields[9]
            for fields in map(str.split, Path("/proc/net/tcp").read_text().splitlines())
            if fields[1].endswith(f":{self.port:04X}") and fields[3] == ESTABLISHED
        }
        return [len(open_here & sockets(child)) for child in self.children()]

    def answer(self) -> bool:
        """Whether both have started, and an answer comes."""
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=PATIENCE):
                return len(self.children()) == 2
        except OSError:
            return False

    def stop(self) -> int:
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(PATIENCE)


def sockets(pid: int) -> set[str]:
    numbers = set()
    for file in Path(f"/proc/{pid}/fd").iterdir():
        try:
            numbers.update(re.findall(r"^socket:\[(\d+)\]$", os.readlink(file)))
        except FileNotFoundError:
            continue
    return numbers


@pytest.fixture(scope="module")
def pages(tmp_path_factory: pytest.TempPathFactory, migrated: Path) -> Iterator[Pages]:
    running = Pages(tmp_path_factory.mktemp("pages"), migrated)
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
    """Open so many connections at once."""
    for _ in range(number):
        visitors.enter_context(socket.create_connection(("127.0.0.1", pages.port), PATIENCE))


@pytest.mark.slow
def test_a_burst_of_connections_is_shared_out_evenly(pages: Pages, visitors: ExitStack) -> None:
    for number in range(1, 4):
        come(pages, visitors, BURST)
        wait_until(lambda: sum(pages.connections()) == BURST)
        assert min(pages.connections()) >= 20, f"burst {number}: {pages.connections()}"
        visitors.close()
        wait_until(lambda: sum(pages.connections()) == 0)


@pytest.mark.slow
def test_visitors_do_not_wait_for_a_process_that_stands_still(
    pages: Pages, visitors: ExitStack
) -> None:
    still, other = pages.children()
    os.kill(still, signal.SIGSTOP)
    try:
        come(pages, visitors, 10)
        wait_until(lambda: pages.connections() == [0, 10])
    finally:
        os.kill(still, signal.SIGCONT)
    come(pages, visitors, 10)
    wait_until(lambda: sum(pages.connections()) == 20)
    assert min(pages.connections()) >= 9


@pytest.mark.slow
def test_a_process_that_was_killed_comes_back_and_takes_its_share(
    pages: Pages, visitors: ExitStack
) -> None:
    killed, _ = pages.children()
    os.kill(killed, signal.SIGKILL)
    wait_until(lambda: killed not in pages.children() and pages.answer())
    time.sleep(1)  # until it accepts too
    come(pages, visitors, BURST)
    wait_until(lambda: sum(pages.connections()) == BURST)
    assert min(pages.connections()) >= 20


@pytest.mark.slow
def test_it_stops_when_told_to(tmp_path: Path, migrated: Path) -> None:
    pages = Pages(tmp_path, migrated)
    wait_until(pages.answer)
    children = pages.children()
    assert pages.stop() == 0
    assert not any(Path(f"/proc/{child}").exists() for child in children)
