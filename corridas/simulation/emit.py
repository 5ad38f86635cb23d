"""Records the events of a circuit in the transaction in which they happen.

While a corrida is broadcast, only its start is published as an event. Results follow when they are
posted. A record is only published if it concerns the whole circuit and replaces an earlier record,
because in a first season nearly every corrida sets some. A run (the job that continues a season)
publishes each corrida once.
"""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, Any, NamedTuple, TypedDict

from corridas import sql
from corridas.engine import MATADORS, counts_of
from corridas.models import Corrida, Matador, Season
from corridas.world.deeds import CIRCUIT
from corridas.world.names import display_name
from corridas.world.records import BY_KEY, CAREER, SEASON, YEAR
from events.operations import NewEvent, record_event, record_events

if TYPE_CHECKING:
    from corridas.simulation.rows import PendingCorrida
    from corridas.world.deeds import PlayedCorrida
    from corridas.world.winter import Outcome

# Records that grow with every corrida. They are published once a season, and career records only
# when another matador becomes the holder.
_SUMMED = (SEASON, YEAR, CAREER)


class Book(NamedTuple):
    """The parts of a circuit's record book whose changes are published.

    `records` maps each kind to its value, holder (a matador's key), season and previous value.
    `awarded` contains the ferias whose awards have been given, and None if the season's own awards
    have.
    """

    records: dict[str, tuple[Any, ...]]
    awarded: frozenset[int | None]


def book_of(season: Season) -> Book:
    records = {key: tuple(line) for key, *line in sql.records(season.circuit_id, CIRCUIT)}
    return Book(records, frozenset(sql.awarded_ferias(season.pk)))


def emit_posted(
    season: Season, played: Sequence[PlayedCorrida], before: Book, *, at: dt.datetime
) -> dict[str, RecordData]:
    """Record the events of posted corridas.

    Return the circuit records that were broken, by kind.
    """
    after, circuit = book_of(season), season.circuit_id
    fallen = dict(_fallen(before, after))
    names = names_of(key for corrida in played for key in corrida.matadors)
    news = [_corrida(corrida, names, circuit, at) for corrida in played]
    news += [NewEvent("record.fell", f"record/{key}", data, at, circuit) for key, data in
             fallen.items()]  # fmt: skip
    news += [NewEvent("award.given", subject, data, at, circuit) for subject, data in
             _awards(season, after.awarded - before.awarded)]  # fmt: skip
    record_events(news)
    return fallen


def names_of(matadors: Iterable[int]) -> dict[int, str]:
    """Return the names of matadors by key, with a distinction if several share a name. One query.

    The apodo (nickname) is left out: it may change, so it is added when the event is read.
    """
    columns = ("pk", "name", "distinction")
    rows = Matador.objects.filter(pk__in=set(matadors)).values_list(*columns)
    return {pk: display_name(name, "", distinction) for pk, name, distinction in rows}


def _corrida(
    played: PlayedCorrida, names: Mapping[int, str], circuit: int, at: dt.datetime
) -> NewEvent:
    kind = "corrida.suspended" if played.suspended else "corrida.posted"
    ears, tails, indultos = [0] * MATADORS, [0] * MATADORS, 0
    for lidia in played.lidias:
        if lidia.finisher_id is not None:
            place, counts = played.matadors.index(lidia.finisher_id), counts_of(lidia)
            ears[place] += counts["ears"]
            tails[place] += counts["tails"]
            indultos += counts["indultos"]
    data = {
        **_bill(played.date, played.plaza, (names[key] for key in played.matadors)),
        "bulls": len(played.lidias),
        "ears": ears,
        "tails": tails,
        "indultos": indultos,
    }
    return NewEvent(kind, f"corrida/{played.pk}", data, at, circuit)


class BillData(TypedDict):
    """The data that identify a corrida in events: ISO date, slug of the plaza, matadors' names."""

    date: str
    plaza: str
    matadors: list[str]


def _bill(date: dt.date, plaza: str, names: Iterable[str]) -> BillData:
    return {"date": str(date), "plaza": plaza, "matadors": list(names)}


class RecordData(TypedDict):
    value: int
    before: int
    matador: str | None


def _fallen(before: Book, after: Book) -> Iterator[tuple[str, RecordData]]:
    fallen = []
    for key, (value, who, season, was) in sorted(after.records.items()):
        stood = before.records.get(key)
        if stood is None or value <= stood[0]:
            continue
        over = BY_KEY[key].over
        if over in _SUMMED and (was is None or stood[2] == season):
            continue
        if over == CAREER and stood[1] == who:
            continue
        fallen.append((key, who, value, stood[0]))
    people = {who for _key, who, *_values in fallen}
    names = names_of(people) if people else {}
    for key, who, value, previous in fallen:
        yield key, {"value": value, "before": previous, "matador": names.get(who)}


class AwardsData(TypedDict):
    """Awards of a feria, or of a season if `feria` and `address` are None."""

    year: int
    feria: str | None
    address: str | None
    awards: list[dict[str, str | None]]


def _awards(season: Season, ferias: Iterable[int | None]) -> Iterator[tuple[str, AwardsData]]:
    keys: set[int | None] = set(ferias)
    if not keys:
        return
    given: dict[tuple[int | None, str | None, str | None], list[dict[str, str | None]]] = (
        defaultdict(list)
    )
    for feria, slug, name, key, to in sql.awards(season.pk):
        if feria in keys:
            given[feria, slug, name].append({"key": key, "to": to})
    for (key_of, slug, name), prizes in given.items():
        subject = f"season/{season.pk}" if key_of is None else f"feria/{key_of}"
        yield subject, {"year": season.year, "feria": name, "address": slug, "awards": prizes}


def emit_on_air(corrida: Corrida, matadors: Sequence[int], *, at: dt.datetime) -> None:
    names = names_of(matadors)
    record_event(
        kind="corrida.on_air",
        subject=f"corrida/{corrida.pk}",
        data=_bill(corrida.date, corrida.plaza.slug, (names[key] for key in matadors)),
        at=at,
        circuit=corrida.season.circuit_id,
    )


def emit_announced(
    season: Season, corridas: Sequence[Corrida | PendingCorrida], *, at: dt.datetime
) -> None:
    days = sorted(corrida.date for corrida in corridas)
    data = {"year": season.year, "carteles": len(days), "from": str(days[0]), "to": str(days[-1])}
    record_event(
        kind="corrida.announced",
        subject=f"season/{season.pk}",
        data=data,
        at=at,
        circuit=season.circuit_id,
    )


def emit_withdrawn(corrida: Corrida, *, at: dt.datetime) -> None:
    record_event(
        kind="corrida.withdrawn",
        subject=f"corrida/{corrida.pk}",
        data={"date": str(corrida.date), "plaza": corrida.plaza.slug},
        at=at,
        circuit=corrida.season.circuit_id,
    )


def emit_winter(season: Season, outcome: Outcome, *, at: dt.datetime) -> None:
    data = {
        "year": season.year,
        "retired": len(outcome.retired),
        "returned": len(outcome.returned),
        "alternativas": len(outcome.alternativas),
        "debuts": len(outcome.debuts),
    }
    record_event(
        kind="winter.over",
        subject=f"season/{season.pk}",
        data=data,
        at=at,
        circuit=season.circuit_id,
    )
