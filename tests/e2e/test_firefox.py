"""Live broadcasts in Firefox, tested every night because installing Firefox takes long.

Firefox is not remote-controlled. It opens a test page that follows the feed and sends back each
event with its time. A proxy passes the feed on unchanged, as the site compressed it.
"""

from __future__ import annotations

import json
import shutil
import socket
import subprocess
import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from pathlib import Path
from statistics import median

import pytest

from tests.e2e.clock import set_clock
from tests.e2e.conftest import Visitor, corrida_on_air
from tests.e2e.stream import Event, Stream
from tests.site import Site
from tests.waiting import PATIENCE, wait_until

FIREFOX = shutil.which("firefox-esr") or shutil.which("firefox")
PACE_MS = 500
CARDS = 12
SINCE = 40
PREFERENCES = """
user_pref("browser.shell.checkDefaultBrowser", false);
user_pref("datareporting.policy.dataSubmissionEnabled", false);
user_pref("toolkit.telemetry.enabled", false);
"""
PAGE = """<!doctype html><script>
new EventSource(location.hash.slice(1)).addEventListener("card", (event) => fetch("/seen", {
    method: "POST",
    body: JSON.stringify([Number(event.lastEventId), event.data, Date.now() / 1000]),
}));
</script>"""

pytestmark = [
    pytest.mark.nightly,
    pytest.mark.skipif(FIREFOX is None, reason="There is no Firefox here."),
]


class Between(ThreadingHTTPServer):
    """Server that serves the test page, passes the site's feed on, and notes what the page
    sends back.
    """

    daemon_threads = True

    def __init__(self, site: int) -> None:
        super().__init__(("127.0.0.1", 0), Handler)
        self.site = site
        self.seen: dict[int, Event] = {}
        self.passed_on = b""


class Handler(BaseHTTPRequestHandler):
    server: Between

    def do_GET(self) -> None:
        if not self.path.startswith("/live/"):
            self.send_response(200)
            self.send_header("Content-Type", "text/html; charset=utf-8")
            self.end_headers()
            self.wfile.write(PAGE.encode())
            return
        with socket.create_connection(("127.0.0.1", self.server.site)) as line:
            names = ("Accept", "Accept-Encoding")
            headers = "".join(f"{name}: {self.headers[name]}\r\n" for name in names)
            head = (
                f"GET {self.path} HTTP/1.1\r\nHost: 127.0.0.1:{self.server.site}\r\n{headers}\r\n"
            )
            line.sendall(head.encode())
            try:
                while piece := line.recv(65536):
                    self.server.passed_on += piece
                    self.wfile.write(piece)
            except OSError:
                return  # Firefox hung up

    def do_POST(self) -> None:
        event = Event(*json.loads(self.rfile.read(int(self.headers["Content-Length"]))))
        self.server.seen[event.number] = event
        self.send_response(204)
        self.end_headers()

    def log_message(self, *_: object) -> None:
        pass


@pytest.fixture
def between(site: Site) -> Iterator[Between]:
    server = Between(site.port)
    threading.Thread(target=server.serve_forever, daemon=True).start()
    yield server
    server.shutdown()
    server.server_close()


def test_firefox_reads_events_of_the_compressed_stream_at_once(
    visit: Visitor, site: Site, between: Between, tmp_path: Path
) -> None:
    corrida = corrida_on_air(visit, PACE_MS)
    set_clock(site, corrida, since=SINCE)
    feed = f"/live/corrida-en/{corrida.rstrip('/').rpartition('/')[2]}/"
    direct = Stream(site.port, feed)
    direct.wait_for(1)

    (tmp_path / "user.js").write_text(PREFERENCES)
    address = f"http://127.0.0.1:{between.server_port}/#{feed}?after=0"
    command = [str(FIREFOX), "--headless", "--no-remote", "--profile", str(tmp_path), address]
    firefox = subprocess.Popen(
        command,
        env={"HOME": str(tmp_path), "PATH": "/usr/bin:/bin"},
        stdout=subprocess.DEVNULL,
        stderr=subprocess.DEVNULL,
    )
    try:
        wait_until(lambda: direct.events[-1].number in between.seen, "Firefox does not follow.")
        first = direct.events[-1].number
        last = first + CARDS
        wait_until(lambda: last in between.seen, "Firefox does not follow on.")
    finally:
        firefox.terminate()
        firefox.wait(PATIENCE)

    direct.wait_for(last)
    assert b"content-encoding: gzip" in between.passed_on.lower()
    told = direct.events[:last]
    assert [event.number for event in told] == list(range(1, last + 1))
    assert [between.seen[event.number].data for event in told] == [event.data for event in told]
    late = [between.seen[event.number].at - event.at for event in told[first:]]
    assert median(late) < 2 * PACE_MS / 1000, late
