"""Running functions on untrusted input in a short-lived process with few rights.

    isolation.run(read_sheets, data, name, made_of=(Tables, Sheet, Line))

The function's module must not need Django. Arguments and result are plain values and
instances of the classes in `made_of`. The process has `CPU_SECONDS` and `MEMORY_BYTES`.
Exceeding them raises `TooExpensiveError`. It has no secrets, cannot write files and ends with
its parent.
"""

from core.isolation.sandbox import BrokenError, BusyError, TooExpensiveError, run

__all__ = ["BrokenError", "BusyError", "TooExpensiveError", "run"]
