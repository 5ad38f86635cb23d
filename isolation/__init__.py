"""Work on what strangers send, in a process that may do little and ends soon.

    isolation.run(read_sheets, data, name, made_of=(Tables, Sheet, Line))

The function is of a module that does without Django; it is given plain values, and answers with
plain values and those classes that are named. It has `CPU_SECONDS` and `MEMORY_BYTES`; what needs
more raises `TooExpensiveError`. It sees no secrets, opens no files to write, and ends with us.
"""

from isolation.sandbox import (
    CPU_SECONDS,
    MEMORY_BYTES,
    BrokenError,
    BusyError,
    TooExpensiveError,
    run,
)

__all__ = ["CPU_SECONDS", "MEMORY_BYTES", "BrokenError", "BusyError", "TooExpensiveError", "run"]
