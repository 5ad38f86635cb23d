"""Read events after a number, limited to what a reader may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Q

from events.kinds import kinds as registered
from events.models import Event
from events.numbering import newest_number
from events.scopes import ScopeName, UnwatchedScope, scopes

MAX_PAGE_SIZE: Final = 500
# Maximum number of events scanned for a page. This limits the cost if most events are not for this
# reader.
MAX_SCANNED: Final = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class EventReader:
    """The events that a reader wants and may see.

    Without `scope`, these are all public events. With `scope` and `key`, they are the events of
    that circuit or league, which the visitor must be allowed to see. If `kinds` is not empty, only
    these kinds. Events that reveal results of the `unwatched` circuits and leagues are left out.
    """

    scope: ScopeName | None = None
    key: int | None = None
    kinds: tuple[str, ...] = ()
    unwatched: tuple[UnwatchedScope, ...] = ()

    def admits(self) -> Q:
        visible = self._public() if self.scope is None else Q(**{self.scope: self.key})
        for scope, key, since in self.unwatched:
            results = ~Q(kind__in=[kind.key for kind in registered.all_kinds() if not kind.spoils])
            visible &= ~Q(results, **{scope: key}, at__gte=since)
        return visible & Q(kind__in=self.kinds) if self.kinds else visible

    def _public(self) -> Q:
        # Events that belong to no circuit or league, or to one that is public now.
        public = Q(circuit=None, league=None)
        for scope in scopes:
            public |= Q(**{f"{scope.name}__in": scope.public()})
        return public


@dataclass(frozen=True, slots=True)
class EventBatch:
    """Events after a number, in order.

    `reached` is the last number scanned and `newest` the last number assigned. If `reached` is less
    than `newest`, there may be more events.
    """

    events: Sequence[Event]
    reached: int
    newest: int


def page_after(reader: EventReader, after: int, limit: int) -> EventBatch:
    """Return at most `limit` events after a number, with two queries.

    The page may contain fewer events, or none, if the scanned events are not for this reader. If
    `after` is beyond the newest number, the page is empty.
    """
    last = newest_number()
    until = min(after + MAX_SCANNED, last)
    if until <= after:
        return EventBatch((), min(after, last), last)
    span = Event.objects.filter(reader.admits(), number__gt=after, number__lte=until)
    events = list(span.order_by("number")[:limit])
    reached = until if len(events) < limit else events[-1].number
    assert reached is not None
    return EventBatch(events, reached, last)


def latest_events(reader: EventReader, limit: int) -> list[Event]:
    """Return the latest events among the last `MAX_SCANNED` numbers, newest first."""
    span = Event.objects.filter(reader.admits(), number__gt=newest_number() - MAX_SCANNED)
    return list(span.order_by("-number")[:limit])
