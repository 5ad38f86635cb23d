"""Load test: fifty visitors read a mix of pages of a site started like `make run`.

    python -m tools.bench.load [--seconds 60] [--people 50] [--signed-in 0.2] [--seed 1]

The site has a whole season and one corrida on air. The visitors send headers of a proxy, because
visitors from the site's own machine see a sign-in as director. They do not pause between pages. The
script prints requests per second, response times in total and by kind of page, the CPU time of the
client, and the memory of each page process at the start, every minute and at the end. The exit
status is 1 if a target is missed: 250 responses per second, a 99th percentile of 1 s, 250 MB per
page process, and no failures.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import random
import re
import resource
import signal
import subprocess
import sys
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

from tools.bench.figures import Figure
from tools.bench.scratch_site import ScratchSite
from tools.bench.web_server import ROOT, free_port, wait_for

# Share of each kind of page in the visitors' requests, in percent.
MIX: Final = {
    "home": 14,
    "corrida": 16,
    "lidia": 6,
    "escalafon": 12,
    "matador": 12,
    "matadors": 4,
    "season": 8,
    "feria": 6,
    "plaza": 5,
    "herd": 4,
    "records": 4,
    "leagues": 4,
    "tables": 3,
    "sign in": 2,
}
A_SECOND: Final = 250
P99: Final = 1.0  # seconds
MEMORY: Final = 250  # MB of a page process
TIMEOUT: Final = 20.0  # seconds
WARM: Final = 3.0  # seconds that are not counted
SLOW_MS: Final = 60_000  # a card a minute: what is on air stays on air
PEOPLE: Final = 50
SIGNED_IN: Final = 0.2
SECONDS: Final = 30.0


@dataclass
class LoadFigures:
    """Measurements of the visitors: response times in seconds by kind of page, and failures."""

    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))
    failed: list[str] = field(default_factory=list)

    def all(self) -> list[float]:
        return sorted(second for kind in self.seconds.values() for second in kind)


class Visitor:
    """A visitor with an address, a persistent connection and perhaps a session."""

    def __init__(self, port: int, number: int, session: str, pages: dict[str, list[str]]) -> None:
        self._port, self._address = port, f"127.0.1.{number % 250 + 1}"
        self._cookie = f"Cookie: sessionid_{port}={session}\r\n" if session else ""
        self._pages = pages
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    async def browse(
        self, chance: random.Random, met: LoadFigures, begin: float, until: float
    ) -> None:
        """Read page after page until `until`. Responses before `begin` are not counted."""
        while (now := time.monotonic()) < until:
            (kind,) = chance.choices(list(MIX), list(MIX.values()))
            if kind == "sign in" and self._cookie:
                continue
            page = chance.choice(self._pages[kind])
            try:
                async with asyncio.timeout(TIMEOUT):
                    status = await self._read(page)
                if status != 200:
                    met.failed.append(f"{page} answered {status}")
            except (OSError, TimeoutError, asyncio.IncompleteReadError) as error:
                met.failed.append(f"{page}: {type(error).__name__}")
                self._hang_up()
            if now >= begin:
                met.seconds[kind].append(time.monotonic() - now)
        self._hang_up()

    async def _read(self, page: str) -> int:
        if self._reader is None or self._writer is None:
            line = await asyncio.open_connection(
                "127.0.0.1", self._port, local_addr=(self._address, 0)
            )
            self._reader, self._writer = line
        host = f"Host: localhost:{self._port}\r\nVia: 1.1 elsewhere\r\n"
        heads = f"{host}Accept-Encoding: gzip\r\nAccept-Language: en\r\n{self._cookie}"
        self._writer.write(f"GET {page} HTTP/1.1\r\n{heads}\r\n".encode())
        head = (await self._reader.readuntil(b"\r\n\r\n")).lower()
        length = re.search(rb"content-length: (\d+)", head)
        if length is not None:
            await self._reader.readexactly(int(length[1]))
        else:
            await self._chunks(self._reader)
        if b"connection: close" in head:
            self._hang_up()
        return int(head.split()[1])

    async def _chunks(self, reader: asyncio.StreamReader) -> None:
        while size := int((await reader.readline()).strip() or b"0", 16):
            await reader.readexactly(size + 2)
        await reader.readline()

    def _hang_up(self) -> None:
        if self._writer is not None:
            self._writer.close()
        self._reader = self._writer = None


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.bench.load", description=__doc__)
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--people", type=int, default=PEOPLE)
    parser.add_argument("--signed-in", type=float, default=SIGNED_IN, help="their share")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--scene", action="store_true", help=argparse.SUPPRESS)
    args = parser.parse_args()
    if args.scene:
        print(json.dumps(scene(args.people)))
        return 0
    visit = visited(args.people, args.signed_in, args.seconds, args.seed)
    print(*visit.report(args.signed_in), sep="\n")
    print("OK." if visit.well else "A bar was missed.")
    return 0 if visit.well else 1


def measure(_: ScratchSite) -> list[Figure]:
    """Measure half a minute of the mix on a site of its own."""
    visit = visited(PEOPLE, SIGNED_IN, SECONDS, seed=1)
    most = max(item for at in visit.memory for item in at.values())
    return [
        Figure(
            name="load",
            value=visit.a_second,
            bar=A_SECOND,
            at_least=True,
            unit="/s",
            note=f"{PEOPLE} people, {SIGNED_IN:.0%} signed in; {visit.client:.0%} of a core theirs",
        ),
        Figure(name="load_99", value=1000 * visit.p99, bar=1000 * P99, unit="ms"),
        Figure(name="load_failed", value=len(visit.met.failed), bar=0),
        Figure(name="load_memory", value=most, bar=MEMORY, unit="MB", note="of a page process"),
    ]


@dataclass(frozen=True)
class Visit:
    """Measurements of a load test with `people` visitors, lasting `seconds`.

    Memory is in MB per page process and minute. The client's CPU time is a share of one core.
    """

    people: int
    seconds: float
    met: LoadFigures
    memory: list[dict[str, int]]
    client: float

    @property
    def a_second(self) -> float:
        return len(self.met.all()) / self.seconds

    @property
    def p99(self) -> float:
        seconds = self.met.all()
        return seconds[int(len(seconds) * 0.99)]

    @property
    def well(self) -> bool:
        most = max(item for at in self.memory for item in at.values())
        quick = self.a_second >= A_SECOND and self.p99 <= P99
        return quick and most < MEMORY and not self.met.failed

    def report(self, signed_in: float) -> Iterator[str]:
        seconds, failed = self.met.all(), self.met.failed
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss // 1024
        yield (
            f"{self.people} people, {signed_in:.0%} signed in: {self.a_second:.0f} answers "
            f"a second, median {1000 * seconds[len(seconds) // 2]:.0f} ms, 99th percentile "
            f"{1000 * self.p99:.0f} ms, slowest {1000 * seconds[-1]:.0f} ms, {len(failed)} failed; "
            f"the client used {self.client:.0%} of a core and {peak} MB."
        )
        kinds = self.met.seconds.items()
        for kind, times in sorted(kinds, key=lambda item: -sum(item[1]) / len(item[1])):
            mean = 1000 * sum(times) / len(times)
            yield f"  {kind:10} {len(times):6} of {mean:5.0f} ms on average"
        for name in self.memory[-1]:
            yield f"{name}: {', '.join(str(item.get(name, '-')) for item in self.memory)} MB"
        yield from failed[:10]


def visited(people: int, signed_in: float, seconds: float, seed: int) -> Visit:
    with tempfile.TemporaryDirectory(prefix="temporada-load-") as name, site(Path(name)) as port:
        count = round(people * signed_in)
        site_scene = in_site(Path(name), "--scene", "--people", str(count))
        sessions = site_scene["sessions"] + [""] * (people - count)
        pages = {kind: sorted(urls) for kind, urls in site_scene["pages"].items()}
        visitors = [Visitor(port, n, session, pages) for n, session in enumerate(sessions)]
        lock = Path(name) / "up.lock"
        met, memory = LoadFigures(), [resident(lock)]
        before, began = os.times(), time.monotonic()
        asyncio.run(browse(visitors, seconds, seed, met, memory, lock))
        took = time.monotonic() - began
        after = os.times()
        memory.append(resident(lock))
    client = (after.user + after.system - before.user - before.system) / took
    return Visit(people, seconds, met, memory, client)


async def browse(
    visitors: list[Visitor],
    seconds: float,
    seed: int,
    met: LoadFigures,
    memory: list[dict[str, int]],
    lock: Path,
) -> None:
    chance = random.Random(seed)
    begin = time.monotonic() + WARM
    until = begin + seconds
    tasks = [
        asyncio.create_task(visitor.browse(random.Random(chance.random()), met, begin, until))
        for visitor in visitors
    ]
    while (left := until - time.monotonic()) > 60:
        await asyncio.sleep(min(60, left))
        memory.append(resident(lock))
    await asyncio.gather(*tasks)


def resident(lock: Path) -> dict[str, int]:
    megabytes = {}
    for line in lock.read_text().splitlines():
        pid, _blank, name = line.partition(" ")
        if name.startswith("web server"):
            status = Path(f"/proc/{pid}/status").read_text()
            megabytes[name] = int(re.findall(r"VmRSS:\s+(\d+)", status)[0]) // 1024
    return megabytes


@contextmanager
def site(folder: Path) -> Iterator[int]:
    """Yield the port of a temporary site with a season, started as by `make run`."""
    in_site(folder, "--scene", "--people", "-1")
    with run(folder) as port:
        yield port


@contextmanager
def run(folder: Path) -> Iterator[int]:
    port = free_port()
    variables = os.environ | {"DATA": str(folder), "PORT": str(port)}
    for name in ("REDIS_URL", "DJANGO_SETTINGS_MODULE"):
        variables.pop(name, None)
    with (folder / "up.log").open("wb") as log:
        up = subprocess.Popen(
            [sys.executable, "manage.py", "up"], cwd=ROOT, env=variables, stdout=log, stderr=log
        )
    try:
        wait_for(port, within=60)
        time.sleep(5)  # until the workers stand
        yield port
    finally:
        up.send_signal(signal.SIGINT)
        up.wait(60)


def in_site(folder: Path, *words: str) -> dict[str, Any]:
    variables = os.environ | {"DATA": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-m", "tools.bench.load", *words]
    done = subprocess.run(command, cwd=ROOT, env=variables, check=True, stdout=subprocess.PIPE)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def scene(people: int) -> dict[str, Any]:
    import django

    django.setup()
    if people < 0:
        create_season()
        return {}
    return {"sessions": sign_in(people), "pages": addresses()}


def create_season() -> None:
    from django.core.management import call_command
    from django.utils import timezone

    from tools.bench import seasons
    from tools.bench.scratch_site import YEAR

    call_command("prepare", verbosity=0)
    from corridas.models import Circuit

    if not Circuit.objects.filter(seasons__year=YEAR).exists():
        seasons.plan(YEAR)
    season = Circuit.objects.get(slug="leyendas").seasons.get(year=YEAR)
    seasons.play(season)
    seasons.plan(YEAR + 1)
    seasons.put_on_air(at=timezone.now(), pace_ms=SLOW_MS)


def sign_in(people: int) -> list[str]:
    from django.contrib.auth import BACKEND_SESSION_KEY, HASH_SESSION_KEY, SESSION_KEY
    from django.contrib.sessions.backends.db import SessionStore

    from accounts.models import User

    keys = []
    for number in range(people):
        user = User.objects.create_user(f"reader{number}")
        store = SessionStore()
        store[SESSION_KEY] = str(user.pk)
        store[BACKEND_SESSION_KEY] = "django.contrib.auth.backends.ModelBackend"
        store[HASH_SESSION_KEY] = user.get_session_auth_hash()
        store.create()
        keys.append(str(store.session_key))
    return keys


def addresses() -> dict[str, list[str]]:
    from django.urls import reverse

    from corridas.models import Corrida, Ganaderia, Matador, Plaza, Season

    played = Corrida.objects.over().order_by("pk").values_list("pk", flat=True)[:40]
    season = Season.objects.earliest("year")
    on_air = Corrida.objects.on_air().values_list("pk", flat=True)
    ferias = season.ferias.values_list("slug", flat=True)
    return {
        "home": ["/"],
        "corrida": [reverse("corrida", args=[pk]) for pk in on_air],
        "lidia": [reverse("lidia", args=[pk, turn]) for pk in played for turn in range(1, 7)],
        "escalafon": ["/escalafon/", f"/escalafon/{season.year}/"],
        "matador": [reverse("matador", args=[row.slug]) for row in Matador.objects.all()],
        "matadors": ["/matadores/"],
        "season": ["/temporada/", f"/temporada/{season.year}/"],
        "feria": [reverse("feria", args=[season.year, slug]) for slug in ferias],
        "plaza": [reverse("plaza", args=[row.slug]) for row in Plaza.objects.all()],
        "herd": [reverse("herd", args=[row.slug]) for row in Ganaderia.objects.all()],
        "records": [reverse("records")],
        "leagues": ["/leagues/"],
        "tables": ["/tables/"],
        "sign in": ["/accounts/login/"],
    }


if __name__ == "__main__":
    sys.exit(main())
