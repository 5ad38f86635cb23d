"""Bots that simulate the rest of a day in their head are compared with exact calculations."""

from __future__ import annotations

from math import sqrt

import pytest

from eltoro.bots.lookout import (
    ROWS,
    CandidateCard,
    CardComparison,
    ImaginedAfternoon,
    ImaginedTown,
    in_the_running,
    plans_of,
    play_quickly,
    unseen_cards,
)
from eltoro.bots.outlook import Outlook, points_of
from eltoro.bots.values import DIE_VALUE, arrival_values, effect_values
from eltoro.engine import FACES, Bonus, DecisionKind, Game
from tests.eltoro.bots.games import chance, game_after, playing

AFTERNOONS = 3_000


def card_games() -> list[Game]:
    """Return games at every step of a day in which a card must be played."""
    return [game for game in map(game_after, range(4, 60, 5)) if game.ask is DecisionKind.CARD]


@pytest.mark.parametrize("game", card_games(), ids=lambda game: f"step {game.step}")
def test_average_of_simulated_days_without_cards_is_the_exact_expectation(game: Game) -> None:
    """Many simulations without cards must have, on average, the points of the exact table."""
    assert game.turn is not None
    outlook, dice = Outlook(game.view(game.turn)), chance()
    race = CardComparison(outlook, dice)
    scene = ImaginedTown(outlook, outlook.bulls, outlook.ways(game.turn))
    found = []
    for _ in range(AFTERNOONS if race.steps > 1 else 1):
        faces = [dice.below(FACES) for _ in range(ROWS * race.stride * race.steps)]
        own = list(race.own)
        assert (
            ImaginedAfternoon(faces, race.stride, [(0, 0)] * race.steps).walk(scene, own, []) == 0
        )
        found.append(scene.arrival(own, race.points, [0.0] * 5))
    mean = sum(found) / len(found)
    spread = sqrt(sum((one - mean) ** 2 for one in found)) / len(found)
    assert mean == pytest.approx(outlook.expected(game.turn), abs=4 * spread + 1e-9)


def test_simulated_day_uses_one_card_of_the_hand_for_each_later_step() -> None:
    """Only the present step uses no card of the hand."""
    game = game_after(5)
    assert game.turn is not None
    race = CardComparison(Outlook(game.view(game.turn)), chance())
    scene = ImaginedTown(race.outlook, race.outlook.bulls, race.outlook.ways(game.turn))
    plans = list(race.plans[:5])
    faces = [0] * (ROWS * race.stride * race.steps)
    ImaginedAfternoon(faces, race.stride, race.spoils).walk(scene, list(race.own), plans)
    assert len(plans) == 5 - (race.steps - 1)


def test_quick_play_never_turns_own_dice_to_a_worse_face() -> None:
    """A bot that need not use a card on its dice leaves them unchanged instead."""
    game = playing()
    assert game.turn is not None
    outlook = Outlook(game.view(game.turn))
    scene = ImaginedTown(outlook, outlook.bulls, outlook.ways(game.turn))
    for plan in plans_of(game.rules, game.players):
        if plan.turns is not None and not plan.together:
            gain, changes = play_quickly(scene, plan, outlook.dice[game.turn], 1, 0)
            assert gain >= 0
            assert len(changes) <= plan.most


def test_effects_of_destinations_have_a_value_except_on_the_last_day() -> None:
    """The Bank is worth the points that it pays on the next day, and the Casino the mean of its die
    (Ruling E-7).
    """
    view = playing().view(0)
    kinds = [view.rules.destinations[which] for which in view.town.destinations]
    for kind, worth in zip(kinds, effect_values(view), strict=True):
        if kind.effect is Bonus.POINTS:
            assert worth == kind.amount
        if kind.effect is Bonus.DIE:
            assert worth == DIE_VALUE == sum((-1, 2, -1, 4, -1, 6)) / 6
        assert kind.effect is not None or worth == 0
    last = game_after(160, number=3).view(0)
    assert last.town.day == last.rules.days
    assert not any(effect_values(last))
    assert arrival_values(last) == [points_of(last)] * last.players


def test_value_of_an_arrival_is_between_its_points_and_points_with_effect() -> None:
    """An effect counts once, so a second runner of the same player adds less than the first."""
    view = playing().view(0)
    points, effects = points_of(view), effect_values(view)
    for worth in arrival_values(view):
        for one, point, effect in zip(worth, points, effects, strict=True):
            assert min(point, point + effect) <= one <= max(point, point + effect)


def test_candidate_move_that_is_clearly_worse_is_dropped() -> None:
    """Moves with similar results stay.

    All are simulated with the same dice, so a constant difference is not chance.
    """
    close, ahead, behind = ([0.1, 2.9, 1.0, 2.2], [0.0, 3.0, 1.1, 2.0], [-9.0, -6.0, -8.1, -7.0])
    racers = [racer(values) for values in (close, ahead, behind)]
    assert in_the_running(racers) == racers[:2]


def racer(values: list[float]) -> CandidateCard:
    game = playing()
    assert game.turn is not None
    race = CardComparison(Outlook(game.view(game.turn)), chance())
    found = race.candidates()[0]
    found.values = values
    return found


def test_simulated_draws_use_only_cards_that_the_bot_has_not_seen() -> None:
    """The bot has seen its own hand and the discards.

    All other cards may be in the deck (Ruling E-8).
    """
    game = playing()
    assert game.turn is not None
    view = game.view(game.turn)
    hidden = [card for seat, hand in enumerate(game.hands) if seat != game.turn for card in hand]
    assert unseen_cards(view) == sorted(hidden + game.deck)
