"""Start the worker process with its resource limits, and read its response safely."""

from __future__ import annotations

import datetime as dt
import gc
import io
import os
import pickle
import subprocess
import sys
import threading
from collections.abc import Callable, Collection
from pathlib import Path
from typing import Final, ParamSpec, TypeVar, cast

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
ROOT: Final = Path(__file__).resolve().parents[2]
# Maximum number of seconds of real time that a worker process may take. On a busy machine this is
# much more than its processor time.
TIMEOUT: Final = 60.0
# Maximum number of worker processes that each process of the site may run. Further calls wait for
# up to `QUEUE_TIMEOUT` seconds.
MAX_CONCURRENT: Final = 2
QUEUE_TIMEOUT: Final = 3.0
MAX_ANSWER_BYTES: Final = 64 * 1024 * 1024
PLAIN_TYPES: Final = (dt.datetime, dt.timezone, dt.timedelta, set, frozenset)
_slots = threading.BoundedSemaphore(MAX_CONCURRENT)


class TooExpensiveError(Exception):
    """The function exceeded its limit of time, memory or output."""


class BusyError(Exception):
    """All workers were busy for `QUEUE_TIMEOUT` seconds."""


class BrokenError(RuntimeError):
    """The function raised an exception, which it must not do. The message has the traceback."""


def run(
    function: Callable[P, R], *args: object, made_of: Collection[type] = (), **kwargs: object
) -> R:
    """Run a function in a separate process and return its result.

    Raises `TooExpensiveError`, `BusyError`, and `BrokenError` if the function raises.
    """
    if not _slots.acquire(timeout=QUEUE_TIMEOUT):
        raise BusyError
    try:
        call = pickle.dumps((function.__module__, function.__qualname__, args, kwargs))
        answer = _run_process(call)
    finally:
        _slots.release()
    return cast("R", _load(answer, [*made_of, *PLAIN_TYPES]))


def _load(answer: bytes, classes: Collection[type]) -> object:
    """Unpickle the worker's response.

    Garbage collection is off meanwhile, because it would take most of the time.
    """
    collecting = gc.isenabled()
    gc.disable()
    try:
        return _RestrictedUnpickler(answer, classes).load()
    finally:
        if collecting:
            gc.enable()


def _run_process(call: bytes) -> bytes:
    try:
        done = subprocess.run(
            [sys.executable, "-m", "core.isolation"],
            cwd=ROOT,
            env={"PATH": os.defpath, "PYTHONDONTWRITEBYTECODE": "1", "PYTHONUTF8": "1"},
            input=call,
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
        raise TooExpensiveError  # killed by the system, out of memory, or too much output
    if done.returncode:
        raise BrokenError(done.stderr.decode(errors="replace")[-4000:])
    return done.stdout


class _RestrictedUnpickler(pickle.Unpickler):
    """Unpickler that creates only instances of the given classes."""

    def __init__(self, answer: bytes, classes: Collection[type]) -> None:
        super().__init__(io.BytesIO(answer))
        self._classes = {(cls.__module__, cls.__qualname__): cls for cls in classes}

    def find_class(self, module: str, name: str) -> type:
        cls = self._classes.get((module, name))
        if cls is None:
            raise BrokenError(f"The answer holds a {module}.{name}.")
        return cls


CPU_SECONDS: Final = 5
# Memory limit of the worker in bytes, without about 20 MB for the interpreter and its libraries.
MEMORY_BYTES: Final = 170 * 1024 * 1024
# Exit status of a worker process that ran out of memory.
OUT_OF_MEMORY_STATUS: Final = 75
