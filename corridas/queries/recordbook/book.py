"""A book of records: the circuit's, or that of a plaza, a feria, a herd, a matador."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator
from dataclasses import dataclass
from decimal import ROUND_HALF_UP, Decimal
from typing import Any, Final, NamedTuple

from django.db import connection
from django.db.models import Case, OuterRef, Q, QuerySet, Subquery, Sum, When

from corridas.models import Escalafon, Feria, Ganaderia, Matador, Plaza, Record, Season
from corridas.queries.recordbook.words import GROUPS, KINDS
from corridas.world.deeds import CIRCUIT, FERIA, HERD, PLAZA
from corridas.world.records import BY_KEY, HUNDRED
from corridas.world.records import GROUPS as PARTS
from corridas.world.records import KINDS as ORDER

_PLACE_OF: Final = {kind.key: place for place, kind in enumerate(ORDER)}
_RATES: Final = [kind.key for kind in ORDER if kind.of == "rate"]


class Edition(NamedTuple):
    """How much of a circuit is posted: enough to know whether a kept page still holds."""

    circuit: int
    seasons: int
    posted: int
    year: int


_EDITION: Final = """
    SELECT circuit.id, COUNT(season.id), SUM(season.posted_version), MAX(season.year)
    FROM corridas_circuit circuit JOIN corridas_season season ON season.circuit_id = circuit.id
    WHERE circuit.slug = %s GROUP BY circuit.id
"""


def find_edition(circuit: str) -> Edition | None:
    """The edition of a circuit's book; None before its first season is planned; one query."""
    with connection.cursor() as cursor:
        cursor.execute(_EDITION, [circuit])
        row = cursor.fetchone()
    return Edition(*row) if row else None


@dataclass(frozen=True, kw_only=True)
class Entry:
    """A line of the book with its words; `row` holds the man, the moment and the season.

    `before` is empty where nothing stood before.
    """

    key: str
    label: str
    gloss: str
    value: int | Decimal
    before: int | Decimal | str
    row: Record

    @property
    def by_season(self) -> bool:
        """Whether a season, not an afternoon, is the moment."""
        return self.row.corrida_id is None


@dataclass(frozen=True, kw_only=True)
class Part:
    """The lines of an afternoon, of a season, or of a career."""

    key: str
    label: str
    entries: tuple[Entry, ...]


def parts(circuit: int, scope: str = CIRCUIT, of: str = "") -> list[Part]:
    """A book in its parts, empty ones left out; one query."""
    return parts_of(lines(Q(circuit=circuit, scope=scope, of=of)))


def parts_of(rows: Iterable[Record]) -> list[Part]:
    """The lines of a book in its parts."""
    told = [_entry(row) for row in sorted(rows, key=lambda row: _PLACE_OF[row.key])]
    found = [
        Part(
            key=key,
            label=str(GROUPS[key]),
            entries=tuple(one for one in told if BY_KEY[one.key].over in over),
        )
        for key, over in PARTS.items()
    ]
    return [part for part in found if part.entries]


def lines(which: Q) -> QuerySet[Record]:
    """Lines with all that a page says of them; of a rate, ears and corridas of its season too."""
    rows = Record.objects.filter(which, key__in=_PLACE_OF).select_related(
        "matador", "ganaderia", "bull", "corrida__plaza", "season"
    )
    return rows.annotate(rate_ears=_of_rate("ears"), rate_corridas=_of_rate("corridas"))


def _of_rate(counter: str) -> Case:
    season = Escalafon.objects.filter(matador=OuterRef("matador"), season=OuterRef("season"))
    total = season.order_by().values("season").annotate(total=Sum(counter)).values("total")
    return Case(When(key__in=_RATES, then=Subquery(total)))


def entries(rows: Iterable[Record]) -> Iterator[Entry]:
    """Rows with their words."""
    return (_entry(row) for row in rows)


def _entry(row: Record) -> Entry:
    words = KINDS[row.key]
    return Entry(
        key=row.key,
        label=str(words.label),
        gloss=str(words.gloss),
        value=_value(row),
        before="" if row.before is None else figure(row.key, row.before),
        row=row,
    )


def _value(row: Record) -> int | Decimal:
    """A rate is rounded here, from the season it was reached in: its row keeps it rounded down."""
    ears, corridas = (getattr(row, name, None) for name in ("rate_ears", "rate_corridas"))
    return hundredths(ears or 0, corridas) if corridas else figure(row.key, row.value)


def figure(key: str, value: int) -> int | Decimal:
    """A value as it is read: rates are kept in hundredths."""
    return hundredths(value, HUNDRED) if BY_KEY[key].of == "rate" else value


def hundredths(part: int, whole: int) -> Decimal:
    """A part of a whole rounded to two decimals, half of a hundredth up."""
    return (Decimal(part) / whole).quantize(Decimal("0.01"), ROUND_HALF_UP)


def fallen(season: Season) -> list[Entry]:
    """Records of the circuit that this season broke and that still are its own; one query."""
    return fallen_of(lines(Q(circuit=season.circuit_id, scope=CIRCUIT, season=season)), season)


def fallen_of(rows: Iterable[Record], season: Season) -> list[Entry]:
    """Those of the lines of the circuit's book that a season broke."""
    own = [row for row in rows if row.season_id == season.pk and row.before is not None]
    return list(entries(sorted(own, key=lambda row: _PLACE_OF[row.key])))


class Place(NamedTuple):
    """Somebody or something that has a book of its own."""

    slug: str
    name: str


def place(circuit: str, scope: str, slug: str) -> Place | None:
    """The place by its address; None where there is none; one query."""
    found = _named(circuit, scope).filter(slug=slug).last()
    return None if found is None else Place(slug, _name(found))


def places(circuit: str, scope: str, kept: Collection[str] | None = None) -> list[Place]:
    """All that have a book of this scope, or whose slugs are `kept`, by name; one query."""
    held: Any = kept
    if kept is None:
        held = Record.objects.filter(circuit__slug=circuit, scope=scope).values("of").distinct()
    rows = _named(circuit, scope).filter(slug__in=held)
    found = {row.slug: Place(row.slug, _name(row)) for row in rows}
    return sorted(found.values(), key=lambda one: one.name)


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
