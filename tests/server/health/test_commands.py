"""Health check commands for process managers, under their current and their previous name."""

import os
import subprocess
import sys
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from pathlib import Path
from threading import Thread

import pytest

ROOT = Path(__file__).parents[3]
NAMES = ("server.health", "config.health")


class Healthy(BaseHTTPRequestHandler):
    def do_GET(self) -> None:
        self.send_response(200 if self.path == "/healthz" else 404)
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Log nothing."""


@pytest.fixture(scope="module")
def port() -> Iterator[int]:
    with HTTPServer(("127.0.0.1", 0), Healthy) as server:
        Thread(target=server.serve_forever, daemon=True).start()
        yield server.server_port
        server.shutdown()


def check(name: str, part: str, port: int) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(
        [sys.executable, "-m", name, part],
        cwd=ROOT,
        env=os.environ | {"PORT": str(port)},
        capture_output=True,
        text=True,
        check=False,
    )


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_running_pages_are_healthy(name: str, port: int) -> None:
    assert check(name, "pages", port).returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("name", NAMES)
def test_pages_that_do_not_respond_are_not_healthy(name: str) -> None:
    closed = check(name, "pages", 1)
    assert closed.returncode == 1
    assert "No module named" not in closed.stderr
