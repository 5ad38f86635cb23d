"""Broadcasts of live tables: each change is sent as an HTML fragment to players and spectators.

The channels `seat-en` and `seat-es` with the key `<table>-<seat>` show the view of a player without
delay, from the beginning of the game. The channels `table-en` and `table-es` with the key `<table>`
show the public view with the delay of the table. The number of an event is the number of the change
(`TableMoment`).
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Mapping, Sequence
from dataclasses import dataclass
from threading import Lock
from typing import Final

from cachetools import TTLCache
from django.template.loader import render_to_string
from django.utils import timezone, translation

from core.keys import parse_key
from leagues.members.marks import seat_marks
from leagues.models import Table
from leagues.tables import log as table_log
from leagues.tables import permissions as table_permissions
from leagues.tables import visibility
from leagues.tables.changes import LANGUAGES
from leagues.tables.log import TableLog
from leagues.tables.visibility import TableView
from live.broadcast_source import register
from live.sse import one_line

# Maximum number of cached fragments per process. A fragment has about 25 KB.
CACHE_SIZE: Final = 256
# Fragments are cached for this many seconds only, because they show the remaining time.
CACHE_SECONDS: Final = 1.0


def render_fragment(
    view: TableView, language: str, chosen: Mapping[str, str] | None = None, **extra: object
) -> str:
    """Render a live table in a language, using the game's template with `table` and `scene`.

    The fragment contains no token of the visitor. If no further arguments are given, it is cached,
    for use in pages and in the feed.
    """
    if chosen or any(extra.values()):
        return _render(view, language, chosen, extra)
    key = (view.table.invitation, view.number, view.seat, view.revealed, language)
    return _renderings.have(key, lambda: _render(view, language, None, extra))


def _render(
    view: TableView, language: str, chosen: Mapping[str, str] | None, extra: Mapping[str, object]
) -> str:
    with translation.override(language), seat_marks(view.players):
        scene = view.scene(chosen)
        markup = render_to_string(view.template, {"table": view, "scene": scene, **extra})
    return one_line(markup)


class Rendering:
    """An HTML fragment of a game table that one thread renders while other threads wait for
    the result.
    """

    def __init__(self) -> None:
        self.lock = Lock()
        self.text = ""


class RenderCache:
    """Cache of recently rendered fragments, shared by responses to moves and the feed."""

    def __init__(self) -> None:
        self._fragments: TTLCache[Hashable, Rendering] = TTLCache(CACHE_SIZE, CACHE_SECONDS)
        self._lock = Lock()

    def have(self, key: Hashable, make: Callable[[], str]) -> str:
        drawing = self._find_rendering(key)
        with drawing.lock:
            if not drawing.text:
                drawing.text = make()
        return drawing.text

    def _find_rendering(self, key: Hashable) -> Rendering:
        with self._lock:
            drawing = self._fragments.get(key)
            if drawing is None:
                drawing = self._fragments[key] = Rendering()
            return drawing


_renderings = RenderCache()


@dataclass(frozen=True)
class TableBroadcast:
    """A live table as a source of the feed. See `live.broadcast_source.BroadcastSource`."""

    moments: Sequence[float]
    ended: bool
    log: TableLog
    seat: int | None
    language: str
    notice: str = ""

    def render(self, number: int) -> bytes:
        moment = self.log.moments[number - 1]
        return render_fragment(
            TableView(log=self.log, moment=moment, seat=self.seat), self.language
        ).encode()


def broadcast_of(table_id: int, seat: int | None, language: str) -> TableBroadcast | None:
    """Return the broadcast of a live table for a player's seat or for spectators (None), or None.

    Seats have no broadcast before the game begins, because their players may still change.
    """
    log = table_log.find_log(table_id)
    if log is None or (seat is not None and not _has_begun(log, seat)):
        return None
    # If spectators see the result later, that will be the last change of the table, so the
    # broadcast is not over yet.
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
    """Return the times of all changes of a game table up to the beginning of the game.

    The broadcast ends there if nobody may watch the game. People who followed the table in order to
    join are not checked again.
    """
    before = sum(1 for moment in log.moments if moment.round == 0)
    return _instants(log, None)[: before + 1]


def may_follow_table(key: str, visitor: object) -> bool:
    log = _find_table_log(key)
    return log is not None and table_permissions.may_watch(log, visitor)


def may_follow_seat(key: str, visitor: object) -> bool:
    table, _, seat = key.partition("-")
    log = _find_table_log(table)
    if log is None or not seat.isdecimal() or len(seat) > 1 or not _has_begun(log, int(seat)):
        return False
    return log.seat_of(table_permissions.player_of_visitor(visitor)) == int(seat)


def _find_table_log(key: str) -> TableLog | None:
    table_id = parse_key(key)
    return None if table_id is None else table_log.find_log(table_id)


def current_view(log: TableLog, seat: int | None) -> TableView:
    return visibility.view_table(log, seat=seat, at=timezone.now())


def register_broadcasts() -> None:
    for language in LANGUAGES:
        register(f"table-{language}", _of_watchers(language), may_watch=may_follow_table)
        register(f"seat-{language}", _of_seats(language), may_watch=may_follow_seat)


def _of_watchers(language: str) -> Callable[[str], TableBroadcast | None]:
    def provider(key: str) -> TableBroadcast | None:
        table_id = parse_key(key)
        return None if table_id is None else broadcast_of(table_id, None, language)

    return provider


def _of_seats(language: str) -> Callable[[str], TableBroadcast | None]:
    def provider(key: str) -> TableBroadcast | None:
        table, _, number = key.partition("-")
        table_id, seat = parse_key(table), parse_key(number)
        if table_id is None or seat is None:
            return None
        return broadcast_of(table_id, seat, language)

    return provider
