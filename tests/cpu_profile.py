"""Pytest plugin that measures the CPU seconds and the time of each test and fixture.

CPU seconds include those of ended child processes. The plugin is always active and calls `os.times`
twice a test. After a run it prints
- the tests above `--cpu-limit` CPU seconds (default 1) without the mark `slow`,
- with `--profile FILE`, the most expensive tests and fixtures, and how long each worker waited. The
  file contains all figures as JSON.

`--cpu-fail SECONDS` makes a run fail if an unmarked test takes longer. The time of a module or
session fixture is counted for the fixture, and not for the first test that uses it.
"""

from __future__ import annotations

import json
import os
import time
from collections import defaultdict
from collections.abc import Generator, Iterable
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any

import pytest

SHOWN = 30
CORES = os.cpu_count() or 1


def cpu_seconds() -> float:
    """Return the CPU seconds of this process, its threads and its ended children."""
    times = os.times()
    return times.user + times.system + times.children_user + times.children_system


@dataclass
class Cost:
    """The time taken by a test, or by all set-ups of a fixture."""

    cpu: float = 0.0
    wall: float = 0.0
    count: int = 0

    def add(self, cpu: float, wall: float) -> None:
        self.cpu += cpu
        self.wall += wall
        self.count += 1


@dataclass
class Worker:
    """The figures of one process that runs tests. Times are seconds since the epoch."""

    started: float
    collected: float = 0.0
    first: float = 0.0
    last: float = 0.0
    tests: dict[str, Cost] = field(default_factory=lambda: defaultdict(Cost))
    fixtures: dict[str, Cost] = field(default_factory=lambda: defaultdict(Cost))
    slow: set[str] = field(default_factory=set)


class Profile:
    """Collects the costs in each worker and reports them once, in the main process."""

    def __init__(self, config: pytest.Config) -> None:
        self.config = config
        self.worker = Worker(time.time())
        # Every test sets up ten fixtures, and each measurement costs a tenth of a millisecond.
        self.measures_fixtures = bool(config.getoption("profile"))
        self.open_fixtures: list[list[float]] = []
        self.apart = Cost()
        self.workers: dict[str, dict[str, Any]] = {}

    def pytest_collection_finish(self) -> None:
        self.worker.collected = time.time()

    @pytest.hookimpl(wrapper=True, tryfirst=True)
    def pytest_runtest_protocol(self, item: pytest.Item) -> Generator[None, bool, bool]:
        self.apart = Cost()
        wall, cpu = time.time(), cpu_seconds()
        self.worker.first = self.worker.first or wall
        try:
            return (yield)
        finally:
            self.worker.last = time.time()
            taken = self.worker.last - wall - self.apart.wall
            used = cpu_seconds() - cpu - self.apart.cpu
            # A server started by an earlier test is counted when it ends. Therefore the figure is
            # limited to what all cores can do in the time of this test.
            self.worker.tests[item.nodeid].add(min(used, taken * CORES), taken)
            if item.get_closest_marker("slow"):
                self.worker.slow.add(item.nodeid)

    @pytest.hookimpl(wrapper=True)
    def pytest_fixture_setup(
        self, fixturedef: pytest.FixtureDef[Any]
    ) -> Generator[None, object, object]:
        if fixturedef.scope == "function" and not self.measures_fixtures:
            return (yield)
        within = [0.0, 0.0]  # CPU and time of nested fixtures, which are not counted twice
        self.open_fixtures.append(within)
        wall, cpu = time.time(), cpu_seconds()
        try:
            return (yield)
        finally:
            self.open_fixtures.pop()
            cpu, wall = cpu_seconds() - cpu, time.time() - wall
            own_cpu, own_wall = cpu - within[0], wall - within[1]
            name = f"{fixturedef.baseid}::{fixturedef.argname}"
            self.worker.fixtures[name].add(own_cpu, own_wall)
            if fixturedef.scope != "function":
                self.apart.add(own_cpu, own_wall)
            if self.open_fixtures:
                self.open_fixtures[-1][0] += cpu
                self.open_fixtures[-1][1] += wall

    def pytest_testnodedown(self, node: Any) -> None:
        """Store the figures that an xdist worker sends when it ends."""
        if sent := getattr(node, "workeroutput", {}).get("cpu_profile"):
            self.workers[node.gateway.id] = sent

    @pytest.hookimpl(tryfirst=True)
    def pytest_sessionfinish(self, session: pytest.Session) -> None:
        own = vars(self.worker) | {"slow": sorted(self.worker.slow), "cpu": cpu_seconds()}
        for kind in ("tests", "fixtures"):
            own[kind] = {name: asdict(cost) for name, cost in own[kind].items()}
        if hasattr(self.config, "workeroutput"):
            self.config.workeroutput["cpu_profile"] = own
            return
        if self.worker.tests:
            self.workers["main"] = own
        if (limit := self.config.getoption("cpu_fail")) and self.unmarked(limit):
            session.exitstatus = pytest.ExitCode.TESTS_FAILED

    def costs(self, kind: str) -> list[tuple[str, Cost]]:
        """Return the costs of all tests or of all fixtures, the most expensive first."""
        sums: dict[str, Cost] = defaultdict(Cost)
        for worker in self.workers.values():
            for name, cost in worker[kind].items():
                sums[name].cpu += cost["cpu"]
                sums[name].wall += cost["wall"]
                sums[name].count += cost["count"]
        return sorted(sums.items(), key=lambda row: -row[1].cpu)

    def unmarked(self, limit: float) -> list[tuple[str, Cost]]:
        slow = {name for worker in self.workers.values() for name in worker["slow"]}
        return [
            (name, cost)
            for name, cost in self.costs("tests")
            if cost.cpu > limit and name not in slow
        ]

    def pytest_terminal_summary(self, terminalreporter: pytest.TerminalReporter) -> None:
        if hasattr(self.config, "workeroutput"):
            return
        write = terminalreporter.write_line
        limit = self.config.getoption("cpu_fail") or self.config.getoption("cpu_limit")
        if rows := self.unmarked(limit):
            terminalreporter.section(f"over {limit:g} CPU seconds without the mark `slow`")
            _table(write, rows)
        if file := self.config.getoption("profile"):
            terminalreporter.section("what tests and fixtures take")
            for kind in ("tests", "fixtures"):
                write(f"the {SHOWN} most expensive {kind}:")
                _table(write, self.costs(kind)[:SHOWN])
            _balance(write, self.workers)
            Path(file).write_text(json.dumps(self.workers, indent=1))


def _table(write: Any, rows: Iterable[tuple[str, Cost]]) -> None:
    write("   CPU s   wall s  count")
    for name, cost in rows:
        write(f"{cost.cpu:8.2f} {cost.wall:8.2f} {cost.count:6}  {name}")


def _balance(write: Any, workers: dict[str, dict[str, Any]]) -> None:
    """Print the time that each worker spent collecting, in tests, waiting and idle at the end."""
    if not workers:
        return
    end = max(worker["last"] for worker in workers.values())
    write(
        "worker   tests  CPU s  collected after  in tests  waiting  between tests  idle at the end"
    )
    for name, worker in sorted(workers.items()):
        in_tests = sum(cost["wall"] for cost in worker["tests"].values())
        cpu = sum(cost["cpu"] for cost in worker["tests"].values())
        apart = worker["last"] - worker["first"] - in_tests
        write(
            f"{name:6} {len(worker['tests']):7} {worker['cpu']:6.0f}"
            f" {worker['collected'] - worker['started']:16.1f} {in_tests:9.1f}"
            f" {max(in_tests - cpu, 0.0):8.1f} {apart:14.1f} {end - worker['last']:16.1f}"
        )


def pytest_addoption(parser: pytest.Parser) -> None:
    group = parser.getgroup("cpu profile")
    group.addoption("--profile", metavar="FILE", help="write what tests and fixtures take")
    group.addoption("--cpu-limit", type=float, default=1.0, metavar="SECONDS")
    group.addoption("--cpu-fail", type=float, default=0.0, metavar="SECONDS")


def pytest_configure(config: pytest.Config) -> None:
    config.pluginmanager.register(Profile(config), "cpu_profile_costs")
