"""A TCP proxy between browser and site that a test can interrupt.

Setting a browser to "offline" does not end open streams; interrupting this proxy does.
"""

import contextlib
import socket
import threading
from collections.abc import Iterator

TAKE = 65536


class ForwardingProxy:
    """A proxy that passes every connection on to the site on `port`.

    `url` is its address for browsers.
    """

    def __init__(self, port: int) -> None:
        self._site = ("127.0.0.1", port)
        self._whole = threading.Event()
        self._whole.set()
        self._open: set[socket.socket] = set()
        self._silent: set[socket.socket] = set()
        self._lock = threading.Lock()
        self._ear = socket.create_server(("127.0.0.1", 0))
        self.url = f"http://127.0.0.1:{self._ear.getsockname()[1]}"
        threading.Thread(target=self._listen, daemon=True).start()

    @contextlib.contextmanager
    def cut(self) -> Iterator[None]:
        """Break all connections and accept no new ones until the end of the block."""
        self._whole.clear()
        with self._lock:
            broken = tuple(self._open)
        for end in broken:
            _hang_up(end)
        try:
            yield
        finally:
            self._whole.set()

    def fall_silent(self) -> None:
        """Stop sending data over open connections without closing them. New connections work."""
        with self._lock:
            self._silent |= self._open

    def close(self) -> None:
        """Stop the proxy."""
        _hang_up(self._ear)
        with self.cut():
            pass

    def _listen(self) -> None:
        with contextlib.suppress(OSError):
            while True:
                caller, _ = self._ear.accept()
                if self._whole.is_set():
                    self._connect(caller)
                else:
                    _hang_up(caller)

    def _connect(self, caller: socket.socket) -> None:
        try:
            site = socket.create_connection(self._site)
        except OSError:
            return _hang_up(caller)
        with self._lock:
            self._open |= {caller, site}
        for here, there in ((caller, site), (site, caller)):
            threading.Thread(target=self._carry, args=(here, there), daemon=True).start()
        return None

    def _carry(self, here: socket.socket, there: socket.socket) -> None:
        with contextlib.suppress(OSError):
            while taken := here.recv(TAKE):
                if here not in self._silent:
                    there.sendall(taken)
        with self._lock:
            self._open -= {here, there}
            self._silent -= {here, there}
        _hang_up(here)
        _hang_up(there)


def _hang_up(end: socket.socket) -> None:
    with contextlib.suppress(OSError):
        end.shutdown(socket.SHUT_RDWR)
    end.close()
