"""Start page processes with `manage.py web --processes 2`, and count their connections."""

from __future__ import annotations

import re
import signal
import subprocess
import sys
from pathlib import Path
from urllib.request import urlopen

from tests.site import ROOT, free_port, inherited
from tests.waiting import PATIENCE

ESTABLISHED = "01"


class Pages:
    """Two page processes that share a port."""

    def __init__(self, data: Path, **variables: str) -> None:
        self.port = free_port()
        with (data / "pages.log").open("wb") as log:
            self._process = subprocess.Popen(
                [sys.executable, "manage.py", "web", "--port", str(self.port), "--processes", "2"],
                cwd=ROOT,
                env=inherited() | {"DATA": str(data)} | variables,
                stdout=log,
                stderr=log,
            )

    def children(self) -> list[int]:
        command = ["ps", "--ppid", str(self._process.pid), "-o", "pid="]
        listed = subprocess.run(command, capture_output=True, text=True, check=False)
        return sorted(map(int, listed.stdout.split()))

    def connections(self) -> list[int]:
        """Return the number of connections of each process."""
        open_here = {
            fields[9]
            for fields in map(str.split, Path("/proc/net/tcp").read_text().splitlines())
            if fields[1].endswith(f":{self.port:04X}") and fields[3] == ESTABLISHED
        }
        return [len(open_here & sockets(child)) for child in self.children()]

    def answer(self) -> bool:
        """Return whether both processes have started and the site answers."""
        try:
            with urlopen(f"http://127.0.0.1:{self.port}/healthz", timeout=PATIENCE):
                return len(self.children()) == 2
        except OSError:
            return False

    def stop(self) -> int:
        self._process.send_signal(signal.SIGTERM)
        return self._process.wait(PATIENCE)


def sockets(pid: int) -> set[str]:
    numbers = set()
    for file in Path(f"/proc/{pid}/fd").iterdir():
        try:
            numbers.update(re.findall(r"^socket:\[(\d+)\]$", str(file.readlink())))
        except FileNotFoundError:
            continue
    return numbers
