"""The current roster of a circuit, as the records that roster files contain."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Final

from django.db.models import QuerySet

from core.names.text import clean
from corridas.models import Bull, Cartel, Circuit, Ganaderia, Matador, MatadorCard, Plaza, Puesto
from corridas.roster.files.checking import Key, Record
from corridas.roster.files.columns import BULLS, DECK, FATES, YES
from corridas.world.calendar import CalendarEntry

Records = dict[Key, Record]


@dataclass(frozen=True)
class CurrentRoster:
    """The records of every table by key, in the order in which they are exported.

    `bound` are the keys of rows that a cartel has announced. For cards, these are matadors whose
    newest card is printed.
    """

    tables: Mapping[str, Records]
    bound: Mapping[str, frozenset[Key]] = field(default_factory=dict)


def current_roster(circuit: Circuit, shipped: Iterable[CalendarEntry]) -> CurrentRoster:
    """Return the whole roster of a circuit in a fixed number of queries.

    `shipped` are the entries of the shipped calendar, which a circuit without its own follows.
    """
    plazas = _plazas(circuit)
    bulls, travelling = _bulls(Bull.objects.filter(ganaderia__circuit=circuit))
    cards, printed = _cards(circuit)
    tables = {
        "plazas": plazas,
        "herds": _herds(circuit),
        "matadors": _matadors(circuit),
        "cards": cards,
        "bulls": bulls,
        "deck": _deck(circuit),
        "ferias": _ferias(calendar_of(circuit, shipped, plazas)),
    }
    return CurrentRoster(tables, {**_announced(circuit), "cards": printed, "bulls": travelling})


def table_records(
    circuit: Circuit, table: str, shipped: Iterable[CalendarEntry]
) -> Iterator[Record]:
    """Yield the records of one table in the order of an export.

    Bulls are read herd by herd, to save memory.
    """
    if table == "bulls":
        herds = Ganaderia.objects.filter(circuit=circuit).order_by("slug")
        for herd in list(herds.values_list("pk", flat=True)):
            yield from _bulls(Bull.objects.filter(ganaderia=herd))[0].values()
    elif table == "cards":
        yield from _cards(circuit)[0].values()
    elif table == "ferias":
        yield from _ferias(calendar_of(circuit, shipped, _plazas(circuit))).values()
    else:
        read = {"plazas": _plazas, "herds": _herds, "matadors": _matadors, "deck": _deck}[table]
        yield from read(circuit).values()


def _announced(circuit: Circuit) -> dict[str, frozenset[Key]]:
    carteles = Cartel.objects.filter(corrida__plaza__circuit=circuit)
    puestos = Puesto.objects.filter(matador__circuit=circuit)
    return {
        "plazas": _keys(carteles.values_list("corrida__plaza__slug").distinct()),
        "matadors": _keys(puestos.values_list("matador__slug").distinct()),
    }


def _keys(rows: Iterable[tuple[str, ...]]) -> frozenset[Key]:
    return frozenset(rows)


def _text(value: object) -> str:
    return "" if value is None else str(value)


def _degrees(value: float | None) -> str:
    """Return a coordinate as text, rounded to about ten metres."""
    return "" if value is None else str(round(value, 4))


def _yes(value: object) -> str:
    return YES if value else ""


def _plazas(circuit: Circuit) -> Records:
    return {
        (plaza.slug,): {
            "slug": plaza.slug,
            "name": plaza.name,
            "city": plaza.city,
            "country": plaza.country,
            "continent": plaza.continent,
            "category": str(plaza.category),
            "seats": _text(plaza.seats),
            "latitude": _degrees(plaza.latitude),
            "longitude": _degrees(plaza.longitude),
            "archived": _yes(plaza.archived_at),
        }
        for plaza in Plaza.objects.filter(circuit=circuit).order_by("slug")
    }


def _herds(circuit: Circuit) -> Records:
    return {
        (herd.slug,): {
            "slug": herd.slug,
            "name": herd.name,
            "country": herd.country,
            "encaste": herd.encaste,
            "continent": herd.continent,
            "renown": str(herd.renown),
            "archived": _yes(herd.archived_at),
        }
        for herd in Ganaderia.objects.filter(circuit=circuit).order_by("renown", "slug")
    }


_LIFE: Final = (
    *("slug", "name", "apodo", "birthplace", "born", "died", "deathplace"),
    *("alternativa", "alternativa_place", "country", "style"),
    *("state", "retired_in", "counted_from", "promise"),
)


def _matadors(circuit: Circuit) -> Records:
    rows = Matador.objects.filter(circuit=circuit).select_related("padrino", "testigo")
    return {
        (row.slug,): {
            **{name: _text(getattr(row, name)) for name in _LIFE},
            "fictional": _yes(row.fictional),
            "padrino": row.padrino.slug if row.padrino else "",
            "testigo": row.testigo.slug if row.testigo else "",
        }
        for row in rows.order_by("slug")
    }


def newest_cards(circuit: Circuit) -> dict[str, MatadorCard]:
    """Return the newest card of each matador by his slug; one query."""
    rows = MatadorCard.objects.filter(matador__circuit=circuit).select_related("matador")
    return {card.matador.slug: card for card in rows.order_by("matador__slug", "printing")}


def _cards(circuit: Circuit) -> tuple[Records, frozenset[Key]]:
    newest = newest_cards(circuit)
    announced = Puesto.objects.filter(matador__circuit=circuit)
    printed = set(announced.values_list("card", flat=True).distinct())
    records: Records = {
        (slug,): {"matador": slug, "rating": str(card.rating), **card.ranges()}
        for slug, card in newest.items()
    }
    return records, frozenset((slug,) for slug, card in newest.items() if card.pk in printed)


_HERD_BOOK: Final = ("ganaderia__slug", "year", "number")
_FATE: Final = ("name", "coat", "weight", "state")


def _bulls(rows: QuerySet[Bull]) -> tuple[Records, frozenset[Key]]:
    rows = rows.filter(state__in=FATES)
    alive: Records = {}
    promised = set()
    for *values, cartel in rows.order_by("ganaderia__slug", "year", "number").values_list(
        *_HERD_BOOK, *_FATE, "sire__year", "sire__number", "cartel"
    ):
        record = dict(zip(BULLS.by_name, map(_text, values), strict=True))
        key = tuple(record[name] for name in BULLS.key)
        alive[key] = record
        if cartel is not None:
            promised.add(key)
    return alive, frozenset(promised)


def bulls_gone(circuit: Circuit, keys: Iterable[Key]) -> Records:
    """Return the records of bulls that have fought and left the roster; one query."""
    wanted = set(keys)
    rows = Bull.objects.filter(
        ganaderia__circuit=circuit,
        ganaderia__slug__in={herd for herd, _year, _number in wanted},
        year__in={int(year) for _herd, year, _number in wanted},
    ).exclude(state__in=FATES)
    records = (tuple(map(_text, values)) for values in rows.values_list(*_HERD_BOOK, *_FATE))
    names = (*BULLS.key, *_FATE)
    return {
        values[:3]: dict(zip(names, values, strict=True))
        for values in records
        if values[:3] in wanted
    }


def _deck(circuit: Circuit) -> Records:
    names = DECK.names(office=True)[1:]
    return {
        (str(card.place),): {"card": str(card.place)}
        | {name: str(getattr(card, name)) for name in names}
        for card in circuit.deck.engine_deck().cards
    }


def calendar_of(
    circuit: Circuit, shipped: Iterable[CalendarEntry], plazas: Iterable[Key]
) -> list[CalendarEntry]:
    """Return the calendar entries of a circuit.

    If the circuit has no calendar, these are the bundled entries whose plazas it has.
    """
    if circuit.calendar is None:
        known = set(plazas)
        return [entry for entry in shipped if (entry.plaza,) in known]
    return [
        CalendarEntry(**row) if isinstance(row, dict) else CalendarEntry(*row)
        for row in circuit.calendar
    ]


def _ferias(entries: Iterable[CalendarEntry]) -> Records:
    return {
        (entry.plaza, entry.feria): {name: str(value) for name, value in entry._asdict().items()}
        for entry in (entry._replace(feria=clean(entry.feria)) for entry in entries)
    }
