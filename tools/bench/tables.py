"""Benchmark of fifty live game tables: the time from one player's click to the other's browser.

The web process and the worker for tables run as `manage.py up` starts them. A client per seat
follows the seat's stream, waits, and submits the form in the fragment that it received, as a
browser does. The time is measured from the first byte of the form to the last byte of the event
with which the other seat receives that move.
"""

import asyncio
import datetime as dt
import re
import sys
import time
from collections.abc import Coroutine, Iterator
from html import unescape
from statistics import median
from typing import NamedTuple
from urllib.parse import urlencode

from django.conf import settings
from django.contrib.sessions.backends.db import SessionStore

from leagues.models import Player
from leagues.players import GUEST_SESSION_KEY, new_player
from leagues.tables.operations import lobby
from leagues.tables.operations.lobby import TableSettings
from tools.bench.client import Client
from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite, close_database, use_empty_database
from tools.bench.web_server import NO_LIMITS, running, web_server

TABLES = 50
THINK = 4.0  # seconds from seeing that it is one's turn to the click, on average
SECONDS = 30.0
WARM = 5.0  # seconds of play before anything is measured
GRACE = 6.0  # seconds after the last click in which the move may still arrive
SECRET = "b" * 32  # a token of the form, in the cookie and with the request
WORKER = (
    "-W ignore -m celery --app config --quiet worker --queues tables --concurrency 1 --beat"
    " --without-gossip --without-mingle --schedule"
)
MOVES = re.compile(r'data-moves="(\d+)"')
MOVE_BUTTON = re.compile(r'name="(move-(\d+))" value="([^"]+)"')
DRAW_BUTTON = re.compile(r'name="do" value="(draw|pass)" form="move-form"(?: autofocus)?\s*>')


class Seat(NamedTuple):
    """A seat at a game table, and the cookies of its player."""

    table: int
    number: int
    cookie: str


def measure(site: ScratchSite) -> Iterator[Figure]:
    database = site.folder / "tables.sqlite3"
    use_empty_database(database)
    seats = [seat for number in range(TABLES) for seat in _table(number)]
    close_database()
    command = [sys.executable, *WORKER.split(), str(site.folder / "tables-beat")]
    own = {"DATABASE_URL": f"sqlite:///{database}", "LOG_LEVEL": "ERROR"} | NO_LIMITS
    with web_server(database) as server, running(command, **own):
        clicks = asyncio.run(_play(server.port, seats))
    delay, refused = 1000 * median(clicks.delays), clicks.refused
    note = f"median of {len(clicks.delays)} moves to the other browser; {refused} rejected"
    yield Figure("table_move", delay, bar=150, unit="ms", note=note)
    yield Figure("table_moves_lost", clicks.lost(), bar=0, unit="moves")


def _table(number: int) -> list[Seat]:
    """Create a game table for two people, and begin the game."""
    (host, cookie), (guest, other) = _guest(f"Ana {number}"), _guest(f"Beto {number}")
    now, house = dt.datetime.now(dt.UTC), TableSettings(allowance=900)
    table = lobby.create_table(host=host, at=now, game="dominoes", profile="rulebook", house=house)
    lobby.sit_down(table_id=table.pk, player=guest, at=now)
    lobby.begin_table(table_id=table.pk, player=host, at=now)
    return [Seat(table.pk, 0, cookie), Seat(table.pk, 1, other)]


def _guest(name: str) -> tuple[Player, str]:
    player = new_player(name=name, at=dt.datetime.now(dt.UTC))
    session = SessionStore()
    session[GUEST_SESSION_KEY] = player.pk
    session.save()
    key = f"{settings.SESSION_COOKIE_NAME}={session.session_key}"
    return player, f"{key}; {settings.CSRF_COOKIE_NAME}={SECRET}"


class Clicks:
    """Moves that were submitted and that the other seat has not received, and all delays."""

    def __init__(self) -> None:
        self.delays: list[float] = []
        self.refused = 0
        self.measuring = False
        self._open: dict[tuple[int, int], tuple[int, float, bool]] = {}

    def click(self, seat: Seat, moves: int) -> None:
        self._open[seat.table, moves] = (seat.number, time.perf_counter(), self.measuring)

    def arrived(self, seat: Seat, moves: int) -> None:
        """Record that a seat received move number `moves`, if another seat has submitted it."""
        clicked, at, counts = self._open.get((seat.table, moves), (seat.number, 0.0, False))
        if clicked != seat.number:
            del self._open[seat.table, moves]
            if counts:
                self.delays.append(time.perf_counter() - at)

    def lost(self) -> int:
        return sum(counts for _, _, counts in self._open.values())


async def _play(port: int, seats: list[Seat]) -> Clicks:
    clicks = Clicks()
    async with asyncio.TaskGroup() as group:
        tasks = [group.create_task(TablePlayer(port, seat, clicks).play()) for seat in seats]
        await asyncio.sleep(WARM)
        clicks.measuring = True
        await asyncio.sleep(SECONDS)
        clicks.measuring = False
        await asyncio.sleep(GRACE)
        for task in tasks:
            task.cancel()
    return clicks


class TablePlayer:
    """One player with two persistent connections, as a browser has: a stream and one for forms."""

    def __init__(self, port: int, seat: Seat, clicks: Clicks) -> None:
        self._seat, self._clicks = seat, clicks
        heads = {"Cookie": seat.cookie, "X_CSRFToken": SECRET, "HX_Request": "true"}
        self._forms, self._stream = Client(port, **heads), Client(port, Cookie=seat.cookie)
        self._acting: set[asyncio.Task[None]] = set()
        self._latest = 0  # the latest event; moves on older events are dropped
        self._posting = asyncio.Lock()

    async def play(self) -> None:
        async for event in self._stream.stream(
            f"/live/seat-en/{self._seat.table}-{self._seat.number}/"
        ):
            if event.startswith(b"id:"):
                self._see(event.decode())

    def _see(self, page: str) -> None:
        match = MOVES.search(page)
        assert match, page[:300]
        moves = int(match[1])
        self._latest += 1
        self._clicks.arrived(self._seat, moves)
        if "data-mine" in page:
            self._act(self._move(page, moves))
        elif 'data-act="ready"' in page:
            self._act(self._ready())

    def _act(self, what: Coroutine[None, None, None]) -> None:
        task = asyncio.create_task(what)
        self._acting.add(task)
        task.add_done_callback(self._acting.discard)

    async def _move(self, page: str, moves: int) -> None:
        # Random delay, the same in every run, so that players do not start at the same instant.
        share = (self._seat.table * 7919 + moves * 104729) % 1000 / 1000
        seen = self._latest
        await asyncio.sleep(THINK * (0.5 + share))
        if self._latest == seen:
            self._clicks.click(self._seat, moves + 1)
            status = await self._post("move", {"seen": str(moves), **_chosen(page)})
            self._clicks.refused += status != 200

    async def _ready(self) -> None:
        await asyncio.sleep(THINK / 2)
        await self._post("ready", {})

    async def _post(self, what: str, fields: dict[str, str]) -> int:
        async with self._posting:
            form = "application/x-www-form-urlencoded"
            path, body = f"/tables/{self._seat.table}/{what}/", urlencode(fields).encode()
            return (await self._forms.send("POST", path, body, Content_Type=form)).status


def _chosen(page: str) -> dict[str, str]:
    """Return the first way to lay a tile that the form offers, or else its other action."""
    if way := MOVE_BUTTON.search(page):
        return {"do": "lay", "tile": way[2], way[1]: unescape(way[3])}
    act = DRAW_BUTTON.search(page)
    assert act, page[:300]
    return {"do": act[1]}
