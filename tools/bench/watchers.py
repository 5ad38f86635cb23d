"""A thousand watchers of a real corrida, a card a second, on the process that serves the pages."""

import datetime as dt
from collections.abc import Iterator
from pathlib import Path
from statistics import mean

from corridas.models.corridas import PASEILLO_MS
from tools.bench import seasons
from tools.bench.audience import Audience, listen, p99_and_note
from tools.bench.client import fetch
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite, close_database, use_database
from tools.bench.web_server import WebServer, web_server

WATCHERS = 1000
MOMENTS = 20


def measure(site: ScratchSite) -> Iterator[Figure]:
    """Measure the delay of a card after it is due, what was lost, and memory per connection."""
    database = site.copy(site.planned, "watched")
    with web_server(database) as server:
        (audience,) = put_on_air(database, server, [WATCHERS])
        corrida = audience.path.split("/")[-2]
        fetch(server.port, f"/corridas/{corrida}/")  # a browser loads the page before it listens
        memory = listen([audience], MOMENTS, server.pid)
    p99, note = p99_and_note([audience])
    yield Figure("watchers", p99, bar=100, unit="ms", note=note)
    yield Figure("watchers_lost", audience.lost(), bar=0, unit="moments")
    yield Figure("watchers_memory", memory / 1024, bar=10, unit="KB", note="a connection")
    note = "of a card on the wire, mean"
    yield Figure("watchers_bytes", mean(audience.later), bar=600, unit="bytes", note=note)
    yield Figure("watchers_bytes_most", max(audience.later), bar=2500, unit="bytes")
    note = "the first card for a new viewer"
    most = max(audience.first)
    yield Figure("watchers_bytes_joining", most, bar=6000, unit="bytes", note=note)


def put_on_air(database: Path, server: WebServer, watchers: list[int]) -> list[Audience]:
    """Put a corrida on air for each number of watchers, one after the other within a second."""
    use_database(database)
    begin = dt.datetime.now(dt.UTC) - dt.timedelta(milliseconds=PASEILLO_MS)
    audiences = []
    for place, number in enumerate(watchers):
        at = begin + dt.timedelta(seconds=place / len(watchers))
        corrida = seasons.put_on_air(at=at, pace_ms=1000)
        moments = seasons.moments(corrida)
        path = f"/live/corrida-en/{corrida.pk}/"
        audiences.append(Audience(server.port, path, moments, number))
    close_database()
    return audiences
