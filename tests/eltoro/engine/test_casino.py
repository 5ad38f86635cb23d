"""Points of the die that the destination casino gives on the next day (Rulings E-7 and E-9)."""

from __future__ import annotations

from eltoro.engine import DECK, EffectPaid, Event, Game, GameState, Rules, random_move
from fairness import Seed

CASINOS = "destination,count,points,effect,amount,name,name_es\ncasino,10,1,die,,Casino,Casino\n"


def paid_in(seed: bytes) -> list[EffectPaid]:
    """Return the effects paid during a game of two days in which all destinations are casinos."""
    told: list[EffectPaid] = []

    def listen(event: Event, _: GameState) -> None:
        if isinstance(event, EffectPaid):
            told.append(event)

    rules = Rules(days=2, destinations=CASINOS)
    assert rules.cards == DECK
    game, chance = Game.new(rules, 2, Seed(seed)), Seed(seed).chance("moves")
    while game.turn is not None:
        game.play(random_move(game.view(game.turn), chance), witness=listen)
    return told


def test_even_casino_die_gives_its_points_and_odd_one_costs_a_point() -> None:
    paid = [event for number in range(4) for event in paid_in(bytes([number]) * 32)]
    assert {(event.die, event.points) for event in paid} == {
        (1, -1), (2, 2), (3, -1), (4, 4), (5, -1), (6, 6),
    }  # fmt: skip
