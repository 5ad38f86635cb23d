"""Processor time that the web process spends on a page which costs next to nothing."""

from statistics import median

from bench.figures import Figure
from bench.scratch_site import ScratchSite
from bench.start import cpu_seconds
from bench.urls import TRIVIAL
from bench.web_server import Client, web_server

BAR = 0.5  # milliseconds
REQUESTS = 1000  # a round; the system counts in hundredths of a second
ROUNDS = 8


def measure(ground: ScratchSite) -> list[Figure]:
    """Ask over connections that are kept open, from this process."""
    with web_server(ground.copy(ground.planned, "cpu")) as server, Client(server.port) as client:
        rounds = []
        for _ in range(ROUNDS + 1):
            before = cpu_seconds(server.pid)
            rate = client.rate(TRIVIAL, REQUESTS)
            rounds.append(((cpu_seconds(server.pid) - before) / REQUESTS, rate))
    cpu, rates = zip(*rounds[1:], strict=True)
    return [
        Figure(
            name="page_cpu",
            value=1000 * median(cpu),
            bar=BAR,
            unit="ms",
            note=f"of a trivial page; {median(rates):,.0f} a second",
        )
    ]
