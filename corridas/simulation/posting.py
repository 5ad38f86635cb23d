"""Results into the records, once: escalafón, careers, injuries, bulls."""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from django.db import transaction
from django.db.models import F, Prefetch

from corridas.engine import Crowd, Ending, Trophy
from corridas.models import (
    Bull,
    Corrida,
    Escalafon,
    Injury,
    Lidia,
    Matador,
    Puesto,
    Season,
)
from corridas.models.escalafon import COUNTERS
from corridas.simulation.playing import Played
from corridas.world.form import outcome, push
from corridas.world.injuries import examine
from fairness import Seed

_EARS = {Trophy.OREJA: 1, Trophy.DOS_OREJAS: 2, Trophy.RABO: 2}
_BULL_STATE = {
    Ending.KILLED.value: Bull.State.MUERTO,
    Ending.SPARED.value: Bull.State.SEMENTAL,
    Ending.THREE_AVISOS.value: Bull.State.CORRALES,
    Ending.BROKEN_OFF.value: Bull.State.CORRALES,
}
Key = tuple[int, int]


@dataclass
class Ledger:
    """What a number of corridas brings to the records, gathered before it is written."""

    season: Season
    counters: dict[Key, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    letters: dict[int, str] = field(default_factory=lambda: defaultdict(str))
    bulls: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    left: list[int] = field(default_factory=list)
    injuries: list[Injury] = field(default_factory=list)
    hurt: list[Puesto] = field(default_factory=list)

    def enter(self, played: Played) -> None:
        """Enter one corrida, in the order of its bulls."""
        category = played.corrida.plaza.category
        for puesto in played.puestos:
            self.counters[puesto.matador_id, category]["corridas"] += 1
        for lidia in played.lidias:
            self._enter_lidia(lidia, category)
            self._enter_injuries(played, lidia, category)
        out = {lidia.bull_id for lidia in played.lidias}
        self.left += [bull.pk for bull in played.bulls if bull.pk not in out]

    def _enter_lidia(self, lidia: Lidia, category: int) -> None:
        self.bulls[_BULL_STATE[lidia.ending]].append(lidia.bull_id)
        if lidia.finisher_id is None:
            return
        self.counters[lidia.finisher_id, category].update(credit(lidia))
        trophy = None if lidia.trophy is None else Trophy(lidia.trophy)
        crowd = None if lidia.crowd is None else Crowd(lidia.crowd)
        self.letters[lidia.finisher_id] += outcome(Ending(lidia.ending), trophy, crowd)

    def _enter_injuries(self, played: Played, lidia: Lidia, category: int) -> None:
        corrida = played.corrida
        for puesto in played.puestos:
            if not lidia.injured >> puesto.order & 1:
                continue
            label = f"injury/{corrida.date}/{corrida.plaza.slug}/{puesto.order}"
            wound = examine(Seed(bytes(self.season.seed)).chance(label))
            puesto.injured_in = lidia.turn
            self.hurt.append(puesto)
            self.counters[puesto.matador_id, category]["injuries"] += 1
            self.injuries.append(
                Injury(
                    matador_id=puesto.matador_id,
                    corrida=corrida,
                    turn=lidia.turn,
                    grade=wound.grade.value,
                    since=corrida.date,
                    until=wound.until(corrida.date),
                )
            )


def credit(lidia: Lidia) -> dict[str, int]:
    """What a lidia counts for whoever finished it (Ruling I-17); a third aviso counts too."""
    trophy = Trophy(lidia.trophy or 0)
    return {
        "bulls": 1,
        "ears": _EARS.get(trophy, 0),
        "tails": int(trophy is Trophy.RABO),
        "two_ears": int(trophy >= Trophy.DOS_OREJAS),
        "vueltas": int(bool(lidia.vuelta)),
        "indultos": int(lidia.ending == Ending.SPARED.value),
        "avisos": lidia.avisos,
        "three_avisos": int(lidia.ending == Ending.THREE_AVISOS.value),
    }


def write(ledger: Ledger) -> None:
    """Move the records by a ledger; the caller holds the transaction and the claim."""
    _write_bulls(ledger)
    Injury.objects.bulk_create(ledger.injuries)
    Puesto.objects.bulk_update(ledger.hurt, ["injured_in"])
    _write_forms(ledger)
    _write_counters(ledger)
    Season.objects.filter(pk=ledger.season.pk).update(posted_version=F("posted_version") + 1)


def _write_bulls(ledger: Ledger) -> None:
    for state, keys in ledger.bulls.items():
        Bull.objects.filter(pk__in=keys).update(state=state)
    Bull.objects.filter(pk__in=ledger.left).update(cartel=None, place=None)


def _write_forms(ledger: Ledger) -> None:
    matadors = list(Matador.objects.filter(pk__in=ledger.letters).only("form"))
    for matador in matadors:
        for letter in ledger.letters[matador.pk]:
            matador.form = push(matador.form, letter)
    Matador.objects.bulk_update(matadors, ["form"])


def _write_counters(ledger: Ledger) -> None:
    rows = {
        (row.matador_id, row.category): row
        for row in Escalafon.objects.filter(season=ledger.season)
    }
    moved = [_moved(ledger.season, key, rows.get(key), by) for key, by in ledger.counters.items()]
    Escalafon.objects.bulk_create(
        moved,
        update_conflicts=True,
        unique_fields=["season", "matador", "category"],
        update_fields=COUNTERS,
    )


def _moved(season: Season, key: Key, row: Escalafon | None, by: Counter[str]) -> Escalafon:
    matador, category = key
    row = row or Escalafon(season=season, matador_id=matador, category=category)
    row.pk = None
    for name, count in by.items():
        setattr(row, name, getattr(row, name) + count)
    return row


def post(season: Season, played: Sequence[Played]) -> Ledger:
    """Post corridas already claimed in this transaction; returns what they brought."""
    ledger = Ledger(season)
    for corrida in played:
        ledger.enter(corrida)
    write(ledger)
    return ledger


@transaction.atomic
def post_now(corrida_id: int, *, at: dt.datetime) -> bool:
    """Post a corrida on air, whether or not it has been shown to the end; False if it is not.

    Counters, careers and injuries move in this one transaction, once.
    """
    claimed = Corrida.objects.filter(pk=corrida_id, state=Corrida.State.ON_AIR).update(
        state=Corrida.State.POSTED, posted_at=at
    )
    if not claimed:
        return False
    played = stored(Corrida.objects.filter(pk=corrida_id))[0]
    season = Season.objects.select_for_update().get(pk=played.corrida.season_id)
    if played.suspended:
        Corrida.objects.filter(pk=corrida_id).update(state=Corrida.State.SUSPENDED)
    post(season, [played])
    return True


def post_due(*, at: dt.datetime) -> list[int]:
    """Post every corrida whose broadcast has ended by `at`; returns which were."""
    due = Corrida.objects.on_air().filter(ends_at__lte=at).values_list("pk", flat=True)
    return [corrida for corrida in list(due) if post_now(corrida, at=at)]


def stored(corridas: Iterable[Corrida]) -> list[Played]:
    """Corridas as they were played, read back from their rows."""
    rows = Corrida.objects.filter(pk__in=[corrida.pk for corrida in corridas])
    found = rows.select_related("season", "plaza").prefetch_related(
        Prefetch("lidias", queryset=Lidia.objects.order_by("turn")),
        Prefetch("cartel__puestos", queryset=Puesto.objects.order_by("order")),
        "cartel__bulls",
    )
    return [_as_played(corrida) for corrida in found.order_by("date", "pk")]


def _as_played(corrida: Corrida) -> Played:
    lidias = list(corrida.lidias.all())
    broken = any(lidia.ending == Ending.BROKEN_OFF.value for lidia in lidias)
    suspended = broken or len(lidias) < len(corrida.cartel.bulls.all())
    puestos = list(corrida.cartel.puestos.all())
    return Played(corrida, puestos, list(corrida.cartel.bulls.all()), lidias, suspended)


def rebuild(season: Season, *, write_rows: bool) -> list[str]:
    """Derive a season's escalafón anew from its lidias; returns the rows that differ, in words.

    With `write_rows` they are put right, in one transaction.
    """
    with transaction.atomic():
        Season.objects.select_for_update().get(pk=season.pk)
        ledger = Ledger(season)
        for played in stored(Corrida.objects.filter(season=season).over()):
            ledger.enter(played)
        differing = _differences(season, ledger)
        if write_rows and differing:
            Escalafon.objects.filter(season=season).delete()
            _write_counters(ledger)
            Season.objects.filter(pk=season.pk).update(posted_version=F("posted_version") + 1)
    return differing


def _differences(season: Season, ledger: Ledger) -> list[str]:
    kept = {
        (row.matador_id, row.category): {name: getattr(row, name) for name in COUNTERS}
        for row in Escalafon.objects.filter(season=season)
    }
    derived = {
        key: {name: counted[name] for name in COUNTERS} for key, counted in ledger.counters.items()
    }
    nothing = dict.fromkeys(COUNTERS, 0)
    return [
        f"matador {key[0]}, category {key[1]}, {name}: kept {kept.get(key, nothing)[name]}, "
        f"derived {derived.get(key, nothing)[name]}"
        for key in sorted({*kept, *derived})
        for name in COUNTERS
        if kept.get(key, nothing)[name] != derived.get(key, nothing)[name]
    ]
