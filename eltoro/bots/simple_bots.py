"""The simple bots: random, and greedy for points by the evening."""

from __future__ import annotations

from eltoro.bots.aims import aims_of
from eltoro.bots.outlook import Outlook, asked_for, best_start
from eltoro.bots.values import unwanted_cards
from eltoro.engine import Ask, Move, View, random_move
from fairness import Chance
from leagues.bots import Clock


class Random:
    """Plays a uniformly random legal move."""

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        asked_for(view)
        return random_move(view, chance)


class Greedy:
    """Plays what brings most until the evening, if nobody played another card.

    Own points count full, those of others against it, the more the likelier they are to win. It
    knows nothing of the next day, and keeps no card for later.
    """

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        ask = asked_for(view)
        if ask is Ask.DISCARD:
            return Move.discard(*unwanted_cards(view.rules, view.players, view.hand))
        outlook = Outlook(view)
        return best_start(outlook) if ask is Ask.START else _best_play(outlook, chance)


def _best_play(outlook: Outlook, chance: Chance) -> Move:
    cards = outlook.view.rules.cards
    kinds = chance.shuffled(sorted(set(outlook.view.hand)))
    best = {kind: aims_of(outlook, cards[kind])[0] for kind in kinds}
    kind = max(best, key=lambda kind: best[kind].gain)
    return Move.play(cards[kind].key, *best[kind].targets)
