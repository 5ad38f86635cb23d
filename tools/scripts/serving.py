"""The pages of a site as they are served in earnest, for scripts that try one out."""

from __future__ import annotations

import socket
import subprocess
import sys
import time
from collections.abc import Mapping

from tests.site import ROOT

BEFORE_OPEN = 60.0  # seconds


def serve(environment: Mapping[str, str], port: int) -> subprocess.Popen[bytes]:
    """Start the web server on this port of this machine."""
    return subprocess.Popen(
        [sys.executable, "manage.py", "web", "--port", str(port)],
        cwd=ROOT,
        env=environment,
        stdout=subprocess.DEVNULL,
    )


def manage(environment: Mapping[str, str], *words: str) -> str:
    command = [sys.executable, "manage.py", *words]
    return subprocess.run(
        command, cwd=ROOT, env=environment, check=True, stdout=subprocess.PIPE, text=True
    ).stdout


def wait_for(port: int) -> None:
    until = time.monotonic() + BEFORE_OPEN
    while time.monotonic() < until:
        try:
            socket.create_connection(("127.0.0.1", port), timeout=1).close()
        except OSError:
            time.sleep(0.1)
        else:
            return
    raise TimeoutError("The site did not open.")
