"""The value that bots expect of a card is compared with its real effect on the game.

An aim is a card with the targets for which it is played.
"""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from eltoro.bots.aims import NO_AIM, UNTARGETED, Aim, aims_of
from eltoro.bots.outlook import Outlook
from eltoro.engine import Card, DecisionKind, Effect, Game, Move
from tests.eltoro.bots.games import game_after, playing, under_way
from tests.properties import examples


def aimed(game: Game) -> Iterator[tuple[Game, Outlook, Card, Aim]]:
    """Yield every card with each choice of targets that bots consider.

    The card is first given to the player in turn.
    """
    if game.ask is not DecisionKind.CARD or game.turn is None:
        return
    for number, card in enumerate(game.rules.cards):
        game.hands[game.turn][0] = number
        outlook = Outlook(game.view(game.turn))
        for aim in aims_of(outlook, card):
            yield game, outlook, card, aim


@pytest.mark.slow
@given(under_way())
@settings(max_examples=examples(40), deadline=None)
def test_engine_accepts_every_card_and_target_that_bots_consider(game: Game) -> None:
    """Checked for all boards and days."""
    for at, _, card, aim in aimed(game):
        at.copy().play(Move.play(card.key, *aim.targets))


@pytest.mark.slow
@given(under_way())
@settings(max_examples=examples(40), deadline=None)
def test_expected_gain_of_a_card_that_rolls_no_dice_is_exact(game: Game) -> None:
    """Dice and bulls are turned, moved aside or exchanged, and tokens are placed or removed.

    The gain must be that of the position after the move.
    """
    for at, outlook, card, aim in aimed(game):
        if card.effect in UNTARGETED or any(len(throw.places) > 1 for throw in aim.throws):
            continue
        played = at.copy()
        played.play(Move.play(card.key, *aim.targets))
        if played.step == at.step and played.day == at.day and len(aim.targets) < 2:
            assert change_of_points(outlook, played) == pytest.approx(aim.gain)


def change_of_points(outlook: Outlook, played: Game) -> float:
    """Return how much all expected points change by a move.

    Points of each seat have the weights from before the move.
    """
    now = Outlook(played.view(outlook.seat))
    changes = [now.expected(seat) - outlook.expected(seat) for seat in range(played.players)]
    return sum(weight * change for weight, change in zip(outlook.weights, changes, strict=True))


@pytest.mark.parametrize("moves", range(4, 160, 13))
def test_bot_values_own_points_as_much_as_those_of_all_opponents_together(moves: int) -> None:
    """The weights are changes in the share of victory, so they add up to zero."""
    game = game_after(moves)
    if game.ask is DecisionKind.CARD and game.turn is not None:
        outlook = Outlook(game.view(game.turn))
        assert outlook.weights[outlook.seat] == 1
        assert sum(outlook.weights) == pytest.approx(0)
        totals = [total + outlook.expected(seat) for seat, total in enumerate(game.points)]
        rivals = [seat for seat in range(game.players) if seat != outlook.seat]
        assert min(rivals, key=outlook.weights.__getitem__) == max(rivals, key=totals.__getitem__)


def test_bot_values_a_card_with_points_at_exactly_these_points() -> None:
    found = {
        (card.effect, card.amount): aim.gain
        for _, _, card, aim in aimed(playing())
        if card.effect is Effect.POINTS
    }
    assert found
    assert all(amount == gain for (_, amount), gain in found.items())


def test_bot_plays_a_harmful_card_without_targets() -> None:
    """A card may be played without targets and then has no effect (Ruling E-4).

    So the bot must never expect a loss from playing a card.
    """
    best: dict[str, Aim] = {}
    for _, _, card, aim in aimed(playing()):
        best.setdefault(card.key, aim)
        if card.effect not in UNTARGETED:
            assert best[card.key].gain >= NO_AIM.gain
