"""A mail server for a site under test: it accepts every message and delivers none."""

from __future__ import annotations

import email
import socketserver
import threading
from email.message import Message
from email.policy import default


class _Counter(socketserver.StreamRequestHandler):
    """The part of SMTP that is needed to receive a message."""

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
    """A mail server that runs during a `with` block."""

    def __enter__(self) -> PostOffice:
        self._server = _Server()
        threading.Thread(target=self._server.serve_forever, daemon=True).start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._server.server_close()

    @property
    def port(self) -> int:
        """The port on which it listens."""
        return int(self._server.server_address[1])

    def last(self) -> Message:
        """The last message received."""
        return email.message_from_bytes(self._server.letters[-1], policy=default)
