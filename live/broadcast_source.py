"""The protocols by which applications offer broadcasts to the feed, and their registry."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any, NamedTuple, Protocol


class BroadcastSource(Protocol):
    """One broadcast as it stands: read once, and again whenever its doorbell rings.

    `moments` are the instants at which something may be seen, unix seconds, ascending; the
    place in it, from 1, is the event's number and stays what it is. `ended` says that no
    moment will be added after the last.
    """

    @property
    def moments(self) -> Sequence[float]:
        """Instants, unix seconds, ascending."""

    @property
    def ended(self) -> bool:
        """Whether nothing comes after the last moment."""

    def render(self, number: int) -> bytes:
        """The fragment of the moment with this number (1 is the first), UTF-8.

        Called in a thread, once for all who watch, up to a second before the moment is due.
        """


class LogPage(NamedTuple):
    """Events of an endless log after a cursor: numbers and data (one line, UTF-8), ascending.

    `reached`: nothing up to this number is missing from it.
    """

    events: Sequence[tuple[int, bytes]]
    reached: int


class LogSource(Protocol):
    """A broadcast without an end and without a clock: what is in it may be seen, in order.

    Read in pages by the numbers of its events, which rise and may leave gaps. Nothing appears at
    or below a number that was the newest before. Called in threads.
    """

    def newest(self) -> int:
        """The last number there is, 0 where there is none."""

    def after(self, number: int) -> LogPage:
        """The next events after a number, a page of them; it reaches on even where none is."""


class WatchingRefusedError(PermissionError):
    """Raised by a gate: a visitor who may know that there is such a broadcast may not follow it.

    The sentence is sent to them; where a gate says False, there is no such broadcast for them.
    """


Provider = Callable[[str], BroadcastSource | None]
LogProvider = Callable[[str], LogSource | None]
Gate = Callable[[str, Any], bool]


class BroadcastSources:
    """Which kinds of broadcast there are; each game registers its own."""

    def __init__(self) -> None:
        self._providers: dict[str, Provider] = {}
        self._logs: dict[str, LogProvider] = {}
        self._gates: dict[str, Gate] = {}

    def register(self, kind: str, provider: Provider, *, may_watch: Gate | None = None) -> None:
        """Offer broadcasts of a kind under /live/<kind>/<key>/.

        `provider(key)` gives the programme as it stands, or None where there is none; it runs
        in a thread. `may_watch(key, visitor)`, where given, is asked once a connection with
        the signed-in user or an anonymous one, whose `session` is the browser's; without it
        everybody may watch. A gate may raise `WatchingRefusedError`.
        Raises ValueError for a kind registered twice.
        """
        if self._providers.setdefault(kind, provider) is not provider:
            raise ValueError(f"The kind {kind!r} is registered already.")
        if may_watch is not None:
            self._gates[kind] = may_watch

    def register_log(self, kind: str, logs: LogProvider, *, may_watch: Gate | None = None) -> None:
        """Offer broadcasts without an end under /live/<kind>/<key>/; otherwise as `register`."""
        if kind in self._providers or self._logs.setdefault(kind, logs) is not logs:
            raise ValueError(f"The kind {kind!r} is registered already.")
        if may_watch is not None:
            self._gates[kind] = may_watch

    def knows(self, kind: str) -> bool:
        """Whether somebody registered this kind."""
        return kind in self._providers or kind in self._logs

    def is_endless(self, kind: str) -> bool:
        """Whether broadcasts of this kind have no end."""
        return kind in self._logs

    def log(self, kind: str, key: str) -> LogSource | None:
        """The log of this kind and key; None where there is none."""
        logs = self._logs.get(kind)
        return logs(key) if logs else None

    def load(self, kind: str, key: str) -> BroadcastSource | None:
        """The programme as it stands now; None where there is no such kind or broadcast."""
        provider = self._providers.get(kind)
        return provider(key) if provider else None

    def gate(self, kind: str) -> Gate | None:
        """Who may watch broadcasts of this kind; None where everybody may."""
        return self._gates.get(kind)


sources = BroadcastSources()
register = sources.register
register_log = sources.register_log
