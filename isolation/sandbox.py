"""Starting the worker process, its resource limits, and reading its answer safely."""

from __future__ import annotations

import datetime as dt
import io
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar, cast

__all__ = [
    "CPU_SECONDS",
    "MEMORY_BYTES",
    "BrokenError",
    "BusyError",
    "TooExpensiveError",
    "run",
]

P = ParamSpec("P")
R = TypeVar("R")
ROOT: Final = Path(__file__).resolve().parent.parent
TIMEOUT: Final = 15.0
"""By the clock, however little of the processor it gets."""
MAX_CONCURRENT: Final = 2
"""So many may work for one process of the site; the next ones wait for `QUEUE_TIMEOUT` seconds."""
QUEUE_TIMEOUT: Final = 3.0
MAX_ANSWER_BYTES: Final = 64 * 1024 * 1024
PLAIN_TYPES: Final = (dt.datetime, dt.timezone, dt.timedelta, set, frozenset)
_slots = threading.BoundedSemaphore(MAX_CONCURRENT)


class TooExpensiveError(Exception):
    """It needs more time or memory than it is given."""


class BusyError(Exception):
    """Others are at it."""


class BrokenError(RuntimeError):
    """The function raised, which it must not; its traceback is in the log of the site."""


def run(function: Callable[P, R], *args: Any, made_of: Collection[type] = (), **kwargs: Any) -> R:
    """What the function answers, worked out in a process of its own.

    Raises `TooExpensiveError`, `BusyError`, and `BrokenError` where the function is at fault.
    """
    if not _slots.acquire(timeout=QUEUE_TIMEOUT):
        raise BusyError
    try:
        asked = pickle.dumps((function.__module__, function.__qualname__, args, kwargs))
        answer = _run_process(asked)
    finally:
        _slots.release()
    return cast("R", _RestrictedUnpickler(answer, [*made_of, *PLAIN_TYPES]).load())


def _run_process(asked: bytes) -> bytes:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "isolation"],
            cwd=ROOT,
            env={"PATH": os.defpath, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"},
            input=asked,
            capture_output=True,
            timeout=TIMEOUT,
            check=False,
        )
    except subprocess.TimeoutExpired:
        raise TooExpensiveError from None
    if (
        done.returncode < 0
        or done.returncode == OUT_OF_MEMORY_STATUS
        or len(done.stdout) > MAX_ANSWER_BYTES
    ):
        raise TooExpensiveError  # the system ended it, or it ran out of memory
    if done.returncode:
        raise BrokenError(done.stderr.decode(errors="replace")[-4000:])
    return done.stdout


class _RestrictedUnpickler(pickle.Unpickler):
    """Makes nothing but the classes named."""

    def __init__(self, answer: bytes, classes: Collection[type]) -> None:
        super().__init__(io.BytesIO(answer))
        self._classes = {(one.__module__, one.__qualname__): one for one in classes}

    def find_class(self, module: str, name: str) -> type:
        """One of the classes named."""
        found = self._classes.get((module, name))
        if found is None:
            raise BrokenError(f"The answer holds a {module}.{name}.")
        return found


CPU_SECONDS: Final = 5
MEMORY_BYTES: Final = 170 * 1024 * 1024
"""Of what it takes for itself; the interpreter and its libraries come to some 20 MB besides."""
OUT_OF_MEMORY_STATUS: Final = 75
"""The status of a process that ran out of memory."""
