"""Protocols for the broadcasts that applications offer to the live feed, and their registry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol


class BroadcastSource(Protocol):
    """A broadcast as read from the database. It is read again after every change."""

    @property
    def moments(self) -> Sequence[float]:
        """Return the times at which parts of the broadcast become visible, in unix seconds,
        ascending.

        The position of a moment, counted from 1, is the number of its event and never changes.
        """

    @property
    def ended(self) -> bool:
        """Return whether no more parts will be added to the broadcast."""

    @property
    def notice(self) -> str:
        """Return a keyword for the page's script, for example that results are already
        published, or an empty string.

        Every watcher gets it once, as an event named `notice`.
        """

    def render(self, number: int) -> bytes:
        """Return the HTML fragment of a moment (numbered from 1) in UTF-8.

        Called in a thread, once for all watchers, up to a second before the moment is due.
        """


class LogPage(NamedTuple):
    """Events of an endless log after a number: pairs of number and data, ascending.

    The data is one line in UTF-8. All events up to the number `reached` have been read.
    """

    events: Sequence[tuple[int, bytes]]
    reached: int


class LogSource(Protocol):
    """An endless log whose events are all visible at once, in order.

    It is read in pages by event number. Numbers ascend and may have gaps. No event is ever added at
    or below the newest number. Methods are called in threads.
    """

    def newest(self) -> int:
        """Return the number of the newest event in the log, or 0."""

    def page_after(self, number: int) -> LogPage:
        """Return the next page of events after a number.

        `reached` of the page advances even if the page contains no events.
        """


class WatchingRefusedError(PermissionError):
    """The visitor may know that the broadcast exists but may not follow it.

    Raised by a `may_watch` function. The message is sent to the visitor. If the function returns
    False instead, the broadcast is hidden from the visitor.
    """


Provider = Callable[[str], BroadcastSource | None]
LogProvider = Callable[[str], LogSource | None]
Gate = Callable[[str, Any], bool]


class BroadcastSources:
    """Registry of the kinds of broadcasts and endless logs."""

    def __init__(self) -> None:
        self._providers: dict[str, Provider] = {}
        self._logs: dict[str, LogProvider] = {}
        self._gates: dict[str, Gate] = {}

    def register(self, kind: str, provider: Provider, *, may_watch: Gate | None = None) -> None:
        """Register a kind of broadcast under /live/<kind>/<key>/.

        `provider(key)` returns the current broadcast or None. It is called in a thread.
        `may_watch(key, visitor)`, if given, is called once per connection. The visitor is a user or
        AnonymousUser with the browser's `session`. Without it, everybody may watch. It may raise
        `WatchingRefusedError`. Raises ValueError for a kind that is already registered.
        """
        if self._providers.setdefault(kind, provider) is not provider:
            raise ValueError(f"The kind {kind!r} is registered already.")
        if may_watch is not None:
            self._gates[kind] = may_watch

    def register_log(self, kind: str, logs: LogProvider, *, may_watch: Gate | None = None) -> None:
        """Register a kind of endless log under /live/<kind>/<key>/, otherwise like `register`."""
        if kind in self._providers or self._logs.setdefault(kind, logs) is not logs:
            raise ValueError(f"The kind {kind!r} is registered already.")
        if may_watch is not None:
            self._gates[kind] = may_watch

    def knows(self, kind: str) -> bool:
        return kind in self._providers or kind in self._logs

    def is_endless(self, kind: str) -> bool:
        return kind in self._logs

    def log(self, kind: str, key: str) -> LogSource | None:
        logs = self._logs.get(kind)
        return logs(key) if logs else None

    def load(self, kind: str, key: str) -> BroadcastSource | None:
        provider = self._providers.get(kind)
        return provider(key) if provider else None

    def gate(self, kind: str) -> Gate | None:
        return self._gates.get(kind)


sources = BroadcastSources()
register = sources.register
register_log = sources.register_log
