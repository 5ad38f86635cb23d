"""Reading events by cursor, as far as a reader may see them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from django.db.models import Q

from events.models import Event
from events.numbering import newest_number
from events.scopes import ScopeName, scopes

MAX_PAGE_SIZE: Final = 500
"""Events a page."""
MAX_SCANNED: Final = 5000
"""Numbers looked through for a page: what is not for this reader must not cost for ever."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Reader:
    """What somebody wants to read, and may.

    Without `scope` all that anybody may see; with it (and the key of one that has been found for
    this visitor) what belongs to that alone. `kinds`: these alone, where any are named.
    """

    scope: ScopeName | None = None
    key: int | None = None
    kinds: tuple[str, ...] = ()

    def admits(self) -> Q:
        """The events that this reader sees."""
        seen = self._anybodys() if self.scope is None else Q(**{self.scope: self.key})
        return seen & Q(kind__in=self.kinds) if self.kinds else seen

    def _anybodys(self) -> Q:
        """What is of public circuits and leagues, as they are now, and what is of none."""
        seen = Q(circuit=None, league=None)
        for scope in scopes:
            seen |= Q(**{f"{scope.name}__in": scope.public()})
        return seen


@dataclass(frozen=True, slots=True)
class Page:
    """Events after a cursor, in order; `reached`: all up to this number has been looked at.

    `newest` is the last number there is: where `reached` is less, more may follow.
    """

    events: Sequence[Event]
    reached: int
    newest: int


def page_after(reader: Reader, after: int, limit: int) -> Page:
    """At most `limit` events after a number; fewer, even none, where others lie between.

    A cursor beyond `newest` gives an empty page. Two queries.
    """
    last = newest_number()
    until = min(after + MAX_SCANNED, last)
    if until <= after:
        return Page((), min(after, last), last)
    span = Event.objects.filter(reader.admits(), number__gt=after, number__lte=until)
    found = list(span.order_by("number")[:limit])
    full = len(found) == limit
    return Page(found, _number(found[-1]) if full else until, last)


def latest_events(reader: Reader, limit: int) -> list[Event]:
    """The last events, the newest first, among the last numbers looked through; two queries."""
    span = Event.objects.filter(reader.admits(), number__gt=newest_number() - MAX_SCANNED)
    return list(span.order_by("-number")[:limit])


def _number(event: Event) -> int:
    assert event.number is not None
    return event.number
