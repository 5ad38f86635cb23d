"""A season on PostgreSQL, end to end in one worker, against raw COPY of the rows it leaves.

    python -m bench.season_postgres ROUNDS

is the worker: the database in DATABASE_URL is made anew in every round. Prints what it measured.
"""

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from dataclasses import asdict, dataclass
from statistics import median

from bench.figures import Figure
from bench.ground import YEAR, Ground
from bench.postgres import Postgres, make, postgres
from bench.served import ROOT
from bench.timing import timed

BAR = 6.0
SAVES_BAR = 10.0
ROUNDS = 3


@dataclass(frozen=True)
class Measured:
    """Seconds on the wall, a figure a round; `a_save` of one event, `events` of the season."""

    whole: list[float]
    playing: list[float]
    copied: list[float]
    rows: int
    corridas: int
    a_save: float
    events: int

    def ratio(self) -> float:
        """How many times raw COPY the whole took."""
        return median(one / other for one, other in zip(self.whole, self.copied, strict=True))


def measure(ground: Ground) -> list[Figure]:
    """In a process of its own, since this one's database is another."""
    with postgres() as server:
        measured = _in_a_worker(server)
    return [_season(measured), _saves(measured)]


def _in_a_worker(server: Postgres) -> Measured:
    variables = os.environ | {"DATABASE_URL": server.url("scratch")}
    command = [sys.executable, "-m", "bench.season_postgres", str(ROUNDS)]
    told = subprocess.run(command, cwd=ROOT, env=variables, check=True, stdout=subprocess.PIPE)
    return Measured(**json.loads(told.stdout))


def _season(measured: Measured) -> Figure:
    note = (
        f"{measured.corridas} corridas in {median(measured.whole):.2f} s on the wall, COPY of "
        f"{measured.rows:,} rows {median(measured.copied):.2f} s, "
        f"playing {median(measured.playing):.2f} s of it"
    )
    return Figure(name="season_postgres", value=measured.ratio(), bar=BAR, unit="x", note=note)


def _saves(measured: Measured) -> Figure:
    saved = measured.a_save * measured.events
    note = f"{measured.events:,} events saved one by one would take {saved:.0f} s"
    value = saved / median(measured.whole)
    name = "season_postgres_saves"
    return Figure(name=name, value=value, bar=SAVES_BAR, at_least=True, unit="x", note=note)


class Worker:
    """The worker's side: Django is ready, and its database is `scratch`."""

    def __init__(self) -> None:
        from bench import rows_postgres
        from bench.season import fought, setup_of

        self.scratch = os.environ["DATABASE_URL"]
        self._plan()
        self._play()
        self.added = rows_postgres.differences(self._of("planned"), self._of("played"))
        make(self._of("cleared"), like="planned")
        rows_postgres.clear(self._of("cleared"), self._of("played"))
        self.setups = [setup_of(corrida) for corrida in fought(YEAR)]

    def measure(self, rounds: int) -> Measured:
        """The season so many times, in turns with what it is measured against."""
        from bench import saves

        turns = [(self._whole(), self._playing(), self._copied()) for _ in range(rounds)]
        whole, playing, copied = (list(times) for times in zip(*turns, strict=True))
        self._anew(like="played")
        a_save, _ = saves.seconds_a_save(self.setups)
        rows = sum(difference.count for difference in self.added)
        corridas, events = len(self.setups), sum(map(len, self._logs()))
        return Measured(whole, playing, copied, rows, corridas, a_save.wall, events)

    def _plan(self) -> None:
        from django.core.management import call_command

        from bench import seasons

        make(self.scratch)
        call_command("migrate", verbosity=0, interactive=False)
        seasons.found_here(YEAR)
        self._keep("planned")

    def _play(self) -> None:
        from bench import seasons

        seasons.play(seasons.latest())
        self._keep("played")

    def _whole(self) -> float:
        from bench import seasons

        self._anew(like="planned")
        season = seasons.latest()
        with timed() as spent:
            seasons.play(season)
        return spent.wall

    def _playing(self) -> float:
        with timed() as spent:
            self._logs()
        return spent.wall

    def _logs(self) -> list[Sequence[object]]:
        from corridas.engine import play_corrida

        records = (play_corrida(setup, seed) for setup, seed in self.setups)
        return [lidia.events for record in records for lidia in record.lidias]

    def _copied(self) -> float:
        from bench import rows_postgres

        self._anew(like="cleared")
        return rows_postgres.copy_in(self.scratch, self.added).wall

    def _of(self, name: str) -> str:
        return f"{self.scratch.rpartition('/')[0]}/{name}"

    def _anew(self, *, like: str) -> None:
        from bench.ground import close

        close()
        make(self.scratch, like)

    def _keep(self, name: str) -> None:
        """A copy of the database as it stands."""
        from bench.ground import close

        close()
        make(self._of(name), like="scratch")


def main() -> None:
    """Be the worker."""
    import django

    django.setup()
    print(json.dumps(asdict(Worker().measure(int(sys.argv[1])))))


if __name__ == "__main__":
    main()
