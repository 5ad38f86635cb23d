"""Temporary sites on this machine, for scripts that send requests to one."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from contextlib import ExitStack, contextmanager
from pathlib import Path

from server.valkey import Valkey
from tests.site import ROOT, free_port

BEFORE_OPEN = 60.0  # seconds


@contextmanager
def temporary_site(
    folder: Path, settings: Mapping[str, str], *commands: list[str]
) -> Iterator[tuple[int, str]]:
    """Run `manage.py` with each of the commands, then serve the site.

    Yields its port, and the last line that the last command printed.
    """
    broker = Valkey(folder / "valkey")
    with ExitStack() as stack:
        stack.callback(broker.stop)
        broker.start()
        own = {"DATA": str(folder / "data"), "REDIS_URL": broker.url}
        kept = {name: os.environ[name] for name in ("PATH", "HOME", "LANG") if name in os.environ}
        environment = kept | own | dict(settings)
        output = [manage(environment, *words) for words in commands]
        port = free_port()
        command = [sys.executable, "manage.py", "web", "--port", str(port)]
        web = subprocess.Popen(command, cwd=ROOT, env=environment, stdout=subprocess.DEVNULL)
        stack.callback(web.wait, 20)
        stack.callback(web.terminate)
        wait_for(port)
        yield port, output[-1].splitlines()[-1]


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
    raise TimeoutError("The site did not start.")
