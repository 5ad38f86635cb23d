"""The worker: `python -m core.isolation` reads a function call from stdin and writes the result."""

from __future__ import annotations

import ctypes
import importlib
import os
import pickle
import resource
import signal
import sys
from typing import Final

from core.isolation.sandbox import CPU_SECONDS, MEMORY_BYTES, OUT_OF_MEMORY_STATUS

_PR_SET_PDEATHSIG: Final = 1
NICE: Final = 10


def main() -> int:
    """Apply the resource limits before reading any input, then run the function."""
    _apply_limits()
    try:
        module, name, args, kwargs = pickle.load(sys.stdin.buffer)  # noqa: S301 - from our own
        answer = getattr(importlib.import_module(module), name)(*args, **kwargs)
        pickle.dump(answer, sys.stdout.buffer, protocol=pickle.HIGHEST_PROTOCOL)
        sys.stdout.buffer.flush()
    except MemoryError:
        return OUT_OF_MEMORY_STATUS
    return 0


def _apply_limits() -> None:
    if sys.platform == "linux":
        ctypes.CDLL(None).prctl(_PR_SET_PDEATHSIG, int(signal.SIGKILL))
        resource.setrlimit(resource.RLIMIT_DATA, (MEMORY_BYTES, MEMORY_BYTES))
    else:
        resource.setrlimit(resource.RLIMIT_AS, (4 * MEMORY_BYTES, 4 * MEMORY_BYTES))
    resource.setrlimit(resource.RLIMIT_CPU, (CPU_SECONDS, CPU_SECONDS))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    resource.setrlimit(resource.RLIMIT_FSIZE, (0, 0))
    os.nice(NICE)


if __name__ == "__main__":
    sys.exit(main())
