"""Events published when corridas are posted: trophies, broken records and awards."""

from __future__ import annotations

import datetime as dt
from typing import Any, Final

import pytest

from corridas.models import Award, Record
from corridas.simulation.emit import Book, book_of, emit_announced, emit_posted, emit_withdrawn
from corridas.simulation.insertion import LidiaRow
from corridas.world.deeds import PlayedCorrida
from events.models import Event
from tests.corridas.simulation.arena import fought, in_year, played
from tests.factories import World, record_book

NOW: Final = dt.datetime(2027, 3, 8, 20, tzinfo=dt.UTC)
NOTHING: Final = Book({}, frozenset())


def emitted_events(
    mine: World, *corridas: PlayedCorrida, before: Book | None = None
) -> list[Event]:
    emit_posted(mine.season, corridas, before or book_of(mine.season), at=NOW)
    return list(Event.objects.order_by("pk"))


def played_in(mine: World, lidias: list[LidiaRow]) -> PlayedCorrida:
    """Return a played corrida with the keys of this circuit's matadors instead of 1, 2 and 3."""
    key = {number: matador.pk for number, matador in enumerate(mine.matadors, 1)}
    rows = [
        lidia._replace(
            starter_id=key[lidia.starter_id],
            finisher_id=key[lidia.finisher_id] if lidia.finisher_id else None,
        )
        for lidia in lidias
    ]
    return played(*rows)._replace(matadors=(key[1], key[2], key[3]))


@pytest.mark.parametrize(
    ("lidias", "ears", "tails", "indultos"),
    [
        ([fought(1)], [0, 0, 0], [0, 0, 0], 0),
        ([fought(1, trophy=1)], [1, 0, 0], [0, 0, 0], 0),
        ([fought(2, trophy=2), fought(5, trophy=1)], [0, 3, 0], [0, 0, 0], 0),
        ([fought(3, trophy=3), fought(6, trophy=3)], [0, 0, 4], [0, 0, 2], 0),
        ([fought(1, trophy=2, finisher_id=3)], [0, 0, 2], [0, 0, 0], 0),
        ([fought(1, ending="spared", trophy=1), fought(2, ending="spared")], [1, 0, 0], [0] * 3, 2),
        ([fought(1, ending="broken_off", finisher_id=None, trophy=None)], [0, 0, 0], [0] * 3, 0),
        ([fought(1, ending="three_avisos", trophy=None)], [0, 0, 0], [0] * 3, 0),
    ],
)
@pytest.mark.parametrize("suspended", [False, True])
def test_posted_corrida_event_has_the_trophies_of_all_three_matadors(
    mine: World,
    lidias: list[LidiaRow],
    ears: list[int],
    tails: list[int],
    indultos: int,
    suspended: bool,
) -> None:
    over = played_in(mine, lidias)._replace(suspended=suspended)
    (event,) = emitted_events(mine, over, before=NOTHING)
    assert event.kind == ("corrida.suspended" if suspended else "corrida.posted")
    assert (event.subject, event.circuit, event.league, event.at) == (
        "corrida/7",
        mine.circuit.pk,
        None,
        NOW,
    )
    assert event.data == {
        "date": "2027-03-07",
        "plaza": "ronda",
        "matadors": [matador.name for matador in mine.matadors[:3]],
        "bulls": len(lidias),
        "ears": ears,
        "tails": tails,
        "indultos": indultos,
    }


# Per case: the kind of record; the old record (value, which of two matadors, which of two seasons);
# the new record (the same, and the value before it); whether an event is published.
FALLS: list[tuple[str, tuple[int, int, int] | None, tuple[int, int, int, int | None], bool]] = [
    ("lidia_score", None, (9, 0, 1, None), False),
    ("lidia_score", (8, 0, 0), (9, 1, 1, 8), True),
    ("lidia_score", (8, 0, 1), (9, 0, 1, 8), True),
    ("lidia_score", (9, 0, 0), (9, 1, 1, 9), False),
    ("lidia_score", (9, 0, 0), (8, 1, 1, 9), False),
    ("season_ears", (8, 0, 0), (9, 1, 1, 8), True),
    ("season_ears", (8, 0, 0), (9, 0, 1, 8), True),
    ("season_ears", (8, 0, 0), (9, 1, 1, None), False),
    ("season_ears", (8, 1, 1), (9, 1, 1, 7), False),
    ("season_ears", (8, 0, 1), (9, 1, 1, 7), False),
    ("year_ears", (8, 0, 0), (9, 1, 1, 8), True),
    ("year_ears", (8, 0, 1), (9, 1, 1, 8), False),
    ("career_ears", (8, 0, 0), (9, 1, 1, 8), True),
    ("career_ears", (8, 0, 0), (9, 0, 1, 8), False),
    ("career_ears", (8, 0, 1), (9, 1, 1, 8), False),
]


@pytest.mark.parametrize(("key", "stood", "stands", "news"), FALLS)
def test_record_event_is_published_if_an_existing_record_is_broken(
    mine: World,
    key: str,
    stood: tuple[int, int, int] | None,
    stands: tuple[int, int, int, int | None],
    news: bool,
) -> None:
    seasons = (in_year(mine, 2026).season, mine.season)
    value, who, season, was = stands
    Record.objects.create(
        book=record_book(mine.circuit),
        key=key,
        value=value,
        before=was,
        season=seasons[season],
        matador=mine.matadors[who],
    )
    records: dict[str, tuple[Any, ...]] = {}
    if stood is not None:
        records[key] = (stood[0], mine.matadors[stood[1]].pk, seasons[stood[2]].pk, None)
    found = emitted_events(mine, before=Book(records, frozenset()))
    assert [event.subject for event in found] == ([f"record/{key}"] if news else [])
    for event in found:
        assert (event.kind, event.circuit) == ("record.fell", mine.circuit.pk)
        assert event.data == {
            "value": value,
            "before": stood and stood[0],
            "matador": mine.matadors[who].name,
        }


def test_record_events_consider_records_of_the_whole_circuit_only(
    mine: World, other: World
) -> None:
    plain = {"key": "lidia_score", "value": 9}
    Record.objects.create(book=record_book(mine.circuit, "plaza", "ronda"), **plain)
    Record.objects.create(book=record_book(mine.circuit, "circuit", "somebody"), **plain)
    Record.objects.create(book=record_book(other.circuit), **plain)
    assert book_of(mine.season) == NOTHING
    Record.objects.create(book=record_book(mine.circuit), before=7, season=mine.season, **plain)
    assert book_of(mine.season).records == {"lidia_score": (9, None, mine.season.pk, 7)}
    (event,) = emitted_events(
        mine, before=Book({"lidia_score": (8, None, None, None)}, frozenset())
    )
    assert event.data["matador"] is None


def test_award_events_are_published_once_with_the_winner(mine: World, other: World) -> None:
    before_this = in_year(mine, 2026)
    ana, beto = mine.matadors[:2]
    given: list[dict[str, Any]] = [
        {"season": mine.season, "feria": mine.feria, "key": "triumph", "matador": ana},
        {"season": mine.season, "feria": mine.feria, "key": "herd", "ganaderia": mine.herd},
        {"season": mine.season, "key": "best", "matador": beto},
        {"season": mine.season, "key": "void"},
        {"season": before_this.season, "key": "best", "matador": ana},
        {"season": other.season, "feria": other.feria, "key": "triumph"},
    ]
    for award in given:
        Award.objects.create(score=1, **award)
    book = book_of(mine.season)
    assert book.awarded == {mine.feria.pk, None}
    assert emitted_events(mine, before=book) == []
    found = emitted_events(mine, before=NOTHING)
    feria, season = found
    assert (feria.kind, feria.subject) == ("award.given", f"feria/{mine.feria.pk}")
    assert feria.data == {
        "year": 2027,
        "feria": mine.feria.name,
        "address": mine.feria.slug,
        "awards": [{"key": "herd", "to": mine.herd.name}, {"key": "triumph", "to": ana.name}],
    }
    assert season.subject == f"season/{mine.season.pk}"
    assert season.data == {
        "year": 2027,
        "feria": None,
        "address": None,
        "awards": [{"key": "best", "to": beto.name}, {"key": "void", "to": None}],
    }
    Event.objects.all().delete()
    (alone,) = emitted_events(mine, before=Book({}, frozenset({mine.feria.pk})))
    assert alone.subject == season.subject


def test_announced_carteles_event_has_their_number_and_days(mine: World) -> None:
    days = (dt.date(2027, 3, 9), dt.date(2027, 3, 2), dt.date(2027, 3, 5))
    corridas = [mine.announce(day) for day in days]
    emit_announced(mine.season, corridas, at=NOW)
    event = Event.objects.get()
    assert (event.kind, event.subject) == ("corrida.announced", f"season/{mine.season.pk}")
    assert event.data == {
        "year": 2027,
        "carteles": 3,
        "from": "2027-03-02",
        "to": "2027-03-09",
    }
    Event.objects.all().delete()
    emit_withdrawn(corridas[0], at=NOW)
    event = Event.objects.get()
    assert (event.subject, event.circuit) == (f"corrida/{corridas[0].pk}", mine.circuit.pk)
    assert event.data == {"date": "2027-03-09", "plaza": mine.plazas[0].slug}
