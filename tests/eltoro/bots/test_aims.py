"""What the bots take a card to bring, against what it brings when it is played."""

from __future__ import annotations

from hypothesis import given, settings

from eltoro.bots.aims import aims
from eltoro.bots.outlook import Outlook
from eltoro.engine import Ask, Game, Move
from tests.eltoro.bots.games import under_way


@given(under_way())
@settings(max_examples=60, deadline=None)
def test_every_aim_is_legal(game: Game) -> None:
    """All cards there are, aimed by whose turn it is; the engine refuses none."""
    if game.ask is not Ask.CARD or game.turn is None:
        return
    for number, card in enumerate(game.rules.cards):
        game.hands[game.turn][0] = number
        for aim in aims(Outlook(game.view(game.turn)), card):
            game.copy().play(Move.play(card.key, *aim.targets))
