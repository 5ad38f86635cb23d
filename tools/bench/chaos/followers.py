"""Clients that follow a stream while processes are killed: plain ones, and a Chromium page."""

import http.client
import shutil
import threading
import time
from collections import Counter
from collections.abc import Iterable
from contextlib import suppress

from playwright.sync_api import sync_playwright

FLAGS = (
    "--no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking "
    "--disable-component-update --disable-sync"
)
RETRY = 1.5  # seconds, as the feed asks
OPENED_WITHIN = 60  # seconds
SILENCE = 40.0  # seconds without a word after which a line is dead
# Records the number of every event before the page's own script gets it.
NOTING = """
    window.heard = []; window.ended = false;
    window.EventSource = class extends EventSource {
        constructor(...asked) {
            super(...asked);
            this.addEventListener("card", (event) => window.heard.push(Number(event.lastEventId)));
            this.addEventListener("end", () => { window.ended = true; });
        }
    };
"""


class Follower(threading.Thread):
    """Reads a stream as a browser would. After a lost connection it resumes after the last event.

    `heard` counts the event numbers received and `lines` the connections. `ended` says that the
    stream is over.
    """

    def __init__(self, port: int, path: str) -> None:
        super().__init__(daemon=True)
        self.path, self.heard, self.lines, self.ended = path, Counter[int](), 0, False
        self._port, self._last, self._over = port, 0, False

    def run(self) -> None:
        while not (self.ended or self._over):
            with suppress(OSError, http.client.HTTPException):
                self._read()
            if not self.ended:
                time.sleep(RETRY)

    def stop(self) -> None:
        self._over = True

    def _read(self) -> None:
        line = http.client.HTTPConnection("127.0.0.1", self._port, timeout=SILENCE)
        try:
            line.request("GET", f"{self.path}?after=0", headers={"Last-Event-ID": str(self._last)})
            answer = line.getresponse()
            if answer.status == http.HTTPStatus.OK:
                self.lines += 1
                self._take(answer)
        finally:
            line.close()

    def _take(self, lines: Iterable[bytes]) -> None:
        event: dict[str, str] = {}
        for line in lines:
            name, _, value = line.decode().rstrip("\n").partition(": ")
            event[name] = value
            if not name:  # an empty line: the event is whole
                self._note(event)
                event = {}
            if self.ended or self._over:
                return

    def _note(self, event: dict[str, str]) -> None:
        """Record an event. A number without data is no event, but moves the reader on."""
        self.ended = event.get("event") == "end"
        if not self.ended and "id" in event:
            self._last = int(event["id"])
            if "data" in event:
                self.heard[self._last] += 1


class Page:
    """The page of a corrida in Chromium."""

    def __init__(self, url: str, executable: str) -> None:
        self._house = sync_playwright().start()
        browser = self._house.chromium.launch(executable_path=executable, args=FLAGS.split())
        self._page = browser.new_page()
        self._page.add_init_script(NOTING)
        self._page.goto(url)
        self._page.locator("#viewer.is-scripted").wait_for(timeout=OPENED_WITHIN * 1000)

    def heard(self) -> Counter[int]:
        return Counter(self._page.evaluate("window.heard"))

    def ended(self) -> bool:
        return bool(self._page.evaluate("window.ended"))

    def close(self) -> None:
        self._house.stop()


def open_page(url: str) -> Page | None:
    """Open a page if Chromium is installed."""
    executable = shutil.which("chromium") or shutil.which("chromium-browser")
    return Page(url, executable) if executable else None
