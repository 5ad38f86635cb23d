"""Seasons that were played by version 2 of the rules for winters, and the function that made them.

`data/README.md` says which files there are, which code made them, and how.
"""

import io
import lzma
import sqlite3
from contextlib import closing
from pathlib import Path

from django.core.management import call_command

from corridas import archive, notifications
from corridas.models import Season
from corridas.season.operations import Goal, prepare_run
from corridas.simulation import new_circuit
from corridas.simulation.new_circuit import shipped
from corridas.simulation.run import run_on
from corridas.simulation.schedule import plan
from corridas.simulation.winter import winter_over
from corridas.world.calendar import CalendarEntry
from tests.corridas.simulation import world
from tests.databases import address, opened
from tests.scratch import seeds

DATA = Path(__file__).parent / "data"
# A season file of 2027, written before winters had versions. Its alternativas (ceremonies that make
# a matador) are on 1 and 2 January 2028.
VERSION_1 = DATA / "version-1.temporada.zip"
# The file of 2028, the third season of its circuit, whose winter is of version 2.
VERSION_2 = DATA / "version-2.temporada.zip"
# The database of this circuit after the winter of 2028, and the file of 2029 played from it.
PLAYED_ON = DATA / "version-2.sqlite3.xz"
NEXT = DATA / "version-2-next.temporada.zip"

# With its seeds, the winter of 2028 has two debuts, two alternativas, and men who retire or return.
SLUG = "aurea"
CALENDAR = (
    CalendarEntry("Feria de Abril", "la-maestranza", "easter+9", 4, "daily"),
    CalendarEntry("Feria de Julio", "valencia", "07-10", 3, "daily"),
    CalendarEntry("Corridas de pueblo", "valdemorillo", "07-05", 2, "weekend"),
    CalendarEntry("Corrida de otoño", "las-ventas", "sunday>=10-01", 2, "sunday"),
)
SEASONS = 3


def found() -> Season:
    """Found a circuit with the bundled roster, and plan its first season."""
    circuit = new_circuit.found(shipped(), slug=SLUG, name="Áurea", owner=None, rules={})
    circuit.calendar = [entry._asdict() for entry in CALENDAR]
    circuit.save()
    fresh = seeds(f"{SLUG}/founded")
    return plan(circuit, world.YEAR, CALENDAR, seed=fresh(), winter=fresh())


def play(season: Season) -> Season:
    """Play a season and its winter with the seeds of its year, and return the next season."""
    fresh = seeds(f"{SLUG}/{season.year}")
    run = prepare_run(season=season, goal=Goal(), at=world.NOW)
    run_on(run.pk, clock=lambda: world.NOW, fresh=fresh, on_end=notifications.run_ended)
    following = winter_over(season, at=world.NOW, fresh=fresh, on_winter=notifications.winter_over)
    return season_of(following.year)


def season_of(year: int) -> Season:
    seasons = Season.objects.select_related("circuit__deck", "winter")
    return seasons.get(circuit__slug=SLUG, year=year)


def file_of(year: int) -> bytes:
    out = io.BytesIO()
    archive.export(season_of(year), out, promises=True)
    return out.getvalue()


def make(folder: Path) -> None:
    """Write the three files of version 2 into an empty folder."""
    database = folder / "golden.sqlite3"
    with opened(address(database)):
        call_command("migrate", verbosity=0)
        season = found()
        for _ in range(SEASONS):
            season = play(season)
        (folder / VERSION_2.name).write_bytes(file_of(season.year - 1))
    with closing(sqlite3.connect(database)) as connection:
        connection.execute("PRAGMA journal_mode = delete")
        connection.execute("VACUUM")
    (folder / PLAYED_ON.name).write_bytes(lzma.compress(database.read_bytes(), preset=9))
    with opened(address(database)):
        play(season)
        (folder / NEXT.name).write_bytes(file_of(season.year))
    database.unlink()
