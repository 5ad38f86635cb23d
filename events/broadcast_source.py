"""The event log as an endless stream of the live feed.

`/live/events/all/` sends public events. `/live/events/circuit-<slug>/` and
`/live/events/league-<slug>/` send the events of one circuit or league to users who may see it. A
suffix restricts the stream to one kind or family of kinds (`all.corrida.posted`,
`league-<slug>.league`). Event numbers and JSON are the same as in `/api/v1/events/`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, cast

from events.kinds import kinds
from events.numbering import BROADCAST_KIND, newest_number
from events.queries import EventReader, page_after
from events.representation import compact_json, event_json, public_events
from events.scopes import ScopeName, scopes
from live.broadcast_source import LogPage, WatchingRefusedError, register_log

ALL_EVENTS: Final = "all"
SPOILER_MESSAGE: Final = (
    "This stream contains results as soon as they are published, but your profile hides results of"
    " corridas that you have not watched."
)
PAGE_SIZE: Final = 200


@dataclass(frozen=True)
class EventLog:
    """The events that one user may see, as a source for the live feed.

    It implements `live.broadcast_source.LogSource`.
    """

    reader: EventReader

    def newest(self) -> int:
        return newest_number()

    def page_after(self, number: int) -> LogPage:
        page = page_after(self.reader, number, PAGE_SIZE)
        events = [
            (event.number, compact_json(event_json(event)).encode())
            for event in public_events(page.events)
        ]
        return LogPage(events, page.reached)


def event_log(key: str) -> EventLog | None:
    whose, filtered, named = key.partition(".")
    chosen = kinds.under(named)
    if filtered and not chosen:
        return None
    if whose == ALL_EVENTS:
        return EventLog(EventReader(kinds=chosen))
    name, _, address = whose.partition("-")
    scope_key = scopes.key(name, address)
    if scope_key is None:
        return None
    return EventLog(EventReader(scope=cast("ScopeName", name), key=scope_key, kinds=chosen))


def may_watch(key: str, visitor: object) -> bool:
    """Return True if the visitor may follow the event stream with this key.

    All followers of a stream receive the same events, so the stream cannot hide events from one of
    them. Therefore users with spoiler protection get WatchingRefusedError if the stream contains
    results of corridas.
    """
    whose = key.partition(".")[0]
    name, _, address = whose.partition("-")
    if name != "league" and getattr(visitor, "shielded_since", None):
        raise WatchingRefusedError(SPOILER_MESSAGE)
    return whose == ALL_EVENTS or scopes.find_key(name, address, visitor) is not None


def register_event_log() -> None:
    register_log(BROADCAST_KIND, event_log, may_watch=may_watch)
