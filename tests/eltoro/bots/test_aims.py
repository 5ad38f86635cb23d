"""What the bots take a card to bring, against what the town shows when it has been played."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from hypothesis import given, settings

from eltoro.bots.aims import NO_AIM, UNTARGETED, Aim, aims_of
from eltoro.bots.outlook import Outlook
from eltoro.engine import Ask, Card, Effect, Game, Move
from tests.eltoro.bots.games import after, playing, under_way
from tests.properties import examples


def aimed(game: Game) -> Iterator[tuple[Game, Outlook, Card, Aim]]:
    """All cards there are with all their aims, put into the hand of whose turn it is."""
    if game.ask is not Ask.CARD or game.turn is None:
        return
    for number, card in enumerate(game.rules.cards):
        game.hands[game.turn][0] = number
        outlook = Outlook(game.view(game.turn))
        for aim in aims_of(outlook, card):
            yield game, outlook, card, aim


@given(under_way())
@settings(max_examples=examples(40), deadline=None)
def test_every_aim_is_legal(game: Game) -> None:
    """Whatever board and day: the engine refuses none."""
    for at, _, card, aim in aimed(game):
        at.copy().play(Move.play(card.key, *aim.targets))


@pytest.mark.slow
@given(under_way())
@settings(max_examples=examples(40), deadline=None)
def test_a_sure_gain_is_what_the_town_shows_afterwards(game: Game) -> None:
    """Dice and bulls turned, led and exchanged, tokens laid and taken: exact to the last digit."""
    for at, outlook, card, aim in aimed(game):
        if card.effect in UNTARGETED or any(len(throw.places) > 1 for throw in aim.throws):
            continue
        played = at.copy()
        played.play(Move.play(card.key, *aim.targets))
        if played.step == at.step and played.day == at.day and len(aim.targets) < 2:
            assert shown(outlook, played) == pytest.approx(aim.gain)


def shown(outlook: Outlook, played: Game) -> float:
    """What all seats may expect more than before, by the weights of before."""
    now = Outlook(played.view(outlook.seat))
    changes = [now.expected(seat) - outlook.expected(seat) for seat in range(played.players)]
    return sum(weight * change for weight, change in zip(outlook.weights, changes, strict=True))


@pytest.mark.parametrize("moves", range(4, 160, 13))
def test_the_own_point_counts_as_much_as_those_of_all_others(moves: int) -> None:
    """Weights are those of a share of victory, which all players together share."""
    game = after(moves)
    if game.ask is Ask.CARD and game.turn is not None:
        outlook = Outlook(game.view(game.turn))
        assert outlook.weights[outlook.seat] == 1
        assert sum(outlook.weights) == pytest.approx(0)
        totals = [total + outlook.expected(seat) for seat, total in enumerate(game.points)]
        rivals = [seat for seat in range(game.players) if seat != outlook.seat]
        assert min(rivals, key=outlook.weights.__getitem__) == max(rivals, key=totals.__getitem__)


def test_points_are_worth_what_the_card_says() -> None:
    found = {
        (card.effect, card.amount): aim.gain
        for _, _, card, aim in aimed(playing())
        if card.effect is Effect.POINTS
    }
    assert found
    assert all(amount == gain for (_, amount), gain in found.items())


def test_to_do_nothing_is_worth_nothing() -> None:
    """A card that would only harm is played at nothing (Ruling E-4)."""
    best: dict[str, Aim] = {}
    for _, _, card, aim in aimed(playing()):
        best.setdefault(card.key, aim)
        if card.effect not in UNTARGETED:
            assert best[card.key].gain >= NO_AIM.gain
