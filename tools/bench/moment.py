"""Benchmark of rendering the moments of a corrida for the live feed."""

import datetime as dt
from collections.abc import Iterator
from dataclasses import replace

from corridas.broadcast.source import Broadcast
from corridas.pages.rulebook import play_example
from corridas.templatetags import ringside
from fairness import Seed
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite
from tools.bench.timing import Spent, in_pages, timed

ROUNDS = 10
CARTEL = ("paquiro", "el-gordito", "pepe-hillo")
BULLS = ("Calesero", "Camarito", "Campanario", "Cantinero", "Farolero", "Avispado")
CACHES = (ringside._part, ringside._words, ringside.card_url)


def measure(_: ScratchSite) -> Iterator[Figure]:
    """Measure a whole corrida with the bundled deck on one core, beginning with empty caches."""
    example = play_example(CARTEL, "las-ventas", Seed(bytes(32)), BULLS, dt.date(2026, 4, 5))
    showing = replace(example, corrida=1)  # only moments with an address have all their links
    broadcast = Broadcast(showing.timeline.moments(0), True, showing, "en")
    moments = range(1, len(showing.timeline) + 1)

    def render() -> Spent:
        for cache in CACHES:
            cache.cache_clear()
        with timed() as spent:
            for number in moments:
                broadcast.render(number)
        return spent

    render()  # reads phrases, templates and addresses
    pages, seconds = in_pages(render, ROUNDS)
    note = f"{1000 * seconds / len(moments):.2f} ms of CPU, mean of {len(moments)} moments"
    yield Figure("moment", pages / len(moments), bar=13.0, unit="pages", note=note)
