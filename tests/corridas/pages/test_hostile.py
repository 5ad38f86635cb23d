"""Invalid form data, parameters and files never cause a server error on pages of a circuit."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from itertools import product

import pytest
from django.core.cache import cache
from django.core.files.uploadedfile import SimpleUploadedFile
from django.test import Client
from django.urls import URLPattern

from accounts.models import User
from corridas.addresses import address
from corridas.models import Corrida
from corridas.urls import PAGES
from leagues.models import Match
from tests.corridas.pages.tabletop.table import begin
from tests.databases import written_again
from tests.factories import World, live_through, small_circuit

SENT = (
    "\0",
    "x" * 5_000,
    "9" * 30,
    "99999999999",
    "-1",
    "é\u0301🐂\ud7ff\u202e",
    "nan",
    "١٢",
    "2027-02-30",
    "0001-01-01",
    "9999-12-31T23:59",
    "[]",
)
# The three worst texts, for pages to which every form field is sent at once.
WORST = SENT[:3]
# The ways to enter a lidia in the form: its cards, its scoresheet or only its result.
WAYS = ("cards", "sheet", "score")
FIELDS = (
    *("name", "visibility", "pace_ms", "always_on_air", "evening", "zone", "tables_count"),
    *("roster", "seed", "year", "calendar", "ferias", "shuffle", "bull_reading", "bull_points"),
    *("corrida", "deadline", "name-0", "name-1", "name-2", "token", "batch", "archive"),
    *("far", "feria", "until", "stop_on", "first", "second", "third", "herd", "leave"),
    *("circuit", "league", "plaza", "date", "own", "matador-0", "matador-1", "matador-2"),
    *("bull-0", "number-0", "lead-0", "seat-0", "version", "bull", "way", "form", "card"),
    *("p-0-0", "p-0-1", "k-0", "avisos", "indulto", "number", "finished", "marks", "modified"),
    *("left", "right", "page", "since", "month", "by", "format", "until", "to", "sort", "in"),
    *("category", "fixture", "game", "backs", "log", "story"),
    *("rows-TOTAL_FORMS", "rows-INITIAL_FORMS", "rows-0-plaza", "rows-0-day"),
)
PARTS = {
    "year": 2027,
    "slug": "matador-0",
    "scope": "matador",
    "pk": 1,
    "turn": 1,
    "card": 1,
    "run": 1,
}
# A number that is valid in a URL but too large for every database column.
HUGE = 10**18


@written_again
def on_air() -> Corrida:
    """Return a corrida on air, in a circuit in which three corridas have been posted."""
    lived = live_through(small_circuit())
    return lived.air_in_earnest(lived.announce(dt.date(2027, 6, 1)), seconds=30)


@pytest.fixture
def office(lived: World) -> Client:
    return director()


def director() -> Client:
    """Return a client that is signed in as a superuser."""
    client = Client()
    client.force_login(User.objects.create_superuser("director"))
    cache.clear()
    return client


def way_of(page: URLPattern, **other: object) -> str:
    given = {name: {**PARTS, **other}.get(name, "nadie") for name in page.pattern.converters}
    return address("", page.name or "", **given)


@pytest.mark.slow
@pytest.mark.parametrize("page", PAGES, ids=lambda page: page.name)
def test_invalid_values_in_every_field_cause_no_server_error(db: None, page: URLPattern) -> None:
    told, office = on_air(), director()
    way = way_of(page, pk=told.pk)
    for text in WORST:
        sent = dict.fromkeys(FIELDS, text)
        assert office.get(way, dict.fromkeys(FIELDS, text[:2000])).status_code < 500
        assert office.post(way, sent).status_code < 500, text[:20]


@pytest.mark.parametrize("page", [one for one in PAGES if one.pattern.converters], ids=str)
def test_numbers_too_large_for_the_database_cause_no_server_error(
    lived: World, office: Client, page: URLPattern
) -> None:
    way = way_of(page, pk=HUGE, year=HUGE, turn=HUGE, card=HUGE, run=HUGE)
    assert office.get(way).status_code < 500
    assert office.post(way, {}).status_code < 500


def good(world: World) -> dict[str, str]:
    fields = {
        "circuit": "leyendas",
        "plaza": str(world.plazas[1].pk),
        "date": "2027-05-01",
        "own": "Ana",
        "name-1": "Berta",
        "herd": str(world.herd.pk),
    }
    return fields | {f"matador-{n}": str(one.pk) for n, one in enumerate(world.matadors[:3])}


@pytest.mark.slow
@pytest.mark.parametrize("text", SENT, ids=lambda text: ascii(text[:12]))
def test_a_hostile_text_in_a_form_for_a_real_table_causes_no_server_error(
    lived: World, text: str
) -> None:
    """Each text is tried in a third of the fields, so each field gets four of the texts."""
    check_fields(lived, text, slice(SENT.index(text) % 3, None, 3))


@pytest.mark.nightly
@pytest.mark.parametrize("text", SENT, ids=lambda text: ascii(text[:12]))
def test_any_hostile_text_in_any_field_for_a_real_table_causes_no_server_error(
    lived: World, text: str
) -> None:
    check_fields(lived, text, slice(None))


def check_fields(lived: World, text: str, which: slice) -> None:
    names = (*good(lived), "bull-0", "number-0", "lead-0", "name-2", "league", "seat-0")
    for name in names[which]:
        answer = Client().post("/tienta/nueva/", good(lived) | {name: text})
        assert answer.status_code < 500, name


@pytest.mark.parametrize("text", SENT, ids=lambda text: ascii(text[:12]))
def test_a_hostile_player_name_for_a_real_table_causes_no_server_error(
    lived: World, office: Client, text: str
) -> None:
    corrida = lived.announce(dt.date(2027, 6, 1))
    sent = {"corrida": str(corrida.pk), "deadline": "2090-01-01T00:00", "name-0": "Ana"}
    assert office.post("/direccion/mesas/", sent | {"name-1": text}).status_code < 500
    assert office.get("/direccion/mesas/").status_code == 200


@pytest.mark.slow
@pytest.mark.parametrize(
    "pairs",
    [
        [*zip(WAYS, WORST, strict=True)],
        pytest.param([*product(WAYS, WORST)], marks=pytest.mark.nightly),
    ],
    ids=["some", "all"],
)
def test_hostile_values_of_the_buttons_of_a_lidia_cause_no_server_error(
    lived: World, pairs: Iterable[tuple[str, str]]
) -> None:
    client = Client()
    match = begin(client, lived)
    deeds = ("read", "card", "typed", "back", "put", "wipe", "way", "bull", "send", "rewrite")
    for way, text in pairs:
        fields = dict.fromkeys((f for f in FIELDS if f != "version"), text)
        fields |= {"way": way, "form": way}
        for deed in deeds:
            version = Match.objects.values_list("version", flat=True).get(pk=match.pk)
            sent = {**fields, "version": str(version), "do": f"{deed}:{text}"}
            answer = client.post(f"/tienta/{match.pk}/", sent)
            assert answer.status_code < 500, (deed, text[:12])
        assert client.get(f"/tienta/{match.pk}/").status_code == 200


@pytest.mark.parametrize("name", ["plazas.csv", "x.xlsx", "x.zip", "\0.csv", "é" * 150 + ".csv"])
def test_a_malformed_roster_file_causes_no_server_error(
    lived: World, office: Client, name: str
) -> None:
    for data in (b"", b"\0", b"\xff\xfe\0", b"slug\n" + b"\0" * 10, b"PK\3\4" + b"x" * 99):
        file = SimpleUploadedFile("x", data)
        file.name = name
        answer = office.post("/direccion/elenco/", {"file": file})
        assert answer.status_code < 500, data


@pytest.mark.slow
def test_an_impossible_deadline_causes_no_server_error(lived: World, office: Client) -> None:
    corrida = lived.announce(dt.date(2027, 6, 1))
    for deadline in ("0001-01-01T00:00", "9999-12-31T23:59", "2027-13-01", "\0"):
        sent = {"corrida": str(corrida.pk), "deadline": deadline, "name-0": "Ana"}
        assert office.post("/direccion/mesas/", sent).status_code < 500
        assert office.get("/direccion/mesas/").status_code == 200
