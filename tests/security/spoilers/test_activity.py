"""The events page hides results of corridas that the user has not watched."""

from __future__ import annotations

import datetime as dt

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from accounts.models import User
from corridas.models import Circuit, Corrida, Watched
from events.kinds import kinds
from events.models import Event
from events.numbering import publish
from events.operations import NewEvent, record_events
from tests.factories import small_circuit
from tests.security.spoilers.conftest import Afternoons

pytestmark = pytest.mark.django_db
LEFT_OUT = "There are corridas that you have not watched."
PAGE = "/sucesos/"
SECOND = dt.timedelta(seconds=1)


def posted_event(corrida: Corrida, at: dt.datetime, ears: int) -> NewEvent:
    """Create an event with a number of ears that no other event has."""
    data = {
        "date": str(corrida.date),
        "plaza": "ronda",
        "matadors": ["Pedro Romero"],
        "bulls": 6,
        "ears": [ears, 0, 0],
        "tails": [0, 0, 0],
        "indultos": 0,
    }
    circuit = corrida.season.circuit_id
    return NewEvent("corrida.posted", f"corrida/{corrida.pk}", data, at, circuit)


def began_event(corrida: Corrida, at: dt.datetime) -> NewEvent:
    data = {"date": str(corrida.date), "plaza": "ronda", "matadors": ["Nobody Else"]}
    circuit = corrida.season.circuit_id
    return NewEvent("corrida.on_air", f"corrida/{corrida.pk}", data, at, circuit)


@pytest.fixture
def scene(afternoons: Afternoons) -> Afternoons:
    """Results before, at and after the time at which the unwatched corrida was on air."""
    Event.objects.all().delete()
    over, since = afternoons.over, afternoons.over.on_air_at
    assert since is not None
    other = small_circuit("otro", "Otro")
    elsewhere = other.post(other.announce(dt.date(2027, 3, 3)))
    season = {"year": 2027, "retired": 77, "returned": 0, "alternativas": 0, "debuts": 0}
    record_events([
        posted_event(afternoons.run_on, since - SECOND, 41),
        began_event(over, since),
        posted_event(afternoons.run_on, since, 42),
        posted_event(over, since + SECOND, 43),
        NewEvent("winter.over", "season/1", season, since + SECOND, over.season.circuit_id),
        posted_event(elsewhere, since + 2 * SECOND, 44),
        NewEvent("league.closed", "league/1", {"name": "Jueves"}, since + 2 * SECOND),
    ])  # fmt: skip
    publish(at=timezone.now())
    return afternoons


def ears(page: str) -> list[int]:
    return [number for number in (41, 42, 43, 44) if f"{number} ears cut" in page]


def test_events_page_ends_before_the_first_unwatched_corrida(
    scene: Afternoons, shielded: Client, client: Client
) -> None:
    everything = client.get(PAGE).text
    assert ears(everything) == [41, 42, 43, 44]
    assert "77 matadors retired" in everything
    assert LEFT_OUT not in everything
    answer = shielded.get(PAGE)
    assert answer.status_code == 200
    # Events at the very start of the broadcast are left out. Events without a circuit or of other
    # circuits are not.
    assert ears(answer.text) == [41, 44]
    assert "77 matadors retired" not in answer.text
    assert "Jueves" in answer.text
    assert "Nobody Else" in answer.text, "what begins gives nothing away"
    assert LEFT_OUT in answer.text
    assert 'id="happenings"' not in answer.text, "no script follows the stream"
    assert 'id="happenings"' in everything
    spanish = shielded.get(PAGE, headers={"Accept-Language": "es"}).text
    assert "Hay corridas que no has visto." in spanish


def test_fragment_and_filtered_page_leave_out_the_same_events(
    scene: Afternoons, shielded: Client
) -> None:
    fragment = shielded.get(PAGE, headers={"HX-Request": "true"})
    assert fragment.status_code == 200
    assert ears(fragment.text) == [41, 44]
    assert ears(shielded.get(PAGE, {"kind": "corrida.posted"}).text) == [41, 44]


def test_watching_a_corrida_reveals_later_events(
    scene: Afternoons, shielded: Client, person: User
) -> None:
    now = timezone.now()
    Watched.objects.create(user=person, corrida=scene.over, at=now)
    later = shielded.get(PAGE).text
    assert ears(later) == [41, 42, 43, 44]
    assert LEFT_OUT in later, "another one is on air"
    Watched.objects.create(user=person, corrida=scene.on_air, at=now)
    everything = shielded.get(PAGE).text
    assert LEFT_OUT not in everything
    assert 'id="happenings"' not in everything, "the stream refuses them also then"


@pytest.mark.parametrize("circuit", ["", "leyendas"])
def test_events_are_shown_after_the_user_reveals_results(
    scene: Afternoons, shielded: Client, circuit: str
) -> None:
    assert ears(shielded.get(PAGE).text) == [41, 44]
    answer = shielded.post(reverse("unveil"), {"circuit": circuit, "next": PAGE})
    assert answer["Location"] == PAGE
    lifted = shielded.get(PAGE).text
    assert ears(lifted) == [41, 42, 43, 44]
    assert LEFT_OUT not in lifted


def test_events_page_reveals_nothing_about_invisible_circuits(
    scene: Afternoons, shielded: Client, client: Client
) -> None:
    assert LEFT_OUT in shielded.get(PAGE).text
    Circuit.objects.filter(slug="leyendas").update(public=False)
    assert LEFT_OUT not in shielded.get(PAGE).text
    assert ears(shielded.get(PAGE).text) == ears(client.get(PAGE).text) == [44]


def test_only_event_kinds_without_results_are_never_hidden() -> None:
    """A new kind of circuit event is hidden until a developer has classified it."""
    open_kinds = {kind.key for kind in kinds.all_kinds() if not kind.spoils}
    assert open_kinds == {"corrida.announced", "corrida.on_air"}
