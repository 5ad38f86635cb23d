"""Tables as broadcasts: a change is a moment, a moment a fragment, for seats and for watchers.

`seat-en|es`, key `<table>-<seat>`: the seat's own view at once, for who sits there, from the
beginning of the play on. `table-en|es`, key `<table>`: what anybody may see, as late as the table
wants it. The number of an event is the number of the moment.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Any, Final

from cachetools import TTLCache
from django.template.loader import render_to_string
from django.utils import timezone, translation

from leagues.members.marks import seat_marks
from leagues.models import Table
from leagues.tables import log as table_log
from leagues.tables import permissions as table_permissions
from leagues.tables import visibility
from leagues.tables.changes import LANGUAGES
from leagues.tables.log import TableLog
from leagues.tables.visibility import TableView
from live.broadcast_source import register

MAX_DIGITS: Final = 10
CACHE_SIZE: Final = 256
"""Drawings kept in a process; one is 25 KB."""
CACHE_SECONDS: Final = 1.0
"""Seconds: a drawing shows how long somebody has left."""
_BETWEEN = re.compile(r">\s*\n\s*<")


def render_fragment(
    seen: TableView, language: str, chosen: Mapping[str, str] | None = None, **extra: Any
) -> str:
    """The fragment of what is seen, in a language: the game's template with `table` and `scene`.

    It bears no token of any visitor: the page around it does. Drawn once for page and feed, where
    nothing is added to it.
    """
    if chosen or any(extra.values()):
        return _render(seen, language, chosen, extra)
    key = (seen.table.invitation, seen.number, seen.seat, seen.revealed, language)
    return _renderings.have(key, lambda: _render(seen, language, None, extra))


def _render(
    seen: TableView, language: str, chosen: Mapping[str, str] | None, extra: Mapping[str, Any]
) -> str:
    with translation.override(language), seat_marks(seen.players):
        scene = seen.scene(chosen)
        told = render_to_string(seen.template, {"table": seen, "scene": scene, **extra})
    return _BETWEEN.sub("><", told).strip()


class Rendering:
    """A fragment that one thread draws, and others wait for."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.text = ""


class RenderCache:
    """What was drawn a moment ago, for who asks for the same: the answer to a move, the feed."""

    def __init__(self) -> None:
        self._kept: TTLCache[Hashable, Rendering] = TTLCache(CACHE_SIZE, CACHE_SECONDS)
        self._lock = Lock()

    def have(self, key: Hashable, make: Callable[[], str]) -> str:
        """The fragment of this key, made unless it is there."""
        drawing = self._find(key)
        with drawing.lock:
            if not drawing.text:
                drawing.text = make()
        return drawing.text

    def _find(self, key: Hashable) -> Rendering:
        with self._lock:
            drawing = self._kept.get(key)
            if drawing is None:
                drawing = self._kept[key] = Rendering()
            return drawing


_renderings = RenderCache()


@dataclass(frozen=True)
class TableBroadcast:
    """A table as the feed sends it: see `live.broadcast_source.BroadcastSource`."""

    moments: Sequence[float]
    ended: bool
    log: TableLog
    seat: int | None
    language: str

    def render(self, number: int) -> bytes:
        """The fragment of a moment, by its number from 1."""
        moment = self.log.moments[number - 1]
        return render_fragment(
            TableView(log=self.log, moment=moment, seat=self.seat), self.language
        ).encode()


def broadcast_of(table_id: int, seat: int | None, language: str) -> TableBroadcast | None:
    """The broadcast of a table, for a seat or for watchers; None where there is none.

    A seat has none before the play begins: until then whoever sits there may change.
    """
    log = table_log.find_log(table_id)
    if log is None or (seat is not None and not _has_begun(log, seat)):
        return None
    # The last moment of a table is that its result counts, where that waits.
    over = log.table.state not in Table.ACTIVE and log.table.counts_at is None
    if seat is None and log.table.watch == Table.Watch.NOBODY:
        return TableBroadcast(_until_begun(log), over or log.table.round > 0, log, None, language)
    return TableBroadcast(_instants(log, seat), over, log, seat, language)


def _has_begun(log: TableLog, seat: int) -> bool:
    return log.table.round > 0 and 0 <= seat < log.seats


def _instants(log: TableLog, seat: int | None) -> tuple[float, ...]:
    if seat is not None:
        return tuple(moment.at.timestamp() for moment in log.moments)
    return tuple(log.watched_at(moment).timestamp() for moment in log.moments)


def _until_begun(log: TableLog) -> tuple[float, ...]:
    """The moments before the play, and its beginning: nobody is asked again who has come to sit
    down whether they may also watch.
    """
    before = sum(1 for moment in log.moments if moment.round == 0)
    return _instants(log, None)[: before + 1]


def may_follow_table(key: str, visitor: Any) -> bool:
    """Whether a visitor may follow the table with this number."""
    log = _find(key)
    return log is not None and table_permissions.may_watch(log, visitor)


def may_follow_seat(key: str, visitor: Any) -> bool:
    """Whether it is this visitor who sits at that seat, now that the play has begun."""
    table, _, seat = key.partition("-")
    log = _find(table)
    if log is None or not seat.isdecimal() or len(seat) > 1 or not _has_begun(log, int(seat)):
        return False
    return log.seat_of(table_permissions.player_of_visitor(visitor)) == int(seat)


def _find(key: str) -> TableLog | None:
    return table_log.find_log(int(key)) if _is_number(key) else None


def _is_number(key: str) -> bool:
    return key.isascii() and key.isdecimal() and len(key) < MAX_DIGITS


def current_view(log: TableLog, seat: int | None) -> TableView:
    """What may be seen at this moment, by the clock."""
    return visibility.view_table(log, seat=seat, at=timezone.now())


def register_broadcasts() -> None:
    """Register tables with the feed, two kinds a language."""
    for language in LANGUAGES:
        register(f"table-{language}", _of_watchers(language), may_watch=may_follow_table)
        register(f"seat-{language}", _of_seats(language), may_watch=may_follow_seat)


def _of_watchers(language: str) -> Callable[[str], TableBroadcast | None]:
    def provider(key: str) -> TableBroadcast | None:
        return broadcast_of(int(key), None, language) if _is_number(key) else None

    return provider


def _of_seats(language: str) -> Callable[[str], TableBroadcast | None]:
    def provider(key: str) -> TableBroadcast | None:
        table, _, seat = key.partition("-")
        if not (_is_number(table) and _is_number(seat)):
            return None
        return broadcast_of(int(table), int(seat), language)

    return provider
