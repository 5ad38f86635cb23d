"""The version of a PostgreSQL database, for the event loop."""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Hashable
from typing import Final

import psycopg
from django.db import connection as site_database
from psycopg import pq

from core.page_cache.shared import VERSION_SQL

# Seconds for an answer, and for connecting.
ANSWER_TIMEOUT: Final = 1.0
# Seconds before the next question after one was not answered.
RETRY_INTERVAL: Final = 1.0
# Parameters of Django's connections that asynchronous ones do not have.
UNUSED_PARAMETERS: Final = ("context", "cursor_factory")

log = logging.getLogger(__name__)

Answer = asyncio.Future[Hashable | None]


class VersionQuestions:
    """Asks for the version over one connection, once for all who came before it was sent.

    So an answer knows every commit that they could have seen. It is asked with functions of libpq:
    a cursor of psycopg takes twice the processor time, and waits for the server after a timeout.
    """

    def __init__(self) -> None:
        self._connection: psycopg.AsyncConnection[object] | None = None
        self._socket = -1  # of the connection, which has none any more once it is lost
        self._waiting: list[Answer] = []  # for the next question
        self._asked: list[Answer] = []  # the question under way
        self._result: pq.abc.PGresult | None = None
        self._timer: asyncio.TimerHandle | None = None
        self._connecting: asyncio.Task[None] | None = None
        self._silent_until = 0.0

    def ask(self) -> Answer:
        """Return a future of the version, or of None if the database does not answer."""
        loop = asyncio.get_running_loop()
        answer: Answer = loop.create_future()
        if loop.time() < self._silent_until:
            answer.set_result(None)
            return answer
        self._waiting.append(answer)
        if len(self._waiting) == 1 and not self._asked and self._connecting is None:
            loop.call_soon(self._send)  # after all requests that have arrived by now
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
            if line.flush():  # a few bytes that an idle connection does not take
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
        except Exception as error:  # whatever it is, visitors must not wait for it
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
                    self._answer(self._result)
                    return
                self._result = result
        except psycopg.Error:  # it was closed, perhaps between two questions
            self._give_up()

    def _answer(self, result: pq.abc.PGresult | None) -> None:
        if result is None:  # a notice to an idle connection
            return
        self._result = None
        if result.status != pq.ExecStatus.TUPLES_OK:
            self._give_up()
            return
        version = tuple(
            (result.get_value(0, place) or b"").decode() for place in range(result.nfields)
        )
        self._settle(version)
        self._send()

    def _give_up(self) -> None:
        """Close the connection. For a second, requests render their pages."""
        loop = asyncio.get_running_loop()
        if self._connection is not None:
            loop.remove_reader(self._socket)
            self._connection.pgconn.finish()
        self._connection = self._result = None
        if self._asked or self._waiting:
            self._silent_until = loop.time() + RETRY_INTERVAL
        self._asked, self._waiting = self._asked + self._waiting, []
        self._settle(None)

    def _settle(self, version: Hashable | None) -> None:
        if self._timer is not None:
            self._timer.cancel()
            self._timer = None
        for answer in self._asked:
            if not answer.done():
                answer.set_result(version)
        self._asked = []
