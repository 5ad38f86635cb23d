"""Queries for the records of a circuit, a plaza, a feria, a herd or a matador."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, NamedTuple

from django.contrib.humanize.templatetags.humanize import intcomma
from django.db.models import Case, Exists, OuterRef, Q, QuerySet, Subquery, Sum, When
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from core.names.text import sort_key
from corridas import sql
from corridas.labels import GROUPS, KINDS
from corridas.models import (
    Corrida,
    Escalafon,
    Feria,
    Ganaderia,
    Matador,
    Palmares,
    Plaza,
    Puesto,
    Record,
    RecordBook,
    Season,
)
from corridas.world.deeds import CIRCUIT, FERIA, HERD, PLAZA, Where
from corridas.world.names import display_name
from corridas.world.nearness import Near, RecordLine, Sums, near
from corridas.world.records import BY_KEY, CAREER, HUNDRED, SEASON
from corridas.world.records import GROUPS as PARTS
from corridas.world.records import KINDS as ORDER

_PLACE_OF: Final = {kind.key: place for place, kind in enumerate(ORDER)}
_COMPARED: Final = [kind.key for kind in ORDER if kind.over in {SEASON, CAREER}]
_RATES: Final = [kind.key for kind in ORDER if kind.of == "rate"]


class Edition(NamedTuple):
    """The version of a circuit's posted results, from which cached pages derive their keys."""

    circuit: int
    seasons: int
    posted: int
    year: int


def find_edition(circuit: str) -> Edition | None:
    """Return the version of a circuit's records, or None before its first season is planned."""
    row = sql.record_book_edition(circuit)
    return Edition(*row) if row else None


@dataclass(frozen=True, kw_only=True)
class RecordEntry:
    """A record for display, with its texts.

    `row` has the matador, the corrida and the season. `before` is its value at the beginning of the
    season, empty if there was no record yet.
    """

    key: str
    label: str
    gloss: str
    value: int | Decimal
    before: int | Decimal | str
    row: Record

    @property
    def by_season(self) -> bool:
        return self.row.corrida_id is None


@dataclass(frozen=True, kw_only=True)
class RecordSection:
    key: str
    label: str
    entries: tuple[RecordEntry, ...]


def parts(circuit: int, scope: str = CIRCUIT, of: str = "") -> list[RecordSection]:
    return parts_of(lines(Q(book__circuit=circuit, book__scope=scope, book__of=of)))


def parts_of(rows: Iterable[Record]) -> list[RecordSection]:
    entries = [_entry(row) for row in sorted(rows, key=lambda row: _PLACE_OF[row.key])]
    parts = [
        RecordSection(
            key=key,
            label=str(GROUPS[key]),
            entries=tuple(entry for entry in entries if BY_KEY[entry.key].over in over),
        )
        for key, over in PARTS.items()
    ]
    return [part for part in parts if part.entries]


def lines(which: Q) -> QuerySet[Record]:
    """Return records with all data that a page shows.

    A record of ears per corrida also has the ears and corridas of its season.
    """
    rows = Record.objects.filter(which, key__in=_PLACE_OF).select_related(
        "book", "matador", "ganaderia", "bull", "corrida__plaza", "season"
    )
    return rows.annotate(rate_ears=_of_rate("ears"), rate_corridas=_of_rate("corridas"))


def _of_rate(counter: str) -> Case:
    season = Escalafon.objects.filter(matador=OuterRef("matador"), season=OuterRef("season"))
    total = season.order_by().values("season").annotate(total=Sum(counter)).values("total")
    return Case(When(key__in=_RATES, then=Subquery(total)))


def entries(rows: Iterable[Record]) -> Iterator[RecordEntry]:
    return (_entry(row) for row in rows)


def _entry(row: Record) -> RecordEntry:
    words = KINDS[row.key]
    return RecordEntry(
        key=row.key,
        label=str(words.label),
        gloss=str(words.gloss),
        value=_value(row),
        before="" if row.before is None else figure(row.key, row.before),
        row=row,
    )


def _value(row: Record) -> int | Decimal:
    """Return the value of a record for display.

    Ears per corrida are rounded from the counters of the season, because the stored value is
    rounded down.
    """
    ears, corridas = (getattr(row, name, None) for name in ("rate_ears", "rate_corridas"))
    return hundredths(ears or 0, corridas) if corridas else figure(row.key, row.value)


def figure(key: str, value: int) -> int | Decimal:
    """Return a value for display. Values of ears per corrida are stored in hundredths."""
    return hundredths(value, HUNDRED) if BY_KEY[key].of == "rate" else value


def hundredths(part: int, whole: int) -> Decimal:
    """Return a ratio with two decimals, rounded half up."""
    return (Decimal(part) / whole).quantize(Decimal("0.01"), ROUND_HALF_UP)


def fallen(season: Season) -> list[RecordEntry]:
    of_circuit = Q(book__circuit=season.circuit_id, book__scope=CIRCUIT)
    return fallen_of(lines(of_circuit & Q(season=season)), season)


def fallen_of(rows: Iterable[Record], season: Season) -> list[RecordEntry]:
    own = [row for row in rows if row.season_id == season.pk and row.before is not None]
    return list(entries(sorted(own, key=lambda row: _PLACE_OF[row.key])))


class RecordPlace(NamedTuple):
    slug: str
    name: str


def find_place(circuit: str, scope: str, slug: str) -> RecordPlace | None:
    row = _named(circuit, scope).filter(slug=slug).last()
    return None if row is None else RecordPlace(slug, _name(row))


def record_places(
    circuit: str, scope: str, slugs: Collection[str] | None = None
) -> list[RecordPlace]:
    """Return all places of one kind (plazas, ferias, herds) that have a record book, by name.

    With slugs, only these places are returned.
    """
    held: Any = slugs
    if slugs is None:
        books = RecordBook.objects.filter(circuit__slug=circuit, scope=scope)
        held = books.filter(Exists(Record.objects.filter(book=OuterRef("pk")))).values("of")
    rows = _named(circuit, scope).filter(slug__in=held)
    places_by_slug = {row.slug: RecordPlace(row.slug, _name(row)) for row in rows}
    return sorted(places_by_slug.values(), key=lambda place: sort_key(place.name))


def _named(
    circuit: str, scope: str
) -> QuerySet[Plaza] | QuerySet[Feria] | QuerySet[Ganaderia] | QuerySet[Matador]:
    if scope == FERIA:
        ferias = Feria.objects.filter(season__circuit__slug=circuit)
        return ferias.select_related("plaza").order_by("season__year")
    if scope == PLAZA:
        return Plaza.objects.filter(circuit__slug=circuit).order_by("pk")
    if scope == HERD:
        return Ganaderia.objects.filter(circuit__slug=circuit).order_by("pk")
    return Matador.objects.filter(circuit__slug=circuit).order_by("pk")


def _name(row: Plaza | Feria | Ganaderia | Matador) -> str:
    if isinstance(row, Matador):
        return row.billing
    if isinstance(row, Plaza):
        return f"{row.city}, {row.name}"
    return f"{row.name}, {row.plaza.city}" if isinstance(row, Feria) else row.name


# Maximum number of sentences about one corrida.
MAX_SENTENCES: Final = 6
CALLED: Final = ("matador__name", "matador__apodo", "matador__distinction")
_SUMS: Final = ("corridas", "ears", "tails", "indultos")


class Sentence(NamedTuple):
    """A sentence about a matador before a corrida.

    `record` is true for a record within reach, and false for a round number.
    """

    slug: str
    name: str
    words: str
    record: bool


class _Bill(NamedTuple):
    corrida: int
    circuit: int
    season: int
    places: tuple[Where, ...]


def sentences_before(
    corridas: Iterable[Corrida], most: int = MAX_SENTENCES
) -> dict[int, list[Sentence]]:
    """Return sentences about records and round numbers within reach, by key of the corrida.

    There are none for a corrida that has begun.
    """
    waiting = [corrida.pk for corrida in corridas if corrida.state in _WAITING]
    bills = _bills(waiting)
    if not bills:
        return {}
    men = _men(waiting)
    sums = _sums(bills, men)
    lines = _lines(bills)
    return {
        bill.corrida: _close_records(bill, men[bill.corrida], sums, lines, most)
        for bill in bills
        if bill.corrida in men
    }


_WAITING: Final = (Corrida.State.ANNOUNCED, Corrida.State.QUEUED, Corrida.State.AT_TABLE)
_Man = tuple[int, str, str]


def _bills(corridas: Sequence[int]) -> list[_Bill]:
    rows = Corrida.objects.filter(pk__in=corridas, cartel__isnull=False).values_list(
        "pk",
        "season__circuit_id",
        "season_id",
        "plaza__slug",
        "feria__slug",
        "cartel__ganaderia__slug",
    )
    bills = []
    for pk, circuit, season, plaza, feria, herd in rows:
        of_feria = ((FERIA, feria),) if feria else ()
        places = ((CIRCUIT, ""), (PLAZA, plaza), *of_feria, (HERD, herd))
        bills.append(_Bill(pk, circuit, season, places))
    return bills


def _men(corridas: Sequence[int]) -> dict[int, list[_Man]]:
    matadors: dict[int, list[_Man]] = defaultdict(list)
    rows = Puesto.objects.filter(cartel__in=corridas).order_by("cartel_id", "order")
    for cartel, pk, slug, *called in rows.values_list(
        "cartel_id", "matador_id", "matador__slug", *CALLED
    ):
        matadors[cartel].append((pk, slug, display_name(*called)))
    return matadors


def _books(bills: Sequence[_Bill]) -> QuerySet[RecordBook]:
    """Return the record books of the places of these corridas."""
    by_scope: dict[str, set[str]] = defaultdict(set)
    for bill in bills:
        for scope, of in bill.places:
            by_scope[scope].add(of)
    query = Q(pk=None)
    for scope, names in by_scope.items():
        query |= Q(scope=scope, of__in=sorted(names))
    return RecordBook.objects.filter(query, circuit__in={bill.circuit for bill in bills})


def _sums(
    bills: Sequence[_Bill], men: dict[int, list[_Man]]
) -> dict[tuple[int, Where], tuple[int, tuple[int, ...]]]:
    who = {pk for trio in men.values() for pk, _slug, _name in trio}
    rows: Any = Palmares.objects.filter(book__in=_books(bills), matador__in=who)
    names = (
        "matador_id",
        "book__scope",
        "book__of",
        "season_id",
        *_SUMS,
        *(f"now_{n}" for n in _SUMS),
    )
    return {
        (matador, (scope, of)): (season, tuple(counts))
        for matador, scope, of, season, *counts in rows.values_list(*names)
    }


_Held = tuple[int, int | None, int | None, str]


def _lines(bills: Sequence[_Bill]) -> dict[tuple[str, str, str], _Held]:
    rows: Any = Record.objects.filter(book__in=_books(bills), key__in=_COMPARED)
    names = ("value", "matador_id", "season_id", *CALLED)
    return {
        (scope, of, key): (value, matador, season, display_name(*(part or "" for part in called)))
        for scope, of, key, value, matador, season, *called in rows.values_list(
            "book__scope", "book__of", "key", *names
        )
    }


def _close_records(
    bill: _Bill,
    trio: Sequence[_Man],
    sums: dict[tuple[int, Where], tuple[int, tuple[int, ...]]],
    held: dict[tuple[str, str, str], _Held],
    most: int,
) -> list[Sentence]:
    lines = {
        key: RecordLine(value, matador, season == bill.season)
        for key, (value, matador, season, _name) in held.items()
    }
    behind = [
        _behind(pk, where, bill.season, sums.get((pk, where)))
        for pk, _slug, _name in trio
        for where in bill.places
    ]
    names = {pk: (slug, name) for pk, slug, name in trio}
    sentences = []
    for close_record in near(behind, lines, most):
        holder = held[(*close_record.where, close_record.key)][3] if close_record.holder else ""
        sentences.append(
            Sentence(
                *names[close_record.matador],
                _sentence(close_record, holder),
                close_record.holder is not None,
            )
        )
    return sentences


def _behind(
    matador: int, where: Where, season: int, row: tuple[int, tuple[int, ...]] | None
) -> Sums:
    last, counts = row or (0, (0,) * 2 * len(_SUMS))
    career = dict(zip(_SUMS, counts[: len(_SUMS)], strict=True))
    now = dict(zip(_SUMS, counts[len(_SUMS) :], strict=True)) if last == season else {}
    return Sums(matador, where, career, now)


def _sentence(near: Near, holder: str) -> str:
    if near.key.startswith("round"):
        return _round(near)
    parts = {
        "record": str(KINDS[near.key].label).lower(),
        "where": _where(near.where[0]),
        "value": intcomma(near.value),
        "holder": holder,
        "gap": near.gap,
    }
    return _record(near, KIND_OF[near.key]) % parts


KIND_OF: Final = {key: key.partition("_")[2] for key in KINDS}


def _record(near: Near, of: str) -> str:
    if of == "corridas" and not near.gap:
        return _(
            "will break a record just by appearing: %(record)s %(where)s (%(value)s, held by "
            "%(holder)s)."
        )
    if of == "corridas":
        return _(
            "will equal a record just by appearing: %(record)s %(where)s (%(value)s, held by "
            "%(holder)s)."
        )
    if not near.gap:
        return _("has equalled a record: %(record)s %(where)s, %(value)s by %(holder)s.")
    short = {
        "ears": ngettext(
            "is one ear short of a record: %(record)s %(where)s, %(value)s by %(holder)s.",
            "is %(gap)s ears short of a record: %(record)s %(where)s, %(value)s by %(holder)s.",
            near.gap,
        ),
        "tails": _("is one tail short of a record: %(record)s %(where)s, %(value)s by %(holder)s."),
    }
    other = _("is about to equal a record: %(record)s %(where)s, %(value)s by %(holder)s.")
    return short.get(of, other)


def _round(near: Near) -> str:
    if near.key == "round_ears":
        return ngettext(
            "is one ear short of %(value)s in his career.",
            "is %(gap)s ears short of %(value)s in his career.",
            near.gap,
        ) % {"gap": near.gap, "value": intcomma(near.value)}
    sentences = {
        PLAZA: _("will make appearance number %(value)s at this plaza."),
        HERD: _("will fight corrida number %(value)s with bulls from this herd."),
    }
    return sentences.get(near.where[0], _("will fight corrida number %(value)s of his career.")) % {
        "value": intcomma(near.value)
    }


def _where(scope: str) -> str:
    return {
        PLAZA: _("at this plaza"),
        FERIA: _("at this feria"),
        HERD: _("with this herd"),
    }.get(scope, _("in the circuit"))
