"""What has happened as a broadcast without an end.

`/live/events/all/` tells what anybody may see, `/live/events/circuit-<address>/` and
`/live/events/league-<address>/` what is of one alone, to those who may see it. With a kind or a
family of them behind it (`all.corrida.posted`, `league-<address>.league`) only such events are
told, by the same numbers. An event is told in the words of `/api/v1/events/`.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, cast

from events.kinds import kinds
from events.numbering import FEED, newest
from events.queries import Reader, page_after
from events.scopes import Name, scopes
from events.telling import as_json, as_text, told
from live.programme import ShutError, Stretch, register_log

ALL: Final = "all"
SHUT: Final = (
    "Results are told here as they come, and your profile asks to be told nothing of what you have"
    " not watched."
)
AT_ONCE: Final = 200
"""Events read at once."""


@dataclass(frozen=True)
class Told:
    """What a reader sees, as the feed follows it: see `live.programme.Log`."""

    reader: Reader

    def newest(self) -> int:
        """The last number there is, of whatever is told to whomever."""
        return newest()

    def after(self, number: int) -> Stretch:
        """The next events after a number."""
        page = page_after(self.reader, number, AT_ONCE)
        events = [(one.number, as_text(as_json(one)).encode()) for one in told(page.events)]
        return Stretch(events, page.reached)


def provide(key: str) -> Told | None:
    """The log under a key; None where there is none."""
    whose, filtered, named = key.partition(".")
    chosen = kinds.under(named)
    if filtered and not chosen:
        return None
    if whose == ALL:
        return Told(Reader(kinds=chosen))
    name, _, address = whose.partition("-")
    found = scopes.key(name, address)
    if found is None:
        return None
    return Told(Reader(scope=cast("Name", name), key=found, kinds=chosen))


def may_watch(key: str, visitor: Any) -> bool:
    """Whether a visitor may follow what is told under a key.

    All who follow one stream are told the same, so nothing can be left out of it for one of them.
    Raises ShutError for a person with the spoiler shield, where results of corridas are told.
    """
    whose = key.partition(".")[0]
    name, _, address = whose.partition("-")
    if name != "league" and getattr(visitor, "shielded_since", None):
        raise ShutError(SHUT)
    return whose == ALL or scopes.find(name, address, visitor) is not None


def offer() -> None:
    """Register what happens with the feed."""
    register_log(FEED, provide, may_watch=may_watch)
