"""Starting and stopping the whole site, compared with a bare Django, and its memory at rest."""

import re
import subprocess
import sys
import time
from collections.abc import Iterator
from http.client import HTTPConnection, HTTPResponse
from statistics import median

from tools.bench.elsewhere import ROOT
from tools.bench.figures import Figure
from tools.bench.processes import cpu_seconds, family, proportional
from tools.bench.scratch_site import ScratchSite
from tools.bench.web_server import WebServer, up

STARTS = 5
SETTLED_AFTER = 10.0  # seconds until memory is measured
# Starts Django with nothing but a page, and prints the processor seconds.
BARE = """
import time
from django.conf import settings
settings.configure(ROOT_URLCONF=__name__, ALLOWED_HOSTS=["*"])
import django
from django.http import HttpResponse
from django.test import Client
from django.urls import path
django.setup()
urlpatterns = [path("", lambda request: HttpResponse("Bench"))]
assert Client().get("/").status_code == 200
print(time.process_time())
"""


def measure(site: ScratchSite) -> Iterator[Figure]:
    folder = site.folder / "start"
    folder.mkdir()
    with up(folder):  # the first start makes the tables and the circuit
        pass
    turns: list[tuple[float, ...]] = []
    memory = 0.0
    for _ in range(STARTS):
        bare, bare_cpu = _bare()
        with up(folder, PAGE_PROCESSES="1") as server:
            _ask(server.port, "/").read()
            started = time.monotonic() - server.began
            cpu = cpu_seconds(server.pid)
            if len(turns) == STARTS - 1:
                memory = _memory_watched(server)
            stopping = time.monotonic()
        stopped = time.monotonic() - stopping
        turns.append((started / bare, cpu / bare_cpu, stopped / bare, started, cpu, stopped, bare))
    start, start_cpu, stop, *seconds = (median(side) for side in zip(*turns, strict=True))
    note = "{:.2f} s to the first byte, {:.2f} s of CPU, {:.2f} s to stop; a bare Django {:.2f} s"
    yield Figure("start", start, bar=10, unit="x", note=note.format(*seconds))
    yield Figure("start_cpu", start_cpu, bar=11, unit="x", note="until then")
    note = "PSS of all processes, with one page process and a viewer of a corrida on air"
    yield Figure("start_memory", memory / 1e6, bar=350, unit="MB", note=note)
    yield Figure("stop", stop, bar=4, unit="x")


def _bare() -> tuple[float, float]:
    """Return the duration and processor time of a process that starts Django and renders a page."""
    began = time.monotonic()
    said = subprocess.check_output([sys.executable, "-c", BARE], cwd=ROOT, text=True)
    return time.monotonic() - began, float(said)


def _memory_watched(server: WebServer) -> float:
    """Return the memory of all processes while somebody watches a corrida."""
    path = _found(r'href="(/corridas/\d+/)"', _ask(server.port, "/").read())
    stream = _found(r'="(/live/[^"]+)"', _ask(server.port, path).read())
    watched = _ask(server.port, stream)
    watched.read(1)
    time.sleep(SETTLED_AFTER)
    memory = sum(map(proportional, family(server.pid)))
    watched.close()
    return memory


def _ask(port: int, path: str) -> HTTPResponse:
    connection = HTTPConnection("127.0.0.1", port)
    connection.request("GET", path)
    return connection.getresponse()


def _found(pattern: str, page: bytes) -> str:
    found = re.search(pattern, page.decode())
    assert found is not None, f"The page has nothing like {pattern}."
    return found[1]
