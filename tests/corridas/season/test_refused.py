"""Operations of a director that are rejected: an error explains why and no row is changed."""

import datetime as dt
from hashlib import sha256

import pytest

from corridas.circuits.operations import plan_season
from corridas.engine import CardError, DeckError, RulesError
from corridas.errors import OperationError
from corridas.models import (
    Circuit,
    Corrida,
    MatadorCard,
)
from corridas.season.operations import (
    Goal,
    cut_short,
    queue_corrida,
    request_stop,
    retry_corrida,
    run_season,
)
from corridas.simulation.draw import announce
from corridas.simulation.play import play_on_air
from tests.corridas.season.refusals import WINTER, announced, digest, refused
from tests.corridas.simulation import world
from tests.corridas.simulation.world import NOW
from tests.scratch import seeds

pytestmark = pytest.mark.usefixtures("rows", "valkey")


@pytest.mark.parametrize("pace_ms", [-1, 0, 49, 60_001])
def test_a_pace_outside_its_limits_is_rejected(pace_ms: int) -> None:
    corrida = announced(world.calm())[0]
    refused(
        lambda: queue_corrida(corrida=corrida, pace_ms=pace_ms, at=NOW),
        "50",
        "60000",
        str(pace_ms),
        field="pace_ms",
    )


@pytest.mark.parametrize("state", ["queued", "on_air", "posted", "suspended"])
def test_only_a_waiting_corrida_can_be_queued_or_retried(state: str) -> None:
    corrida = announced(world.calm())[0]
    Corrida.objects.filter(pk=corrida.pk).update(state=state)
    for ask in (
        lambda: queue_corrida(corrida=corrida, pace_ms=100, at=NOW),
        lambda: retry_corrida(corrida=corrida, at=NOW),
    ):
        refused(ask, str(corrida), "no longer waiting")


def test_no_corrida_can_be_queued_while_its_season_is_being_played() -> None:
    corrida = announced(world.calm())[0]
    world.begin(world.calm())
    refused(
        lambda: queue_corrida(corrida=corrida, pace_ms=100, at=NOW),
        "The season is being played.",
    )


def test_a_corrida_for_which_no_three_matadors_are_available_cannot_be_queued() -> None:
    season = world.calm()
    corrida = Corrida.objects.of_season(season)[0]
    MatadorCard.objects.filter(matador__circuit=season.circuit_id).delete()
    refused(
        lambda: queue_corrida(corrida=corrida, pace_ms=100, at=NOW),
        "three matadors",
        str(corrida.date),
    )


@pytest.mark.parametrize("state", ["announced", "queued", "posted", "suspended", "failed"])
def test_only_a_corrida_on_air_can_be_cut_short(state: str) -> None:
    corrida = announced(world.calm())[0]
    Corrida.objects.filter(pk=corrida.pk).update(state=state)
    refused(lambda: cut_short(corrida=corrida, at=NOW), str(corrida), "not on air")


def test_a_season_cannot_be_planned_twice() -> None:
    circuit = world.calm().circuit
    refused(
        lambda: plan_season(circuit=circuit, year=world.YEAR),
        str(circuit),
        str(world.YEAR),
        field="year",
    )


@pytest.mark.parametrize("year", [-1, 0, 1582, 10_000])
def test_an_impossible_year_cannot_be_planned(year: int) -> None:
    refused(lambda: plan_season(circuit=world.calm().circuit, year=year), str(year), field="year")


def test_a_second_run_cannot_start_while_a_run_is_active() -> None:
    season = world.calm()
    world.begin(season, Goal(corridas=1))
    refused(
        lambda: run_season(season=season, goal=Goal(), at=NOW),
        "The season is already being played.",
    )


@pytest.mark.parametrize(
    "goal", [Goal(until=dt.date(world.YEAR, 2, 28)), Goal(until=dt.date(world.YEAR - 1, 12, 31))]
)
def test_a_run_until_a_day_without_corridas_left_is_rejected(goal: Goal) -> None:
    refused(lambda: run_season(season=world.calm(), goal=goal, at=NOW), "no corrida", field="until")


@pytest.mark.parametrize("corridas", [0, -1])
def test_a_run_of_no_corridas_is_rejected(corridas: int) -> None:
    refused(
        lambda: run_season(season=world.calm(), goal=Goal(corridas=corridas), at=NOW),
        "corrida",
        field="corridas",
    )


def test_a_run_that_is_over_cannot_be_stopped() -> None:
    run = world.run_on(world.begin(world.calm()))
    refused(lambda: request_stop(run=run), "This run of corridas has already ended.")


def test_a_season_with_an_unknown_rule_option_cannot_be_planned() -> None:
    circuit = world.calm().circuit
    for rules, word in (({"shufle": "each_bull"}, "shufle"), ({"shuffle": "never"}, "never")):
        Circuit.objects.filter(pk=circuit.pk).update(rules=rules)
        circuit.refresh_from_db()
        before = digest()
        with pytest.raises((OperationError, RulesError), match=word):
            plan_season(circuit=circuit, year=2031)
        assert digest() == before


SPOILT = [
    ("4 | NATURAL+", "Card 0"),
    ("ten | NATURAL | BREGA | NATURAL | NATURAL | ESTOCADA 0", "Card 0"),
    ("0 | NATURAL | BREGA | NATURAL | NATURAL | ESTOCADA 3", "I-1"),
    ("0 | HERIDA | BREGA | NATURAL | NATURAL | ESTOCADA 0", "I-1"),
    ("0 | CLAVAR | BREGA | NATURAL | NATURAL | ESTOCADA 0", "I-1"),
]


@pytest.mark.parametrize(("line", "word"), SPOILT)
def test_a_corrida_with_an_invalid_deck_fails_and_stays_unchanged(line: str, word: str) -> None:
    """The error names the card and the ruling."""
    season = world.calm()
    key = world.queue_all(season)[0]
    deck = season.circuit.deck
    cards = "\n".join([line, *deck.cards.splitlines()[1:]])
    deck.cards, deck.digest = cards, sha256(cards.encode()).hexdigest()
    deck.save()
    before = digest()
    with pytest.raises(DeckError, match=word):
        play_on_air(key, at=NOW)
    assert digest() == before


def test_a_cartel_with_a_card_that_has_a_gap_cannot_be_announced() -> None:
    season = world.calm()
    card = MatadorCard.objects.filter(matador__circuit=season.circuit_id)[0]
    card.silencio = "-"
    card.save()
    before = digest()
    with pytest.raises(CardError, match=card.matador.name):
        announce(season, until=WINTER, fresh=seeds("gap"))
    assert digest() == before
