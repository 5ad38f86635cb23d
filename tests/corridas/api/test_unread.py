"""A corrida whose rows were damaged: refused at the place, and told as far as it can be."""

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

SECONDS = 75
"""At a card a second the first bull is over and the second on the sand."""
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
    """One byte of the cards of a lidia: it is now the card before it, drawn twice."""
    row = Lidia.objects.get(corrida=corrida, turn=turn)
    draws = bytearray(row.draws)
    draws[5] = draws[4]
    Lidia.objects.filter(pk=row.pk).update(draws=bytes(draws))


def unread_card(corrida: Corrida) -> None:
    """The printed ranges of one of the three are no ranges any more."""
    place = corrida.cartel.puestos.order_by("order")[0]
    MatadorCard.objects.filter(pk=place.card_id).update(oreja="9-")


def read_all(world: World, who: Program, corrida: Corrida) -> dict[str, Any]:
    """What every address that is read answers, of the first turn of this corrida."""
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
def test_programs_are_refused_where_cards_are_needed_and_nowhere_else(
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


def test_a_corrida_that_replays_says_so(nobody: Program, posted: Corrida) -> None:
    assert nobody.tell(f"corridas/{posted.pk}/")["unread"] is False


def test_the_page_tells_results_and_that_the_check_reports_it(
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


def test_its_record_tells_what_is_stored_and_does_not_stand(
    client: Client, posted: Corrida
) -> None:
    damage(posted)
    for way in (f"/corridas/{posted.pk}/", f"/corridas/{posted.pk}/1/"):
        record = client.get(f"{way}record/")
        assert record.status_code == 200
        assert not actas.check_file(record.content).stands
        assert client.get(f"{way}record/verdict/").status_code == 200
    told = client.get(f"/api/v1/corridas/{posted.pk}/record/")
    assert not actas.check_file(told.content).stands


@pytest.mark.slow
def test_a_stored_score_that_was_changed_is_told_as_it_is_and_found_out(
    world: World, client: Client, nobody: Program, posted: Corrida
) -> None:
    row = Lidia.objects.filter(corrida=posted).exclude(score=None).order_by("turn")[0]
    Lidia.objects.filter(pk=row.pk).update(score=(row.score or 0) + 1)
    for answer in read_all(world, nobody, posted).values():
        assert answer.status_code < 500
    assert nobody.tell(f"corridas/{posted.pk}/lidias/{row.turn}/")["result"]["score"] != row.score
    assert client.get(f"/corridas/{posted.pk}/").status_code == 200
    assert client.get(f"/corridas/{posted.pk}/{row.turn}/").status_code == 200
    record = client.get(f"/corridas/{posted.pk}/record/")
    assert not actas.check_file(record.content).stands
    assert [one.name for one in check(posted)] == [f"lidia/{row.turn}"]
    json.dumps(record.json())


def test_it_is_written_to_the_log_once(
    client: Client, posted: Corrida, caplog: pytest.LogCaptureFixture
) -> None:
    damage(posted)
    with caplog.at_level(logging.ERROR):
        for _time in range(3):
            client.get(f"/corridas/{posted.pk}/")
            client.get(f"/api/v1/corridas/{posted.pk}/lidias/1/")
    said = [one.getMessage() for one in caplog.records if one.name == "corridas.broadcast.source"]
    assert said == [f"Corrida {posted.pk} does not replay"]


def test_a_row_that_is_mended_is_shown_at_once(client: Client, posted: Corrida) -> None:
    row = Lidia.objects.get(corrida=posted, turn=1)
    damage(posted)
    assert 'id="viewer"' not in client.get(f"/corridas/{posted.pk}/").text
    Lidia.objects.filter(pk=row.pk).update(draws=row.draws)
    assert 'id="viewer"' in client.get(f"/corridas/{posted.pk}/").text


def test_on_air_the_front_page_stands_and_nothing_is_told_early(
    lived: World, client: Client, nobody: Program
) -> None:
    corrida = lived.air_in_earnest(lived.announce(dt.date(2027, 3, 8)), seconds=SECONDS)
    damage(corrida, turn=4)
    assert client.get("/").status_code == 200
    page = client.get(f"/corridas/{corrida.pk}/")
    assert (page.status_code, page.text.count('id="bull-')) == (200, 1)
    told = nobody.tell(f"corridas/{corrida.pk}/")
    assert (told["unread"], len(told["bulls"]), told["seed"]) == (True, 1, "")
    assert {bull["turn"] for bull in told["encierro"]} == {None}
    found = source.provide(str(corrida.pk), "en")
    assert found is not None
    assert (list(found.moments), found.ended) == ([], True)
