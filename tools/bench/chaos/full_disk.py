"""Test of `manage.py up` on a small disk, which is filled completely and emptied again."""

from __future__ import annotations

import secrets
import subprocess
import threading
import time
from collections import Counter
from contextlib import suppress
from http.client import HTTPConnection, HTTPException
from pathlib import Path
from types import TracebackType
from typing import Final

from fairness import Chance
from tools.bench.chaos.embedded import Embedded
from tools.bench.chaos.trial import LOOK, ON_AIR, QUEUED, Trial

# Size of the disk in MiB.
SIZE: Final = 256
# Bytes per second at which the disk is filled.
SPEED: Final = 300e6
TIMES: Final = 3
# Seconds within which writes and workers must succeed again after space has been freed.
RECOVERS_WITHIN: Final = 10.0
# Seconds that a page may take.
SLOWEST: Final = 5.0
PAGES: Final = (
    "/",
    "/temporada/",
    "/matadores/",
    "/escalafon/",
    "/tables/",
    "/leagues/",
    "/accounts/login/",
    "/api/v1/corridas/",
    "/healthz",
)
NOTHING: Final = (0, 0)
TOO_OFTEN: Final = 429
SENTENCE: Final = b"disk is full"


class Disk:
    """A file system in memory."""

    def __init__(self, folder: Path, size: int = SIZE) -> None:
        self.folder, self._size = folder, size
        self._ballast = folder / "ballast"

    def mount(self) -> str:
        """Mount the disk. Return the reason if that is not possible, or else an empty string."""
        self.folder.mkdir(exist_ok=True)
        command = ["mount", "-t", "tmpfs", "-o", f"size={self._size}m", "tmpfs", str(self.folder)]
        try:
            done = subprocess.run(command, check=False, capture_output=True, text=True)
        except OSError as error:
            return str(error)
        return done.stderr.strip() if done.returncode else ""

    def unmount(self) -> None:
        subprocess.run(["umount", "--lazy", str(self.folder)], check=False)

    def fill(self) -> None:
        """Fill the disk and keep it full, since others free some space as they work."""
        with self._ballast.open("ab", buffering=0) as file:
            for size in (1 << 20, 4096):
                with suppress(OSError):
                    while True:
                        file.write(b"\0" * size)
                        time.sleep(size / SPEED)

    def empty(self) -> None:
        self._ballast.unlink()


class SmallDisk(Embedded):
    """The site on a disk of its own; visitors read and write as long as it is served."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self.disk = Disk(self._data)
        self.readers = [Reader(self.front.port, f"127.0.0.{n}") for n in range(2, 6)]
        self.writer = Writer(self.front.port, "127.0.0.6")

    def __enter__(self) -> SmallDisk:
        super().__enter__()
        if reason := self.disk.mount():
            raise NoDiskError(reason)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        super().__exit__(kind, error, trace)
        self.disk.unmount()

    def serve(self) -> None:
        super().serve()
        for visitor in (*self.readers, self.writer):
            visitor.start()

    def faults(self) -> list[str]:
        for visitor in (*self.readers, self.writer):
            visitor.stop()
        lost = self._lost()
        served = sum(reader.served for reader in self.readers)
        slowest = max(reader.slowest for reader in self.readers)
        print(f"{served} pages were read, the slowest after {slowest:.1f} s.")
        print(f"What was written was answered {dict(self.writer.statuses)}.", flush=True)
        return [
            *super().faults(),
            *(fault for reader in self.readers for fault in reader.faults),
            *self.writer.faults,
            *([f"{lost} sessions were confirmed to visitors and then lost"] if lost else []),
        ]

    def _lost(self) -> int:
        kept = set(self.scene("sessions", 0)["keys"])
        return sum(key not in kept for key in self.writer.written)


class NoDiskError(RuntimeError):
    """A disk cannot be mounted here; the text says why."""


class Visitor:
    """A visitor who sends one request after another until stopped."""

    def __init__(self, port: int, address: str, pause: float = 0.05) -> None:
        self._port, self._from, self._pause = port, (address, 0), pause
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, daemon=True)
        self._met = Counter[str]()
        self._began = time.monotonic()

    def start(self) -> None:
        self._thread.start()

    @property
    def faults(self) -> list[str]:
        return [f"{times} times: {text}" for text, times in self._met.items()]

    def stop(self) -> None:
        self._over.set()
        if self._thread.is_alive():
            self._thread.join(30)

    def _run(self) -> None:
        while not self._over.wait(self._pause):
            try:
                self._ask()
            except (OSError, HTTPException) as error:
                self.fault(f"{type(error).__name__}: {error}")

    def _ask(self) -> None:
        raise NotImplementedError

    def fault(self, text: str) -> None:
        self._met[f"{type(self).__name__}: {text}"] += 1


class Reader(Visitor):
    """A visitor who reads pages. Each request must succeed."""

    def __init__(self, port: int, address: str) -> None:
        super().__init__(port, address)
        self.served = 0
        self.slowest = 0.0

    def _ask(self) -> None:
        for page in PAGES:
            line = HTTPConnection("127.0.0.1", self._port, timeout=20, source_address=self._from)
            began = time.monotonic()
            try:
                line.request("GET", page)
                answer = line.getresponse()
                answer.read()
            finally:
                line.close()
            self.served += answer.status == 200
            took = time.monotonic() - began
            self.slowest = max(self.slowest, took)
            if took > SLOWEST:
                self.fault(f"waited {took:.0f} s for {page}")
            if answer.status not in {200, TOO_OFTEN}:
                self.fault(f"{page} answered {answer.status}")


class Writer(Visitor):
    """A visitor who signs in as director again and again.

    Each time a row must be written or the error page must give the reason.
    """

    def __init__(self, port: int, address: str) -> None:
        super().__init__(port, address, pause=0.4)
        self.written: list[str] = []
        self.statuses = Counter[int]()
        self.last = 0.0

    def _ask(self) -> None:
        secret = secrets.token_hex(16)
        line = HTTPConnection("127.0.0.1", self._port, timeout=20, source_address=self._from)
        try:
            heads = {"Cookie": f"csrftoken_{self._port}={secret}", "X-CSRFToken": secret}
            line.request("POST", "/accounts/chair/", headers=heads)
            answer = line.getresponse()
            body = answer.read()
        finally:
            line.close()
        self.statuses[answer.status] += 1
        if answer.status == 302:
            cookies = answer.headers.get_all("Set-Cookie") or []
            self.written += [
                cookie.partition(";")[0].partition("=")[2]
                for cookie in cookies
                if cookie.startswith(f"sessionid_{self._port}=")
            ]
            self.last = time.monotonic()
        elif answer.status == 503:
            if SENTENCE not in body or not answer.headers["Retry-After"]:
                self.fault("503 without a sentence or Retry-After")
        elif answer.status != TOO_OFTEN:
            self.fault(f"answered {answer.status}: {body[:80]!r}")


class FullDiskTrial(Trial):
    """Corridas on a site whose disk is filled and emptied while they are played."""

    def __init__(self, site: SmallDisk, corridas: int, chance: Chance, every: float = 1.0) -> None:
        super().__init__(site, corridas, chance, every)
        self._small = site

    def _kill_for(self, seconds: int) -> None:
        share = seconds / TIMES / 2
        for _ in range(TIMES):
            self._look_until(time.monotonic() + share)
            self._full_for(share)
            self._kills["disk"] += 1
            self._recover()

    def _full_for(self, seconds: float) -> None:
        until = time.monotonic() + seconds
        while time.monotonic() < until:
            self._small.disk.fill()
            time.sleep(LOOK)
        self._small.disk.empty()

    def _recover(self) -> None:
        began = time.monotonic()
        before = self._waiting()
        while time.monotonic() < began + 6 * RECOVERS_WITHIN:
            moves = self._waiting() != before or before == NOTHING
            if self._small.writer.last > began and moves:
                break
            time.sleep(LOOK / 4)
        took = time.monotonic() - began
        print(f"Writes and corridas {took:.1f} s after the disk was emptied.", flush=True)
        if took > RECOVERS_WITHIN:
            self._small.writer.fault(f"waited {took:.1f} s for the site to recover")

    def _waiting(self) -> tuple[int, int]:
        return self._site.count(QUEUED), self._site.count(ON_AIR)
