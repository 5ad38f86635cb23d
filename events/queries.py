"""Reading events by cursor, limited to what a reader may see."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Q

from events.kinds import kinds as registered
from events.models import Event
from events.numbering import newest_number
from events.scopes import ScopeName, Unwatched, scopes

MAX_PAGE_SIZE: Final = 500
# Numbers scanned for a page. Bounds the cost when most events are not for this reader.
MAX_SCANNED: Final = 5000


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """The events that a reader wants and may see.

    Without `scope` all public events. With it (and the key of a circuit or league that the
    visitor may see) the events of that alone. `kinds` restricts them further if it is not
    empty. Events that would give away what is `unwatched` are left out.
    """

    scope: ScopeName | None = None
    key: int | None = None
    kinds: tuple[str, ...] = ()
    unwatched: tuple[Unwatched, ...] = ()

    def admits(self) -> Q:
        visible = self._public() if self.scope is None else Q(**{self.scope: self.key})
        for scope, key, since in self.unwatched:
            results = ~Q(kind__in=[kind.key for kind in registered.all() if not kind.spoils])
            visible &= ~Q(results, **{scope: key}, at__gte=since)
        return visible & Q(kind__in=self.kinds) if self.kinds else visible

    def _public(self) -> Q:
        # Those of no scope, or of circuits and leagues that are public now.
        public = Q(circuit=None, league=None)
        for scope in scopes:
            public |= Q(**{f"{scope.name}__in": scope.public()})
        return public


@dataclass(frozen=True, slots=True)
class Page:
    """Events after a cursor, in order.

    `reached` is the last number scanned, `newest` the last number assigned. If `reached` is
    less, more may follow.
    """

    events: Sequence[Event]
    reached: int
    newest: int


def page_after(reader: Reader, after: int, limit: int) -> Page:
    """Return at most `limit` events after a number. Two queries.

    There may be fewer events, or none, if those in between are not for this reader. A cursor
    beyond `newest` gives an empty page.
    """
    last = newest_number()
    until = min(after + MAX_SCANNED, last)
    if until <= after:
        return Page((), min(after, last), last)
    span = Event.objects.filter(reader.admits(), number__gt=after, number__lte=until)
    events = list(span.order_by("number")[:limit])
    reached = until if len(events) < limit else events[-1].number
    assert reached is not None
    return Page(events, reached, last)


def latest_events(reader: Reader, limit: int) -> list[Event]:
    """Return the newest events first, among the last numbers scanned. Two queries."""
    span = Event.objects.filter(reader.admits(), number__gt=newest_number() - MAX_SCANNED)
    return list(span.order_by("-number")[:limit])
