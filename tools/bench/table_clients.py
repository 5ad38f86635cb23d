"""Simulated players of live game tables: each follows the stream of a seat and submits its form."""

from __future__ import annotations

import asyncio
import datetime as dt
import re
import time
from collections.abc import Callable, Coroutine
from dataclasses import dataclass, field
from importlib import import_module
from pathlib import Path
from statistics import median
from typing import TYPE_CHECKING
from urllib.parse import urlencode

from leagues.tables.operations.lobby import TableSettings

if TYPE_CHECKING:
    from leagues.models import Player

SECRET = "b" * 32  # a token of the form, in the cookie and with the request


@dataclass(frozen=True)
class PlayerSeat:
    """A player at a table.

    `cookie` is the browser's cookie header. With `alone`, the opponent is a bot.
    """

    table: int
    number: int
    cookie: str
    alone: bool = False

    @property
    def stream(self) -> str:
        return f"/live/seat-en/{self.table}-{self.number}/"


@dataclass(frozen=True)
class TableRoom:
    """All seats, in groups by table."""

    tables: tuple[tuple[PlayerSeat, ...], ...]


def create_tables(database: Path, *, tables: int, bots: int) -> TableRoom:
    """Create tables for two people and tables for one and a bot, all of them begun."""
    from django.core.management import call_command

    from tools.bench.database import close_database, use_database

    use_database(database)
    call_command("migrate", verbosity=0)
    created = [_of_two(number) for number in range(tables)]
    created += [_of_one(number) for number in range(bots)]
    close_database()
    return TableRoom(tuple(created))


def _of_two(number: int) -> tuple[PlayerSeat, ...]:
    from leagues.tables.operations import lobby

    (host, cookie), (guest, other) = _guest(f"Ana {number}"), _guest(f"Beto {number}")
    now = dt.datetime.now(dt.UTC)
    table = lobby.create_table(
        host=host, at=now, game="dominoes", profile="rulebook", house=_house()
    )
    lobby.sit_down(table_id=table.pk, player=guest, at=now)
    lobby.begin_table(table_id=table.pk, player=host, at=now)
    return PlayerSeat(table.pk, 0, cookie), PlayerSeat(table.pk, 1, other)


def _of_one(number: int) -> tuple[PlayerSeat, ...]:
    from leagues.tables.operations import lobby

    host, cookie = _guest(f"Carla {number}")
    table = lobby.create_table(
        host=host,
        at=dt.datetime.now(dt.UTC),
        game="dominoes",
        profile="rulebook",
        house=_house(),
        bots={1: "maestro"},
    )
    return (PlayerSeat(table.pk, 0, cookie, alone=True),)


def _house() -> TableSettings:
    from leagues.tables.operations.lobby import TableSettings

    return TableSettings(allowance=900)


def _guest(name: str) -> tuple[Player, str]:
    from django.conf import settings

    from leagues.players import GUEST_SESSION_KEY, new_player

    player = new_player(name=name, at=dt.datetime.now(dt.UTC))
    session = import_module(settings.SESSION_ENGINE).SessionStore()
    session[GUEST_SESSION_KEY] = player.pk
    session.save()
    key = f"{settings.SESSION_COOKIE_NAME}={session.session_key}"
    return player, f"{key}; {settings.CSRF_COOKIE_NAME}={SECRET}"


GRACE = 6.0  # seconds after the last click in which the move may still arrive
MOVES = re.compile(rb'data-moves="(\d+)"')
MOVE_BUTTON = re.compile(rb'name="(move-(\d+))" value="([^"]+)"')
DRAW_BUTTON = re.compile(rb'name="do" value="(draw|pass)" form="move-form"\s*>')
ENTITIES = (("&gt;", ">"), ("&lt;", "<"), ("&amp;", "&"))


@dataclass
class TableDelays:
    """Delays in seconds from a click to the other browser and to the player's own response.

    It also contains the number of moves that never arrived, and `busy`, the processor seconds of
    the server.
    """

    delays: list[float] = field(default_factory=list)
    answers: list[float] = field(default_factory=list)
    lost: int = 0
    refused: int = 0
    seconds: float = 0.0
    busy: float = 0.0

    def line(self) -> str:
        delays = sorted(self.delays) or [float("nan")]
        answers = sorted(self.answers) or [float("nan")]
        return (
            f"{len(self.delays)} moves in {self.seconds:.0f} s: median {median(delays) * 1e3:.0f} "
            f"ms, 99th percentile {delays[int(len(delays) * 0.99)] * 1e3:.0f} ms, worst "
            f"{delays[-1] * 1e3:.0f} ms; own answer {median(answers) * 1e3:.0f} ms; "
            f"{self.lost} lost, {self.refused} refused; server {self.busy / self.seconds:.0%} busy"
        )


@dataclass(frozen=True, kw_only=True)
class Pace:
    """Seconds: average thinking time, time before the measurement, and time of the measurement."""

    think: float
    warm: float
    seconds: float


class Clicks:
    """Times at which moves were submitted, until the other seat receives them."""

    def __init__(self) -> None:
        self.heard = TableDelays()
        self.measuring = False
        self._open: dict[tuple[int, int], tuple[int, float, bool]] = {}

    def click(self, seat: PlayerSeat, moves: int) -> None:
        if seat.alone:
            return
        self._open[seat.table, moves] = (seat.number, time.perf_counter(), self.measuring)

    def arrived(self, seat: PlayerSeat, moves: int) -> None:
        """Record that a seat received so many moves. Counts if another seat made the last one."""
        clicked, at, counts = self._open.get((seat.table, moves), (seat.number, 0.0, False))
        if clicked == seat.number:
            return
        del self._open[seat.table, moves]
        if counts:
            self.heard.delays.append(time.perf_counter() - at)

    def end(self) -> TableDelays:
        self.heard.lost = sum(counts for _, _, counts in self._open.values())
        return self.heard


async def play(port: int, room: TableRoom, pace: Pace, busy: Callable[[], float]) -> TableDelays:
    clicks = Clicks()
    sitters = [
        TablePlayer(port, seat, clicks, pace.think) for table in room.tables for seat in table
    ]
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(sitter.play()) for sitter in sitters]
        await asyncio.sleep(pace.warm)
        before, clicks.measuring = busy(), True
        await asyncio.sleep(pace.seconds)
        clicks.measuring, clicks.heard.busy = False, busy() - before
        clicks.heard.seconds = pace.seconds
        await asyncio.sleep(GRACE)
        for task in tasks:
            task.cancel()
    return clicks.end()


class TablePlayer:
    """One player with two persistent connections, as a browser has: a stream and one for forms."""

    def __init__(self, port: int, seat: PlayerSeat, clicks: Clicks, think: float) -> None:
        self._port = port
        self._seat = seat
        self._clicks = clicks
        self._think = think
        self._line: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None
        self._acting: set[asyncio.Task[None]] = set()
        self._latest = -1  # the event seen last; who thinks about an older one does nothing
        self._posting = asyncio.Lock()

    async def play(self) -> None:
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 20)
        writer.write(self._head("GET", self._seat.stream, "Accept: text/event-stream"))
        head = await reader.readuntil(b"\r\n\r\n")
        if b" 200 " not in head[:20]:
            raise RuntimeError(f"No stream: {head[:60]!r}")
        while size := int(await reader.readline(), 16):
            chunk = (await reader.readexactly(size + 2))[:-2]
            if chunk.startswith(b"id:"):
                self._see(chunk)

    def _see(self, page: bytes) -> None:
        match = MOVES.search(page)
        assert match, page[:300]
        moves = int(match[1])
        self._latest += 1
        self._clicks.arrived(self._seat, moves)
        if b"data-mine" in page:
            self._act(self._move(page, moves))
        elif b'data-act="ready"' in page:
            self._act(self._ready())

    def _act(self, what: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(what)
        self._acting.add(task)
        task.add_done_callback(self._acting.discard)

    async def _move(self, page: bytes, moves: int) -> None:
        # Random delay, the same in every run, so that players do not start at the same instant.
        share = (self._seat.table * 7919 + moves * 104729) % 1000 / 1000
        seen = self._latest
        await asyncio.sleep(self._think * (0.5 + share))
        if self._latest != seen:
            return
        fields = {"seen": str(moves), **chosen(page)}
        self._clicks.click(self._seat, moves + 1)
        began = time.perf_counter()
        if await self._post(f"/tables/{self._seat.table}/move/", fields) == 200:
            if self._clicks.measuring:
                self._clicks.heard.answers.append(time.perf_counter() - began)
        else:
            self._clicks.heard.refused += 1

    async def _ready(self) -> None:
        await asyncio.sleep(self._think / 2)
        await self._post(f"/tables/{self._seat.table}/ready/", {})

    async def _post(self, path: str, fields: dict[str, str]) -> int:
        async with self._posting:
            try:
                return await self._send(path, fields)
            except (asyncio.IncompleteReadError, ConnectionError):
                # The server has just closed the idle connection. Send the request again, as
                # browsers do.
                self._line = None
                return await self._send(path, fields)

    async def _send(self, path: str, fields: dict[str, str]) -> int:
        if self._line is None or self._line[0].at_eof():  # a quiet line is closed after a while
            self._line = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 20)
        reader, writer = self._line
        body = urlencode(fields).encode()
        heads = f"Content-Length: {len(body)}", "Content-Type: application/x-www-form-urlencoded"
        more = f"X-CSRFToken: {SECRET}", "HX-Request: true"
        writer.write(self._head("POST", path, *heads, *more) + body)
        head = await reader.readuntil(b"\r\n\r\n")
        length = re.search(rb"content-length: (\d+)", head.lower())
        assert length, head
        await reader.readexactly(int(length[1]))
        return int(head.split()[1])

    def _head(self, method: str, path: str, *more: str) -> bytes:
        lines = [f"{method} {path} HTTP/1.1", "Host: localhost", "Accept-Language: en"]
        lines += [f"Cookie: {self._seat.cookie}", *more]
        return ("\r\n".join(lines) + "\r\n\r\n").encode()


def chosen(page: bytes) -> dict[str, str]:
    """Return the first way to lay a tile that the form offers, or else its other action."""
    way = MOVE_BUTTON.search(page)
    if way:
        return {
            "do": "lay",
            "tile": way[2].decode(),
            way[1].decode(): unescaped(way[3].decode()),
        }
    act = DRAW_BUTTON.search(page)
    assert act, page[:300]
    return {"do": act[1].decode()}


def unescaped(text: str) -> str:
    for written, meant in ENTITIES:
        text = text.replace(written, meant)
    return text
