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

from leagues import playing
from leagues.marks import marking_seats
from leagues.models import Table
from leagues.operations import tables
from leagues.playing import LANGUAGES, Seen, TableLog
from live.programme import register

LONGEST_NUMBER: Final = 10
KEPT: Final = 256
"""Drawings kept in a process; one is 25 KB."""
KEPT_FOR: Final = 1.0
"""Seconds: a drawing shows how long somebody has left."""
_BETWEEN = re.compile(r">\s*\n\s*<")


def draw(seen: Seen, language: str, chosen: Mapping[str, str] | None = None, **extra: Any) -> str:
    """The fragment of what is seen, in a language: the game's template with `table` and `scene`.

    It bears no token of any visitor: the page around it does. Drawn once for page and feed, where
    nothing is added to it.
    """
    if chosen or any(extra.values()):
        return _draw(seen, language, chosen, extra)
    key = (seen.table.invitation, seen.number, seen.seat, seen.revealed, language)
    return _drawings.have(key, lambda: _draw(seen, language, None, extra))


def _draw(
    seen: Seen, language: str, chosen: Mapping[str, str] | None, extra: Mapping[str, Any]
) -> str:
    with translation.override(language), marking_seats(seen.players):
        scene = seen.scene(chosen)
        told = render_to_string(seen.template, {"table": seen, "scene": scene, **extra})
    return _BETWEEN.sub("><", told).strip()


class Drawing:
    """A fragment that one thread draws, and others wait for."""

    def __init__(self) -> None:
        self.lock = Lock()
        self.text = ""


class Drawings:
    """What was drawn a moment ago, for who asks for the same: the answer to a move, the feed."""

    def __init__(self) -> None:
        self._kept: TTLCache[Hashable, Drawing] = TTLCache(KEPT, KEPT_FOR)
        self._lock = Lock()

    def have(self, key: Hashable, make: Callable[[], str]) -> str:
        """The fragment of this key, made unless it is there."""
        drawing = self._find(key)
        with drawing.lock:
            if not drawing.text:
                drawing.text = make()
        return drawing.text

    def _find(self, key: Hashable) -> Drawing:
        with self._lock:
            drawing = self._kept.get(key)
            if drawing is None:
                drawing = self._kept[key] = Drawing()
            return drawing


_drawings = Drawings()


@dataclass(frozen=True)
class Broadcast:
    """A table as the feed sends it: see `live.programme.Programme`."""

    moments: Sequence[float]
    ended: bool
    log: TableLog
    seat: int | None
    language: str

    def render(self, number: int) -> bytes:
        """The fragment of a moment, by its number from 1."""
        moment = self.log.moments[number - 1]
        return draw(Seen(log=self.log, moment=moment, seat=self.seat), self.language).encode()


def provide(table_id: int, seat: int | None, language: str) -> Broadcast | None:
    """The broadcast of a table, for a seat or for watchers; None where there is none.

    A seat has none before the play begins: until then whoever sits there may change.
    """
    log = playing.find(table_id)
    if log is None or (seat is not None and not _has_begun(log, seat)):
        return None
    # The last moment of a table is that its result counts, where that waits.
    over = log.table.state not in Table.ACTIVE and log.table.counts_at is None
    if seat is None and log.table.watch == Table.Watch.NOBODY:
        return Broadcast(_until_begun(log), over or log.table.round > 0, log, None, language)
    return Broadcast(_instants(log, seat), over, log, seat, language)


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


def may_watch(key: str, visitor: Any) -> bool:
    """Whether a visitor may follow the table with this number."""
    log = _find(key)
    return log is not None and tables.may_watch(log, visitor)


def may_sit(key: str, visitor: Any) -> bool:
    """Whether it is this visitor who sits at that seat, now that the play has begun."""
    table, _, seat = key.partition("-")
    log = _find(table)
    if log is None or not seat.isdecimal() or len(seat) > 1 or not _has_begun(log, int(seat)):
        return False
    return log.seat_of(tables.player_of_visitor(visitor)) == int(seat)


def _find(key: str) -> TableLog | None:
    return playing.find(int(key)) if _is_number(key) else None


def _is_number(key: str) -> bool:
    return key.isascii() and key.isdecimal() and len(key) < LONGEST_NUMBER


def present(log: TableLog, seat: int | None) -> Seen:
    """What may be seen at this moment, by the clock."""
    return playing.seen(log, seat=seat, at=timezone.now())


def offer() -> None:
    """Register tables with the feed, two kinds a language."""
    for language in LANGUAGES:
        register(f"table-{language}", _of_watchers(language), may_watch=may_watch)
        register(f"seat-{language}", _of_seats(language), may_watch=may_sit)


def _of_watchers(language: str) -> Callable[[str], Broadcast | None]:
    def provider(key: str) -> Broadcast | None:
        return provide(int(key), None, language) if _is_number(key) else None

    return provider


def _of_seats(language: str) -> Callable[[str], Broadcast | None]:
    def provider(key: str) -> Broadcast | None:
        table, _, seat = key.partition("-")
        if not (_is_number(table) and _is_number(seat)):
            return None
        return provide(int(table), int(seat), language)

    return provider
