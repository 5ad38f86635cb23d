"""The two simpler bots: one that plays anything, one that looks no further than the evening."""

from __future__ import annotations

from eltoro.bots.aims import aims
from eltoro.bots.bot import Clock, asked
from eltoro.bots.morning import start
from eltoro.bots.outlook import Outlook
from eltoro.bots.worth import unwanted
from eltoro.engine import Ask, Move, View, random_move
from fairness import Chance


class Random:
    """Plays anything legal, each as likely."""

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        """Any legal move; it takes no time."""
        asked(view)
        return random_move(view, chance)


class Greedy:
    """Plays what brings most until the evening, if nobody played another card.

    Own points count full, those of others against it, the more the likelier they are to win. It
    knows nothing of the next day, and keeps no card for later.
    """

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        """The card and targets of the highest gain; it takes a few milliseconds at most."""
        ask = asked(view)
        if ask is Ask.DISCARD:
            return Move.discard(*unwanted(view.rules, view.players, view.hand))
        outlook = Outlook(view)
        return start(outlook) if ask is Ask.START else _play(outlook, chance)


def _play(outlook: Outlook, chance: Chance) -> Move:
    cards = outlook.view.rules.cards
    kinds = chance.shuffled(sorted(set(outlook.view.hand)))
    best = {kind: aims(outlook, cards[kind])[0] for kind in kinds}
    kind = max(best, key=lambda kind: best[kind].gain)
    return Move.play(cards[kind].key, *best[kind].targets)
