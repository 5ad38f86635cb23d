"""Fuzz the API with requests that fit its schema and requests that do not: `make fuzz`.

The script fills a temporary site with one row of everything and starts a server on this machine.
schemathesis then tests every operation with all its checks, in all its phases. Paths that fit the
schema use the keys of existing rows. EXAMPLES is the number of requests per operation, SECONDS the
time limit, and ONLY a pattern of paths.
"""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path
from urllib.request import urlopen

from tests.site import ROOT
from tools.scripts.serving import temporary_site

EXAMPLES = os.environ.get("EXAMPLES", "6")
SECONDS = int(os.environ.get("SECONDS", "600"))
ONLY = os.environ.get("ONLY", "")
FILL = """
import json
from tools.scripts.fuzz import filled
print(json.dumps(filled()))
"""
PREPARATION = (["migrate", "--verbosity", "0"], ["shell", "--no-imports", "-c", FILL])
SITE_SETTINGS = {
    "API_READS_A_MINUTE": "1000000",
    "API_WRITES_A_MINUTE": "1000000",
    "FILES_A_MINUTE": "1000000",
    "LOG_LEVEL": "ERROR",
}
# Statuses allowed for a request that fits the schema. Errors may follow from the database rows.
AS_IT_SHOULD = ["2xx", "304", "401", "403", "404", "409", "412", "422", "428", "429"]
# Statuses allowed for a request that does not fit the schema.
AS_REFUSED = ["400", "401", "403", "404", "405", "406", "409", "413", "415", "422", "428", "429"]
SETTINGS = f"""
[parameters]
"header.If-Match" = "*"
[checks.positive_data_acceptance]
expected-statuses = {json.dumps(AS_IT_SHOULD)}
[checks.negative_data_rejection]
expected-statuses = {json.dumps(AS_REFUSED)}
"""
Pins = dict[str, dict[str, object]]


def main() -> int:
    with (
        tempfile.TemporaryDirectory(prefix="temporada-fuzz-") as name,
        temporary_site(Path(name), SITE_SETTINGS, *PREPARATION) as (port, filling),
    ):
        url, scene_data = f"http://127.0.0.1:{port}", json.loads(filling)
        settings, pins = Path(name) / "schemathesis.toml", Path(name) / "pins.json"
        settings.write_text(SETTINGS)
        pins.write_text(json.dumps(scene_data["pins"]))
        with urlopen(f"{url}/api/v1/schema/?format=json", timeout=120) as answer:  # noqa: S310
            (Path(name) / "schema.json").write_bytes(answer.read())
        hooks = {"SCHEMATHESIS_HOOKS": "tools.scripts.fuzz_hooks", "PINS": str(pins)}
        known = {"PYTHONPATH": str(ROOT), **hooks}
        asked = command(url, scene_data["key"], settings)
        return subprocess.run(asked, cwd=name, env=os.environ | known, check=False).returncode


def filled() -> dict[str, object]:
    from django.utils import timezone

    from accounts.models import User
    from api.keys.operations import make_token
    from leagues.players import player_of_user
    from tests.security.endpoints import PART, address, endpoints
    from tests.security.scene import set_up

    scene = set_up()
    admin = User.objects.get(username="admin")
    player_of_user(admin, at=timezone.now())  # so that leagues recognise the administrator
    _row, key = make_token(user=admin, name="fuzz", scope="write", at=timezone.now())
    pins: Pins = {}
    for endpoint in endpoints():
        parts = list(PART.finditer(endpoint.route))
        if endpoint.route.startswith("api/v1/") and parts:
            match = re.fullmatch(
                PART.sub("([^/]+)", f"/{endpoint.route}"), address(endpoint, scene)
            )
            assert match is not None, endpoint.route
            template = PART.sub(
                lambda part: "{" + renamed(part["name"]) + "}", f"/{endpoint.route}"
            )
            pins[template] = {
                renamed(part["name"]): int(value) if part["kind"] == "int" else value
                for part, value in zip(parts, match.groups(), strict=True)
            }
    return {"key": key, "pins": pins}


def renamed(name: str) -> str:
    return "id" if name == "pk" else name


def command(url: str, key: str, settings: Path) -> list[str]:
    own = [str(Path(sys.executable).with_name("schemathesis")), "--config-file", str(settings)]
    bounds = ["--max-examples", EXAMPLES, "--max-time", str(SECONDS), "--workers", "1"]
    what = ["--checks", "all", "--phases", "examples,coverage,fuzzing,stateful"]
    where = ["--include-path-regex", ONLY] if ONLY else []
    same = ["--generation-deterministic", "--continue-on-failure", "--no-color"]
    return [
        *own,
        *("run", "schema.json", "--url", url),
        "-H",
        f"Authorization: Bearer {key}",
        *bounds,
        *what,
        *where,
        *same,
    ]


if __name__ == "__main__":
    raise SystemExit(main())
