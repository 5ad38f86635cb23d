"""Run a vulnerability scanner on a temporary site: `python -m tools.scripts.scan`.

The site uses TLS as a public site does and has a season in progress. The scanner visits it twice,
as an anonymous visitor and signed in, with every module that needs no outside service. If it finds
a weakness above the level “information”, and finds it again on that page alone, the weakness is
printed and the exit status is 1.
"""

from __future__ import annotations

import json
import os
import secrets
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from tests.deployment.proxy import Proxy
from tests.site import ROOT
from tools.scripts.serving import temporary_site, wait_for

SCANNER = ROOT / ".venv-scan" / "bin" / "wapiti"
MODULES = (
    "backup,cookieflags,crlf,csp,csrf,exec,file,htaccess,http_headers,https_redirect,ldap,methods,"
    "permanentxss,redirect,shellshock,spring4shell,sql,timesql,upload,xss"
)
"""All except those that need external databases or listeners (cms, htp, log4shell, network_device,
nikto, ssl, ssrf, takeover, wapp, wp_enum, xxe), and those that only guess names and passwords
(buster, brute_login_form)."""
SECONDS = int(os.environ.get("SECONDS", "150"))  # for going round once
A_MODULE = int(os.environ.get("A_MODULE", "20"))  # seconds for one module in it
PATIENCE = 2 * SECONDS + 600  # seconds
# Number of attempts, because the scanner sometimes crashes at its end without a report.
TRIES = 3
# Creates a user and prints cookies for an anonymous and a signed-in visitor.
BEGIN = """
import json
from django.contrib.auth import get_user_model
from django.test import Client
user = get_user_model().objects.create_user("scanner", "scanner@example.org", "a-long-word-7")
clients = {"stranger": Client(), "signed in": Client()}
clients["signed in"].force_login(user)
for client in clients.values():
    client.get("/accounts/preferences/", secure=True, headers={"host": "localhost"})
print(json.dumps({
    who: {name: one.value for name, one in client.cookies.items()}
    for who, client in clients.items()
}))
"""
# Pages that would sign the user out, so the scanner must not open them.
LEAVE = ("/accounts/logout/", "/accounts/leave/")


def main() -> int:
    with (
        tempfile.TemporaryDirectory(prefix="temporada-scan-") as folder,
        site(Path(folder)) as here,
    ):
        url, jars = here
        faults = [fault for who, jar in jars.items() for fault in scan(url, who, jar, Path(folder))]
    print("\n".join(faults) or "Nothing above the level “information” was found.")
    return 1 if faults else 0


@contextmanager
def site(folder: Path) -> Iterator[tuple[str, dict[str, Path]]]:
    """Yield the address of a site behind TLS on a free port, and cookie files by user."""
    settings = {
        "HTTPS": "1",
        "PROXIES": "1",
        "SECRET_KEY": secrets.token_urlsafe(50),
        "WRITES_A_MINUTE": "1000000",
        "FILES_A_MINUTE": "1000000",
        "API_READS_A_MINUTE": "1000000",
        "API_WRITES_A_MINUTE": "1000000",
    }
    begin = ["shell", "--no-imports", "-c", BEGIN]
    with temporary_site(folder, settings, ["prepare"], begin) as (port, last_line):
        proxy = Proxy(folder / "proxy", pages=port, feed=port, host="localhost")
        try:
            proxy.start()
            wait_for(proxy.port)
            cookies = json.loads(last_line)
            yield (
                f"https://localhost:{proxy.port}/",
                {who: write_cookies(folder, who, cookies[who]) for who in cookies},
            )
        finally:
            proxy.stop()


def write_cookies(folder: Path, who: str, cookies: dict[str, str]) -> Path:
    """Write cookies to a file for the scanner, so that its forms are accepted.

    Without them, it requests several pages at once and gets a new token cookie with each. It then
    takes two rejections for a token that nobody checks.
    """
    rest = {"version": 0, "secure": True, "expires": None, "port": None}
    file = folder / f"{who}-cookies.json"
    pairs = {name: {"value": value, **rest} for name, value in cookies.items()}
    file.write_text(json.dumps({".localhost.local": {"/": pairs}}))
    return file


def scan(url: str, who: str, jar: Path, folder: Path) -> list[str]:
    away = [word for path in LEAVE for word in ("-x", url.rstrip("/") + path)]
    bounds = ["-d", "4", "--max-links-per-page", "60", "--max-files-per-dir", "40"]
    report = attack(folder / who, jar, "-u", url, "-m", MODULES, *bounds, *away)
    print(f"{who}: {report['infos']['crawled_pages_nbr']} addresses visited")
    reported = list(findings(report))
    confirmed = [row for row in reported if found_again(url, row, jar, folder / f"{who}-again")]
    print(f"{who}: {len(confirmed)} of {len(reported)} findings confirmed")
    return [
        f"{who}: {row['kind']}, level {row['level']}: {row['method']} {row['path']} {row['info']}"
        for row in confirmed
    ]


def attack(notes: Path, jar: Path, *arguments: str) -> dict[str, Any]:
    report = notes.with_suffix(".json")
    report.unlink(missing_ok=True)
    options = ["-f", "json", "-o", str(report), "--no-bugreport", "-v", "0", "-t", "10"]
    times = ["--max-scan-time", str(SECONDS), "--max-attack-time", str(A_MODULE), "--tasks", "4"]
    session = ["--flush-session", "--store-session", str(notes), "-c", str(jar)]
    command = [str(SCANNER), *arguments, *options, *times, *session]
    for _ in range(TRIES):
        if not report.exists():
            subprocess.run(command, stdout=subprocess.DEVNULL, timeout=PATIENCE, check=False)
    document: dict[str, object] = json.loads(report.read_text())
    return document


def findings(report: dict[str, Any]) -> Iterator[dict[str, object]]:
    for part in ("vulnerabilities", "anomalies"):
        for kind, entries in report[part].items():
            yield from ({**entry, "kind": kind} for entry in entries if entry["level"] > 0)


def found_again(url: str, finding: dict[str, Any], jar: Path, notes: Path) -> bool:
    """Return True if the module finds the weakness again on that page alone.

    Modules that compare responses report a weakness if a page changes between two requests, or if
    the same form is rejected twice.
    """
    target = finding["http_request"].split()[1] if finding["method"] == "GET" else finding["path"]
    page = ["-u", url.rstrip("/") + target, "--scope", "page", "-m", finding["module"]]
    same = ("method", "path", "info")
    return any(
        all(row[key] == finding[key] for key in same) for row in findings(attack(notes, jar, *page))
    )


if __name__ == "__main__":
    raise SystemExit(main())
