"""What happened, in a sentence that leaves no sign for the reader to guess at."""

import datetime as dt
from typing import Any

import pytest
from django.utils import translation

from events.kinds import Happening, kinds

AT = dt.datetime(2027, 10, 12, 20, tzinfo=dt.UTC)
SPANISH = "Premios de la temporada 2027"


@pytest.mark.parametrize(
    ("winners", "english", "spanish"),
    [
        (["Ana"], "Ana", "Ana"),
        (["Ana", None, "Ana"], "Ana; 1 unawarded", "Ana; 1 desierto"),
        ([None, "Ana", None, "Eva"], "Ana, Eva; 2 unawarded", "Ana, Eva; 2 desiertos"),
        ([None, None], "nobody won any", "desiertos"),
    ],
)
def test_awards_that_found_nobody_are_told_in_words(
    winners: list[str | None], english: str, spanish: str
) -> None:
    awards = [{"key": "ears", "to": to} for to in winners]
    one = Happening(
        number=1,
        kind="award.given",
        subject="season/1",
        at=AT,
        circuit="temporada",
        league=None,
        data={"year": 2027, "feria": None, "address": None, "awards": awards},
    )
    with translation.override("en"):
        assert kinds["award.given"].words(one) == f"Awards of the season 2027: {english}"
    with translation.override("es"):
        assert kinds["award.given"].words(one) == f"{SPANISH}: {spanish}"


NAMES = {"plaza": "las-ventas", "matadors": ["Ana", "Beto", "Carla"]}
# The kind, what it is about, its data; its words, and the page it leads to.
SAID: list[tuple[str, str, dict[str, Any], str, str]] = [
    (
        "corrida.announced",
        "season/5",
        {"carteles": 1, "year": 2027},
        "1 cartel hangs",
        "temporada/2027/",
    ),
    (
        "corrida.announced",
        "season/5",
        {"carteles": 2, "year": 2027},
        "2 carteles hang",
        "temporada/2027/",
    ),
    (
        "corrida.on_air",
        "corrida/7",
        NAMES,
        "Las Ventas is on the sand: Ana, Beto, Carla",
        "corridas/7/",
    ),
    (
        "corrida.posted",
        "corrida/7",
        {**NAMES, "ears": [0, 1, 0]},
        "Las Ventas is over: Ana, Beto, Carla; 1 ear cut",
        "corridas/7/",
    ),
    (
        "corrida.posted",
        "corrida/7",
        {**NAMES, "ears": [2, 1, 0], "tails": [9, 9, 9]},
        "Las Ventas is over: Ana, Beto, Carla; 3 ears cut",
        "corridas/7/",
    ),
    (
        "corrida.suspended",
        "corrida/7",
        {**NAMES, "ears": [0, 0, 0]},
        "Las Ventas was broken off: Ana, Beto, Carla",
        "corridas/7/",
    ),
    (
        "corrida.withdrawn",
        "corrida/7",
        {"plaza": "ronda"},
        "Ronda, played at a table, counts no more",
        "temporada/",
    ),
    (
        "award.given",
        "feria/3",
        {
            "year": 2027,
            "feria": "Feria de Abril",
            "address": "abril",
            "awards": [{"key": "a", "to": "Ana"}, {"key": "b", "to": "Beto"}],
        },
        "Awards of Feria de Abril: Ana, Beto",
        "temporada/2027/abril/",
    ),
    (
        "winter.over",
        "season/5",
        {"year": 2027, "retired": 3, "alternativas": 4, "returned": 9, "debuts": 8},
        "The winter after 2027 is over: 3 stopped, 4 took the alternativa",
        "temporada/2027/invierno/",
    ),
    (
        "record.fell",
        "record/season_ears",
        {"value": 41, "before": 40, "matador": "Ana"},
        ": 41 instead of 40, by Ana",
        "records/",
    ),
    (
        "record.fell",
        "record/season_ears",
        {"value": 41, "before": 40, "matador": None},
        ": 41 instead of 40, by the whole circuit",
        "records/",
    ),
]


@pytest.mark.parametrize(("kind", "subject", "data", "said", "page"), SAID)
def test_what_happens_in_a_circuit_is_said_with_its_names_and_leads_to_its_page(
    kind: str, subject: str, data: dict[str, Any], said: str, page: str
) -> None:
    one = Happening(
        number=1, kind=kind, subject=subject, at=AT, circuit="otra", league=None, data=data
    )
    with translation.override("en"):
        words = kinds[kind].words(one)
    assert words.endswith(said)
    assert words == said or kind == "record.fell"
    assert kinds[kind].page(one) == f"/circuitos/otra/{page}"
