"""Measure the cost of pages: in this process without caches, or cached by a running server."""

from collections.abc import Callable, Iterator, Mapping
from time import process_time
from typing import NamedTuple

from django.core.cache import cache, caches
from django.db import connection
from django.test import Client as Browser
from django.test.utils import CaptureQueriesContext

from tools.bench.client import fetch
from tools.bench.figures import Figure
from tools.bench.processes import cpu_seconds
from tools.bench.timing import Spent, timed
from tools.bench.urls import TRIVIAL
from tools.bench.web_server import WebServer

ROUNDS = 12
REQUESTS = 200  # a path and round


class Uncached(NamedTuple):
    """The cost of a page with nothing cached, and the processor seconds of its slowest query."""

    path: str
    spent: Spent
    queries: int
    slowest: float


def uncached(path: str) -> Uncached:
    times = [0.0]

    def note_time(execute: Callable[..., object], *query: object) -> object:
        began = process_time()
        result = execute(*query)
        times.append(process_time() - began)
        return result

    cache.clear()
    caches["near"].clear()
    with (
        CaptureQueriesContext(connection) as queries,
        connection.execute_wrapper(note_time),
        timed() as spent,
    ):
        response = Browser(SERVER_NAME="localhost").get(path)
    assert response.status_code == 200, path
    return Uncached(path, spent, len(queries), max(times))


def cpu_of(path: str, server: WebServer, *others: int) -> float:
    """Return the processor seconds of a request, of the server and of other processes."""
    pids = (server.pid, *others)
    before = sum(map(cpu_seconds, pids))
    fetch(server.port, path, REQUESTS)
    return (sum(map(cpu_seconds, pids)) - before) / REQUESTS


def against_trivial(
    pages: Mapping[str, str], bar: float, server: WebServer, *others: int
) -> Iterator[Figure]:
    """Yield how many times as many of each page a core can send as trivial pages."""
    paths = [TRIVIAL, *pages.values()]
    sizes = {path: fetch(server.port, path, REQUESTS) for path in paths}
    turns = [{path: cpu_of(path, server, *others) for path in paths} for _ in range(ROUNDS)]
    for name, path in pages.items():
        page, trivial = (1 / min(turn[one] for turn in turns) for one in (path, TRIVIAL))
        size = f"{sizes[path] / 1000:.0f} KB"
        note = f"{page:,.0f} a second on a core, {size} each; trivial pages {trivial:,.0f}"
        yield Figure(name, page / trivial, bar=bar, at_least=True, unit="x", note=note)
