"""Visitors of a site while its processes are killed or its disk is full."""

import threading
from abc import ABC, abstractmethod
from collections import Counter
from http.client import HTTPConnection, HTTPException, HTTPMessage


class Visitor(threading.Thread, ABC):
    """A visitor who sends one request after another until stopped."""

    def __init__(self, port: int, address: str, pause: float = 0.05) -> None:
        super().__init__(daemon=True)
        self._port, self._from, self._pause = port, (address, 0), pause
        self._over = threading.Event()
        self._met = Counter[str]()

    def run(self) -> None:
        while not self._over.wait(self._pause):
            try:
                self.visit()
            except (OSError, HTTPException) as error:
                self.failed(error)

    def stop(self) -> None:
        self._over.set()
        if self.is_alive():
            self.join(30)

    @abstractmethod
    def visit(self) -> None: ...

    def failed(self, error: Exception) -> None:
        self.fault(f"{type(error).__name__}: {error}")

    def fault(self, text: str) -> None:
        self._met[f"{type(self).__name__}: {text}"] += 1

    def faults(self) -> list[str]:
        return [f"{times} times: {text}" for text, times in self._met.items()]

    def ask(
        self, method: str, path: str, body: bytes = b"", **headers: str
    ) -> tuple[int, HTTPMessage, bytes]:
        line = HTTPConnection("127.0.0.1", self._port, timeout=20, source_address=self._from)
        try:
            line.request(method, path, body, headers)
            answer = line.getresponse()
            return answer.status, answer.headers, answer.read()
        finally:
            line.close()
