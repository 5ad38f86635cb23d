"""Run work in a test's own database that is killed midway, or that runs in several
threads at once.
"""

import contextlib
import faulthandler
import os
import re
import signal
import sqlite3
import threading
import traceback
from collections.abc import Callable
from contextlib import closing
from hashlib import sha256
from typing import Any

from django.db import DatabaseError

from fairness import Seed
from tests.databases import opened
from tests.waiting import PATIENCE

Work = Callable[[], object]


def left_in(url: str) -> str:
    """Return a digest of all contents of a SQLite file that no process has open."""
    with closing(sqlite3.connect(url.removeprefix("sqlite:///"))) as connection:
        said = "".join(connection.iterdump())
    return sha256(said.encode()).hexdigest()


def seeds(name: str) -> Callable[[], Seed]:
    """Return a source of different seeds that is the same in every test of this name."""
    drawn = iter(range(10**9))

    def fresh() -> Seed:
        return Seed(sha256(f"{name}/{next(drawn)}".encode()).digest())

    return fresh


def dies_before(url: str, statement: int, work: Work) -> bool:
    """Do the work in a process that is killed before statement number `statement`, counted from 1.

    Returns False if the work ended before that. On SQLite every statement counts that the library
    runs, including commits and each row of an `executemany`. On PostgreSQL the statements count
    that Django sends, without COPY.
    """
    child = os.fork()
    if not child:
        _work_and_die(url, statement, work)
    ended = os.waitstatus_to_exitcode(os.waitpid(child, 0)[1])
    assert ended in (0, -signal.SIGKILL), "the work broke for another reason: see above"
    return ended != 0


def _work_and_die(url: str, statement: int, work: Work) -> None:
    faulthandler.dump_traceback_later(PATIENCE, exit=True)
    try:
        with opened(url) as connection:
            connection.ensure_connection()
            _arm(connection, statement)
            work()
        os._exit(0)
    except BaseException:
        traceback.print_exc()
    finally:
        os._exit(1)


def outside_transactions(url: str, work: Work) -> list[int]:
    """Return the numbers, from 1, of the statements that the work begins outside a transaction.

    Only before these statements can the data that other processes see have changed. A process
    killed before any other statement leaves the data as it was when its transaction began. Works on
    SQLite only.
    """
    found, number = [], 0
    with opened(url) as connection:
        connection.ensure_connection()
        inner = connection.connection

        def count(*_: object) -> None:
            nonlocal number
            number += 1
            if not inner.in_transaction:
                found.append(number)

        inner.set_trace_callback(count)
        work()
        inner.set_trace_callback(None)
    return found


def _arm(connection: Any, statement: int) -> None:
    left = [statement]

    def count(*_: object) -> None:
        left[0] -= 1
        if not left[0]:
            os.kill(os.getpid(), signal.SIGKILL)

    def before(execute: Callable[..., Any], *arguments: Any) -> Any:
        count()
        return execute(*arguments)

    if isinstance(connection.connection, sqlite3.Connection):
        connection.connection.set_trace_callback(count)
    else:
        connection.execute_wrappers.append(before)


# Seconds that a thread waits for the other threads to finish reading.
HESITATION = 0.7


def at_once(url: str, *works: Work, reading: str = "") -> list[Any]:
    """Run several works at the same moment, each in a thread with its own connection.

    With `reading`, a regular expression, each thread pauses after its first matching statement
    until all threads have reached that point. So all of them have read before the first writes.
    Threads that wait for a lock are not waited for. Returns the result of each work, or the error
    it raised.
    """
    came: list[Any] = [None] * len(works)
    gate = threading.Barrier(len(works), timeout=PATIENCE)
    read = threading.Barrier(len(works), timeout=HESITATION)

    def do(place: int, work: Work) -> None:
        with opened(url) as connection:
            try:
                connection.ensure_connection()
            except DatabaseError:
                gate.abort()  # the other threads do not wait for this thread
                raise
            gate.wait()
            try:
                with connection.execute_wrapper(_meeting(read, reading)):
                    came[place] = work()
            except Exception as error:
                came[place] = error

    pairs = enumerate(works)
    threads = [threading.Thread(target=do, args=pair, daemon=True) for pair in pairs]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join(PATIENCE)
    assert not any(thread.is_alive() for thread in threads), "they wait for one another"
    return came


def _meeting(read: threading.Barrier, reading: str) -> Callable[..., Any]:
    """Return an execute wrapper that pauses after the first statement that matches `reading`."""
    waits = [bool(reading)]

    def execute(run: Callable[..., Any], sql: str, *arguments: Any) -> Any:
        came = run(sql, *arguments)
        if waits[0] and re.search(reading, sql):
            waits[0] = False
            with contextlib.suppress(threading.BrokenBarrierError):
                read.wait()
        return came

    return execute
