"""Creates seasons: their ferias, and corridas with a date but without matadors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import groupby

from django.db import transaction
from django.utils.text import slugify

from core.addresses import reserved_words
from corridas.bulk import bulk_insert
from corridas.models import Circuit, Corrida, Feria, Plaza, Season, Winter
from corridas.search_index import index_season
from corridas.simulation.new_circuit import shipped
from corridas.simulation.pars import store_pars
from corridas.world.calendar import CalendarEntry, PlannedCorrida, dates
from corridas.world.roster import CARDS_VERSION
from fairness import Seed, commitment

SHORTEST_FERIA = 2
_Place = tuple[str, str]


def calendar_of(circuit: Circuit) -> tuple[CalendarEntry, ...]:
    """Return the calendar of a circuit: its own one, or the bundled one.

    Entries are left out if the circuit lacks the plaza or has archived it.
    """
    own = own_entries(circuit)
    entries = shipped().ferias if own is None else own
    held = set(circuit.plazas.filter(archived_at__isnull=True).values_list("slug", flat=True))
    return tuple(entry for entry in entries if entry.plaza in held)


def own_entries(circuit: Circuit) -> list[CalendarEntry] | None:
    """Return the circuit's own calendar including entries of missing plazas, or None without
    one.
    """
    return None if circuit.calendar is None else [_entry(row) for row in circuit.calendar]


def _entry(row: Sequence[str | int] | dict[str, str | int]) -> CalendarEntry:
    values = row if isinstance(row, dict) else dict(zip(CalendarEntry._fields, row, strict=True))
    return CalendarEntry(
        str(values["feria"]),
        str(values["plaza"]),
        str(values["starts"]),
        int(values["corridas"]),
        str(values["days"]),
    )


@transaction.atomic
def plan(
    circuit: Circuit,
    year: int,
    entries: Iterable[CalendarEntry],
    *,
    seed: Seed,
    winter: Seed | None = None,
) -> Season:
    """Create a season of a circuit, and commit to the seed of the winter after it.

    `winter` is the winter's seed. By default it is derived from the season's seed. Raises
    `CalendarError` for an impossible date.
    """
    planned = dates(entries, year)
    plazas = {plaza.slug: plaza for plaza in circuit.plazas.all()}
    season = Season.objects.create(
        circuit=circuit,
        year=year,
        rules=circuit.engine_rules().options(),
        seed=seed.value,
        commitment=commitment(seed.value, season_stake(circuit.promised_name, year)),
    )
    ferias = _plan_ferias(season, planned, plazas)
    rows = [
        {
            "season_id": season.pk,
            "feria_id": ferias.get((date_planned.feria, date_planned.plaza)),
            "plaza_id": plazas[date_planned.plaza].pk,
            "date": date_planned.date,
            "state": Corrida.State.ANNOUNCED.value,
            "attempts": 0,
            "error": "",
            "origin": Corrida.Origin.HERE.value,
        }
        for date_planned in planned
    ]
    bulk_insert(Corrida, rows)
    index_season(season)
    store_pars(season)
    promise_winter(season, winter or _derived_seed(seed))
    return season


def promise_again(season: Season, seed: Seed) -> None:
    """Replace the seed of a season, before the old one can have become known."""
    season.seed = seed.value
    stake = season_stake(season.circuit.promised_name, season.year)
    season.commitment = commitment(seed.value, stake)
    season.save(update_fields=["seed", "commitment"])


def promise_winter_again(season: Season, seed: Seed) -> None:
    """Replace the seed of a season's winter before it begins.

    The version of its rules stays the same.
    """
    for winter in Winter.objects.filter(season=season):
        winter.season = season
        winter.seed = seed.value
        winter.commitment = commitment(seed.value, winter_stake(winter))
        winter.save(update_fields=["seed", "commitment"])


def promise_winter(season: Season, seed: Seed) -> Winter:
    """Commit to the seed of the winter after a season, before the first corrida (Ruling F-2)."""
    version = _winter_version(season)
    stake = promised_winter(season.circuit.promised_name, season.year, version)
    return Winter.objects.create(
        season=season,
        seed=seed.value,
        commitment=commitment(seed.value, stake),
        version=version,
    )


def _winter_version(season: Season) -> int:
    """Return the version of the rules for the winter after a season that is being planned.

    It is the circuit's, unless all cards will be printed again in an earlier winter.
    """
    version = season.circuit.cards_version
    if version < CARDS_VERSION:
        decided = Winter.objects.filter(
            season__circuit=season.circuit_id, done_at=None, new_cards_at__isnull=False
        )
        if decided.filter(season__year__lt=season.year).exists():
            return CARDS_VERSION
    return version


def winter_stake(winter: Winter) -> dict[str, str | int]:
    """Return the data to which a winter commits: circuit, year and version of the rules.

    The results of the season are not included. They are not known yet, and are public before the
    winter.
    """
    season = winter.season
    return promised_winter(season.circuit.promised_name, season.year, winter.version)


def promised_winter(circuit: str, year: int, version: int) -> dict[str, str | int]:
    stake: dict[str, str | int] = {"game": "indulto", "circuit": circuit, "winter": year}
    return stake if version == 1 else {**stake, "version": version}


def season_stake(circuit: str, year: int) -> dict[str, str | int]:
    return {"circuit": circuit, "year": year}


def _derived_seed(seed: Seed) -> Seed:
    chance = seed.chance("winter")
    return Seed(bytes(chance.below(256) for _ in range(len(seed.value))))


def _feria_slug(name: str, plaza: str) -> str:
    slug = slugify(f"{name}-{plaza}")
    return f"{slug}-2" if slug in reserved_words(*Feria.FOLDERS) else slug


def _plan_ferias(
    season: Season, planned: Sequence[PlannedCorrida], plazas: dict[str, Plaza]
) -> dict[_Place, int]:
    def place(corrida: PlannedCorrida) -> _Place:
        return (corrida.feria, corrida.plaza)

    grouped = groupby(sorted(planned, key=place), key=place)
    runs = {key: [corrida.date for corrida in corridas] for key, corridas in grouped}
    ferias = Feria.objects.bulk_create(
        Feria(
            season=season,
            plaza=plazas[plaza],
            name=name,
            slug=_feria_slug(name, plaza),
            starts=min(days),
            ends=max(days),
        )
        for (name, plaza), days in runs.items()
        if len(days) >= SHORTEST_FERIA
    )
    return {(feria.name, feria.plaza.slug): feria.pk for feria in ferias}
