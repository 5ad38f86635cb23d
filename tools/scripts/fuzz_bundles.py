"""Damage a season file in random ways, and check that each damage is handled.

    python tools/scripts/fuzz_bundles.py [SEASON.temporada.zip] [--count 500] [--seed words]

Checking a file must end without an exception and within a time limit, whatever the file contains.
Files with different content must have different digests. If a changed file still passes the check
(a birthplace, for example, follows from nothing else), it must be imported completely or rejected
completely. Without a file, a small season is played first. The script prints figures. The exit
status is 1 if one of these checks fails.
"""

from __future__ import annotations

import argparse
import io
import os
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tests.settings")
sys.path.insert(0, str(Path(__file__).resolve().parents[2]))

# Seconds within which the check of any file must end.
SLOWEST = 30.0


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("file", type=Path, nargs="?")
    parser.add_argument("--count", type=int, default=500)
    parser.add_argument("--seed", default="bundles")
    options = parser.parse_args()
    import django
    from django.core.management import call_command

    django.setup()
    from tests.databases import address, opened

    with (
        tempfile.TemporaryDirectory() as folder,
        opened(address(Path(folder) / "fuzz.sqlite3")),
    ):
        call_command("migrate", verbosity=0)
        data = options.file.read_bytes() if options.file else small_season()
        return fuzz(data, options.count, options.seed)


def small_season() -> bytes:
    from corridas.models import Season
    from tests.corridas.archive.conftest import end, file_of, found_origin

    season = found_origin().seasons.get()
    end(season)
    return file_of(Season.objects.select_related("circuit", "winter").get(pk=season.pk))


def fuzz(data: bytes, count: int, words: str) -> int:
    from tqdm import tqdm

    from corridas import archive
    from fairness import Chance
    from tests.corridas.archive.damage import damaged

    head = archive.verify(io.BytesIO(data)).head
    came: Counter[tuple[str, str]] = Counter()
    wrong: list[str] = []
    slowest = 0.0
    for number in tqdm(range(count), unit="file", disable=None):
        name, file = damaged(data, Chance(words.encode(), str(number)))
        begun = time.perf_counter()
        said = attempt(file, data, head)
        slowest = max(slowest, time.perf_counter() - begun)
        came[name, said.split(" ")[0]] += 1
        if said.startswith(("ERROR", "SAME")) or slowest > SLOWEST:
            wrong.append(f"{words}/{number} {name}: {said}, {slowest:.1f} s")
    lines = [f"{name:16} {said:10} {times:6}" for (name, said), times in sorted(came.items())]
    print(*lines, sep="\n")
    print(
        f"{count} damaged files, slowest {slowest:.2f} s, {len(wrong)} went wrong", *wrong, sep="\n"
    )
    return 1 if wrong else 0


def attempt(file: bytes, whole: bytes, head: str) -> str:
    """Return the result of checking one file. An exception counts as an error."""
    try:
        return outcome(file, whole, head)
    except Exception as error:
        return f"ERROR {type(error).__name__}: {error}"[:200]


def outcome(file: bytes, whole: bytes, head: str) -> str:
    from corridas import archive
    from tests.corridas.archive.damage import unpacked

    report = archive.verify(io.BytesIO(file))
    if report.refused:
        return "refused"
    if report.findings:
        return "told"
    if report.head == head:
        same = unpacked(file)[1:-1] == unpacked(whole)[1:-1]
        without = [line for line in unpacked(whole)[1:-1] if b'"promises":{' not in line]
        return "unharmed" if same or unpacked(file)[1:-1] == without else "SAME head, another text"
    return taken(report)


def taken(report: object) -> str:
    from django.db import transaction

    from corridas import archive
    from tests.corridas.simulation import world

    assert isinstance(report, archive.Report)
    with transaction.atomic():
        try:
            archive.take_in(report, archive.Home(slug="fuzzed", name="Fuzzed"), at=world.NOW)
        except archive.NotTaken:
            return "not-taken"
        finally:
            transaction.set_rollback(True)
    return "another"


if __name__ == "__main__":
    sys.exit(main())
