"""What the process may use up."""

from __future__ import annotations

from typing import Final

CPU_SECONDS: Final = 5
MEMORY_BYTES: Final = 170 * 1024 * 1024
"""Of what it takes for itself; the interpreter and its libraries come to some 20 MB besides."""
EXPENSIVE: Final = 75
"""The status of a process that ran out of memory."""
