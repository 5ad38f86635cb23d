"""A season end to end against what cannot be spared; against a row an event; and on disk."""

from pathlib import Path
from statistics import median

from bench import rows, saves, seasons
from bench.figures import Figure
from bench.ground import YEAR, Ground, use
from bench.timing import Spent, in_turns, ratio, timed, wall_ratio
from corridas.engine import CorridaSetup, play_corrida
from corridas.models import Corrida
from corridas.season import simulation
from fairness import Seed

BAR = 4.0
SAVES_BAR = 10.0
DISK_BAR = 2.0  # megabytes of a million bytes
ROUNDS = 5


def measure(ground: Ground) -> list[Figure]:
    """One season of the shipped circuit, played anew in every round from the same database."""
    season = MeasuredSeason(ground, ground.planned, ground.one_season)
    pairs = in_turns(ROUNDS, season.end_to_end, season.bare)
    return [_season(season, pairs), _saves(season, pairs), _disk(season)]


class MeasuredSeason:
    """A planned season, what it is played from, and the rows it leaves behind."""

    keys = True
    """Whether the raw insertion looks foreign keys up."""

    def __init__(self, ground: Ground, planned: Path, played: Path, *, year: int = YEAR) -> None:
        self._ground = ground
        self.planned, self.played = planned, played
        self.added = rows.differences(self.planned, self.played)
        self._cleared = ground.copy(self.planned, "cleared")
        rows.clear(self._cleared, self.played)
        use(self.played)
        self.setups = [setup_of(corrida) for corrida in fought(year)]

    def end_to_end(self) -> Spent:
        """Contract, play, store and post it."""
        use(self._ground.copy(self.planned, "scratch"))
        season = seasons.latest()
        with timed() as spent:
            seasons.play(season)
        return spent

    def bare(self) -> Spent:
        """Play the same corridas, and insert the same rows with the database's driver."""
        target = self._ground.copy(self._cleared, "scratch")
        with timed() as playing:
            for setup, seed in self.setups:
                play_corrida(setup, seed)
        return playing + rows.insert(target, self.added, keys=self.keys)

    def events(self) -> int:
        """How many events its lidias have."""
        records = (play_corrida(setup, seed) for setup, seed in self.setups)
        return sum(len(lidia.events) for record in records for lidia in record.lidias)

    def bytes_added(self) -> int:
        """What its rows add to the database file, gaps apart."""
        before, after = (
            rows.vacuumed_size(self._ground.copy(path, "scratch"))
            for path in (self.planned, self.played)
        )
        return after - before


def fought(year: int) -> list[Corrida]:
    """The corridas of a year that are over, in the order of their dates."""
    over = Corrida.objects.over().filter(season__year=year)
    rows_of = over.select_related("season", "plaza", "cartel__deck")
    return list(rows_of.order_by("date", "pk"))


def setup_of(corrida: Corrida) -> tuple[CorridaSetup, Seed]:
    """What a corrida was played from."""
    return simulation.setup_of(corrida), Seed(bytes(corrida.cartel.seed))


def _season(season: MeasuredSeason, pairs: list[tuple[Spent, Spent]]) -> Figure:
    whole, floor = (median(side.cpu for side in sides) for sides in zip(*pairs, strict=True))
    note = (
        f"{len(season.setups)} corridas in {whole:.2f} s of processor, playing and raw "
        f"insertion {floor:.2f} s; on the wall {wall_ratio(pairs):.2f} x"
    )
    return Figure(name="season", value=ratio(pairs), bar=BAR, unit="x", note=note)


def _saves(season: MeasuredSeason, pairs: list[tuple[Spent, Spent]]) -> Figure:
    use(season.played)
    an_event, measured = saves.seconds_a_save(season.setups)
    events = season.events()
    ratios = median(an_event.cpu * events / whole.cpu for whole, _ in pairs)
    note = (
        f"{events:,} events would take {an_event.cpu * events:.1f} s "
        f"(from {measured:,} saved, a transaction a corrida)"
    )
    return Figure(
        name="season_saves", value=ratios, bar=SAVES_BAR, at_least=True, unit="x", note=note
    )


def _disk(season: MeasuredSeason) -> Figure:
    count = sum(len(added.rows) for added in season.added)
    return Figure(
        name="season_disk",
        value=season.bytes_added() / 1e6,
        bar=DISK_BAR,
        unit="MB",
        note=f"{count:,} rows added or changed",
    )
