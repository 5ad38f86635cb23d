"""Query the version of a PostgreSQL database from the event loop.

The version changes whenever anything is written (`core.page_cache.shared`).
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable
from typing import Final

import psycopg
from django.db import connection as site_database
from psycopg import pq

from core.page_cache.shared import VERSION_SQL

# Timeout in seconds for the query and for connecting.
ANSWER_TIMEOUT: Final = 1.0
# Seconds without queries after one was not answered.
RETRY_INTERVAL: Final = 1.0
# Parameters of Django's synchronous connections that asynchronous connections do not accept.
UNUSED_PARAMETERS: Final = ("context", "cursor_factory")

log = logging.getLogger(__name__)

Answer = asyncio.Future[Hashable | None]


class VersionQuestions:
    """Queries the database version, with one query for all requests that are waiting.

    A request gets the answer to a query that was sent after the request arrived. So the answer
    reflects every commit that its visitor could have seen. The query uses libpq directly, because a
    psycopg cursor takes twice the processor time and waits for the server after a timeout.
    """

    def __init__(self) -> None:
        self._connection: psycopg.AsyncConnection[object] | None = None
        self._socket = -1  # stored, because a lost connection no longer has it
        self._waiting: list[Answer] = []  # waiting for the next query
        self._asked: list[Answer] = []  # waiting for the current query
        self._result: pq.abc.PGresult | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._silent_until = 0.0

    def ask_version(self) -> Answer:
        """Return a future with the version, or with None if the database does not respond."""
        loop = asyncio.get_running_loop()
        answer: Answer = loop.create_future()
        if loop.time() < self._silent_until:
            answer.set_result(None)
            return answer
        self._waiting.append(answer)
        if len(self._waiting) == 1 and not self._asked and self._connecting is None:
            loop.call_soon(self._send)  # one query for all requests that have arrived
        return answer

    def _send(self) -> None:
        if not self._waiting or self._asked:
            return
        if self._connection is None:
            self._connecting = asyncio.get_running_loop().create_task(self._connect())
            return
        self._asked, self._waiting = self._waiting, []
        self._timer = asyncio.get_running_loop().call_later(ANSWER_TIMEOUT, self._give_up)
        try:
            line = self._connection.pgconn
            line.send_query_params(VERSION_SQL.encode(), None)
            if line.flush():  # an idle connection did not accept a few bytes
                self._give_up()
        except psycopg.Error:
            self._give_up()

    async def _connect(self) -> None:
        parameters = site_database.get_connection_params()
        for name in UNUSED_PARAMETERS:
            parameters.pop(name)
        try:
            async with asyncio.timeout(ANSWER_TIMEOUT):
                made = await psycopg.AsyncConnection.connect(**parameters, autocommit=True)
        except Exception as error:  # no error may keep visitors waiting
            log.warning("The version of the database cannot be asked for: %s", error)
            self._connecting = None
            self._give_up()
            return
        self._connection, self._connecting = made, None
        self._socket = made.pgconn.socket
        asyncio.get_running_loop().add_reader(self._socket, self._receive)
        self._send()

    def _receive(self) -> None:
        assert self._connection is not None
        line = self._connection.pgconn
        try:
            line.consume_input()
            while not line.is_busy():
                result = line.get_result()
                if result is None:
                    self._receive_answer(self._result)
                    return
                self._result = result
        except psycopg.Error:  # the connection was closed, perhaps while idle
            self._give_up()

    def _receive_answer(self, result: pq.abc.PGresult | None) -> None:
        if result is None:  # a notice, sent without a query
            return
        self._result = None
        if result.status != pq.ExecStatus.TUPLES_OK:
            self._give_up()
            return
        version = tuple(
            (result.get_value(0, place) or b"").decode() for place in range(result.nfields)
        )
        self._resolve_answer(version)
        self._send()

    def _give_up(self) -> None:
        """Close the connection and answer all waiting requests with None.

        For `RETRY_INTERVAL` seconds, pages are then rendered instead of taken from the cache.
        """
        loop = asyncio.get_running_loop()
        if self._connection is not None:
            loop.remove_reader(self._socket)
            self._connection.pgconn.finish()
        self._connection = self._result = None
        if self._asked or self._waiting:
            self._silent_until = loop.time() + RETRY_INTERVAL
        self._asked, self._waiting = self._asked + self._waiting, []
        self._resolve_answer(None)

    def _resolve_answer(self, version: Hashable | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for answer in self._asked:
            if not answer.done():
                answer.set_result(version)
        self._asked = []
