"""Controls one window of Chromium whose tabs hide each other.

Playwright makes every page believe that it is visible. So this module talks to the browser over a
pipe, with the DevTools protocol.
"""

from __future__ import annotations

import json
import os
import subprocess
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from tests.browser import FLAGS
from tests.waiting import PATIENCE, wait_until

END = b"\0"
# The file descriptors with which Chromium reads and writes messages.
READS, WRITES = 3, 4


class RefusedError(Exception):
    """The browser cannot execute a command, or cannot execute it yet."""


class Window:
    """A separate browser with a new profile in the folder `profile`."""

    def __init__(self, executable: str, profile: Path) -> None:
        reads, self._out = os.pipe()
        self._in, writes = os.pipe()
        self._process = subprocess.Popen(
            [
                *("bash", "-c", f'exec {READS}<&{reads} {WRITES}>&{writes}; exec "$@"', "bash"),
                *(executable, "--headless=new", "--remote-debugging-pipe", *FLAGS.split()),
                *(f"--user-data-dir={profile}", "--lang=en-GB", "about:blank"),
            ],
            pass_fds=(reads, writes),
            stderr=subprocess.DEVNULL,
        )
        os.close(reads)
        os.close(writes)
        self._answers: dict[int, Any] = {}
        self._asked = 0
        threading.Thread(target=self._listen, daemon=True).start()

    def open(self, url: str) -> Tab:
        """Open a tab in front of all others."""
        target: str = self.call("Target.createTarget", url=url)["targetId"]
        session = self.call("Target.attachToTarget", targetId=target, flatten=True)["sessionId"]
        return Tab(self, target, session)

    def close(self) -> None:
        self.call("Browser.close")
        self._process.wait(PATIENCE)
        os.close(self._out)

    def call(self, method: str, session: str = "", **params: Any) -> Any:
        """Execute a command and wait for its result."""
        self._asked += 1
        number = self._asked
        message: dict[str, Any] = {"id": number, "method": method, "params": params}
        if session:
            message["sessionId"] = session
        os.write(self._out, json.dumps(message).encode() + END)
        wait_until(lambda: number in self._answers, f"{method} was not answered.")
        answer = self._answers.pop(number)
        if "error" in answer:
            raise RefusedError(f"{method}: {answer['error']}")
        return answer["result"]

    def _listen(self) -> None:
        received = b""
        while piece := os.read(self._in, 65536):
            *messages, received = (received + piece).split(END)
            for message in map(json.loads, messages):
                if "id" in message:
                    self._answers[message["id"]] = message
        os.close(self._in)


class Tab:
    """A tab of a window."""

    def __init__(self, window: Window, target: str, session: str) -> None:
        self._window, self._target, self._session = window, target, session

    def show(self) -> None:
        """Bring the tab to the front."""
        self._window.call("Target.activateTarget", targetId=self._target)

    def evaluate(self, script: str) -> Any:
        answer = self._window.call(
            "Runtime.evaluate",
            self._session,
            expression=script,
            returnByValue=True,
            awaitPromise=True,
        )
        assert "exceptionDetails" not in answer, answer
        return answer["result"].get("value")

    def wait_for(self, script: str) -> None:
        """Wait until a script returns true in the page, which may be reloaded meanwhile."""

        def true() -> bool:
            with suppress(RefusedError):
                return bool(self.evaluate(script))
            return False

        wait_until(true, f"It did not come about: {script}")
