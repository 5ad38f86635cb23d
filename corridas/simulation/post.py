"""Posts results exactly once: updates ranking, careers, injuries, bulls and the record book."""

from __future__ import annotations

import datetime as dt
import logging
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import reduce
from itertools import groupby
from operator import itemgetter
from typing import NamedTuple

from django.db import connection, transaction
from django.db.models import F

from core.disk import is_full
from corridas import sql
from corridas.bulk import bulk_update, bulk_upsert
from corridas.engine import Ending, counts_of
from corridas.models import Bull, Corrida, Escalafon, Injury, Matador, Puesto, Record, Run, Season
from corridas.models.escalafon import COUNTERS
from corridas.simulation import record_book
from corridas.simulation.emit import RecordData, book_of, emit_posted
from corridas.simulation.houses import HouseRow, house_rows, write_houses
from corridas.simulation.rows import played_corridas
from corridas.world.deeds import CIRCUIT, PlayedCorrida, PlayedLidia
from corridas.world.deeds import count as count_bulls
from corridas.world.form import outcome, push
from corridas.world.injuries import examine
from fairness import Seed

# The state of a bull after each ending of its fight.
STATE_AFTER = {
    Ending.KILLED.value: Bull.State.MUERTO,
    Ending.SPARED.value: Bull.State.SEMENTAL,
    Ending.THREE_AVISOS.value: Bull.State.CORRALES,
    Ending.BROKEN_OFF.value: Bull.State.CORRALES,
}
Key = tuple[int, int]


class EveningNews(NamedTuple):
    """Effects of a corrida on later contracts: injuries, and by matador the new letters of his
    form.

    Form is one letter for the result of each of his last ten bulls.
    """

    injuries: Sequence[Injury]
    letters: Mapping[int, str]


@dataclass
class Ledger:
    """Effects of several corridas, collected before they are written to the database.

    `counters` are by matador and plaza category, `letters` are new letters of form by matador, and
    `bulls` are keys by new state (bulls that did not fight are missing). `corridas` are the
    collected corridas, and `houses` their houses. `earlier` are corridas of the season that were
    posted before; they save queries when awards are calculated.
    """

    season: Season
    counters: dict[Key, Counter[str]] = field(default_factory=lambda: defaultdict(Counter))
    letters: dict[int, str] = field(default_factory=lambda: defaultdict(str))
    bulls: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    injuries: list[Injury] = field(default_factory=list)
    corridas: list[PlayedCorrida] = field(default_factory=list)
    houses: list[HouseRow] = field(default_factory=list)
    earlier: Sequence[PlayedCorrida] = ()

    def enter(self, played: PlayedCorrida) -> EveningNews:
        """Add the effects of one corrida. Return those that affect contracts at once."""
        self.corridas.append(played)
        category, hurt_before = played.category, len(self.injuries)
        letters: dict[int, str] = defaultdict(str)
        for matador in played.matadors:
            self.counters[matador, category]["corridas"] += 1
        for lidia in played.lidias:
            self.bulls[STATE_AFTER[lidia.ending]].append(lidia.bull_id)
            if lidia.finisher_id is not None:
                letters[lidia.finisher_id] += self._credit(lidia.finisher_id, lidia, category)
            if lidia.injured:
                for injury in injuries_of(self.season, played, lidia):
                    self.counters[injury.matador_id, category]["injuries"] += 1
                    self.injuries.append(injury)
        for matador, added in letters.items():
            self.letters[matador] += added
        return EveningNews(self.injuries[hurt_before:], letters)

    def _credit(self, finisher: int, lidia: PlayedLidia, category: int) -> str:
        counter = self.counters[finisher, category]
        for name, count in counts_of(lidia).items():
            if count:
                counter[name] += count
        return outcome(lidia.ending, lidia.trophy, lidia.crowd)


def injuries_of(season: Season, played: PlayedCorrida, lidia: PlayedLidia) -> Iterator[Injury]:
    """Yield the injuries that a bull caused, each with the surgeon's report.

    How long a matador rests depends on the season's seed, not on a card.
    """
    seed = Seed(bytes(season.seed))
    for order, matador in enumerate(played.matadors):
        if lidia.injured >> order & 1:
            wound = examine(seed.chance(f"injury/{played.date}/{played.plaza}/{order}"))
            yield Injury(
                matador_id=matador,
                corrida_id=played.pk,
                turn=lidia.turn,
                grade=wound.grade.value,
                since=played.date,
                until=wound.last_day(played.date),
            )


def write(ledger: Ledger, *, at: dt.datetime) -> dict[str, RecordData]:
    """Write a ledger's effects. Return the circuit records that were broken, by kind.

    The caller has opened a transaction and claimed the corridas.
    """
    before = book_of(ledger.season)
    for state, keys in ledger.bulls.items():
        sql.set_bull_states(keys, state)
    hurt = [(injury.turn, injury.corrida_id, injury.matador_id) for injury in ledger.injuries]
    bulk_update(Puesto, ["injured_in"], hurt, keys=["cartel_id", "matador_id"])
    Injury.objects.bulk_create(ledger.injuries)
    forms = Matador.objects.filter(pk__in=list(ledger.letters)).values_list("pk", "form")
    rows = [(reduce(push, ledger.letters[matador], form), matador) for matador, form in forms]
    bulk_update(Matador, ["form"], rows)
    _write_counters(ledger)
    _write_sums(ledger)
    write_houses(ledger.houses)
    record_book.record_corridas(ledger.season, ledger.corridas, ledger.earlier)
    Season.objects.filter(pk=ledger.season.pk).update(posted_version=F("posted_version") + 1)
    return emit_posted(ledger.season, ledger.corridas, before, at=at)


_KEYS = ("season_id", "matador_id", "category")
_COUNTED = ", ".join(
    f'{name} = "{Escalafon._meta.db_table}".{name} + excluded.{name}' for name in COUNTERS
)


def _write_counters(ledger: Ledger) -> None:
    season = ledger.season.pk
    rows = [
        (season, *key, *(counted[name] for name in COUNTERS))
        for key, counted in ledger.counters.items()
    ]
    bulk_upsert(Escalafon, (*_KEYS, *COUNTERS), _KEYS, rows, _COUNTED)


def _write_sums(ledger: Ledger) -> None:
    rows = []
    for played in ledger.corridas:
        counted = count_bulls(played.lidias)
        hurt = sum(lidia.injured.bit_count() for lidia in played.lidias)
        sums = (counted["ears"], counted["tails"], counted["indultos"], hurt)
        rows.append((*sums, played.pk))
    bulk_update(Corrida, ["ears", "tails", "indultos", "hurt"], rows)


def note_records(run: Run, fallen: Mapping[str, RecordData]) -> None:
    """Add broken records to a run, because the record book only contains the current ones.

    If a record is broken several times in a run, one entry with the first and the last value is
    stored.
    """
    if not fallen:
        return
    lines = {line["key"]: line for line in run.fallen or []}
    rows = Record.objects.filter(
        book__circuit=run.season.circuit_id, book__scope=CIRCUIT, key__in=list(fallen)
    )
    for row in rows.values("key", "value", "matador_id", "corrida_id", "turn"):
        key = row["key"]
        before = lines[key]["before"] if key in lines else fallen[key]["before"]
        lines[key] = {**row, "before": before}
    run.fallen = list(lines.values())
    Run.objects.filter(pk=run.pk).update(fallen=run.fallen)


def post(
    season: Season,
    played: Sequence[PlayedCorrida],
    *,
    at: dt.datetime,
    run: Run | None = None,
) -> None:
    """Post corridas that were claimed in this transaction, and add broken records to their run."""
    ledger = entered(season, played)
    ledger.houses = house_rows(season, played)
    fallen = write(ledger, at=at)
    if run is not None:
        note_records(run, fallen)


def entered(season: Season, played: Iterable[PlayedCorrida]) -> Ledger:
    ledger = Ledger(season)
    for corrida in played:
        ledger.enter(corrida)
    return ledger


def rebuild(season: Season, *, write_rows: bool) -> list[str]:
    """Recalculate a season's ranking (escalafón) from its results. Return the differences as text.

    With `write_rows` the stored rows are corrected, in one transaction.
    """
    with transaction.atomic():
        Season.objects.select_for_update().get(pk=season.pk)
        ledger = entered(season, played_corridas(Corrida.objects.over().filter(season=season)))
        differing = _differences(season, ledger)
        if write_rows and differing:
            Escalafon.objects.filter(season=season).delete()
            _write_counters(ledger)
            _write_sums(ledger)
            Season.objects.filter(pk=season.pk).update(posted_version=F("posted_version") + 1)
    return differing


def _differences(season: Season, ledger: Ledger) -> list[str]:
    stored = {
        (row.matador_id, row.category): {name: getattr(row, name) for name in COUNTERS}
        for row in Escalafon.objects.filter(season=season)
    }
    derived = {
        key: {name: counted[name] for name in COUNTERS} for key, counted in ledger.counters.items()
    }
    nothing = dict.fromkeys(COUNTERS, 0)
    return [
        f"matador {key[0]}, category {key[1]}, {name}: stored {stored.get(key, nothing)[name]}, "
        f"calculated {derived.get(key, nothing)[name]}"
        for key in sorted({*stored, *derived})
        for name in COUNTERS
        if stored.get(key, nothing)[name] != derived.get(key, nothing)[name]
    ]


log = logging.getLogger(__name__)

# Maximum number of corridas posted in one transaction. Other processes that write to the season
# wait for it.
BATCH_SIZE = 50


def post_now(corrida_id: int, *, at: dt.datetime, run: Run | None = None) -> bool:
    """Post a corrida that is being broadcast, even before the broadcast ends.

    Returns False if the corrida is not being broadcast. All results are updated in one transaction.
    If `run` is given, the corrida and the records it breaks belong to that run.
    """
    return bool(_post_together([corrida_id], at=at, waiting=True, run=run))


def post_due(*, at: dt.datetime) -> list[int]:
    """Post every corrida whose broadcast has ended by the time `at`. Return their keys.

    Corridas of a season are posted together, without those that another worker is posting. If a
    corrida cannot be posted, the error is logged and the others continue.
    """
    due = Corrida.objects.on_air().filter(ends_at__lte=at).order_by("season_id", "date", "pk")
    posted: list[int] = []
    for _, rows_due in groupby(due.values_list("season_id", "pk"), key=itemgetter(0)):
        keys = [key for _, key in rows_due]
        for start in range(0, len(keys), BATCH_SIZE):
            posted += _posted(keys[start : start + BATCH_SIZE], at)
    return posted


def _posted(keys: Sequence[int], at: dt.datetime) -> list[int]:
    try:
        return _post_together(keys, at=at, waiting=False)
    except Exception as error:
        if is_full(error) or not connection.is_usable():
            raise  # the database can't write, so the corridas are not to blame
        if len(keys) == 1:
            log.exception("Corrida %s cannot be posted", keys[0])
            return []
    return [key for pk in keys for key in _posted([pk], at)]


@transaction.atomic
def _post_together(
    keys: Sequence[int], *, at: dt.datetime, waiting: bool, run: Run | None = None
) -> list[int]:
    """Post those of these corridas of one season that are being broadcast. Return their keys.

    With `waiting`, corridas locked by another worker are waited for. Otherwise they are skipped.
    """
    sql.lock_circuit_of(keys[0])
    held = Corrida.objects.on_air().filter(pk__in=keys).select_for_update(skip_locked=not waiting)
    claimed = list(held.values_list("pk", flat=True))
    if not claimed:
        return []
    rows = Corrida.objects.filter(pk__in=claimed)
    rows.update(state=Corrida.State.POSTED, posted_at=at, run=run)
    played = played_corridas(rows)
    season = Season.objects.select_for_update().get(pk__in=rows.values("season"))
    broken = [corrida.pk for corrida in played if corrida.suspended]
    if broken:
        Corrida.objects.filter(pk__in=broken).update(state=Corrida.State.SUSPENDED)
    post(season, played, at=at, run=run)
    return claimed
