"""Updates the record book and the awards in the transaction that posts a corrida.

Only lines of the places concerned are read, by index, and only changed ones are written. Everything
follows from sums that do not depend on the order of posting within a season. A corrida posted after
its season was closed, or after a later one began, causes the whole book to be derived again.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from json import dumps
from operator import itemgetter
from typing import TYPE_CHECKING, Any, Final

from django.db.models import CharField, Exists, OuterRef, Q
from django.db.models.functions import Cast

from corridas.escalafon.queries.ranking import leader_of
from corridas.models import Award, Corrida, Feria, Matador, Palmares, Record, Season
from corridas.search.index import RECORD, index_new_records, index_records
from corridas.season.simulation.insertion import insert, upsert
from corridas.season.simulation.rows import played_corridas
from corridas.world.awards import SEASON_BULLS, Prize, new, prizes
from corridas.world.deeds import CIRCUIT, MATADOR, PLACES, PlayedCorrida, Where, shares
from corridas.world.records import (
    BY_KEY,
    CAREER,
    SEASON,
    YEAR,
    Best,
    Claim,
    Holding,
    Kind,
    Line,
    placed,
    rate,
    settled,
)
from search import index

if TYPE_CHECKING:
    from django.db.models import QuerySet

# Corridas that need not be read from their rows, by key
AtHand = Mapping[int, PlayedCorrida]


def is_closed(season: Season) -> bool:
    return Award.objects.filter(season=season, feria=None).exists()


def award_ferias(
    season: Season, ferias: Iterable[int], *, pending: Collection[str], at_hand: AtHand
) -> None:
    waits = Corrida.objects.filter(feria=OuterRef("pk"), state__in=pending)
    over = Feria.objects.filter(pk__in=list(ferias)).exclude(Exists(waits))
    keys = list(over.order_by("pk").values_list("pk", flat=True))
    if not keys:
        return
    held = Corrida.objects.filter(feria__in=keys)
    by_feria: dict[int | None, list[PlayedCorrida]] = defaultdict(list)
    feria_of = dict(held.values_list("pk", "feria_id"))
    for corrida in _played(held, at_hand):
        by_feria[feria_of[corrida.pk]].append(corrida)
    known = alternativas(season)
    Award.objects.filter(feria__in=keys).delete()
    _write(season, [(feria, _judged(season, by_feria[feria], known)) for feria in keys])


def award_season(season: Season, *, at_hand: AtHand) -> None:
    corridas = _played(Corrida.objects.filter(season=season), at_hand)
    Award.objects.filter(season=season, feria=None).delete()
    given = _judged(season, corridas, alternativas(season), least_bulls=SEASON_BULLS)
    _write(season, [(None, given)])


def _played(held: QuerySet[Corrida], at_hand: AtHand) -> list[PlayedCorrida]:
    keys = held.over().values_list("pk", flat=True)  # type: ignore[attr-defined]
    read = played_corridas(
        Corrida.objects.filter(pk__in=[key for key in keys if key not in at_hand])
    )
    return [*read, *(at_hand[key] for key in keys if key in at_hand)]


def _judged(
    season: Season,
    corridas: Sequence[PlayedCorrida],
    known: dict[int, dt.date | None],
    *,
    least_bulls: int = 1,
) -> list[Prize]:
    appeared = {matador for afternoon in corridas for matador in afternoon.matadors}
    fresh = new(season.year, known, sorted(appeared))
    return prizes(corridas, fresh, least_bulls=least_bulls)


def alternativas(season: Season) -> dict[int, dt.date | None]:
    rows = Matador.objects.filter(circuit=season.circuit_id)
    return dict(rows.values_list("pk", "alternativa"))


def _write(season: Season, given: Iterable[tuple[int | None, Sequence[Prize]]]) -> None:
    rows = [
        {
            "season_id": season.pk,
            "feria_id": feria,
            "key": prize.key,
            "score": prize.score,
            "detail": dumps(prize.detail()),
            "matador_id": prize.matador,
            "ganaderia_id": prize.herd,
            "bull_id": prize.bull,
            "corrida_id": prize.corrida,
            "turn": prize.turn,
        }
        for feria, prizes_of in given
        for prize in prizes_of
    ]
    insert(Award, rows)


SUMS: Final = ("corridas", "ears", "tails", "indultos", "avisos")
NOW: Final = tuple(f"now_{name}" for name in SUMS)
_OWNER: Final = ("circuit_id", "scope", "of", "matador_id")
_LINE: Final = ("circuit_id", "scope", "of", "key")
_CLAIM: Final = ("value", "set_on", "corrida_id", "turn", "matador_id", "ganaderia_id", "bull_id")
# States of corridas that hold up the awards of their feria and season
PENDING: Final = ("announced", "queued", "on_air", "at_table")

# Matador, seasons, and sums of the career and of the season
Summed = tuple[int, ...]


def keep(season: Season, played: Sequence[PlayedCorrida]) -> None:
    """Enter posted corridas of a season. The escalafón must have been updated before."""
    if not played:
        return
    if is_closed(season) or _is_past(season):
        write_anew(season.circuit_id)
        return
    enter(season, played)
    held = Corrida.objects.filter(pk__in=[corrida.pk for corrida in played])
    ferias = held.exclude(feria=None).values_list("feria_id", flat=True)
    close(season, set(ferias), played)


def enter(season: Season, corridas: Sequence[PlayedCorrida]) -> None:
    slugs = _slugs(season.circuit_id)
    best = Best()
    for corrida in corridas:
        best.enter(corrida, slugs)
    _add(season, corridas)
    places = {where for corrida in corridas for where in corrida.places}
    offer_sums(best, _present(season, places), slugs)
    settle(season, best)


def close(season: Season, ferias: Iterable[int], at_hand: Iterable[PlayedCorrida] = ()) -> None:
    """Give the awards of finished ferias. If the season is over, also its awards and rates.

    Corridas in `at_hand` are not read from their rows again.
    """
    known = {corrida.pk: corrida for corrida in at_hand}
    award_ferias(season, ferias, pending=PENDING, at_hand=known)
    if Corrida.objects.filter(season=season, state__in=PENDING).exists():
        return
    leader = leader_of(season)
    if leader is not None:
        _close_sums(season, leader)
        award_season(season, at_hand=known)


def _is_past(season: Season) -> bool:
    later = Season.objects.filter(circuit=season.circuit_id, year__gt=season.year)
    return Palmares.objects.filter(season__in=later).exists()


def _slugs(circuit: int) -> dict[int, str]:
    return dict(Matador.objects.filter(circuit=circuit).values_list("pk", "slug"))


_SUMMED: Final = (*_OWNER, "season_id", "seasons", "leads", *SUMS, *NOW)
_TABLE: Final = f'"{Palmares._meta.db_table}"'
_FIRST: Final = f"CASE WHEN {_TABLE}.season_id = excluded.season_id THEN 0 ELSE 1 END"
_ADDED: Final = ", ".join(
    [
        f"seasons = {_TABLE}.seasons + {_FIRST}",
        *(f"{name} = {_TABLE}.{name} + excluded.{name}" for name in SUMS),
        *(
            f"now_{name} = excluded.{name} + CASE WHEN {_TABLE}.season_id = excluded.season_id"
            f" THEN {_TABLE}.now_{name} ELSE 0 END"
            for name in SUMS
        ),
        "season_id = excluded.season_id",
    ]
)


def _add(season: Season, corridas: Iterable[PlayedCorrida]) -> None:
    sums: dict[tuple[str, str, int], list[int]] = defaultdict(lambda: [0] * len(SUMS))
    for corrida in corridas:
        places = corrida.places
        for matador, share in shares(corrida).items():
            counts = [share[name] for name in SUMS]
            for scope, of in places:
                total = sums[scope, of, matador]
                total[:] = [figure + more for figure, more in zip(total, counts, strict=True)]
    circuit, key = season.circuit_id, season.pk
    rows = [(circuit, *who, key, 1, 0, *counts, *counts) for who, counts in sums.items()]
    upsert(Palmares, _SUMMED, _OWNER, rows, _ADDED)


def offer_sums(
    best: Best, present: Mapping[Where, Sequence[Summed]], slugs: Mapping[int, str]
) -> None:
    for where, rows in present.items():
        for kind in _SUMMED_KINDS[where[0]]:
            claim = _claim(kind, rows)
            if claim is not None:
                best.offer((*where, kind.key), claim)
        if where[0] == CIRCUIT:
            _offer_own(best, rows, slugs)


_AT: Final = {name: place for place, name in enumerate(("matador_id", "seasons", *SUMS, *NOW))}
_SUMMED_KINDS: Final = {
    scope: [kind for kind in placed((scope, "")) if kind.over in {SEASON, YEAR, CAREER}]
    for scope in (*PLACES, MATADOR)
}


def _column(kind: Kind) -> int:
    return _AT[kind.of if kind.over == CAREER else f"now_{kind.of}"]


def _offer_own(best: Best, rows: Iterable[Summed], slugs: Mapping[int, str]) -> None:
    for kind in _SUMMED_KINDS[MATADOR]:
        column = _column(kind)
        for row in rows:
            if row[column] >= kind.least:
                claim = Claim(row[column], matador=row[0])
                best.offer((MATADOR, slugs[row[0]], kind.key), claim)


def _claim(kind: Kind, rows: Sequence[Summed]) -> Claim | None:
    column = _column(kind)
    if kind.over == YEAR:
        total = sum(row[column] for row in rows)
        return Claim(total) if total >= kind.least else None
    most = max(rows, key=itemgetter(column))  # of equal ones the first by key
    return Claim(most[column], matador=most[0]) if most[column] >= kind.least else None


def _present(season: Season, places: Iterable[Where]) -> dict[Where, list[Summed]]:
    rows = Palmares.objects.filter(_any(places), season=season).order_by("matador_id")
    sums: dict[Where, list[Summed]] = defaultdict(list)
    rows_read: Any = rows.values_list("scope", "of", *_AT)
    for row in rows_read:
        sums[row[:2]].append(row[2:])
    return sums


def _any(places: Iterable[Where]) -> Q:
    by_scope: dict[str, list[str]] = defaultdict(list)
    for scope, of in places:
        by_scope[scope].append(of)
    query = Q()
    for scope, names in by_scope.items():
        query |= Q(scope=scope, of__in=names)
    return query


def settle(season: Season, best: Best) -> None:
    claims = _moving(season, best)
    held = _current_lines(season.circuit_id, {line[:2] for line in claims})
    changed = []
    for line, claim in claims.items():
        before = held.get(line)
        after = settled(before, claim, season.pk)
        if after is not before and after != before:
            changed.append((season.circuit_id, *line, *after.claim, after.season, after.before))
    upsert(Record, (*_LINE, *_CLAIM, "season_id", "before"), _LINE, changed)
    # Of other places the search index has one row, and of the whole circuit one for each line.
    known = {line[:2] for line in held} - {(CIRCUIT, "")}
    new = [line for line in claims if line not in held and line[:2] not in known]
    if new:
        index_new_records(season, new)


def _moving(season: Season, best: Best) -> dict[Line, Claim]:
    """Return the claims that may change a line, reading only a value for each of the others."""
    rows = Record.objects.filter(
        _any({line[:2] for line in best.claims}), circuit=season.circuit_id
    ).values_list("scope", "of", "key", "value", "season_id")
    # Of equal claims the earlier season's wins. Within a season the earlier corrida's may.
    stands = {row[:3]: row[3] + (row[4] != season.pk) for row in rows}
    return {
        line: claim
        for line, claim in best.claims.items()
        if claim.value >= max(BY_KEY[line[2]].least, stands.get(line, 0))
    }


def _current_lines(circuit: int, places: Iterable[Where]) -> dict[tuple[str, str, str], Holding]:
    day = Cast("set_on", CharField())
    names = ("scope", "of", "key", "season_id", "before", "value", "day", *_CLAIM[2:])
    rows = Record.objects.filter(_any(places), circuit=circuit).annotate(day=day)
    return {
        (scope, of, key): Holding(Claim._make(claim), season, before)
        for scope, of, key, season, before, *claim in rows.values_list(*names)
    }


def _close_sums(season: Season, leader: int) -> None:
    own = Palmares.objects.filter(circuit=season.circuit_id, scope=CIRCUIT, matador=leader)
    for row in own:
        row.leads += 1
        row.save(update_fields=["leads"])
    best, slugs = Best(), _slugs(season.circuit_id)
    offer_rates(best, _present(season, [(CIRCUIT, "")])[CIRCUIT, ""], slugs)
    for row in own:
        best.offer((CIRCUIT, "", "career_leads"), Claim(row.leads, matador=leader))
    settle(season, best)


def offer_rates(best: Best, rows: Iterable[Summed], slugs: Mapping[int, str]) -> None:
    for row in rows:
        value = rate(row[_AT["now_ears"]], row[_AT["now_corridas"]])
        if value is not None:
            claim = Claim(value, matador=row[0])
            best.offer((CIRCUIT, "", "season_rate"), claim)
            best.offer((MATADOR, slugs[row[0]], "season_rate"), claim)


def write_anew(circuit: int) -> None:
    """Clear the book of a circuit and derive it from the lidias. The caller holds a transaction."""
    Record.objects.filter(circuit=circuit).delete()
    index.remove_scope(circuit, RECORD)
    Palmares.objects.filter(circuit=circuit).delete()
    Award.objects.filter(season__circuit=circuit).delete()
    for season in Season.objects.filter(circuit=circuit).order_by("year"):
        corridas = played_corridas(Corrida.objects.over().filter(season=season))
        if corridas:
            enter(season, corridas)
            begun = Corrida.objects.over().filter(season=season, feria__isnull=False)
            ferias = Feria.objects.filter(pk__in=begun.values("feria"))
            close(season, list(ferias.values_list("pk", flat=True)), corridas)
    index_records(circuit)  # ferias by their latest name
