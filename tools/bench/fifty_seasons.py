"""Play fifty seasons with their winters in one process, as a worker would.

    python -m tools.bench.fifty_seasons DATABASE COUNT

The database has its first season planned. The script stores copies of the database as it was before
the fifth season and before the last season. After every season it prints the processor time and
memory used, as a line of JSON.
"""

from __future__ import annotations

import json
import os
import resource
import shutil
import sys
import time
from pathlib import Path

import django

# Seasons, counted from 1, before which the database is copied to `<database>-before-5` and so on.
COPIED_SEASONS = (5, 50)


def copy_before(database: Path, number: int) -> Path:
    return database.with_name(f"{database.stem}-before-{number}.sqlite3")


def play_all(database: Path, count: int) -> None:
    from tools.bench.database import close_database, use_database
    from tools.bench.seasons import latest, play, winter

    for number in range(1, count + 1):
        if number in COPIED_SEASONS:
            close_database()
            shutil.copyfile(database, copy_before(database, number))
        use_database(database)
        began = time.process_time()
        season = latest()
        play(season)
        winter(season)
        spent = time.process_time() - began
        report = {"season": season.year, "cpu": round(spent, 3), "rss": resident()}
        print(json.dumps(report), flush=True)
    close_database()


def resident() -> int:
    """Return this process's memory in bytes, or its peak if the system reports only that."""
    status = Path("/proc/self/statm")
    if status.exists():
        return int(status.read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024


if __name__ == "__main__":
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "tools.bench.settings")
    import django

    django.setup()
    play_all(Path(sys.argv[1]), int(sys.argv[2]))
