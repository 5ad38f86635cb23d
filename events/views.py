"""The page of what has happened lately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from events.kinds import Happening, Kind, kinds
from events.models import Event
from events.numbering import newest
from events.queries import Reader, latest
from events.telling import told

SHOWN: Final = 50
LOOKED_AT: Final = 500
"""So many of the latest are looked at for them."""
OF_A_MINUTE: Final = 3
"""So many of one kind that happened to one circuit or league in one minute are told each."""


class Line:
    """A happening as the page tells it."""

    def __init__(self, happening: Happening, more: int = 0) -> None:
        kind = kinds[happening.kind]
        self.number, self.at = happening.number, happening.at
        self.kind, self.family = kind, kind.key.partition(".")[0]
        self.words, self.page = kind.words(happening), kind.page(happening)
        self.more = more
        """Others like it of the same minute that the page leaves out."""


@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What has happened lately, the newest first, of all kinds or of one (`?kind=`).

    A season that is run on fills a minute with hundreds of lines; a few of them are told.

    The list alone where a script asks for it, which follows the stream and asks again.
    """
    chosen = _chosen(request)
    last = newest()
    rows, more = _folded(latest(Reader(kinds=(chosen.key,) if chosen else ()), LOOKED_AT))
    context = {
        "lines": [Line(one, more.get(one.number, 0)) for one in told(rows[:SHOWN])],
        "kinds": kinds.all(),
        "chosen": chosen,
        "newest": last,
    }
    alone = request.headers.get("HX-Request") == "true"
    return render(request, "events/_list.html" if alone else "events/page.html", context)


def _folded(events: Iterable[Event]) -> tuple[list[Event], dict[int, int]]:
    """The first few of each kind and minute; how many more there are, by the last one's number."""
    kept: list[Event] = []
    last: dict[tuple[object, ...], int] = {}
    count: Counter[tuple[object, ...]] = Counter()
    for event in events:
        minute = event.at.replace(second=0, microsecond=0)
        alike = (event.kind, event.circuit, event.league, minute)
        count[alike] += 1
        if count[alike] <= OF_A_MINUTE:
            kept.append(event)
            last[alike] = event.number or 0
    more = {number: count[alike] - OF_A_MINUTE for alike, number in last.items()}
    return kept, {number: rest for number, rest in more.items() if rest > 0}


def _chosen(request: HttpRequest) -> Kind | None:
    """The kind asked for; None for all, and for what is none."""
    key = request.GET.get("kind", "")
    return kinds.find(key)
