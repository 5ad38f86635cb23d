"""Benchmark of rendering the moments of a corrida for the live feed, against an empty template."""

import datetime as dt
from dataclasses import replace
from statistics import median

from django.template import engines

from corridas.broadcast.source import Broadcast
from corridas.pages.rulebook import play_example
from corridas.templatetags import ringside
from fairness import Seed
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite
from tools.bench.timing import Spent, in_turns, ratio, timed

BAR = 1.5
ROUNDS = 10
CARTEL = ("paquiro", "el-gordito", "pepe-hillo")
BULLS = ("Calesero", "Camarito", "Campanario", "Cantinero", "Farolero", "Avispado")
CACHES = (ringside._part, ringside._words, ringside.card_url)


def measure(_: ScratchSite) -> list[Figure]:
    """Measure a whole corrida with the bundled deck on one core, beginning with empty caches."""
    example = play_example(CARTEL, "las-ventas", Seed(bytes(32)), BULLS, dt.date(2026, 4, 5))
    showing = replace(example, corrida=1)  # only moments with an address have all their links
    broadcast = Broadcast(showing.timeline.moments(0), True, showing, "en")
    moments, empty = range(1, len(showing.timeline) + 1), engines["django"].from_string("")

    def render() -> Spent:
        for cache in CACHES:
            cache.cache_clear()
        with timed() as spent:
            for number in moments:
                broadcast.render(number)
        return spent

    def render_nothing() -> Spent:
        with timed() as spent:
            for _number in moments:
                empty.render({})
        return spent

    render()  # reads phrases, templates and addresses
    pairs = in_turns(ROUNDS, render, render_nothing)
    milliseconds = median(1000 * rendered.cpu / len(moments) for rendered, _ in pairs)
    note = f"of CPU, mean of {len(moments)} moments; needs a quiet machine"
    return [
        Figure(name="moment", value=milliseconds, bar=BAR, unit="ms", note=note),
        Figure(name="moment_empty", value=ratio(pairs), unit="x", note="of an empty template"),
    ]
