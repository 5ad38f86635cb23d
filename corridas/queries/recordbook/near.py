"""Who is about to break a record, said of corridas that have not begun."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from typing import Any, Final, NamedTuple

from django.db.models import Q
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corridas.models import Corrida, Palmares, Puesto, Record
from corridas.queries.recordbook.words import KINDS
from corridas.world.deeds import CIRCUIT, FERIA, HERD, PLAZA, Where
from corridas.world.names import display_name
from corridas.world.nearness import Line, Near, Sums, near

MOST: Final = 6
"""So much is said of one corrida."""
_SUMS: Final = ("corridas", "ears", "tails", "indultos")


class Said(NamedTuple):
    """A sentence about a matador on the bill; `record` tells a record from a round number."""

    slug: str
    name: str
    words: str
    record: bool


class _Bill(NamedTuple):
    corrida: int
    circuit: int
    season: int
    places: tuple[Where, ...]


def said_before(corridas: Iterable[Corrida], most: int = MOST) -> dict[int, list[Said]]:
    """What is to be said of each corrida, by its key; four queries whatever their number.

    Of one that has begun nothing is said.
    """
    waiting = [one.pk for one in corridas if one.state in _WAITING]
    bills = _bills(waiting)
    men = _men(waiting)
    sums = _sums(bills, men)
    lines = _lines(bills)
    return {
        bill.corrida: _told(bill, men[bill.corrida], sums, lines, most)
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
    return [
        _Bill(pk, circuit, season, _places(plaza, feria, herd))
        for pk, circuit, season, plaza, feria, herd in rows
    ]


def _places(plaza: str, feria: str | None, herd: str) -> tuple[Where, ...]:
    own = ((FERIA, feria),) if feria else ()
    return ((CIRCUIT, ""), (PLAZA, plaza), *own, (HERD, herd))


def _men(corridas: Sequence[int]) -> dict[int, list[_Man]]:
    found: dict[int, list[_Man]] = defaultdict(list)
    rows = Puesto.objects.filter(cartel__in=corridas).order_by("cartel_id", "order")
    for cartel, pk, slug, apodo, name in rows.values_list(
        "cartel_id", "matador_id", "matador__slug", "matador__apodo", "matador__name"
    ):
        found[cartel].append((pk, slug, display_name(name, apodo)))
    return found


def _any(places: Iterable[Where]) -> Q:
    by_scope: dict[str, set[str]] = defaultdict(set)
    for scope, of in places:
        by_scope[scope].add(of)
    query = Q(pk=None)
    for scope, names in by_scope.items():
        query |= Q(scope=scope, of__in=sorted(names))
    return query


def _sums(
    bills: Sequence[_Bill], men: dict[int, list[_Man]]
) -> dict[tuple[int, Where], tuple[int, tuple[int, ...]]]:
    """Season and counts by matador and place; one query."""
    who = {pk for trio in men.values() for pk, _slug, _name in trio}
    places = {where for bill in bills for where in bill.places}
    rows: Any = Palmares.objects.filter(
        _any(places), circuit__in={bill.circuit for bill in bills}, matador__in=who
    )
    names = ("matador_id", "scope", "of", "season_id", *_SUMS, *(f"now_{n}" for n in _SUMS))
    return {
        (matador, (scope, of)): (season, tuple(counts))
        for matador, scope, of, season, *counts in rows.values_list(*names)
    }


_Held = tuple[int, int | None, int | None, str]


def _lines(bills: Sequence[_Bill]) -> dict[tuple[str, str, str], _Held]:
    """Records of sums that stand in these places, with their holders' names; one query."""
    places = {where for bill in bills for where in bill.places}
    rows: Any = Record.objects.filter(
        _any(places),
        Q(key__startswith="season_") | Q(key__startswith="career_"),
        circuit__in={bill.circuit for bill in bills},
    )
    names = ("value", "matador_id", "season_id", "matador__apodo", "matador__name")
    return {
        (scope, of, key): (value, matador, season, display_name(name or "", apodo or ""))
        for scope, of, key, value, matador, season, apodo, name in rows.values_list(
            "scope", "of", "key", *names
        )
    }


def _told(
    bill: _Bill,
    trio: Sequence[_Man],
    sums: dict[tuple[int, Where], tuple[int, tuple[int, ...]]],
    held: dict[tuple[str, str, str], _Held],
    most: int,
) -> list[Said]:
    lines = {
        key: Line(value, matador, season == bill.season)
        for key, (value, matador, season, _name) in held.items()
    }
    behind = [
        _behind(pk, where, bill.season, sums.get((pk, where)))
        for pk, _slug, _name in trio
        for where in bill.places
    ]
    names = {pk: (slug, name) for pk, slug, name in trio}
    found = []
    for one in near(behind, lines, most):
        holder = held[(*one.where, one.key)][3] if one.holder else ""
        found.append(Said(*names[one.matador], _sentence(one, holder), one.holder is not None))
    return found


def _behind(
    matador: int, where: Where, season: int, row: tuple[int, tuple[int, ...]] | None
) -> Sums:
    last, counts = row or (0, (0,) * 2 * len(_SUMS))
    career = dict(zip(_SUMS, counts[: len(_SUMS)], strict=True))
    now = dict(zip(_SUMS, counts[len(_SUMS) :], strict=True)) if last == season else {}
    return Sums(matador, where, career, now)


def _sentence(one: Near, holder: str) -> str:
    if one.key.startswith("round"):
        return _round(one)
    parts = {
        "record": str(KINDS[one.key].label).lower(),
        "where": _where(one.where[0]),
        "value": one.value,
        "holder": holder,
        "gap": one.gap,
    }
    return _record(one, KIND_OF[one.key]) % parts


KIND_OF: Final = {key: key.partition("_")[2] for key in KINDS}


def _record(one: Near, of: str) -> str:
    """The sentence for a gap: level with the record, or so many short of it."""
    if of == "corridas" and not one.gap:
        return _(
            "will break a record just by appearing: %(record)s %(where)s, %(value)s by %(holder)s."
        )
    if of == "corridas":
        return _(
            "will equal a record just by appearing: %(record)s %(where)s, %(value)s by %(holder)s."
        )
    if not one.gap:
        return _("has equalled a record: %(record)s %(where)s, %(value)s by %(holder)s.")
    short = {
        "ears": ngettext(
            "is one ear short of a record: %(record)s %(where)s, %(value)s by %(holder)s.",
            "is %(gap)s ears short of a record: %(record)s %(where)s, %(value)s by %(holder)s.",
            one.gap,
        ),
        "tails": _("is one tail short of a record: %(record)s %(where)s, %(value)s by %(holder)s."),
    }
    other = _("is one short of a record: %(record)s %(where)s, %(value)s by %(holder)s.")
    return short.get(of, other)


def _round(one: Near) -> str:
    if one.key == "round_ears":
        return ngettext(
            "is one ear short of %(value)s in his career.",
            "is %(gap)s ears short of %(value)s in his career.",
            one.gap,
        ) % {"gap": one.gap, "value": one.value}
    told = {
        PLAZA: _("will appear here for afternoon number %(value)s."),
        HERD: _("will face this herd in corrida number %(value)s."),
    }
    return told.get(one.where[0], _("will fight corrida number %(value)s of his career.")) % {
        "value": one.value
    }


def _where(scope: str) -> str:
    return {
        PLAZA: _("in this plaza"),
        FERIA: _("in this feria"),
        HERD: _("with this herd"),
    }.get(scope, _("in the circuit"))
