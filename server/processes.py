"""Child processes of the site: started in order, watched, and stopped."""

from __future__ import annotations

import ctypes
import gc
import logging
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from multiprocessing import get_context
from types import FrameType

from django.conf import settings

if sys.platform == "linux":
    from setproctitle import setproctitle

log = logging.getLogger(__name__)

POLL_INTERVAL = 0.1  # seconds between checks of the processes
STOP_TIMEOUT = 3.0  # seconds
STOP_SIGNALS = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)
MIN_UPTIME = 10.0  # seconds after which an exit does not count as a failed start
MAX_RESTART_PAUSE = 5.0  # maximum seconds before a restart
_system = ctypes.CDLL(None, use_errno=True) if sys.platform == "linux" else None
_PR_SET_PDEATHSIG = 1


class ChildError(RuntimeError):
    """A process of the site has ended unexpectedly. The message names it."""


def die_with_parent(parent: int) -> None:
    """Let the system kill this process with SIGKILL when its parent ends (Linux only).

    A signal to stop would not be enough, because no parent would be left to kill a process that
    does not stop. `parent` is the process id of the parent, which may have ended already.
    """
    if _system is not None:
        _system.prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))
        if os.getppid() != parent:
            os._exit(1)


class Fork:
    """A forked process that runs a function. It has the methods of Popen that `Child` needs.

    It shares memory with this process, which must have no threads and no connections in use. `name`
    is what `ps` displays, together with the site's data folder.
    """

    def __init__(self, name: str, run: Callable[[], None]) -> None:
        self._process = get_context("fork").Process(
            target=_run_apart, args=(name, run, os.getpid())
        )
        # Block signals until the child has replaced the signal handlers that it inherits from its
        # parent.
        before = signal.pthread_sigmask(signal.SIG_BLOCK, STOP_SIGNALS)
        try:
            self._process.start()
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)
        assert self._process.pid is not None
        self.pid = self._process.pid

    @property
    def returncode(self) -> int | None:
        return self._process.exitcode

    def poll(self) -> int | None:
        return self._process.exitcode

    def wait(self, timeout: float | None = None) -> int:
        self._process.join(timeout)
        if self._process.exitcode is None:
            raise subprocess.TimeoutExpired(self._process.name, timeout or 0.0)
        return self._process.exitcode

    def send_signal(self, number: int) -> None:
        if self.poll() is None:
            os.kill(self.pid, number)


def _run_apart(name: str, run: Callable[[], None], parent: int) -> None:
    os.setsid()
    die_with_parent(parent)
    if sys.platform == "linux":
        setproctitle(f"temporada: {name} ({settings.DATA_DIR})")
    for number in STOP_SIGNALS:
        signal.signal(number, signal.SIG_DFL)
    signal.pthread_sigmask(signal.SIG_UNBLOCK, STOP_SIGNALS)
    gc.enable()
    run()


@dataclass
class Child:
    """A process of the site, in a session of its own, so that Ctrl-C does not reach it.

    It runs `command`, and inherits the open `files`, or is forked to call `run`. The signal
    `farewell` stops it. If it is still running after `patience` seconds, its session is killed.
    """

    name: str
    command: Sequence[str] = ()
    run: Callable[[], None] | None = None
    farewell: signal.Signals = signal.SIGTERM
    patience: float = 10.0
    files: Sequence[int] = ()
    process: subprocess.Popen[bytes] | Fork | None = None
    dismissed: bool = False
    failures: int = 0
    born_at: float = 0.0
    again_at: float = 0.0

    def start(self) -> None:
        self.born_at = time.monotonic()
        if self.run is not None:
            self.process = Fork(self.name, self.run)
            return
        self.process = subprocess.Popen(
            self.command,
            pass_fds=tuple(self.files),
            stdin=subprocess.DEVNULL,
            start_new_session=True,
            preexec_fn=partial(die_with_parent, os.getpid()),  # noqa: PLW1509 - no threads here
        )

    def revive(self) -> bool:
        """Restart the process if it has ended. Returns True if it was restarted.

        If it keeps failing soon after its start, each pause before a restart is a second longer, up
        to `MAX_RESTART_PAUSE`. Other processes keep running.
        """
        status = None if self.process is None else self.process.poll()
        if self.process is None or status is None:
            return False
        if not self.again_at:
            self.again_at = time.monotonic() + self._pause(status)
        if time.monotonic() < self.again_at:
            return False
        self.again_at = 0.0
        self._end_session(self.process.pid)
        self.start()
        return True

    def _pause(self, status: int) -> float:
        """Return the seconds to wait before the process is restarted.

        A process that was killed from outside does not count as failed.
        """
        lived = time.monotonic() - self.born_at
        self.failures = self.failures + 1 if lived < MIN_UPTIME and status >= 0 else 0
        pause = min(max(0.0, self.failures - 1.0), MAX_RESTART_PAUSE)
        log.warning(
            "The %s ended with status %d and is started again in %d s.", self.name, status, pause
        )
        return pause

    def check(self) -> None:
        if self.process is not None and self.process.poll() is not None:
            raise ChildError(f"The {self.name} ended with status {self.process.returncode}.")

    def dismiss(self) -> None:
        """Send the process the signal to stop, once, and return at once.

        A second signal would force the process to stop without ending its work.
        """
        if self.process is not None and self.process.poll() is None and not self.dismissed:
            self.dismissed = True
            self.process.send_signal(self.farewell)

    def stop(self) -> None:
        """Stop the process and wait for its end, then kill the remaining processes of its
        session.
        """
        if self.process is None:
            return
        self.dismiss()
        with suppress(subprocess.TimeoutExpired):
            self.process.wait(self.patience)
        if self.process.poll() is None:
            os.killpg(self.process.pid, signal.SIGKILL)
            self.process.wait()
        self._end_session(self.process.pid)

    def _end_session(self, leader: int) -> None:
        until = time.monotonic() + STOP_TIMEOUT
        with suppress(ProcessLookupError):  # the session has no process left
            while time.monotonic() < until:
                os.killpg(leader, signal.SIGKILL)
                time.sleep(POLL_INTERVAL / 5)


def stop_together(children: Sequence[Child]) -> None:
    """Stop several independent processes at the same time.

    This takes only as long as the slowest process needs to stop.
    """
    for child in children:
        child.dismiss()
    for child in children:
        child.stop()


class StopSignal:
    """A flag that is set by Ctrl-C, SIGTERM or a closed terminal.

    While it is active, a second Ctrl-C does not interrupt the shutdown.
    """

    def __init__(self) -> None:
        self.received = False

    def __enter__(self) -> StopSignal:
        self._before = {number: signal.signal(number, self._receive) for number in STOP_SIGNALS}
        return self

    def __exit__(self, *exception: object) -> None:
        for number, handler in self._before.items():
            signal.signal(number, handler)

    def _receive(self, number: int, frame: FrameType | None) -> None:
        self.received = True

    def wait(self, check: Callable[[], object]) -> None:
        """Wait for a signal to stop. `check` is called now and then and may raise."""
        while not self.received:
            check()
            time.sleep(POLL_INTERVAL)

    def wait_until(self, ready: Callable[[], bool], check: Callable[[], None]) -> bool:
        """Return True as soon as `ready` returns True, or False on a signal to stop."""
        while not self.received and not ready():
            check()
            time.sleep(POLL_INTERVAL / 5)
        return not self.received
