"""Benchmark of thousands of watchers of ten corridas, each with a card a second, on one process."""

from collections.abc import Iterator

from tools.bench.audience import listen, p99_and_note
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite
from tools.bench.watchers import put_on_air
from tools.bench.web_server import web_server

CORRIDAS = 10
MOMENTS = 15


def measure(site: ScratchSite) -> Iterator[Figure]:
    for watchers in (2000, 5000):
        database = site.copy(site.planned, "crowd")
        with web_server(database, "feed") as server:
            audiences = put_on_air(database, server, [watchers // CORRIDAS] * CORRIDAS)
            listen(audiences, MOMENTS, server.pid)
        name, lost = f"watchers_{watchers}", sum(audience.lost() for audience in audiences)
        p99, note = p99_and_note(audiences)
        yield Figure(name, p99, bar=250, unit="ms", note=note)
        yield Figure(f"{name}_lost", lost, bar=0, unit="moments")
