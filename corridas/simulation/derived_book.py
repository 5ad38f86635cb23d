"""Recalculates the record book from results: for an earlier day, or to check the stored one.

The database only contains the current records. Earlier states are calculated from the corridas up
to a day, with the same rules as in `record_book`.
"""

from __future__ import annotations

import datetime as dt
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from typing import Any

from django.db import transaction
from django.db.models import F, Model, Q, prefetch_related_objects

from corridas.models import Award, Circuit, Corrida, Matador, Palmares, Record, RecordBook, Season
from corridas.simulation.record_book import (
    PENDING,
    SUMS,
    Summed,
    offer_rates,
    offer_sums,
    rebuild_record_book,
)
from corridas.simulation.rows import played_corridas
from corridas.world.deeds import CIRCUIT, PlayedCorrida, Where, shares
from corridas.world.ranking import rank_key
from corridas.world.records import BY_KEY, BestClaims, Claim, Holding, Line, holding_after

ALL = Q()
_WHOLE = (CIRCUIT, "")
_RELATED = ("matador", "ganaderia", "bull", "corrida__plaza", "season")


@dataclass(kw_only=True)
class Book:
    circuit: int
    slugs: dict[int, str]
    names: dict[int, str]
    lines: dict[Line, Holding] = field(default_factory=dict)
    careers: dict[Where, dict[int, Counter[str]]] = field(
        default_factory=lambda: defaultdict(lambda: defaultdict(Counter))
    )
    # Ears and corridas of each matador in each finished season, by season and matador.
    rates: dict[tuple[int, int | None], tuple[int, int]] = field(default_factory=dict)

    def records(self, scope: str = CIRCUIT, of: str = "") -> list[Record]:
        """Return the records of one place with all related objects that a page shows.

        Six queries at most.
        """
        records = [
            self._record(line, held) for line, held in self.lines.items() if line[:2] == (scope, of)
        ]
        prefetch_related_objects(records, *_RELATED)
        return records

    def places(self, scope: str) -> set[str]:
        return {line[1] for line in self.lines if line[0] == scope}

    def add(self, season: int, corridas: Iterable[PlayedCorrida], *, over: bool) -> None:
        best = BestClaims()
        now: dict[Where, dict[int, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
        for corrida in corridas:
            best.enter(corrida, self.slugs)
            for where in corrida.places:
                for matador, share in shares(corrida).items():
                    now[where][matador].update({name: share[name] for name in SUMS})
        for where, sums in now.items():
            for matador, counts in sums.items():
                self.careers[where][matador].update(counts)
                self.careers[where][matador]["seasons"] += 1
        offer_sums(best, {where: self._summed(where, now[where]) for where in now}, self.slugs)
        self._settle(season, best)
        if over and now[_WHOLE]:
            self._close(season, now[_WHOLE])

    def _summed(self, where: Where, now: dict[int, Counter[str]]) -> list[Summed]:
        careers = self.careers[where]
        return [
            (
                pk,
                careers[pk]["seasons"],
                *(careers[pk][n] for n in SUMS),
                *(now[pk][n] for n in SUMS),
            )
            for pk in sorted(now)
        ]

    def _close(self, season: int, now: dict[int, Counter[str]]) -> None:
        best = BestClaims()
        offer_rates(best, self._summed(_WHOLE, now), self.slugs)
        leader = min(now, key=lambda pk: rank_key(now[pk], self.names[pk], self.slugs[pk]))
        own = self.careers[_WHOLE][leader]
        own["leads"] += 1
        best.offer((*_WHOLE, "career_leads"), Claim(own["leads"], matador=leader))
        self.rates |= {(season, pk): (sums["ears"], sums["corridas"]) for pk, sums in now.items()}
        self._settle(season, best)

    def _settle(self, season: int, best: BestClaims) -> None:
        for line, claim in best.claims.items():
            if claim.value >= BY_KEY[line[2]].least:
                self.lines[line] = holding_after(self.lines.get(line), claim, season)

    def _record(self, line: Line, held: Holding) -> Record:
        claim = held.claim
        row: Any = Record(
            book=RecordBook(circuit_id=self.circuit, scope=line[0], of=line[1]), key=line[2],
            value=claim.value, before=held.before, season_id=held.season,
            corrida_id=claim.corrida, turn=claim.turn, matador_id=claim.matador,
            ganaderia_id=claim.herd, bull_id=claim.bull,
        )  # fmt: skip
        if BY_KEY[line[2]].of == "rate":
            row.rate_ears, row.rate_corridas = self.rates[held.season, claim.matador]
        record: Record = row
        return record


def book_until(circuit: int, until: dt.date, among: Q = ALL) -> Book:
    """Return the record book of a circuit as it was at the end of a day.

    The number of queries does not depend on the number of seasons. If `among` selects only the
    corridas of one plaza, feria, herd or matador, only the records of that place are correct.
    """
    men = list(Matador.objects.filter(circuit=circuit).values_list("pk", "slug", "name"))
    book = Book(
        circuit=circuit,
        slugs={pk: slug for pk, slug, _name in men},
        names={pk: name for pk, _slug, name in men},
    )
    seasons = Season.objects.filter(circuit=circuit, year__lte=until.year).order_by("year")
    open_still = Corrida.objects.filter(Q(state__in=PENDING) | Q(date__gt=until))
    waits = set(open_still.filter(season__in=seasons.values("pk")).values_list("season", flat=True))
    read = Corrida.objects.filter(among, season__in=seasons.values("pk"), date__lte=until)
    season_of = dict(read.over().values_list("pk", "season"))
    afternoons_by_season: dict[int, list[PlayedCorrida]] = defaultdict(list)
    for corrida in played_corridas(read.over()):
        afternoons_by_season[season_of[corrida.pk]].append(corrida)
    for season in seasons.values_list("pk", flat=True):
        book.add(season, afternoons_by_season[season], over=season not in waits)
    return book


# Values of database rows by the columns that identify them.
StoredRows = dict[tuple[object, ...], dict[str, object]]
# Models of the record book, the lookup from each to its circuit, and the columns that identify a
# row.
_BOOK: tuple[tuple[type[Model], str, tuple[str, ...]], ...] = (
    (RecordBook, "circuit", ("scope", "of")),
    (Record, "book__circuit", ("book__scope", "book__of", "key")),
    (Palmares, "book__circuit", ("book__scope", "book__of", "matador_id")),
    (Award, "season__circuit", ("season_id", "feria_id", "key")),
)
# Columns that are not compared, because recalculated rows get new primary keys.
_GIVEN = frozenset({"id", "book_id"})


def rebuild_book(circuit: Circuit, *, write_rows: bool) -> list[str]:
    """Recalculate a circuit's records, totals and awards. Return the differences as text.

    With `write_rows` the stored rows are corrected, in one transaction. Memory use is limited to
    one season and the record book.
    """
    differing: list[str] = []
    with transaction.atomic():
        Circuit.objects.select_for_update().get(pk=circuit.pk)
        before = [_stored_rows(*table, circuit.pk) for table in _BOOK]
        rebuild_record_book(circuit.pk)
        after = [_stored_rows(*table, circuit.pk) for table in _BOOK]
        for (model, *_), stored, derived in zip(_BOOK, before, after, strict=True):
            differing += _differences(model, stored, derived)
        if write_rows and differing:
            circuit.seasons.update(posted_version=F("posted_version") + 1)
        else:
            transaction.set_rollback(True)
    return differing


def _stored_rows(model: type[Model], path: str, key: tuple[str, ...], circuit: int) -> StoredRows:
    names = [field.attname for field in model._meta.concrete_fields]
    others = [name for name in names if name not in _GIVEN and name not in key]
    rows = model._default_manager.filter(**{path: circuit}).values(*key, *others)
    return {
        tuple(row[name] for name in key): {name: row[name] for name in others}
        for row in rows.iterator()
    }


def _differences(model: type[Model], before: StoredRows, after: StoredRows) -> Iterator[str]:
    for key in sorted({*before, *after}, key=repr):
        stored, derived = before.get(key, {}), after.get(key, {})
        for name in sorted({*stored, *derived}):
            if stored.get(name) != derived.get(name):
                what = " ".join(str(part) for part in key if part not in ("", None))
                yield (
                    f"{model._meta.model_name} {what}, {name}: "
                    f"stored {stored.get(name)}, calculated {derived.get(name)}"
                )
