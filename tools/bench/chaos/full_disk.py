"""Test of `manage.py up` on a small disk, which is filled completely and emptied again."""

import secrets
import subprocess
import time
from collections import Counter
from contextlib import suppress
from pathlib import Path

from tools.bench.chaos.embedded import Embedded
from tools.bench.chaos.trial import LOOK, ON_AIR, QUEUED, Trial
from tools.bench.chaos.visitors import Visitor
from tools.bench.elsewhere import call

SIZE = 256  # MiB
SPEED = 300e6  # bytes per second at which the disk is filled
TIMES = 3
# Seconds within which writes and workers must succeed again after space has been freed.
RECOVERS_WITHIN = 10.0
SLOWEST = 5.0  # seconds that a page may take
PAGES = (
    *("/", "/temporada/", "/matadores/", "/escalafon/", "/tables/", "/leagues/"),
    *("/accounts/login/", "/api/v1/corridas/", "/healthz"),
)
TOO_OFTEN = 429
SENTENCE = b"disk is full"


class NoDiskError(RuntimeError):
    """A disk cannot be mounted here. The message says why."""


class SmallDisk(Embedded):
    """The site on a small disk in memory. Visitors read and write as long as it runs."""

    def __init__(self, folder: Path) -> None:
        super().__init__(folder)
        self._ballast = self.data / "ballast"
        self.readers = [Reader(self.port, f"127.0.0.{number}") for number in range(2, 6)]
        self.writer = Writer(self.port, "127.0.0.6", pause=0.4)
        self.visitors += [*self.readers, self.writer]

    def prepare(self) -> None:
        super().prepare()
        command = ["mount", "-t", "tmpfs", "-o", f"size={SIZE}m", "tmpfs", str(self.data)]
        try:
            subprocess.run(command, check=True, capture_output=True, text=True)
        except OSError as error:
            raise NoDiskError(str(error)) from error
        except subprocess.CalledProcessError as error:
            raise NoDiskError(error.stderr.strip()) from error

    def __exit__(self, *errors: object) -> None:
        super().__exit__(*errors)
        subprocess.run(["umount", "--lazy", str(self.data)], check=False, capture_output=True)

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

    def faults(self) -> list[str]:
        faults = super().faults()
        kept = set(call("chaos.scene.sessions"))
        lost = sum(key not in kept for key in self.writer.written)
        served = sum(reader.served for reader in self.readers)
        slowest = max(reader.slowest for reader in self.readers)
        print(f"{served} pages were read, the slowest after {slowest:.1f} s.")
        print(f"Responses to writes by status: {dict(self.writer.statuses)}.", flush=True)
        return faults + [f"{lost} visitors got a confirmation but have no seat"] * bool(lost)


class Reader(Visitor):
    """A visitor who reads pages. Each request must succeed."""

    served, slowest = 0, 0.0

    def visit(self) -> None:
        for page in PAGES:
            began = time.monotonic()
            status, *_ = self.ask("GET", page)
            took = time.monotonic() - began
            self.served += status == 200
            self.slowest = max(self.slowest, took)
            if took > SLOWEST:
                self.fault(f"waited {took:.0f} s for {page}")
            if status not in {200, TOO_OFTEN}:
                self.fault(f"{page} answered {status}")


class Writer(Visitor):
    """A visitor who signs in as director again and again.

    Each time a row must be written or the error page must give the reason.
    """

    def __init__(self, port: int, address: str, pause: float) -> None:
        super().__init__(port, address, pause)
        self.written: list[str] = []
        self.statuses = Counter[int]()
        self.last = 0.0

    def visit(self) -> None:
        secret = secrets.token_hex(16)
        heads = {"Cookie": f"csrftoken_{self._port}={secret}", "X-CSRFToken": secret}
        status, headers, body = self.ask("POST", "/accounts/chair/", b"", **heads)
        self.statuses[status] += 1
        if status == 302:
            pairs = [
                each.partition(";")[0].split("=") for each in headers.get_all("Set-Cookie", [])
            ]
            self.written += [key for name, key in pairs if name == f"sessionid_{self._port}"]
            self.last = time.monotonic()
        elif status == 503:
            if SENTENCE not in body or not headers["Retry-After"]:
                self.fault("503 without an error message or Retry-After")
        elif status != TOO_OFTEN:
            self.fault(f"answered {status}: {body[:80]!r}")


class FullDiskTrial(Trial[SmallDisk]):
    """Corridas on a site whose disk is filled and emptied while they are played."""

    def kill_for(self, seconds: int) -> None:
        share = seconds / TIMES / 2
        for _ in range(TIMES):
            self.look_until(time.monotonic() + share)
            until = time.monotonic() + share
            while time.monotonic() < until:
                self.site.fill()
                time.sleep(LOOK)
            self.site.empty()
            self.kills["disk"] += 1
            self._recover()

    def _recover(self) -> None:
        began, before, took = time.monotonic(), self._waiting(), 0.0
        while took < 6 * RECOVERS_WITHIN:
            moves = self._waiting() != before or not any(before)
            if self.site.writer.last > began and moves:
                break
            time.sleep(LOOK / 4)
            took = time.monotonic() - began
        print(f"Writes and corridas continued {took:.1f} s after the disk was emptied.", flush=True)
        if took > RECOVERS_WITHIN:
            self.site.writer.fault(f"waited {took:.1f} s for the site to recover")

    def _waiting(self) -> tuple[int, int]:
        return self.site.count(QUEUED), self.site.count(ON_AIR)
