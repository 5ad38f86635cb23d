"""Test of the API's documented rate limits with fifty connections, on a site like `make run`.

    python -m tools.bench.rates

It reads without and with an API key, sends actions and uploads files. Each test takes a clock
minute and sends a sixth more requests than documented. The exit status is 1 unless the documented
number of requests is accepted, and at most 2 % more.
"""

import asyncio
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path
from typing import Any, NamedTuple

from tools.bench.client import Client
from tools.bench.elsewhere import call
from tools.bench.web_server import up

LINES = 50
OVER = 1.02
CIRCUIT = "/api/v1/circuits/leyendas/"


class Kind(NamedTuple):
    """A kind of request that is repeated: who sends it, and the documented rate limit."""

    name: str
    limit: int
    method: str
    path: str
    by: str = ""
    body: object = b""


def kinds(scene: dict[str, Any]) -> list[Kind]:
    (reads, writes, files), key = scene["limits"], scene["key"]
    sheet = {"name": "plazas.csv", "content": "eA=="}
    return [
        Kind("reads of an address", reads, "GET", "/api/v1/games/"),
        Kind("reads of a key", reads, "GET", "/api/v1/games/", key),
        Kind("writes of a key", writes, "PUT", f"{CIRCUIT}settings/", key, scene["settings"]),
        Kind("files of a key", files, "POST", f"{CIRCUIT}roster/preview/", key, sheet),
    ]


async def crowd(port: int, kind: Kind, address: str) -> Counter[int]:
    """Send a sixth more requests than allowed, fifty at a time, and count the response statuses."""
    statuses: Counter[int] = Counter()
    left = iter(range(kind.limit + kind.limit // 6 + LINES))
    heads = {"Connection": "close", "Content_Type": "application/json", "If_Match": "*"}
    heads |= {"Authorization": f"Bearer {kind.by}"} if kind.by else {}

    async def one() -> None:
        for _number in left:
            client = Client(port, address, **heads)
            statuses[(await client.send(kind.method, kind.path, kind.body)).status] += 1

    await asyncio.gather(*(one() for _line in range(LINES)))
    return statuses


def main() -> int:
    well = True
    with tempfile.TemporaryDirectory(prefix="temporada-rates-") as name:
        data = Path(name) / "data"
        data.mkdir()
        with up(data) as server:
            own = {"DATA": str(data), "DJANGO_SETTINGS_MODULE": "config.settings"}
            for number, kind in enumerate(kinds(call("rates.scene", **own))):
                time.sleep(60.1 - time.time() % 60)
                began, minute = time.monotonic(), time.time() // 60
                statuses = asyncio.run(crowd(server.port, kind, f"127.0.2.{number + 1}"))
                passed = statuses.total() - statuses[429] - statuses[503]
                fits = kind.limit <= passed <= kind.limit * OVER and time.time() // 60 == minute
                well = well and fits
                print(
                    f"{kind.name}: {passed} of {statuses.total()} requests accepted in "
                    f"{time.monotonic() - began:.1f} s; the documented limit is {kind.limit}; "
                    f"{dict(statuses)}{'' if fits else ': FAULT'}"
                )
    return 0 if well else 1


def scene() -> dict[str, object]:
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
    limits = [settings.API_READS_A_MINUTE, settings.API_WRITES_A_MINUTE, settings.FILES_A_MINUTE]
    return {"key": key, "limits": limits, "settings": dict(CircuitSettingsTold(circuit).data)}


if __name__ == "__main__":
    sys.exit(main())
