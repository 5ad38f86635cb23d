"""Cached pages on PostgreSQL, with the documented configuration, are never out of date.

The list of leagues shows a name that changes all the time. No visitor may see a name older than the
last commit that had ended when the request was sent.
"""

from __future__ import annotations

import json
import os
import re
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import partial
from http.client import HTTPConnection
from itertools import count
from typing import Any

import pytest
from django.core.management import call_command
from django.db import DatabaseError, transaction
from django.utils import timezone

from accounts.models import User
from api.keys.operations import make_token
from api.models import Token
from leagues.league.operations import LeagueSettings, create_league
from leagues.models import League
from leagues.players import player_of_user
from server.valkey import Valkey
from tests.databases import opened
from tests.server.pages import Pages
from tests.waiting import PATIENCE, wait_until
from tools.bench.postgres import Postgres, postgres

NAME = re.compile(r"Round (\d+)\.")
# A number that is written and rolled back.
NEVER = 999_999
READERS = 6
# Minimum time between two simulated failures, in seconds.
STEP = 2.0


class Site:
    """A league whose name two writers change, and visitors who request it."""

    def __init__(self, database: str, port: int, key: str) -> None:
        self.database, self._port, self._key = database, port, key
        self.answers = 0
        self.problems: list[str] = []
        self.over = self.faulty = False
        self._numbers, self._turn = count(1), threading.Lock()
        self._last = self._committed = 0

    def _write(self, change: Callable[[int], bool]) -> None:
        """Write a higher number. `change` returns whether it was committed."""
        with self._turn:
            self._last = next(self._numbers)
            if change(self._last):
                self._committed = self._last
        time.sleep(self._last % 5 / 100)

    def write_elsewhere(self) -> None:
        """Write directly to the database, like another machine, and sometimes roll back."""
        with opened(self.database) as connection:
            while not self.over:
                try:
                    self._roll_back()
                    self._write(lambda number: bool(rename(number)))
                except DatabaseError:
                    connection.close()
                    time.sleep(0.1)

    def _roll_back(self) -> None:
        with transaction.atomic():
            rename(NEVER)
            transaction.set_rollback(True)

    def write_here(self) -> None:
        """Write with the API of the site, alternately in both page processes."""
        while not self.over:
            with self._line() as line:
                self._write(partial(self._patch, line))

    def _patch(self, line: HTTPConnection, number: int) -> bool:
        headers = {"Authorization": f"Bearer {self._key}", "Content-Type": "application/json"}
        body = json.dumps({"name": f"Round {number}."})
        answer = send_request(line, "PATCH", "/api/v1/leagues/race/", body, headers)
        if answer is None or answer[0] != 200:
            self._expect_fault(f"A change: {answer}")
            return False
        return True

    def read(self) -> None:
        while not self.over:
            with self._line() as line:
                for _ in range(100):
                    before = self._committed
                    answer = send_request(line, "GET", "/leagues/")
                    if answer is None or answer[0] != 200:
                        self._expect_fault(f"A page: {answer}")
                        break
                    self._look(answer[1], before)

    def _look(self, page: str, before: int) -> None:
        found = NAME.search(page)
        shown = int(found[1]) if found else -1
        self.answers += 1
        if not before <= shown <= self._last:
            self.problems.append(f"{shown} was shown, {before} had been committed.")

    def _expect_fault(self, what: str) -> None:
        if not (self.faulty or self.over):
            self.problems.append(what)
        time.sleep(0.1)

    @contextmanager
    def _line(self) -> Iterator[HTTPConnection]:
        line = HTTPConnection("localhost", self._port, timeout=PATIENCE)
        try:
            yield line
        finally:
            line.close()


def send_request(
    line: HTTPConnection, method: str, path: str, *more: Any
) -> tuple[int, str] | None:
    """Return status and body of the page, or None if the server closed the connection."""
    try:
        line.request(method, path, *more)
        response = line.getresponse()
        return response.status, response.read().decode()
    except (OSError, ValueError):
        return None


def rename(number: int) -> int:
    return League.objects.filter(slug="race").update(name=f"Round {number}.")


def found_league() -> str:
    """Create the league and return an API key of its organiser."""
    now, user = timezone.now(), User.objects.create(username="organiser")
    settings = LeagueSettings(
        name="Round 0.", game="eltoro", profile="one-day", visibility=League.Visibility.PUBLIC
    )
    league = create_league(settings=settings, by=player_of_user(user, at=now), at=now)
    League.objects.filter(pk=league.pk).update(slug="race")
    return make_token(user=user, name="race", scope=Token.Scope.WRITE, at=now)[1]


@pytest.fixture
def cluster() -> Iterator[Postgres]:
    """A database server that this test may kill."""
    with postgres() as server:
        yield server


@pytest.mark.slow
@pytest.mark.postgres
def test_no_cached_page_is_older_than_the_last_commit(
    cluster: Postgres, tmp_path_factory: pytest.TempPathFactory, unblocked: None
) -> None:
    database = cluster.make("race")
    with opened(database):
        call_command("migrate", verbosity=0)
        key = found_league()
    broker = Valkey(tmp_path_factory.mktemp("valkey"))
    broker.start()
    limits = dict.fromkeys(("API_WRITES_A_MINUTE", "WRITES_A_MINUTE"), "1000000")
    pages = Pages(
        tmp_path_factory.mktemp("pages"), DATABASE_URL=database, REDIS_URL=broker.url, **limits
    )
    site = Site(database, pages.port, key)
    try:
        wait_until(pages.answer)
        visit(site, cluster, broker)
    finally:
        pages.stop()
        broker.stop()
    assert site.problems == []
    assert site.answers > 1000


def visit(site: Site, cluster: Postgres, broker: Valkey) -> None:
    """Write and read while Redis and the database are killed and restarted."""
    work = [site.write_elsewhere, site.write_here, *[site.read] * READERS]
    threads = [threading.Thread(target=one) for one in work]
    for thread in threads:
        thread.start()
    try:
        time.sleep(STEP)
        site.faulty = True  # a write may fail
        os.kill(broker.pid, signal.SIGKILL)
        time.sleep(STEP)
        wait_until(broker.revive)
        for number in (signal.SIGINT, signal.SIGQUIT):  # at once; as if it had crashed
            cluster.process.send_signal(number)
            cluster.process.wait(PATIENCE)
            time.sleep(0.5)
            cluster.start()
            time.sleep(STEP)
        site.faulty = False
        time.sleep(STEP)
    finally:
        site.over = True
        for thread in threads:
            thread.join(PATIENCE)
