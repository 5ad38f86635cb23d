"""The protocols by which applications offer broadcasts to the feed, and their registry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol


class BroadcastSource(Protocol):
    """A broadcast as read from the database, again after every change.

    `moments` are the instants at which something becomes visible, in unix seconds, ascending.
    The position of a moment, counted from 1, is the number of its event and never changes.
    `ended`: no moment will be added. `notice`: a word about the broadcast itself, sent once to
    every watcher as an event of that name, or empty.
    """

    @property
    def moments(self) -> Sequence[float]:
        """Instants in unix seconds, ascending."""

    @property
    def ended(self) -> bool:
        """Whether no moment will be added."""

    @property
    def notice(self) -> str:
        """A word for the page, such as that results are posted while the broadcast goes on."""

    def render(self, number: int) -> bytes:
        """Return the fragment of a moment (numbered from 1) in UTF-8.

        Called in a thread, once for all watchers, up to a second before the moment is due.
        """


class LogPage(NamedTuple):
    """Events of an endless log after a cursor: numbers and data (one line, UTF-8), ascending.

    `reached`: all events up to this number are included.
    """

    events: Sequence[tuple[int, bytes]]
    reached: int


class LogSource(Protocol):
    """An endless broadcast without a clock: everything in the log is visible, in order.

    It is read in pages by the numbers of its events, which ascend and may have gaps. Nothing
    is ever added at or below the newest number. Methods are called in threads.
    """

    def newest(self) -> int:
        """Return the last number, or 0."""

    def after(self, number: int) -> LogPage:
        """Return the next page of events after a number.

        Its `reached` advances even without events.
        """


class WatchingRefusedError(PermissionError):
    """A visitor who may know of a broadcast may not follow it. Raised by gates.

    The message is sent to the visitor. A gate that returns False hides the broadcast instead.
    """


Provider = Callable[[str], BroadcastSource | None]
LogProvider = Callable[[str], LogSource | None]
Gate = Callable[[str, Any], bool]


class BroadcastSources:
    """Registry of the kinds of broadcast."""

    def __init__(self) -> None:
        self._providers: dict[str, Provider] = {}
        self._logs: dict[str, LogProvider] = {}
        self._gates: dict[str, Gate] = {}

    def register(self, kind: str, provider: Provider, *, may_watch: Gate | None = None) -> None:
        """Register broadcasts under /live/<kind>/<key>/.

        `provider(key)` returns the current broadcast or None, and runs in a thread.
        `may_watch(key, visitor)`, if given, is called once per connection with the user,
        perhaps anonymous, whose `session` is the browser's. Without it everybody may watch. A
        gate may raise `WatchingRefusedError`. Raises ValueError for a duplicate.
        """
        if self._providers.setdefault(kind, provider) is not provider:
            raise ValueError(f"The kind {kind!r} is registered already.")
        if may_watch is not None:
            self._gates[kind] = may_watch

    def register_log(self, kind: str, logs: LogProvider, *, may_watch: Gate | None = None) -> None:
        """Register endless broadcasts under /live/<kind>/<key>/. Otherwise like `register`."""
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
