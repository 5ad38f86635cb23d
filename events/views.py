"""Page with the latest events."""

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
from events.queries import EventReader, latest_events
from events.representation import public_events
from events.scopes import scopes

PAGE_SIZE: Final = 50
# Number of latest events that are scanned for the page.
MAX_SCANNED: Final = 500
# Maximum number of events of the same kind, circuit or league, and minute. Further events are only
# counted.
MAX_PER_MINUTE: Final = 3


class EventLine:
    """An event as it is displayed on the page."""

    def __init__(self, event: PublicEvent, more: int = 0) -> None:
        kind = kinds[event.kind]
        self.number, self.at = event.number, event.at
        self.kind, self.family = kind, kind.key.partition(".")[0]
        self.words, self.page = kind.words(event), kind.page(event)
        # Number of similar events of the same minute that the page does not show.
        self.more = more


class EventListContext(TypedDict):
    lines: list[EventLine]
    kinds: Sequence[EventKind]
    chosen: EventKind | None
    newest: int  # event number after which the script follows the stream
    since: dt.datetime | None  # time of the first event left out


@never_cache
@require_safe
def event_list(request: HttpRequest) -> HttpResponse:
    """List the latest events, newest first, of all kinds or of one (`?kind=`).

    Playing a season records hundreds of events in a minute, of which the page shows only a few. The
    page's script follows the event stream and requests the list as a fragment. For users with
    spoiler protection, the list ends, for each circuit, before the first corrida that they have not
    watched. They get no event stream.
    """
    chosen = kinds.find_kind(request.GET.get("kind", ""))
    last = newest_number()
    unwatched = scopes.unwatched(request)
    reader = EventReader(kinds=(chosen.key,) if chosen else (), unwatched=unwatched)
    rows, more = _collapsed(latest_events(reader, MAX_SCANNED))
    context: EventListContext = {
        "lines": [
            EventLine(event, more.get(event.number, 0)) for event in public_events(rows[:PAGE_SIZE])
        ],
        "kinds": kinds.all_kinds(),
        "chosen": chosen,
        "newest": last,
        "since": min((each.since for each in unwatched), default=None),
    }
    alone = request.headers.get("HX-Request") == "true"
    return render(request, "events/page.html#list" if alone else "events/page.html", context)


def _collapsed(events: Iterable[Event]) -> tuple[list[Event], dict[int, int]]:
    """Return the first few events of each kind and minute, and how many were left out.

    The second value maps the number of the last event returned of each group to the count of those
    left out.
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
