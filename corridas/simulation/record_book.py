"""Updates the record book and the awards when a corrida is posted.

Only the affected rows are read and written. Results do not depend on the order of posting within a
season. If a corrida is posted after the end of its season or after a later season has begun, the
whole record book is recalculated.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from json import JSONEncoder
from operator import itemgetter
from typing import Any, Final, NamedTuple

from django.db.models import F, Sum

from corridas import sql
from corridas.bulk import bulk_insert, bulk_upsert
from corridas.models import (
    Award,
    Corrida,
    Escalafon,
    Feria,
    Matador,
    Palmares,
    Record,
    RecordBook,
    Season,
)
from corridas.search_index import RECORD, index_new_records, index_records
from corridas.simulation.rows import played_corridas
from corridas.world.awards import SEASON_BULLS, VERSION, Prize, new, prizes
from corridas.world.deeds import CIRCUIT, MATADOR, PLACES, PlayedCorrida, Where, shares
from corridas.world.ranking import COLUMNS, rank_key
from corridas.world.records import (
    BY_KEY,
    CAREER,
    KINDS,
    SEASON,
    YEAR,
    BestClaims,
    Claim,
    Kind,
    kinds_of_place,
    rate,
)
from search import index

# Corridas by key that are already loaded.
AtHand = Mapping[int, PlayedCorrida]
# Versions of the rules by which a season's awards were given before, by feria. The key None is for
# the awards of the season itself.
Versions = Mapping[int | None, int]
NONE_GIVEN: Final[Versions] = {}


def award_ferias(
    season: Season,
    ferias: Iterable[int],
    *,
    pending: Collection[str],
    at_hand: AtHand,
    versions: Versions = NONE_GIVEN,
) -> None:
    corridas_by_feria: dict[int, list[int]] = {feria: [] for feria in sorted(ferias)}
    for feria, corrida, state in sql.corridas_of_ferias(corridas_by_feria):
        if state in pending:
            corridas_by_feria.pop(feria, None)
        elif state in Corrida.OVER and feria in corridas_by_feria:
            corridas_by_feria[feria].append(corrida)
    if not corridas_by_feria:
        return
    known = alternativas(season)
    played = _played([key for keys in corridas_by_feria.values() for key in keys], at_hand)
    versions = {**versions, **sql.delete_awards(corridas_by_feria)}
    given = []
    for feria, keys in corridas_by_feria.items():
        version = versions.get(feria, VERSION)
        prizes_of = _judged(season, [played[key] for key in keys], known, version)
        given.append((feria, version, prizes_of))
    _write(season, given)


def award_season(season: Season, *, at_hand: AtHand, versions: Versions = NONE_GIVEN) -> None:
    over = Corrida.objects.over().filter(season=season).order_by().values_list("pk", flat=True)
    corridas = [*_played(over, at_hand).values()]
    version = {**versions, **sql.delete_season_awards(season.pk)}.get(None, VERSION)
    given = _judged(season, corridas, alternativas(season), version, least_bulls=SEASON_BULLS)
    _write(season, [(None, version, given)])


def _played(corridas: Iterable[int], at_hand: AtHand) -> dict[int, PlayedCorrida]:
    played = {key: at_hand.get(key) for key in corridas}
    missing = [key for key, corrida in played.items() if corrida is None]
    read = played_corridas(Corrida.objects.filter(pk__in=missing)) if missing else []
    known = {corrida.pk: corrida for corrida in read}
    return {key: corrida or known[key] for key, corrida in played.items()}


def _judged(
    season: Season,
    corridas: Sequence[PlayedCorrida],
    known: dict[int, dt.date | None],
    version: int,
    *,
    least_bulls: int = 1,
) -> list[Prize]:
    appeared = {matador for afternoon in corridas for matador in afternoon.matadors}
    fresh = new(season.year, known, sorted(appeared), version=version)
    return prizes(corridas, fresh, least_bulls=least_bulls)


def alternativas(season: Season) -> dict[int, dt.date | None]:
    rows = Matador.objects.filter(circuit=season.circuit_id)
    return dict(rows.values_list("pk", "alternativa"))


_encode: Final = JSONEncoder(separators=(",", ":")).encode


def _write(season: Season, given: Iterable[tuple[int | None, int, Sequence[Prize]]]) -> None:
    rows = [
        {
            "season_id": season.pk,
            "feria_id": feria,
            "key": prize.key,
            "score": prize.score,
            "detail": _encode(prize.detail()),
            "matador_id": prize.matador,
            "ganaderia_id": prize.herd,
            "bull_id": prize.bull,
            "corrida_id": prize.corrida,
            "turn": prize.turn,
            "version": version,
        }
        for feria, version, prizes_of in given
        for prize in prizes_of
    ]
    bulk_insert(Award, rows)


SUMS: Final = ("corridas", "ears", "tails", "indultos", "avisos")
NOW: Final = tuple(f"now_{name}" for name in SUMS)
# States in which a corrida delays the awards of its feria and its season.
PENDING: Final = ("announced", "queued", "on_air", "at_table")

# A row of totals: matador, number of seasons, totals of the career, and totals of the season.
Summed = tuple[int, ...]


def record_corridas(
    season: Season, played: Sequence[PlayedCorrida], earlier: Sequence[PlayedCorrida] = ()
) -> None:
    """Add posted corridas of a season to the record book. The ranking must be up to date.

    `earlier` are corridas that were posted before and are already loaded.
    """
    if not played:
        return
    circuit = season.circuit_id
    if sql.is_closed(season.pk) or sql.is_followed(circuit, season.year):
        rebuild_record_book(circuit)
        return
    enter(season, played)
    close_season(season, sql.ferias_of([corrida.pk for corrida in played]), (*earlier, *played))


def enter(season: Season, corridas: Sequence[PlayedCorrida]) -> None:
    slugs = dict(sql.matador_slugs(season.circuit_id))
    best = BestClaims()
    for corrida in corridas:
        best.enter(corrida, slugs)
    sums = _sums(corridas)
    books = _open_books(season, sums, slugs)
    keys = {where: book.key for where, book in books.items()}
    # Matadors who did not appear are left out, because their totals have not changed.
    _offer_highest(best, _add(season, sums, keys), slugs)
    _offer_years(best, {where: books[where].year for where in sums})
    write_broken_records(season, best, keys)


def close_season(
    season: Season,
    ferias: Iterable[int],
    at_hand: Iterable[PlayedCorrida] = (),
    versions: Versions = NONE_GIVEN,
) -> None:
    """Give the awards of finished ferias, and those of the season if it is over.

    Rates such as ears per corrida are evaluated with the season's awards. Corridas in `at_hand` are
    already loaded. `versions` are the rule versions of awards that have been deleted before this
    call.
    """
    known = {corrida.pk: corrida for corrida in at_hand}
    award_ferias(season, ferias, pending=PENDING, at_hand=known, versions=versions)
    if sql.is_pending(season.pk, PENDING):
        return
    leader = leader_of(season)
    if leader is not None:
        _close_sums(season, leader)
        award_season(season, at_hand=known, versions=versions)


# Totals by place and matador, in the order of `SUMS`.
PlaceSums = Mapping[Where, Mapping[int, Sequence[int]]]


def _sums(corridas: Iterable[PlayedCorrida]) -> PlaceSums:
    counts: dict[Where, dict[int, list[Sequence[int]]]] = defaultdict(lambda: defaultdict(list))
    for corrida in corridas:
        places = corrida.places
        for matador, share in shares(corrida).items():
            own = [share[name] for name in SUMS]
            for where in places:
                counts[where][matador].append(own)
    return {
        where: {
            matador: [sum(column) for column in zip(*rows, strict=True)]
            for matador, rows in by_matador.items()
        }
        for where, by_matador in counts.items()
    }


class _Book(NamedTuple):
    """The primary key of a place's record book, and the place's totals this season (see
    `_YEAR`).
    """

    key: int
    year: tuple[int, ...]


_YEAR: Final = ("ears", "tails", "indultos")
_NOW_OF_ALL: Final = tuple(f"now_{name}" for name in _YEAR)
_PLACE: Final = ("circuit_id", "scope", "of")
_BOOK: Final = f'"{RecordBook._meta.db_table}"'
_YEAR_ADDED: Final = ", ".join(
    [
        *(
            f"{name} = excluded.{name} + CASE WHEN {_BOOK}.season_id = excluded.season_id"
            f" THEN {_BOOK}.{name} ELSE 0 END"
            for name in _NOW_OF_ALL
        ),
        "season_id = excluded.season_id",
    ]
)


def _open_books(season: Season, sums: PlaceSums, slugs: Mapping[int, str]) -> dict[Where, _Book]:
    """Create or update the record books of these places and matadors, and return them.

    The totals of the corridas are added to the totals of each place.
    """
    circuit, key = season.circuit_id, season.pk
    matadors = sorted({matador for by_matador in sums.values() for matador in by_matador})
    columns = [SUMS.index(name) for name in _YEAR]
    rows: list[tuple[object, ...]] = [
        (circuit, *where, key, *(sum(row[at] for row in by_matador.values()) for at in columns))
        for where, by_matador in sums.items()
    ]
    rows += [(circuit, MATADOR, slugs[matador], None, 0, 0, 0) for matador in matadors]
    columns_of_book = (*_PLACE, "season_id", *_NOW_OF_ALL)
    returned = ("scope", "of", "id", *_NOW_OF_ALL)
    books = bulk_upsert(RecordBook, columns_of_book, _PLACE, rows, _YEAR_ADDED, returned)
    return {(scope, of): _Book(pk, tuple(year)) for scope, of, pk, *year in books}


_OWNER: Final = ("book_id", "matador_id")
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
# The columns of a `Summed` row.
_LINE: Final = ("matador_id", "seasons", *SUMS, *NOW)


def _add(season: Season, sums: PlaceSums, books: Mapping[Where, int]) -> dict[Where, list[Summed]]:
    """Add totals to those of each matador in each place. Return the new totals."""
    rows = [
        (books[where], matador, season.pk, 1, 0, *counts, *counts)
        for where, by_matador in sums.items()
        for matador, counts in by_matador.items()
    ]
    summed: dict[int, list[Summed]] = defaultdict(list)
    for book, *line in bulk_upsert(Palmares, _SUMMED, _OWNER, rows, _ADDED, ("book_id", *_LINE)):
        summed[book].append(tuple(line))
    return {where: sorted(summed[books[where]]) for where in sums}


def offer_sums(
    best: BestClaims, present: Mapping[Where, Sequence[Summed]], slugs: Mapping[int, str]
) -> None:
    """Offer the totals of matadors who appeared in a season as possible records of each place."""
    _offer_highest(best, present, slugs)
    columns = [_AT[name] for name in _NOW_OF_ALL]
    years = {
        where: [sum(row[at] for row in rows) for at in columns] for where, rows in present.items()
    }
    _offer_years(best, years)


def _offer_highest(
    best: BestClaims, present: Mapping[Where, Sequence[Summed]], slugs: Mapping[int, str]
) -> None:
    for where, rows in present.items():
        for kind in _SUMMED_KINDS[where[0]]:
            claim = _claim(kind, rows)
            if claim is not None:
                best.offer((*where, kind.key), claim)
        if where[0] == CIRCUIT:
            _offer_own(best, rows, slugs)


def _offer_years(best: BestClaims, years: Mapping[Where, Sequence[int]]) -> None:
    """Offer the totals of all matadors together in a season as possible records, by place."""
    for where, year in years.items():
        for kind, total in zip(_YEAR_KINDS, year, strict=True):
            if total >= kind.least:
                best.offer((*where, kind.key), Claim(total))


_AT: Final = {name: place for place, name in enumerate(_LINE)}
_SUMMED_KINDS: Final = {
    scope: [kind for kind in kinds_of_place((scope, "")) if kind.over in {SEASON, CAREER}]
    for scope in (*PLACES, MATADOR)
}
_YEAR_KINDS: Final = [kind for of in _YEAR for kind in KINDS if (kind.over, kind.of) == (YEAR, of)]


def _column(kind: Kind) -> int:
    return _AT[kind.of if kind.over == CAREER else f"now_{kind.of}"]


def _offer_own(best: BestClaims, rows: Iterable[Summed], slugs: Mapping[int, str]) -> None:
    for kind in _SUMMED_KINDS[MATADOR]:
        column = _column(kind)
        for row in rows:
            if row[column] >= kind.least:
                claim = Claim(row[column], matador=row[0])
                best.offer((MATADOR, slugs[row[0]], kind.key), claim)


def _claim(kind: Kind, rows: Sequence[Summed]) -> Claim | None:
    column = _column(kind)
    most = max(rows, key=itemgetter(column))  # the first row if equal
    return Claim(most[column], matador=most[0]) if most[column] >= kind.least else None


_ONCE: Final = ("book_id", "key")
_HOLDER: Final = ("value", "corrida_id", "turn", "matador_id", "ganaderia_id", "bull_id")
_RECORD: Final = f'"{Record._meta.db_table}"'


# `world.records.holding_after` as SQL.
_SETTLED: Final = (
    f'"before" = CASE WHEN {_RECORD}.season_id = excluded.season_id'
    f' THEN {_RECORD}."before" ELSE {_RECORD}."value" END, season_id = excluded.season_id, '
    + ", ".join(f'"{name}" = excluded."{name}"' for name in _HOLDER)
    + f' WHERE excluded."value" > {_RECORD}."value" OR (excluded."value" = {_RECORD}."value"'
    f" AND excluded.season_id = {_RECORD}.season_id"
    f" AND {sql.claim_order('excluded')} < {sql.claim_order(_RECORD)})"
)


def write_broken_records(season: Season, best: BestClaims, books: Mapping[Where, int]) -> None:
    """Write the records that these claims break.

    `books` are the primary keys of the record books.
    """
    claims = {
        (books[line[:2]], BY_KEY[line[2]].number): (line, claim)
        for line, claim in best.claims.items()
    }
    standing = sql.record_values({book for book, _number in claims})
    rows = []
    for at, (line, claim) in claims.items():
        value, _day, *holder = claim
        # Skip claims below the current record, about half of them. The SQL decides between equal
        # values.
        if value >= standing.get(at, BY_KEY[line[2]].least):
            rows.append((*at, season.pk, value, *holder))
    if not rows:
        return
    whole, in_use = books[_WHOLE], {book for book, _number in standing}
    written = bulk_upsert(
        Record, (*_ONCE, "season_id", *_HOLDER), _ONCE, rows, _SETTLED, (*_ONCE, "id")
    )
    # The search index has one entry for each record of the whole circuit, but only one entry for
    # the book of each other place.
    new = [
        (*claims[book, number][0], pk)
        for book, number, pk in written
        if ((book, number) not in standing if book == whole else book not in in_use)
    ]
    if new:
        index_new_records(season, new)


def _close_sums(season: Season, leader: int) -> None:
    books = {(scope, of): pk for scope, of, pk in sql.book_keys(season.circuit_id)}
    of_circuit = Palmares.objects.filter(book=books[_WHOLE])
    own = of_circuit.filter(matador=leader)
    own.update(leads=F("leads") + 1)
    best, slugs = BestClaims(), dict(sql.matador_slugs(season.circuit_id))
    present: Any = of_circuit.filter(season=season).order_by("matador").values_list(*_LINE)
    offer_rates(best, present, slugs)
    for leads in own.values_list("leads", flat=True):
        best.offer((*_WHOLE, "career_leads"), Claim(leads, matador=leader))
    write_broken_records(season, best, books)


_WHOLE: Final = (CIRCUIT, "")


def offer_rates(best: BestClaims, rows: Iterable[Summed], slugs: Mapping[int, str]) -> None:
    for row in rows:
        value = rate(row[_AT["now_ears"]], row[_AT["now_corridas"]])
        if value is not None:
            claim = Claim(value, matador=row[0])
            best.offer((CIRCUIT, "", "season_rate"), claim)
            best.offer((MATADOR, slugs[row[0]], "season_rate"), claim)


def rebuild_record_book(circuit: int, imported: Mapping[int, Versions] = {}) -> None:
    """Delete the record book of a circuit and recalculate it from the results.

    The caller has opened a transaction. Awards are given again by the version of the rules that
    they had. `imported` contains these versions for imported seasons, which have no awards yet.
    """
    RecordBook.objects.filter(circuit=circuit).delete()
    index.remove_scope(circuit, RECORD)
    versions: dict[int, dict[int | None, int]] = defaultdict(dict)
    for key, of_season in imported.items():
        versions[key].update(of_season)
    awards = Award.objects.filter(season__circuit=circuit)
    for key, feria, version in awards.values_list("season", "feria", "version").distinct():
        versions[key][feria] = version
    awards.delete()
    for season in Season.objects.filter(circuit=circuit).order_by("year"):
        corridas = played_corridas(Corrida.objects.over().filter(season=season))
        if corridas:
            enter(season, corridas)
            begun = Corrida.objects.over().filter(season=season, feria__isnull=False)
            ferias = Feria.objects.filter(pk__in=begun.values("feria"))
            keys = list(ferias.values_list("pk", flat=True))
            close_season(season, keys, corridas, versions[season.pk])
    index_records(circuit)  # uses the latest names of ferias


def leader_of(season: Season) -> int | None:
    """Return the key of the matador who leads the season's ranking, or None before any corrida.

    Names are compared in Python, because the collations of databases differ.
    """
    rows: Any = (
        Escalafon.objects.filter(season=season)
        .values("matador_id", "matador__name", "matador__slug")
        .annotate(**{f"all_{name}": Sum(name) for name in COLUMNS})
    )
    ranks = []
    for row in rows:
        counts = {name: row[f"all_{name}"] for name in COLUMNS}
        key = rank_key(counts, row["matador__name"], row["matador__slug"])
        ranks.append((key, row["matador_id"]))
    first = min(ranks, key=itemgetter(0), default=None)
    return first[1] if first else None
