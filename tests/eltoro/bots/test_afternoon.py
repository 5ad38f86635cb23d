"""The rest of a day played in one's head, against what can be worked out."""

from __future__ import annotations

from math import sqrt

import pytest

from eltoro.bots.lookout import (
    ROWS,
    Candidate,
    ImaginedAfternoon,
    ImaginedTown,
    Race,
    in_the_running,
    plans_of,
    play_quickly,
    unseen_cards,
)
from eltoro.bots.outlook import Outlook, points_of
from eltoro.bots.values import DIE_VALUE, arrival_values, effect_values
from eltoro.engine import FACES, Ask, Bonus, Game
from tests.eltoro.bots.games import after, chance, playing

AFTERNOONS = 3_000


def card_games() -> list[Game]:
    """Games at all steps of a day in which a card is to be played."""
    return [game for game in map(after, range(4, 60, 5)) if game.ask is Ask.CARD]


@pytest.mark.parametrize("game", card_games(), ids=lambda game: f"step {game.step}")
def test_without_cards_the_mean_is_the_expectation(game: Game) -> None:
    """Many afternoons without cards bring, on average, what the exact table says."""
    assert game.turn is not None
    outlook, dice = Outlook(game.view(game.turn)), chance()
    race = Race(outlook, dice)
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


def test_a_card_is_used_up() -> None:
    """Every step but the present one takes a card from the hand."""
    game = after(5)
    assert game.turn is not None
    race = Race(Outlook(game.view(game.turn)), chance())
    scene = ImaginedTown(race.outlook, race.outlook.bulls, race.outlook.ways(game.turn))
    plans = list(race.plans[:5])
    faces = [0] * (ROWS * race.stride * race.steps)
    ImaginedAfternoon(faces, race.stride, race.spoils).walk(scene, list(race.own), plans)
    assert len(plans) == 5 - (race.steps - 1)


def test_in_a_hurry_own_dice_are_never_made_worse_by_choice() -> None:
    """Who need not touch a die leaves it alone."""
    game = playing()
    assert game.turn is not None
    outlook = Outlook(game.view(game.turn))
    scene = ImaginedTown(outlook, outlook.bulls, outlook.ways(game.turn))
    for plan in plans_of(game.rules, game.players):
        if plan.turns is not None and not plan.together:
            gain, changes = play_quickly(scene, plan, outlook.dice[game.turn], 1, 0)
            assert gain >= 0
            assert len(changes) <= plan.most


def test_tomorrow_counts_once_and_not_on_the_last_day() -> None:
    """Ruling E-7: three points for the bank; the casino's die, half of that."""
    view = playing().view(0)
    kinds = [view.rules.destinations[which] for which in view.town.destinations]
    for kind, worth in zip(kinds, effect_values(view), strict=True):
        if kind.effect is Bonus.POINTS:
            assert worth == kind.amount
        if kind.effect is Bonus.DIE:
            assert worth == DIE_VALUE == sum((-1, 2, -1, 4, -1, 6)) / 6
        assert kind.effect is not None or worth == 0
    last = after(160, number=3).view(0)
    assert last.town.day == last.rules.days
    assert not any(effect_values(last))
    assert arrival_values(last) == [points_of(last)] * last.players


def test_another_runner_adds_less_than_the_first() -> None:
    """Each seat's worth lies between the points alone and points with the whole effect."""
    view = playing().view(0)
    points, effects = points_of(view), effect_values(view)
    for worth in arrival_values(view):
        for one, point, effect in zip(worth, points, effects, strict=True):
            assert min(point, point + effect) <= one <= max(point, point + effect)


def test_who_is_clearly_behind_leaves_the_race() -> None:
    """Close ones stay; over the same afternoons a steady gap is no chance."""
    close, ahead, behind = ([0.1, 2.9, 1.0, 2.2], [0.0, 3.0, 1.1, 2.0], [-9.0, -6.0, -8.1, -7.0])
    racers = [racer(values) for values in (close, ahead, behind)]
    assert in_the_running(racers) == racers[:2]


def racer(values: list[float]) -> Candidate:
    game = playing()
    assert game.turn is not None
    race = Race(Outlook(game.view(game.turn)), chance())
    found = race.candidates()[0]
    found.values = values
    return found


def test_a_drawn_card_is_dealt_from_those_not_seen() -> None:
    """Own hand and discards are seen; all others may be in the deck (Ruling E-8)."""
    game = playing()
    assert game.turn is not None
    view = game.view(game.turn)
    hidden = [card for seat, hand in enumerate(game.hands) if seat != game.turn for card in hand]
    assert unseen_cards(view) == sorted(hidden + game.deck)
