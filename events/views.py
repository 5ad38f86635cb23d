"""The page of what has happened lately."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from events.kinds import EventKind, PublicEvent, kinds
from events.models import Event
from events.numbering import newest_number
from events.queries import Reader, latest_events
from events.representation import public_events

PAGE_SIZE: Final = 50
MAX_SCANNED: Final = 500
"""So many of the latest are looked at for them."""
MAX_PER_MINUTE: Final = 3
"""So many of one kind that happened to one circuit or league in one minute are told each."""


class EventLine:
    """A happening as the page tells it."""

    def __init__(self, happening: PublicEvent, more: int = 0) -> None:
        kind = kinds[happening.kind]
        self.number, self.at = happening.number, happening.at
        self.kind, self.family = kind, kind.key.partition(".")[0]
        self.words, self.page = kind.words(happening), kind.page(happening)
        self.more = more
        """Others like it of the same minute that the page leaves out."""


@never_cache
@require_safe
def event_list(request: HttpRequest) -> HttpResponse:
    """What has happened lately, the newest first, of all kinds or of one (`?kind=`).

    A season that is run on fills a minute with hundreds of lines; a few of them are told.

    The list alone where a script asks for it, which follows the stream and asks again.
    """
    chosen = _selected_kind(request)
    last = newest_number()
    rows, more = _collapsed(
        latest_events(Reader(kinds=(chosen.key,) if chosen else ()), MAX_SCANNED)
    )
    context = {
        "lines": [
            EventLine(one, more.get(one.number, 0)) for one in public_events(rows[:PAGE_SIZE])
        ],
        "kinds": kinds.all(),
        "chosen": chosen,
        "newest": last,
    }
    alone = request.headers.get("HX-Request") == "true"
    return render(request, "events/_list.html" if alone else "events/page.html", context)


def _collapsed(events: Iterable[Event]) -> tuple[list[Event], dict[int, int]]:
    """The first few of each kind and minute; how many more there are, by the last one's number."""
    kept: list[Event] = []
    last: dict[tuple[object, ...], int] = {}
    count: Counter[tuple[object, ...]] = Counter()
    for event in events:
        minute = event.at.replace(second=0, microsecond=0)
        alike = (event.kind, event.circuit, event.league, minute)
        count[alike] += 1
        if count[alike] <= MAX_PER_MINUTE:
            kept.append(event)
            last[alike] = event.number or 0
    more = {number: count[alike] - MAX_PER_MINUTE for alike, number in last.items()}
    return kept, {number: rest for number, rest in more.items() if rest > 0}


def _selected_kind(request: HttpRequest) -> EventKind | None:
    """The kind asked for; None for all, and for what is none."""
    key = request.GET.get("kind", "")
    return kinds.find(key)
