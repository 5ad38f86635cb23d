"""Benchmark of fifty visitors who read a mix of pages of a site started like `make run`.

The site has a whole season and one corrida on air. The visitors send headers of a proxy, because
visitors from the site's own machine see a sign-in as director. They do not pause between pages.
In turns, they all read the trivial page, for comparison.
"""

import asyncio
import random
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from statistics import median
from typing import NamedTuple

from django.conf import settings
from django.test import Client as Browser
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from corridas.models import Corrida, Ganaderia, Matador, Plaza, Season
from tools.bench import seasons
from tools.bench.client import FAILURES, Client
from tools.bench.figures import Figure
from tools.bench.processes import resident
from tools.bench.scratch_site import YEAR, ScratchSite, close_database, use_database
from tools.bench.urls import TRIVIAL
from tools.bench.web_server import up

PEOPLE, SIGNED_IN = 50, 10
SIGN_IN = "/accounts/login/"
WARM = 3.0  # seconds that are not counted
TURNS = 5
MIXED, TRIVIALLY = 6.0, 2.0  # seconds a turn
# Kinds of pages: the share of each in the visitors' requests, and its addresses.
Mix = Sequence[tuple[int, Sequence[str]]]


class Measured(NamedTuple):
    """Results of a turn: response times in seconds, and failures."""

    seconds: list[float]
    failed: list[str]

    def p99(self) -> float:
        return sorted(self.seconds)[int(0.99 * len(self.seconds))]


def measure(site: ScratchSite) -> Iterator[Figure]:
    folder = site.folder / "load"
    folder.mkdir()
    use_database(site.copy(site.one_season, "load/temporada"))
    seasons.plan(YEAR + 1)
    seasons.put_on_air(at=timezone.now(), pace_ms=seasons.SLOW_MS)
    sessions, mix = [_sign_in(number) for number in range(SIGNED_IN)], _mix()
    close_database()
    own = {"DJANGO_SETTINGS_MODULE": "tools.bench.settings", "SECRET_KEY": settings.SECRET_KEY}
    with up(folder, **own) as server:
        time.sleep(5)  # until the workers have started
        cookies = [f"sessionid_{server.port}={key}" for key in sessions]
        turns = asyncio.run(_visit(server.port, cookies + [""] * (PEOPLE - SIGNED_IN), mix))
        memory = max(_page_processes(folder / "up.lock")) / 1e6
    rates = [(len(m.seconds) / MIXED, len(t.seconds) / TRIVIALLY) for m, t in turns]
    rate, most = (median(side) for side in zip(*rates, strict=True))
    note = (
        f"{rate:.0f} a second by {PEOPLE} people, {SIGNED_IN} signed in; trivial pages {most:.0f}"
    )
    yield Figure("load", rate, bar=250, at_least=True, unit="/s", note=note)
    late, least = (1000 * median(met.p99() for met in side) for side in zip(*turns, strict=True))
    yield Figure("load_99", late, bar=1000, unit="ms", note=f"trivial pages {least:.0f} ms")
    failed = [failure for turn in turns for met in turn for failure in met.failed]
    yield Figure("load_failed", len(failed), bar=0, note="; ".join(failed[:3]))
    yield Figure("load_memory", memory, bar=250, unit="MB", note="of a page process")


async def _visit(port: int, cookies: Sequence[str], mix: Mix) -> list[tuple[Measured, Measured]]:
    """Let all people read the mix and the trivial page in turns."""
    visitors = [
        Client(
            port,
            f"127.0.1.{number + 1}",
            Via="1.1 elsewhere",
            Accept_Encoding="gzip",
            Cookie=cookie,
        )
        for number, cookie in enumerate(cookies)
    ]
    for visitor, cookie in zip(visitors, cookies, strict=True):
        # Users who are signed in are redirected from the sign-in page.
        assert ((await visitor.get(SIGN_IN)).status == 302) == bool(cookie)
    chance = random.Random(1)

    async def turn(mix: Mix, seconds: float) -> Measured:
        met, until = Measured([], []), time.monotonic() + seconds
        await asyncio.gather(*(_browse(visitor, chance, met, until, mix) for visitor in visitors))
        return met

    await turn(mix, WARM)
    trivial = [(1, [TRIVIAL])]
    turns = [(await turn(mix, MIXED), await turn(trivial, TRIVIALLY)) for _ in range(TURNS)]
    for visitor in visitors:
        visitor.close()
    return turns


async def _browse(
    visitor: Client, chance: random.Random, met: Measured, until: float, mix: Mix
) -> None:
    shares = [share for share, _ in mix]
    while (began := time.monotonic()) < until:
        page = chance.choice(chance.choices(mix, shares)[0][1])
        try:
            status = (await visitor.get(page)).status
        except FAILURES as error:
            met.failed.append(f"{page}: {type(error).__name__}")
            visitor.close()
        else:
            if status not in {200, 302}:
                met.failed.append(f"{page} answered {status}")
        met.seconds.append(time.monotonic() - began)


def _page_processes(lock: Path) -> Iterator[int]:
    """Yield the memory of each page process that is listed in the lock file."""
    for line in lock.read_text().splitlines():
        pid, _blank, name = line.partition(" ")
        if name.startswith("web server"):
            yield resident(int(pid))


def _sign_in(number: int) -> str | None:
    browser = Browser()
    browser.force_login(User.objects.create_user(f"reader{number}"))
    return browser.session.session_key


def _mix() -> Mix:
    season = Season.objects.earliest("year")
    played = Corrida.objects.over().order_by("pk").values_list("pk", flat=True)[:40]
    ferias = season.ferias.values_list("slug", flat=True)
    return [
        (14, ["/"]),
        (16, [reverse("corrida", args=[row.pk]) for row in Corrida.objects.on_air()]),
        (6, [reverse("lidia", args=[pk, turn]) for pk in played for turn in range(1, 7)]),
        (12, ["/escalafon/", f"/escalafon/{season.year}/"]),
        (12, [reverse("matador", args=[row.slug]) for row in Matador.objects.all()]),
        (4, ["/matadores/"]),
        (8, ["/temporada/", f"/temporada/{season.year}/"]),
        (6, [reverse("feria", args=[season.year, slug]) for slug in ferias]),
        (5, [reverse("plaza", args=[row.slug]) for row in Plaza.objects.all()]),
        (4, [reverse("herd", args=[row.slug]) for row in Ganaderia.objects.all()]),
        (4, [reverse("records")]),
        (4, ["/leagues/"]),
        (3, ["/tables/"]),
        (2, [SIGN_IN]),
    ]
