"""Starting and stopping the whole site: seconds, processor time, and memory at rest."""

from __future__ import annotations

import os
import re
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from http.client import HTTPConnection, HTTPResponse
from pathlib import Path
from statistics import median

from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite
from tools.bench.web_server import ROOT, free_port

STARTS = 5
SETTLED_AFTER = 10.0  # seconds until memory is measured
START_WITHIN = 120.0
TICKS = os.sysconf("SC_CLK_TCK")


def measure(ground: ScratchSite) -> list[Figure]:
    folder = ground.folder / "start"
    with _up(folder):  # the first start makes the tables and the circuit
        pass
    starts, processors, stops, memory = [], [], [], 0.0
    for number in range(STARTS):
        with _up(folder, PAGE_PROCESSES="1") as site:
            starts.append(site.seconds)
            processors.append(site.processor)
            if number == STARTS - 1:
                memory = site.memory_watched()
            began = time.monotonic()
        stops.append(time.monotonic() - began)
    return [
        Figure(name="start", value=median(starts), bar=2.5, unit="s", note="to the first byte"),
        Figure(name="start_cpu", value=median(processors), bar=2.5, unit="s", note="until then"),
        Figure(
            name="start_memory",
            value=memory,
            bar=350,
            unit="MB",
            note="PSS of all processes, one of them for pages, with a corrida on air and watched",
        ),
        Figure(name="stop", value=median(stops), bar=1.0, unit="s"),
    ]


class _Site:
    """A running site, and the time and processor time until its first response."""

    def __init__(self, port: int, pid: int, seconds: float) -> None:
        self._port, self._pid = port, pid
        self.seconds = seconds
        self.processor = sum(cpu_seconds(process) for process in _family(pid))

    def memory_watched(self) -> float:
        """Return the megabytes of all processes while somebody watches a corrida."""
        path = _found(r'href="(/corridas/\d+/)"', self._read("/"))
        stream = _found(r'="(/live/[^"]+)"', self._read(path))
        watched = _ask(self._port, stream)
        watched.read(1)
        time.sleep(SETTLED_AFTER)
        megabytes = sum(map(_pss, _family(self._pid))) / 1000
        watched.close()
        return megabytes

    def _read(self, path: str) -> str:
        return _ask(self._port, path).read().decode()


@contextmanager
def _up(folder: Path, **more: str) -> Iterator[_Site]:
    port = free_port()
    variables = os.environ | {"DATA": str(folder), "PORT": str(port)} | more
    for name in ("REDIS_URL", "DJANGO_SETTINGS_MODULE"):
        variables.pop(name, None)
    began = time.monotonic()
    process = subprocess.Popen(
        [sys.executable, "manage.py", "up"],
        cwd=ROOT,
        env=variables,
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        _wait_for(port, began + START_WITHIN)
        yield _Site(port, process.pid, time.monotonic() - began)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def _wait_for(port: int, until: float) -> None:
    while True:
        try:
            _ask(port, "/").read()
        except OSError:
            if time.monotonic() > until:
                raise
            time.sleep(0.02)
        else:
            return


def _ask(port: int, path: str) -> HTTPResponse:
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("GET", path)
    return connection.getresponse()


def _found(pattern: str, text: str) -> str:
    found = re.search(pattern, text)
    if found is None:
        raise RuntimeError(f"The page has nothing like {pattern}.")
    return found[1]


def _family(ancestor: int) -> set[int]:
    parents = {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int(_stat(int(folder.name))[1])
        except OSError:  # it has just ended
            continue
    family = {ancestor}
    while grown := {pid for pid, parent in parents.items() if parent in family} - family:
        family |= grown
    return family


def _stat(pid: int) -> list[str]:
    """Return the state of a process and what follows it in /proc."""
    return Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()


def cpu_seconds(pid: int) -> float:
    """Return the processor seconds of a process and its ended children."""
    return sum(int(ticks) for ticks in _stat(pid)[11:15]) / TICKS


def _pss(pid: int) -> int:
    """Return a process's memory in kilobytes. Shared pages are divided among the processes."""
    return int(_found(r"Pss:\s+(\d+)", Path(f"/proc/{pid}/smaps_rollup").read_text()))
