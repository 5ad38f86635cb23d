"""Test of the API's documented rate limits with fifty connections, on a site like `make run`.

    python -m tools.bench.rates

It reads without and with an API key, sends actions and uploads files. Each test takes a clock
minute and sends a sixth more requests than documented. The exit status is 1 unless the documented
number of requests is accepted, and at most 2 % more.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import os
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, Final, NamedTuple

from tools.bench.load import run
from tools.bench.web_server import ROOT

LINES: Final = 50
OVER: Final = 1.02
TIMEOUT: Final = 30.0  # seconds
CIRCUIT: Final = "/api/v1/circuits/leyendas/"


class Kind(NamedTuple):
    """A kind of request that is repeated: who sends it, and the documented rate limit."""

    name: str
    limit: int
    method: str
    path: str
    by: str = ""
    body: dict[str, Any] | None = None


def kinds(scene: dict[str, Any]) -> list[Kind]:
    (reads, writes, files), key = scene["limits"], scene["key"]
    sheet = {"name": "plazas.csv", "content": "eA=="}
    return [
        Kind("reads of an address", reads, "GET", "/api/v1/games/"),
        Kind("reads of a key", reads, "GET", "/api/v1/games/", key),
        Kind("acts of a key", writes, "PUT", f"{CIRCUIT}settings/", key, scene["settings"]),
        Kind("files of a key", files, "POST", f"{CIRCUIT}roster/preview/", key, sheet),
    ]


async def ask(port: int, address: str, kind: Kind) -> int:
    body = b"" if kind.body is None else json.dumps(kind.body).encode()
    heads = [
        f"{kind.method} {kind.path} HTTP/1.1",
        f"Host: localhost:{port}",
        "Connection: close",
        "Content-Type: application/json",
        "If-Match: *",
        f"Content-Length: {len(body)}",
        *([f"Authorization: Bearer {kind.by}"] if kind.by else []),
    ]
    async with asyncio.timeout(TIMEOUT):
        line = await asyncio.open_connection("127.0.0.1", port, local_addr=(address, 0))
        reader, writer = line
        writer.write("\r\n".join([*heads, "", ""]).encode() + body)
        answer = await reader.read()
        writer.close()
    return int(answer.split(b" ", 2)[1])


async def crowd(port: int, kind: Kind, address: str) -> Counter[int]:
    """Send a sixth more requests than allowed, fifty at a time, and count the response statuses."""
    counter: Counter[int] = Counter()
    left = iter(range(kind.limit + kind.limit // 6 + LINES))

    async def one() -> None:
        for _number in left:
            counter[await ask(port, address, kind)] += 1

    await asyncio.gather(*(one() for _line in range(LINES)))
    return counter


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.bench.rates", description=__doc__)
    parser.add_argument("--scene", action="store_true", help=argparse.SUPPRESS)
    if parser.parse_args().scene:
        print(json.dumps(scene()))
        return 0
    well = True
    with tempfile.TemporaryDirectory(prefix="temporada-rates-") as name, run(Path(name)) as port:
        for number, kind in enumerate(kinds(in_site(Path(name)))):
            time.sleep(60.1 - time.time() % 60)
            began, minute = time.monotonic(), time.time() // 60
            statuses = asyncio.run(crowd(port, kind, f"127.0.2.{number + 1}"))
            passed = sum(count for status, count in statuses.items() if status not in (429, 503))
            fits = kind.limit <= passed <= kind.limit * OVER and time.time() // 60 == minute
            well = well and fits
            print(
                f"{kind.name}: {passed} of {statuses.total()} passed where {kind.limit} are "
                f"documented, in {time.monotonic() - began:.1f} s {dict(statuses)}"
                f"{'' if fits else ', which is a fault'}"
            )
    return 0 if well else 1


def in_site(folder: Path) -> dict[str, Any]:
    variables = os.environ | {"DATA": str(folder), "DJANGO_SETTINGS_MODULE": "config.settings"}
    command = [sys.executable, "-m", "tools.bench.rates", "--scene"]
    done = subprocess.run(command, cwd=ROOT, env=variables, check=True, stdout=subprocess.PIPE)
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def scene() -> dict[str, Any]:
    import django

    django.setup()
    from django.conf import settings
    from django.utils import timezone

    from accounts.models import User
    from api.keys.operations import make_token
    from api.models import Token
    from corridas.api.circuits import CircuitSettingsTold
    from corridas.models import Circuit

    user = User.objects.create_superuser("busy")
    _row, key = make_token(user=user, name="busy", scope=Token.Scope.WRITE, at=timezone.now())
    Circuit.objects.filter(slug="leyendas").update(owner=user)
    circuit = Circuit.objects.get(slug="leyendas")
    limits = [
        settings.API_READS_A_MINUTE,
        settings.API_WRITES_A_MINUTE,
        settings.FILES_A_MINUTE,
    ]
    return {"key": key, "limits": limits, "settings": dict(CircuitSettingsTold(circuit).data)}


if __name__ == "__main__":
    sys.exit(main())
