"""The log of events as a broadcast without an end.

`/live/events/all/` sends what anybody may see, `/live/events/circuit-<address>/` and
`/live/events/league-<address>/` the events of one circuit or league to those who may see it. A
kind or a family of kinds may follow (`all.corrida.posted`, `league-<address>.league`). Numbers and
JSON are those of `/api/v1/events/`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, cast

from events.kinds import kinds
from events.numbering import BROADCAST_KIND, newest_number
from events.queries import Reader, page_after
from events.representation import compact_json, event_json, public_events
from events.scopes import ScopeName, scopes
from live.broadcast_source import LogPage, WatchingRefusedError, register_log

ALL_EVENTS: Final = "all"
SPOILER_MESSAGE: Final = (
    "Results are told here as they come, and your profile asks to be told nothing of what you have"
    " not watched."
)
PAGE_SIZE: Final = 200
"""Events read at once."""


@dataclass(frozen=True)
class EventLog:
    """What a reader sees, as the feed follows it: see `live.broadcast_source.LogSource`."""

    reader: Reader

    def newest(self) -> int:
        """The last number there is, of whatever is told to whomever."""
        return newest_number()

    def after(self, number: int) -> LogPage:
        """The next events after a number."""
        page = page_after(self.reader, number, PAGE_SIZE)
        events = [
            (one.number, compact_json(event_json(one)).encode())
            for one in public_events(page.events)
        ]
        return LogPage(events, page.reached)


def event_log(key: str) -> EventLog | None:
    """The log under a key; None where there is none."""
    whose, filtered, named = key.partition(".")
    chosen = kinds.under(named)
    if filtered and not chosen:
        return None
    if whose == ALL_EVENTS:
        return EventLog(Reader(kinds=chosen))
    name, _, address = whose.partition("-")
    found = scopes.key(name, address)
    if found is None:
        return None
    return EventLog(Reader(scope=cast("ScopeName", name), key=found, kinds=chosen))


def may_watch(key: str, visitor: Any) -> bool:
    """Whether a visitor may follow what is told under a key.

    All who follow one stream are told the same, so nothing can be left out of it for one of them.
    Raises WatchingRefusedError for a person with the spoiler shield, where results of corridas
    are told.
    """
    whose = key.partition(".")[0]
    name, _, address = whose.partition("-")
    if name != "league" and getattr(visitor, "shielded_since", None):
        raise WatchingRefusedError(SPOILER_MESSAGE)
    return whose == ALL_EVENTS or scopes.find(name, address, visitor) is not None


def register_event_log() -> None:
    """Register what happens with the feed."""
    register_log(BROADCAST_KIND, event_log, may_watch=may_watch)
