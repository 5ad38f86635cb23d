"""Child processes that `manage.py up` keeps running."""

from __future__ import annotations

import signal
import sys
import time
from collections.abc import Iterator
from functools import partial

import pytest

from server import processes
from server.processes import Child, StopSignal
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
