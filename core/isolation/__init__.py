"""Run a function on untrusted input in a short-lived process with few rights.

    isolation.run(read_sheets, data, name, made_of=(Tables, Sheet, Line))

The function's module must not need Django. Arguments and result are plain values and instances of
the classes in `made_of`. The process is limited to `CPU_SECONDS` and `MEMORY_BYTES`. If it exceeds
them, `run` raises `TooExpensiveError`. The process has no secrets, cannot write files and ends with
its parent.
"""

from core.isolation.sandbox import BrokenError, BusyError, TooExpensiveError, run

__all__ = ["BrokenError", "BusyError", "TooExpensiveError", "run"]
