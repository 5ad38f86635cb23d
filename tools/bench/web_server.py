"""Processes of the site, started as `manage.py up` or the documented systemd unit starts them."""

from __future__ import annotations

import os
import re
import secrets
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import NamedTuple

from tools.bench.elsewhere import ROOT

TIMEOUT = 20.0  # seconds
STARTED_WITHIN = 600.0  # seconds; on a busy machine making the first tables takes minutes
# All clients use one address and one account.
NO_LIMITS = dict.fromkeys(("CONNECTIONS_AN_ADDRESS", "WRITES_A_MINUTE"), "1000000")


class WebServer(NamedTuple):
    """A server: its port, its process, and when that was started (monotonic seconds)."""

    port: int
    pid: int
    began: float


@contextmanager
def running(
    command: Sequence[str], port: int = 0, log: Path | None = None, /, **variables: str
) -> Iterator[WebServer]:
    """Run a command, and wait until it listens on this port, unless the port is 0."""
    began = time.monotonic()
    with (log or Path(os.devnull)).open("ab") as said:
        process = subprocess.Popen(
            command,
            cwd=ROOT,
            env=os.environ | variables,
            stdin=subprocess.DEVNULL,
            stdout=said,
            stderr=said if log else None,
            start_new_session=True,
        )
    try:
        if port:
            wait_for(port, process, within=STARTED_WITHIN)
        yield WebServer(port, process.pid, began)
    finally:
        terminate(process)


@contextmanager
def web_server(database: Path, what: str = "web") -> Iterator[WebServer]:
    """Serve this database on a free port: pages and feed, or only the `feed`."""
    port = free_port()
    command = [sys.executable, "manage.py", what, "--port", str(port)]
    own = {"DATABASE_URL": f"sqlite:///{database}"} | NO_LIMITS
    with running(command, port, **own) as server:
        yield server


@contextmanager
def documented_server(log: Path | None = None, /, **variables: str) -> Iterator[WebServer]:
    """Serve pages as the documented systemd unit does, for a proxy."""
    port, own = free_port(), {"PROXIES": "1", "HTTPS": "no"}
    own |= {"SECRET_KEY": secrets.token_urlsafe(50)} | variables
    with running([*documented_command(), "--port", str(port)], port, log, **own) as server:
        yield server


def documented_command() -> list[str]:
    """Return the command of the documented systemd unit for pages, without its port."""
    unit = (ROOT / "deploy/systemd/temporada-pages.service").read_text("utf-8")
    command = re.search(r"^ExecStart=\S+/python (.*) --port 8000(.*)$", unit, re.MULTILINE)
    assert command
    return [sys.executable, *command[1].split(), *command[2].split()]


@contextmanager
def up(folder: Path, **variables: str) -> Iterator[WebServer]:
    """Run `manage.py up` with its data in this folder, as `make run` does."""
    port, began = free_port(), time.monotonic()
    environment = {**os.environ, "DATA": str(folder), "PORT": str(port)}
    for name in ("REDIS_URL", "DJANGO_SETTINGS_MODULE"):
        environment.pop(name, None)
    with folder.with_suffix(".log").open("ab") as log:
        process = subprocess.Popen(
            [sys.executable, "manage.py", "up"],
            cwd=ROOT,
            env=environment | variables,
            stdout=log,
            stderr=log,
        )
    try:
        wait_for(port, process, within=STARTED_WITHIN)
        yield WebServer(port, process.pid, began)
    finally:
        process.send_signal(signal.SIGINT)
        process.wait(60)


def terminate(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(TIMEOUT)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def free_port() -> int:
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port: int = probe.getsockname()[1]
        return port


def wait_for(
    port: int, process: subprocess.Popen[bytes] | None = None, within: float = TIMEOUT
) -> None:
    until = time.monotonic() + within
    while time.monotonic() < until and (process is None or process.poll() is None):
        with socket.socket() as probe:
            if probe.connect_ex(("127.0.0.1", port)) == 0:
                return
        time.sleep(0.02)
    raise TimeoutError(f"No process listens on port {port}.")
