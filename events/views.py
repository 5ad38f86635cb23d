"""The page of latest events."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Iterable, Sequence
from typing import Final, TypedDict

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from events.kinds import EventKind, PublicEvent, kinds
from events.models import Event
from events.numbering import newest_number
from events.queries import Reader, latest_events
from events.representation import public_events
from events.scopes import scopes

PAGE_SIZE: Final = 50
# Latest events scanned for the page.
MAX_SCANNED: Final = 500
# Events of one kind, scope and minute that are shown. The rest are counted.
MAX_PER_MINUTE: Final = 3


class EventLine:
    """An event on the page."""

    def __init__(self, event: PublicEvent, more: int = 0) -> None:
        kind = kinds[event.kind]
        self.number, self.at = event.number, event.at
        self.kind, self.family = kind, kind.key.partition(".")[0]
        self.words, self.page = kind.words(event), kind.page(event)
        self.more = more
        # Similar events of the same minute that the page leaves out.


class EventListContext(TypedDict):
    lines: list[EventLine]
    kinds: Sequence[EventKind]
    chosen: EventKind | None
    newest: int  # the number after which the page's script follows the stream
    since: dt.datetime | None  # the first instant from which on something is left out


@never_cache
@require_safe
def event_list(request: HttpRequest) -> HttpResponse:
    """List the latest events, newest first, of all kinds or of one (`?kind=`).

    Playing a season fills a minute with hundreds of events, of which only a few are shown. A
    script that follows the stream gets the list as a fragment. For people with spoiler protection
    the page ends, for each circuit, before the first corrida that they have not watched; they get
    no stream.
    """
    chosen = kinds.find(request.GET.get("kind", ""))
    last = newest_number()
    unwatched = scopes.unwatched(request)
    reader = Reader(kinds=(chosen.key,) if chosen else (), unwatched=unwatched)
    rows, more = _collapsed(latest_events(reader, MAX_SCANNED))
    context: EventListContext = {
        "lines": [
            EventLine(event, more.get(event.number, 0)) for event in public_events(rows[:PAGE_SIZE])
        ],
        "kinds": kinds.all(),
        "chosen": chosen,
        "newest": last,
        "since": min((each.since for each in unwatched), default=None),
    }
    alone = request.headers.get("HX-Request") == "true"
    return render(request, "events/page.html#list" if alone else "events/page.html", context)


def _collapsed(events: Iterable[Event]) -> tuple[list[Event], dict[int, int]]:
    """Return the first few events per kind and minute, and how many more follow the last of them,
    by its number.
    """
    selected: list[Event] = []
    last: dict[tuple[object, ...], int] = {}
    count: Counter[tuple[object, ...]] = Counter()
    for event in events:
        minute = event.at.replace(second=0, microsecond=0)
        alike = (event.kind, event.circuit, event.league, minute)
        count[alike] += 1
        if count[alike] <= MAX_PER_MINUTE:
            selected.append(event)
            last[alike] = event.number or 0
    more = {number: count[alike] - MAX_PER_MINUTE for alike, number in last.items()}
    return selected, {number: rest for number, rest in more.items() if rest > 0}
