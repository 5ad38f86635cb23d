"""The API shows nothing of a corrida on air that its broadcast has not reached."""

from __future__ import annotations

import datetime as dt
from typing import Any

import pytest
from django.core.cache import cache
from django.utils import timezone

from corridas.api.urls import urlpatterns
from corridas.broadcast import source
from corridas.engine import play_corrida
from corridas.models import Bull, Corrida, Lidia
from corridas.simulation.rows import setup_of
from fairness import Seed
from tests.corridas.api.conftest import Program, addresses, answers_to
from tests.factories import World

# Seconds since the start, at one card a second: the first bull is over, the second is fighting.
SECONDS = 75

Answers = dict[str, tuple[int, Any]]


@pytest.fixture
def airing(lived: World, monkeypatch: pytest.MonkeyPatch) -> Corrida:
    """Return a corrida on air. The clock does not advance."""
    corrida = lived.air_in_earnest(lived.announce(dt.date(2027, 3, 8)), seconds=SECONDS)
    now = timezone.now()
    monkeypatch.setattr("django.utils.timezone.now", lambda: now)
    return corrida


def everything(world: World, who: Program, corrida: Corrida) -> Answers:
    """Return what all GET views of the API answer about the corrida on air and its first three
    turns.
    """
    source._cache.clear()
    cache.clear()
    answers: Answers = {}
    reading = {str(one.name) for one in urlpatterns if answers_to(one, "GET")}
    bulls = Bull.objects.filter(cartel=corrida.pk).order_by("pk").values_list("pk", flat=True)
    for turn in (1, 2, 3):
        for name, way in addresses(world, pk=corrida.pk, turn=turn).items():
            if name in reading and way not in answers:  # most views have no turn in their path
                answer = who.get(way)
                answers[way] = (answer.status_code, answer.json())
    for bull in bulls:
        way = f"circuits/leyendas/bulls/{bull}/"
        answers[way] = (200, who.get_json(way))
    return answers


def decide_otherwise(corrida: Corrida, reached: int) -> None:
    """Replace the results of all bulls after the turn that the broadcast has reached."""
    setup = setup_of(corrida)
    for number in range(40):
        other = play_corrida(setup, Seed(bytes([number]) * 32))
        if len(other.lidias) == 6:
            break
    for lidia in Lidia.objects.filter(corrida=corrida, turn__gt=reached):
        lidia.draws = other.lidias[lidia.turn - 1].draws
        lidia.trophy, lidia.crowd, lidia.vuelta = 3, None, True
        lidia.score, lidia.number, lidia.avisos, lidia.bull_points = 33, 99, 2, 44
        lidia.save()


@pytest.mark.slow
def test_no_api_answer_depends_on_results_that_the_broadcast_has_not_reached(
    lived: World, director: Program, airing: Corrida
) -> None:
    before = everything(lived, director, airing)
    position = before[f"corridas/{airing.pk}/"][1]["position"]
    assert position["finished"] == 1
    assert not position["over"]
    decide_otherwise(airing, position["turn"])
    after = everything(lived, director, airing)
    assert {name for name in before if before[name] != after[name]} == set()


@pytest.mark.slow
def test_records_and_rankings_do_not_depend_on_a_corrida_on_air(
    lived: World, nobody: Program, director: Program
) -> None:
    corrida = lived.announce(dt.date(2027, 3, 8))
    deaf = {
        name: way
        for name, way in addresses(lived, pk=10_000).items()
        if name
        not in {"api_corridas", "api_circuits", "api_circuit", "api_desk", "api_bulls", "api_runs"}
    }
    before = {name: nobody.get(way).content for name, way in deaf.items()}
    lived.air(corrida, seconds=10_000)
    Corrida.objects.filter(pk=corrida.pk).update(ends_at=timezone.now())
    cache.clear()
    assert {name for name, way in deaf.items() if nobody.get(way).content != before[name]} == set()


def test_a_corrida_on_air_shows_no_seed_and_no_record_file(
    nobody: Program, airing: Corrida
) -> None:
    way = f"corridas/{airing.pk}/"
    told = nobody.get_json(way)
    assert (told["state"], told["seed"], told["stake"]) == ("on_air", "", None)
    assert len(told["commitment"]) == 64
    assert [bull["turn"] for bull in told["bulls"]] == [1]
    assert "ends_at" not in told
    for ahead in ("record/", "lidias/1/record/", "lidias/3/", "moments/7/0/", "moments/2/200/"):
        assert nobody.get(way + ahead).status_code == 404


def test_a_card_links_to_the_next_card_only_when_the_next_has_been_shown(
    nobody: Program, airing: Corrida
) -> None:
    told = nobody.get_json(f"corridas/{airing.pk}/")
    now = nobody.ask("GET", told["moment"]["now"].partition("/api/v1/")[2]).json()
    assert now["links"]["next"] is None
    last = nobody.ask("GET", now["links"]["previous"].partition("/api/v1/")[2]).json()
    assert last["links"]["next"] == now["links"]["self"]


def test_a_lidia_s_story_starts_with_its_first_line_and_a_card_s_with_the_latest(
    nobody: Program, airing: Corrida
) -> None:
    whole = nobody.get_json(f"corridas/{airing.pk}/lidias/1/")
    lines, cards = whole["story"], [line["cards"] for line in whole["story"]]
    assert cards == sorted(cards)
    assert (cards[0], cards[-1]) == (0, whole["card"])
    moment = nobody.get_json(f"corridas/{airing.pk}/moments/1/{whole['card']}/")["story"]
    assert moment == lines[::-1][: len(moment)]


def test_bulls_have_no_turn_before_the_opening_parade(lived: World, nobody: Program) -> None:
    corrida = lived.air_in_earnest(lived.announce(dt.date(2027, 3, 8)), seconds=-30)
    told = nobody.get_json(f"corridas/{corrida.pk}/")
    assert told["position"] is None
    assert {bull["turn"] for bull in told["encierro"]} == {None}
    assert nobody.get(f"corridas/{corrida.pk}/lidias/1/").status_code == 404
