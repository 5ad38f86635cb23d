"""Check that a change to the code does not change what people or programs see.

    python -m tools.scripts.compare_pages make FOLDER       # create a site with a season
    python -m tools.scripts.compare_pages take FOLDER FILE  # store the content of its pages
    python -m tools.scripts.compare_pages compare FILE FILE  # exit with 1 if they differ

Run `take` on both commits. It works on a copy of the folder with a fixed clock. It follows links
from the home page and requests a few URLs of each pattern, anonymously and as an administrator, in
both languages. It also stores the API's responses, its OpenAPI document, the records of corridas
and matches, the season file and the digests. Whitespace, CSRF tokens and the names of static files
are ignored.
"""

from __future__ import annotations

import argparse
import datetime as dt
import difflib
import json
import os
import re
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections import Counter, deque
from collections.abc import Iterator
from io import BytesIO, StringIO
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final
from unittest import mock

if TYPE_CHECKING:
    from django.test import Client

NOW: Final = dt.datetime(2027, 4, 1, 18, 0, tzinfo=dt.UTC)
PER_PATTERN: Final = 5
LANGUAGES: Final = ("en", "es")
STARTS: Final = (
    "/",
    "/status/",
    "/leagues/",
    "/players/",
    "/api/v1/",
    "/api/v1/schema/",
    "/admin/",
)
ADMIN: Final = "compares"
LINK: Final = re.compile(
    r'(?:href|hx-get|src|action)="(/[^"#]*)"|"(?:https?://testserver)(/[^"#]*)"'
)
VARYING: Final = re.compile(
    r'name="csrfmiddlewaretoken" value="[^"]*"|"?csrf_?token"?[:=]\s*"[^"]*"|nonce="[^"]*"'
    r'|name="seed" value="[^"]*"|[0-9.,]+\s(?:ms|MB|GB)\b|(?<=\.)[0-9a-f]{12}(?=\.\w)'
    r'|[0-9a-f]{12}(?=-manifest)|value="\d\d:\d\d:\d\d"|[\w/+]{6}\*{8,}|in [\d.,]+ se[cg]'
)
NOT_FOLLOWED: Final = re.compile(r"^/(?:static|media)/|logout|/status/|/feed/|/stream|/metrics")

LEAGUES: Final = """
from leagues.matches.operations.matches import confirm
from tests.leagues.world import NOW, account, begun, enter_league, found_league, handed_in
from tests.leagues.world import round_robin
host, *others = [account(name) for name in ("ana", "beto", "carla", "dora")]
dominoes = {"game": "dominoes", "profile": "rulebook"}
league = found_league(host, visibility="public", **dominoes)
for player in others:
    enter_league(league, player)
for number, player in enumerate(others * 5):
    match = handed_in(begun(league, [host, player]), host, {"totals": [100, 30 + number]})
    confirm(match=match, version=match.version, by=player, at=NOW)
round_robin(host, ["ana", "beto", "carla"], **dominoes)
"""


def make(folder: Path) -> None:
    """Create a site with its first season played, a ladder with results and a round robin."""
    environment = os.environ | {"DATA": str(folder)}
    manage = [sys.executable, "manage.py"]
    for command in (
        [*manage, "prepare"],
        [*manage, "play", "--count", "1"],
        [*manage, "shell", "--no-imports", "-c", LEAGUES],
    ):
        subprocess.run(command, env=environment, check=True)


def take(folder: Path, target: Path) -> None:
    with tempfile.TemporaryDirectory(prefix="temporada-compare-") as room:
        copy = Path(room) / "data"
        shutil.copytree(folder, copy)
        os.environ |= {"DATA": str(copy), "DJANGO_SETTINGS_MODULE": "config.settings"}
        answers = taken()
    target.write_text(json.dumps(answers, indent=1, ensure_ascii=False), "utf-8")
    print(f"{len(answers)} answers from {len({key.split()[-1] for key in answers})} addresses")


def taken() -> dict[str, str]:
    import django
    from django.conf import settings

    settings.CACHES = {
        name: {"BACKEND": "django.core.cache.backends.dummy.DummyCache"} for name in settings.CACHES
    }
    settings.PAGES_A_MINUTE = settings.API_READS_A_MINUTE = settings.FILES_A_MINUTE = 10**9
    django.setup()
    from django.test import Client
    from django.test.utils import setup_test_environment
    from django.utils import translation

    from accounts.models import User

    setup_test_environment()
    User.objects.create_superuser(ADMIN, password="looks on")  # noqa: S106 - in a copy
    answers = {}
    with mock.patch("django.utils.timezone.now", return_value=NOW):
        for role in ("stranger", "admin"):
            for language in LANGUAGES:
                client = Client(
                    raise_request_exception=False, headers={"accept-language": language}
                )
                client.cookies[settings.LANGUAGE_COOKIE_NAME] = language
                if role == "admin":
                    client.force_login(
                        User.objects.get(username=ADMIN),
                        "django.contrib.auth.backends.ModelBackend",
                    )
                for address, answer in crawled(client):
                    answers[f"{role} {language} {address}"] = answer
    with translation.override("en"):
        answers |= exported()
    return answers


def crawled(client: Client) -> Iterator[tuple[str, str]]:
    from django.urls import Resolver404, resolve

    waiting, known, visits = deque(STARTS), set(STARTS), Counter[str]()
    while waiting:
        address = waiting.popleft()
        try:
            route = resolve(address.partition("?")[0]).route
        except Resolver404:
            continue
        visits[route] += 1
        if visits[route] > PER_PATTERN:
            continue
        response = client.get(address)
        text = text_of(response)
        yield address, f"{response.status_code} {response.get('Location', '')}\n{text}"
        for match in LINK.finditer(text):
            link = (match[1] or match[2]).replace("&amp;", "&")
            if link not in known and not NOT_FOLLOWED.search(link):
                known.add(link)
                waiting.append(link)


def text_of(response: Any) -> str:
    """Return the text with about one tag per line, or the digest of other content."""
    content = response.getvalue()
    if content.startswith(b"PK"):
        members = zipfile.ZipFile(BytesIO(content)).infolist()
        return "\n".join(
            f"{member.filename} {member.CRC}"
            for member in members
            if "docProps" not in member.filename
        )
    if not re.match(r"text/|application/(?:.*json|.*xml)", response.get("Content-Type", "text/")):
        return f"{len(content)} bytes {response.get('Content-Type')}"
    text = VARYING.sub("", content.decode(errors="replace"))
    return re.sub(r"\s*(<[^>]+>)\s*", r"\n\1\n", re.sub(r"\s+", " ", text)).replace("\n\n", "\n")


def exported() -> dict[str, str]:
    from django.core.management import call_command

    from corridas.models import Season

    out = {}
    for stored in ("corridas", "winters"):
        said = StringIO()
        call_command("verify", stored, stdout=said)
        out[f"verify {stored}"] = VARYING.sub("", said.getvalue())
    season = Season.objects.earliest("pk")
    with tempfile.TemporaryDirectory() as room:
        path = Path(room) / "season"
        said = StringIO()
        call_command("export_season", season.year, path, circuit=season.circuit.slug, stdout=said)
        out["export_season"] = said.getvalue().partition("head of the chain")[2]
    return out


def compare(before: Path, after: Path) -> int:
    left, right = (json.loads(path.read_text("utf-8")) for path in (before, after))
    differing = 0
    for key in sorted(left.keys() | right.keys()):
        old, new = left.get(key), right.get(key)
        if old == new:
            continue
        differing += 1
        print(f"== {key}: " + ("gone" if new is None else "new" if old is None else "differs"))
        if old is not None and new is not None:
            lines = difflib.unified_diff(old.split("\n"), new.split("\n"), lineterm="", n=1)
            print("\n".join(line[:200] for line in list(lines)[2:14]))
    print(f"{differing} of {len(left)} answers differ")
    return 1 if differing else 0


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.scripts.compare_pages", description=__doc__)
    parser.add_argument("action", choices=["make", "take", "compare"])
    parser.add_argument("paths", nargs="+", type=Path)
    args = parser.parse_args()
    if args.action == "compare":
        return compare(*args.paths)
    (make if args.action == "make" else take)(*args.paths)
    return 0


if __name__ == "__main__":
    sys.exit(main())
