"""Change the broadcast time of a corrida in the database, so that tests need not wait for it."""

from __future__ import annotations

import datetime as dt
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING

from tests.e2e.book import query_rows
from tests.waiting import PATIENCE, wait_until

if TYPE_CHECKING:
    from tests.site import Site


def corrida_on_the_sand(site: Site) -> str:
    """Return the path of the corrida that the site has put on air, as if it began 30 seconds ago.

    Otherwise it could end during a test.
    """
    question = "SELECT id FROM corridas_corrida WHERE state = 'on_air' ORDER BY on_air_at DESC"
    wait_until(lambda: query_rows(site, question), "No corrida goes on air.")
    corrida = f"/corridas/{query_rows(site, question)[0][0]}/"
    set_clock(site, corrida, since=30)
    return corrida


def set_clock(
    site: Site, corrida: str, *, since: float | None = None, left: float | None = None
) -> None:
    """Move the broadcast of a corrida in time.

    It then began `since` seconds ago, or ends in `left` seconds. A feed with a reader continues
    with the times that it has read, so there must be no reader yet.
    """
    key = int(corrida.rstrip("/").rsplit("/", 1)[-1])
    (file,) = site.data.glob("*.sqlite3")
    with closing(sqlite3.connect(file, timeout=PATIENCE, isolation_level=None)) as rows:
        rows.execute("BEGIN IMMEDIATE")
        begins, ends = map(
            dt.datetime.fromisoformat,
            rows.execute(
                "SELECT on_air_at, ends_at FROM corridas_corrida WHERE id = ? AND state = 'on_air'",
                [key],
            ).fetchone(),
        )
        now = dt.datetime.now(dt.UTC).replace(tzinfo=None)
        if left is not None:
            shift = now + dt.timedelta(seconds=left) - ends
        else:
            shift = now - dt.timedelta(seconds=since or 0) - begins
        rows.execute(
            "UPDATE corridas_corrida SET on_air_at = ?, ends_at = ? WHERE id = ?",
            [str(begins + shift), str(ends + shift), key],
        )
        lidias = rows.execute("SELECT id, ends_at FROM corridas_lidia WHERE corrida_id = ?", [key])
        for lidia, ended in lidias.fetchall():
            moved = dt.datetime.fromisoformat(ended) + shift
            rows.execute("UPDATE corridas_lidia SET ends_at = ? WHERE id = ?", [str(moved), lidia])
        rows.execute("COMMIT")
