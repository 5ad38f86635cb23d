"""A post office for a site under test: takes every letter, delivers none."""

from __future__ import annotations

import email
import socketserver
import threading
from email.message import Message
from email.policy import default


class _Counter(socketserver.StreamRequestHandler):
    """As much of SMTP as a letter needs."""

    server: _Server

    def handle(self) -> None:
        self._say(b"220 post")
        for line in self.rfile:
            word = line[:4].upper().strip()
            if word == b"QUIT":
                self._say(b"221 bye")
                return
            if word == b"DATA":
                self._say(b"354 go on")
                self.server.letters.append(b"".join(iter(self.rfile.readline, b".\r\n")))
            self._say(b"250 well")

    def _say(self, words: bytes) -> None:
        self.wfile.write(words + b"\r\n")


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True

    def __init__(self) -> None:
        super().__init__(("127.0.0.1", 0), _Counter)
        self.letters: list[bytes] = []


class PostOffice:
    """Open as long as the `with` lasts."""

    def __enter__(self) -> PostOffice:
        self._server = _Server()
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def port(self) -> int:
        """Where it listens."""
        return int(self._server.server_address[1])

    def last(self) -> Message:
        """The letter that came last."""
        return email.message_from_bytes(self._server.letters[-1], policy=default)
