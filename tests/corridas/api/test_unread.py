"""A corrida whose stored cards were damaged.

The API rejects only requests that need the cards and still shows stored results.
"""

from __future__ import annotations

import datetime as dt
import json
import logging
from typing import Any

import pytest
from django.core.cache import cache
from django.test import Client

import actas
from corridas.api.urls import urlpatterns
from corridas.broadcast import source
from corridas.models import Corrida, Lidia, MatadorCard
from corridas.simulation.verify import check
from tests.corridas.api.conftest import Program, addresses, answers_to
from tests.corridas.archive.acta.test_record_pages import over
from tests.factories import World

# Seconds since the start, at one card a second: the first bull is over, the second is fighting.
SECONDS = 75
TOLD_BY_CARDS = {"api_lidia", "api_moment"}
Setup = pytest.MonkeyPatch


@pytest.fixture(autouse=True)
def _nothing_kept() -> None:
    source._cache.clear()
    source._unread.clear()
    cache.clear()


@pytest.fixture
def posted(world: World) -> Corrida:
    return over(world)


def damage(corrida: Corrida, turn: int = 1) -> None:
    """Damage the stored cards of a lidia: one card is replaced by the card before it."""
    row = Lidia.objects.get(corrida=corrida, turn=turn)
    draws = bytearray(row.draws)
    draws[5] = draws[4]
    Lidia.objects.filter(pk=row.pk).update(draws=bytes(draws))


def unread_card(corrida: Corrida) -> None:
    """Damage the ranges on the stored card of one of the three matadors of a corrida."""
    place = corrida.cartel.puestos.order_by("order")[0]
    MatadorCard.objects.filter(pk=place.card_id).update(oreja="9-")


def read_all(world: World, who: Program, corrida: Corrida) -> dict[str, Any]:
    """Return the answer of every GET view, for the first turn of this corrida."""
    ways = addresses(world, pk=corrida.pk, turn=1)
    reading = [str(one.name) for one in urlpatterns if answers_to(one, "GET")]
    return {name: who.get(ways[name]) for name in reading}


def refused(answer: Any) -> None:
    told = answer.json()
    assert (answer.status_code, answer["Content-Type"]) == (409, "application/problem+json")
    assert told["type"] == "urn:temporada:problem:unread"
    assert "can no longer be replayed" in told["detail"]
    assert answer["Cache-Control"] == "no-store"


RECORDS = {"api_corrida_record", "api_lidia_record"}


@pytest.mark.slow
@pytest.mark.parametrize(("harm", "none"), [(damage, set()), (unread_card, RECORDS)])
def test_a_damaged_corrida_is_rejected_only_where_its_cards_are_needed(
    world: World, nobody: Program, posted: Corrida, harm: Any, none: set[str]
) -> None:
    before = {name: answer.status_code for name, answer in read_all(world, nobody, posted).items()}
    source._cache.clear()
    harm(posted)
    after = read_all(world, nobody, posted)
    for name in TOLD_BY_CARDS:
        refused(after.pop(name))
    for name in none:
        assert "can no longer be read" in after[name].json()["detail"]
        before[name] = 404
    assert {name: answer.status_code for name, answer in after.items()} == {
        name: status for name, status in before.items() if name not in TOLD_BY_CARDS
    }
    told = after["api_corrida"].json()
    assert (told["unread"], told["position"], told["moment"]["now"]) == (True, None, None)
    assert len(told["bulls"]) == len(told["encierro"]) == 6
    assert told["seed"]


def test_a_corrida_that_can_be_replayed_is_not_marked_as_damaged(
    nobody: Program, posted: Corrida
) -> None:
    assert nobody.get_json(f"corridas/{posted.pk}/")["unread"] is False


def test_the_page_of_a_damaged_corrida_shows_stored_results_and_a_warning(
    client: Client, posted: Corrida
) -> None:
    damage(posted)
    way = f"/corridas/{posted.pk}/"
    page = client.get(way)
    assert page.status_code == 200
    assert "can no longer be replayed" in page.text
    assert "The nightly check reports this" in page.text
    assert page.text.count('id="bull-') == 6
    assert 'id="viewer"' not in page.text
    assert page["Cache-Control"] == "no-store"
    for below in ("1/", "1/3/", "7/0/", "1/3/?to=faster"):
        answer = client.get(way + below)
        assert (answer.status_code, "can no longer be replayed" in answer.text) == (409, True)
        assert answer["Cache-Control"] == "no-store"
        fragment = client.get(way + below, headers={"hx-request": "true"})
        assert (fragment.status_code, fragment.content) == (409, b"")
        assert fragment["Cache-Control"] == "no-store"


def test_the_record_file_of_a_damaged_corrida_contains_stored_values_and_does_not_verify(
    client: Client, posted: Corrida
) -> None:
    damage(posted)
    for way in (f"/corridas/{posted.pk}/", f"/corridas/{posted.pk}/1/"):
        record = client.get(f"{way}record/")
        assert record.status_code == 200
        assert not actas.check_file(record.content).is_confirmed
        assert client.get(f"{way}record/verdict/").status_code == 200
    told = client.get(f"/api/v1/corridas/{posted.pk}/record/")
    assert not actas.check_file(told.content).is_confirmed


@pytest.mark.slow
def test_a_changed_score_is_shown_as_stored_and_found_by_the_check(
    world: World, client: Client, nobody: Program, posted: Corrida
) -> None:
    row = Lidia.objects.filter(corrida=posted).exclude(score=None).order_by("turn")[0]
    Lidia.objects.filter(pk=row.pk).update(score=(row.score or 0) + 1)
    for answer in read_all(world, nobody, posted).values():
        assert answer.status_code < 500
    assert (
        nobody.get_json(f"corridas/{posted.pk}/lidias/{row.turn}/")["result"]["score"] != row.score
    )
    assert client.get(f"/corridas/{posted.pk}/").status_code == 200
    assert client.get(f"/corridas/{posted.pk}/{row.turn}/").status_code == 200
    record = client.get(f"/corridas/{posted.pk}/record/")
    assert not actas.check_file(record.content).is_confirmed
    assert [one.name for one in check(posted)] == [f"lidia/{row.turn}"]
    json.dumps(record.json())


def test_a_damaged_corrida_is_logged_once(
    client: Client, posted: Corrida, caplog: pytest.LogCaptureFixture
) -> None:
    damage(posted)
    with caplog.at_level(logging.ERROR):
        for _time in range(3):
            client.get(f"/corridas/{posted.pk}/")
            client.get(f"/api/v1/corridas/{posted.pk}/lidias/1/")
    said = [one.getMessage() for one in caplog.records if one.name == "corridas.broadcast.source"]
    assert said == [f"Corrida {posted.pk} does not replay"]


def test_a_repaired_corrida_is_shown_immediately(client: Client, posted: Corrida) -> None:
    row = Lidia.objects.get(corrida=posted, turn=1)
    damage(posted)
    assert 'id="viewer"' not in client.get(f"/corridas/{posted.pk}/").text
    Lidia.objects.filter(pk=row.pk).update(draws=row.draws)
    assert 'id="viewer"' in client.get(f"/corridas/{posted.pk}/").text


def test_a_damaged_corrida_on_air_reveals_nothing_early_and_breaks_no_page(
    lived: World, client: Client, nobody: Program
) -> None:
    corrida = lived.air_in_earnest(lived.announce(dt.date(2027, 3, 8)), seconds=SECONDS)
    damage(corrida, turn=4)
    assert client.get("/").status_code == 200
    page = client.get(f"/corridas/{corrida.pk}/")
    assert (page.status_code, page.text.count('id="bull-')) == (200, 1)
    told = nobody.get_json(f"corridas/{corrida.pk}/")
    assert (told["unread"], len(told["bulls"]), told["seed"]) == (True, 1, "")
    assert {bull["turn"] for bull in told["encierro"]} == {None}
    found = source.provide(str(corrida.pk), "en")
    assert found is not None
    assert (list(found.moments), found.ended) == ([], True)
