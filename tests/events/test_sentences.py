"""Events as sentences of a page, in which all placeholders are filled in."""

import datetime as dt
from typing import Any

import pytest
from django.test import Client
from django.utils import translation

from corridas.models import Matador, Plaza
from events.kinds import PublicEvent, kinds
from events.numbering import publish
from events.operations import record_event
from events.queries import EventReader, latest_events
from events.representation import public_events
from tests.factories import World, small_circuit


@pytest.fixture
def world(db: None) -> World:
    return small_circuit()


AT = dt.datetime(2027, 10, 12, 20, tzinfo=dt.UTC)
SPANISH = "Premios de la temporada de 2027"


@pytest.mark.parametrize(
    ("winners", "english", "spanish"),
    [
        (["Ana"], "Ana (Best bull)", "Ana (Mejor toro)"),
        (["Ana", None], "Ana (Best bull); 1 not awarded", "Ana (Mejor toro); 1 desierto"),
        (
            [None, "Ana", None, "Eva"],
            "Ana (Best bull), Eva (Best bull); 2 not awarded",
            "Ana (Mejor toro), Eva (Mejor toro); 2 desiertos",
        ),
        ([None, None], "none were given", "todos desiertos"),
    ],
)
def test_awards_without_a_winner_have_their_own_sentence(
    winners: list[str | None], english: str, spanish: str
) -> None:
    awards = [{"key": "bull", "to": to} for to in winners]
    one = PublicEvent(
        number=1,
        kind="award.given",
        subject="season/1",
        at=AT,
        circuit="temporada",
        league=None,
        data={"year": 2027, "feria": None, "address": None, "awards": awards},
    )
    with translation.override("en"):
        assert kinds["award.given"].words(one) == f"Awards for the 2027 season: {english}"
    with translation.override("es"):
        assert kinds["award.given"].words(one) == f"{SPANISH}: {spanish}"


WHERE = {"plaza": "las-ventas", "place": "Las Ventas", "city": "Madrid"}
NAMES = WHERE | {"matadors": ["Ana", "Beto", "Carla"]}
# Each case: the kind; its subject; its data; the sentence; the page to which it links.
SAID: list[tuple[str, str, dict[str, Any], str, str]] = [
    (
        "corrida.announced",
        "season/5",
        {"carteles": 1, "year": 2027},
        "1 cartel announced",
        "temporada/2027/",
    ),
    (
        "corrida.announced",
        "season/5",
        {"carteles": 2, "year": 2027},
        "2 carteles announced",
        "temporada/2027/",
    ),
    (
        "corrida.on_air",
        "corrida/7",
        NAMES,
        "The corrida in Madrid (Las Ventas) has begun: Ana, Beto, Carla",
        "corridas/7/",
    ),
    (
        "corrida.posted",
        "corrida/7",
        {**NAMES, "ears": [0, 1, 0]},
        "The corrida in Madrid (Las Ventas) has ended: Ana, Beto, Carla; 1 ear cut",
        "corridas/7/",
    ),
    (
        "corrida.posted",
        "corrida/7",
        {**NAMES, "ears": [2, 1, 0], "tails": [9, 9, 9]},
        "The corrida in Madrid (Las Ventas) has ended: Ana, Beto, Carla; 3 ears cut",
        "corridas/7/",
    ),
    (
        "corrida.suspended",
        "corrida/7",
        {**NAMES, "ears": [0, 0, 0]},
        "The corrida in Madrid (Las Ventas) was suspended: Ana, Beto, Carla",
        "corridas/7/",
    ),
    (
        "corrida.withdrawn",
        "corrida/7",
        {"plaza": "ronda", "place": "Plaza de Ronda", "city": "Ronda"},
        "The corrida in Ronda, played with real cards, no longer counts",
        "temporada/",
    ),
    (
        "award.given",
        "feria/3",
        {
            "year": 2027,
            "feria": "Feria de Abril",
            "address": "abril",
            "awards": [
                {"key": "lidia", "to": "Ana"},
                {"key": "revelation", "to": "Beto"},
                {"key": "triumph", "to": "Ana"},
            ],
        },
        "Awards for Feria de Abril: Ana (Triumphant matador, Best lidia), Beto (Revelation)",
        "temporada/2027/abril/",
    ),
    (
        "winter.over",
        "season/5",
        {"year": 2027, "retired": 3, "alternativas": 4, "returned": 9, "debuts": 8},
        "The winter after 2027 has ended: 3 matadors retired, 4 novilleros took the alternativa",
        "temporada/2027/invierno/",
    ),
    (
        "record.fell",
        "record/season_ears",
        {"value": 41, "before": 40, "matador": "Ana"},
        "New record by Ana – Most ears in a season: 41 (previously 40)",
        "records/",
    ),
    (
        "record.fell",
        "record/season_ears",
        {"value": 41, "before": 40, "matador": None},
        "New record by the whole circuit – Most ears in a season: 41 (previously 40)",
        "records/",
    ),
]


@pytest.mark.parametrize(("kind", "subject", "data", "said", "page"), SAID)
def test_circuit_events_use_displayed_names_and_link_to_their_page(
    kind: str, subject: str, data: dict[str, Any], said: str, page: str
) -> None:
    one = PublicEvent(
        number=1, kind=kind, subject=subject, at=AT, circuit="otra", league=None, data=data
    )
    with translation.override("en"):
        words = kinds[kind].words(one)
    assert words.endswith(said)
    assert words == said or kind == "record.fell"
    assert kinds[kind].page(one) == f"/circuitos/otra/{page}"


@pytest.mark.parametrize(
    ("language", "figures"), [("en", "1,224 (previously 1,206)"), ("es", "1.224 (antes, 1.206)")]
)
def test_large_figures_of_records_have_thousands_separators(language: str, figures: str) -> None:
    data = {"value": 1224, "before": 1206, "matador": None}
    one = PublicEvent(
        number=1, kind="record.fell", subject="record/year_ears", at=AT,
        circuit="otra", league=None, data=data,
    )  # fmt: skip
    with translation.override(language):
        assert kinds["record.fell"].words(one).endswith(f": {figures}")


def test_events_use_the_names_that_pages_show(world: World) -> None:
    matador, plaza = world.matadors[0], world.plazas[0]
    Matador.objects.filter(pk=matador.pk).update(name="Fermín Espinosa", apodo="Armillita")
    Plaza.objects.filter(pk=plaza.pk).update(name="Cañaveralejo")
    bill = {"plaza": plaza.slug, "matadors": ["Fermín Espinosa", "Ana"]}
    for kind, data in (
        ("corrida.on_air", bill),
        ("corrida.withdrawn", {"plaza": plaza.slug}),
        ("record.fell", {"matador": "Fermín Espinosa", "value": 2, "before": 1}),
        ("award.given", {"awards": [{"key": "bull", "to": "Fermín Espinosa"}]}),
    ):
        record_event(kind=kind, subject="x/1", data=data, at=AT, circuit=world.circuit.pk)
    publish(at=AT)
    air, withdrawn, fell, given = (
        one.data for one in reversed(public_events(latest_events(EventReader(), 9)))
    )
    assert air["matadors"] == ["Armillita", "Ana"]
    assert air["place"] == withdrawn["place"] == "Cañaveralejo"
    assert air["city"] == withdrawn["city"] == plaza.city
    assert fell["matador"] == given["awards"][0]["to"] == "Armillita"


def test_page_shows_three_events_of_a_kind_and_minute_and_counts_others(
    world: World, client: Client
) -> None:
    for number in range(60):
        data = {"year": 2027, "carteles": number}
        minute = AT + dt.timedelta(minutes=number >= 50, seconds=number % 50)
        record_event(
            kind="corrida.announced",
            subject=f"season/{number}",
            data=data,
            at=minute,
            circuit=world.circuit.pk,
        )
    publish(at=AT)
    page = client.get("/sucesos/").text
    assert page.count("events-line") == 6
    assert "and 7 more in the same minute" in page
    assert "and 47 more in the same minute" in page
