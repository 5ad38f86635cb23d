"""Data of the operating system about other processes: children, processor time and memory."""

import os
import re
import time
from contextlib import suppress
from pathlib import Path
from typing import NamedTuple

TICKS = os.sysconf("SC_CLK_TCK")


class Process(NamedTuple):
    """A running process."""

    pid: int
    parent: int
    session: int


def processes() -> list[Process]:
    found = []
    for entry in Path("/proc").glob("[0-9]*"):
        # It may have just ended.
        with suppress(OSError):
            state, *fields = (entry / "stat").read_text().rpartition(")")[2].split()
            if state != "Z":
                found.append(Process(int(entry.name), int(fields[0]), int(fields[2])))
    return sorted(found)


def session(leader: int) -> list[int]:
    return [process.pid for process in processes() if process.session == leader]


def family(ancestor: int) -> set[int]:
    """Return a process and all that it has started."""
    everybody, pids = processes(), {ancestor}
    while grown := {each.pid for each in everybody if each.parent in pids} - pids:
        pids |= grown
    return pids


def cpu_seconds(pid: int) -> float:
    """Return the processor seconds of a process and of all that it has started."""
    total = 0.0
    for each in family(pid):
        # It may have just ended.
        with suppress(OSError):
            total += _own_cpu_seconds(each)
    return total


def _own_cpu_seconds(pid: int) -> float:
    ended = (Path(f"/proc/{pid}/stat")).read_text().rpartition(")")[2].split()[13:15]
    # The system's clock for the processor time of a process: see clock_getcpuclockid(3).
    return time.clock_gettime((~pid << 3) | 2) + sum(map(int, ended)) / TICKS


def resident(pid: int) -> int:
    return 1024 * _number("VmRSS", Path(f"/proc/{pid}/status"))


def proportional(pid: int) -> int:
    """Return a process's memory. Shared pages are divided among the processes that share them."""
    return 1024 * _number("Pss", Path(f"/proc/{pid}/smaps_rollup"))


def _number(name: str, file: Path) -> int:
    found = re.search(rf"{name}:\s+(\d+)", file.read_text())
    assert found is not None
    return int(found[1])
