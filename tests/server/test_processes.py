"""Child processes that `manage.py up` keeps running."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Callable, Iterator
from functools import partial
from itertools import pairwise
from types import SimpleNamespace

import pytest

from server import processes
from server.processes import MIN_UPTIME, Child, Fork, StopSignal, stop_together
from tests.waiting import wait_until


@pytest.fixture
def child(monkeypatch: pytest.MonkeyPatch) -> Iterator[Child]:
    """A child process that fails whenever it is started."""
    one = Child("failure", [sys.executable, "-S", "-c", "raise SystemExit(3)"])
    yield one
    one.stop()


def has_ended(child: Child) -> bool:
    return child.process is not None and child.process.poll() is not None


def revived_after(child: Child) -> float:
    """Return the seconds until the child is started again."""
    wait_until(lambda: has_ended(child))
    began = time.monotonic()
    wait_until(child.revive)
    return time.monotonic() - began


@pytest.mark.slow
def test_failing_process_is_restarted_after_growing_pauses_forever(
    child: Child, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(processes, "MAX_RESTART_PAUSE", 0.4)
    child.start()
    wait_until(lambda: has_ended(child))
    assert child.revive(), "the first time it is started at once"
    pauses = [revived_after(child) for _ in range(3)]
    assert min(pauses) >= 0.4
    assert child.failures == 4


class Ending(Fork):
    """A process that ends with this status after some seconds of a simulated clock."""

    def __init__(self, lifetime: float, status: int, clock: Callable[[], float]) -> None:
        self.pid = 0
        self._clock = clock
        self._until, self._status = clock() + lifetime, status

    def poll(self) -> int | None:
        return self._status if self._clock() >= self._until else None


@pytest.mark.parametrize(
    ("lifetime", "status", "pauses"),
    [
        (0.0, 3, [0, 1, 2, 3, 4, 5, 5, 5]),
        (MIN_UPTIME - 0.25, 3, [0, 1, 2, 3, 4, 5, 5, 5]),
        (MIN_UPTIME, 3, [0] * 8),
        (1.0, 0, [0, 1, 2, 3, 4, 5, 5, 5]),
        (1.0, -signal.SIGKILL, [0] * 8),
    ],
)
def test_pauses_before_restarts_grow_only_if_a_process_fails_soon_after_its_start(
    monkeypatch: pytest.MonkeyPatch, lifetime: float, status: int, pauses: list[float]
) -> None:
    now = 100.0
    monkeypatch.setattr(processes, "time", SimpleNamespace(monotonic=lambda: now))
    child = Child("failure")

    def start() -> None:
        child.born_at = now
        child.process = Ending(lifetime, status, lambda: now)

    monkeypatch.setattr(child, "start", start)
    monkeypatch.setattr(child, "_end_session", lambda leader: None)
    child.start()
    starts = [now]
    while now < 300.0:
        while len(starts) <= len(pauses) and child.revive():
            starts.append(now)
        now += 0.25
    assert [later - earlier - lifetime for earlier, later in pairwise(starts)] == pauses


@pytest.mark.parametrize(("lifetime", "status"), [(MIN_UPTIME, 3), (1.0, -signal.SIGKILL)])
def test_earlier_failures_do_not_delay_a_restart_after_a_long_run_or_a_kill(
    monkeypatch: pytest.MonkeyPatch, lifetime: float, status: int
) -> None:
    now = 100.0
    monkeypatch.setattr(processes, "time", SimpleNamespace(monotonic=lambda: now))
    child = Child("failure", failures=4, born_at=now)
    child.process = Ending(lifetime, status, lambda: now)
    monkeypatch.setattr(child, "start", lambda: None)
    monkeypatch.setattr(child, "_end_session", lambda leader: None)
    now += lifetime
    assert child.revive(), "it is started at once"
    assert child.failures == 0


class Finishing(Fork):
    """A process that finishes its work when it gets a signal to stop, while it is waited for."""

    def __init__(self) -> None:
        self.pid = 0
        self.received: list[int] = []
        self.waited: list[float | None] = []
        self._ended = False

    def poll(self) -> int | None:
        return 0 if self._ended else None

    def wait(self, timeout: float | None = None) -> int:
        self._ended = True
        self.waited.append(timeout)
        return 0

    def send_signal(self, number: int) -> None:
        self.received.append(number)


def test_processes_that_are_stopped_together_get_one_signal_each(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """A second signal would force a worker to stop without finishing its work."""
    monkeypatch.setattr(Child, "_end_session", lambda child, leader: None)
    first, second = Finishing(), Finishing()
    stop_together(
        [
            Child("worker", process=first, farewell=signal.SIGQUIT),
            Child("server", process=second),
        ]
    )
    assert (first.received, second.received) == ([signal.SIGQUIT], [signal.SIGTERM])


def test_a_process_is_given_its_own_time_to_stop(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Child, "_end_session", lambda child, leader: None)
    process = Finishing()
    Child("worker", process=process, patience=15.0).stop()
    assert process.waited == [15.0]


@pytest.mark.slow
def test_killed_process_is_restarted_at_once(monkeypatch: pytest.MonkeyPatch) -> None:
    child = Child("sleeper", [sys.executable, "-S", "-c", "import time; time.sleep(60)"])
    child.start()
    try:
        for _ in range(3):
            assert child.process is not None
            assert not child.revive(), "it runs"
            child.process.send_signal(signal.SIGKILL)
            revived_after(child)
        assert child.failures == 0
    finally:
        child.stop()


@pytest.mark.slow
def test_stop_signal_right_after_a_fork_is_not_lost() -> None:
    with StopSignal() as stop:
        child = Child("sleeper", run=partial(time.sleep, 600), patience=60.0)
        child.start()
        child.dismiss()
        wait_until(lambda: has_ended(child))
        child.stop()
    assert not stop.received
    assert child.process is not None
    assert child.process.returncode == -signal.SIGTERM
