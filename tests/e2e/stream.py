"""Read an event stream without a browser, byte for byte, with the time of each event."""

from __future__ import annotations

import http.client
import threading
import time
from typing import TYPE_CHECKING, NamedTuple

from tests.waiting import PATIENCE, wait_until

if TYPE_CHECKING:
    from playwright.sync_api import Page


class Event(NamedTuple):
    """One event: number, data, and its arrival in seconds since the epoch."""

    number: int
    data: str
    at: float


class Stream:
    """Reads an event stream from its first event on, in a separate thread.

    `everything` is the raw text, including comments. `status` is the HTTP status of the response.
    """

    def __init__(self, port: int, address: str, cookie: str = "") -> None:
        self.events: list[Event] = []
        self.everything = ""
        self.ended = threading.Event()
        self._line = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
        headers = {"Cookie": cookie} if cookie else {}
        self._line.request("GET", f"{address}?after=0", headers=headers)
        self._answer = self._line.getresponse()
        self.status = self._answer.status
        if self.status == http.HTTPStatus.OK:
            threading.Thread(target=self._read, daemon=True).start()

    def close(self) -> None:
        """Close the connection."""
        self._line.close()

    def wait_for_end(self) -> None:
        """Wait until the stream announces its end."""
        assert self.ended.wait(PATIENCE), "The feed did not end."

    def wait_for(self, number: int) -> None:
        """Wait until the event of this number, or a later one, has arrived."""
        wait_until(
            lambda: any(event.number >= number for event in self.events),
            f"Event {number} has not come.",
        )

    def _read(self) -> None:
        block: list[str] = []
        try:
            while line := self._answer.readline().decode():
                self.everything += line
                if line.strip():
                    block.append(line.rstrip("\n"))
                else:
                    self._take(block)
                    block = []
        except (OSError, ValueError, AttributeError, http.client.HTTPException):
            return  # hung up

    def _take(self, block: list[str]) -> None:
        fields = [line.partition(": ") for line in block]
        told = {name: value for name, _, value in fields if name in {"id", "event"}}
        if told.get("event") == "end":
            self.ended.set()
        elif "id" in told:
            data = "\n".join(value for name, _, value in fields if name == "data")
            self.events.append(Event(int(told["id"]), data, time.time()))


def cookies(page: Page) -> str:
    """Return the cookies of a browser in the format of a request header."""
    return "; ".join(f"{one.get('name')}={one.get('value')}" for one in page.context.cookies())
