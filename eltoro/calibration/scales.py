"""What the use of a card is worth: expectations of the day before and after it."""

from __future__ import annotations

from dataclasses import dataclass

from eltoro.calibration.tally import Tally
from eltoro.engine import CardPlayed, Event, RunnersMoved, State, Town, odds


def expected(town: Town, game: State) -> tuple[float, ...]:
    """By seat, the points so far and those of today to be expected, if no more cards are played."""
    return tuple(
        town.totals[seat]
        + sum(
            float(odds(town, game.rules, seat, number).points)
            for number, die in enumerate(own)
            if die is not None
        )
        for seat, own in enumerate(town.runners)
    )


@dataclass
class Scales:
    """A witness that also weighs each card, by exact odds.

    What a card does beyond today, tokens that stay and cards drawn, is not on these scales.
    """

    tally: Tally
    seat: int = 0
    card: str = ""
    before: tuple[float, ...] = ()
    latest: Town | None = None

    def see(self, event: Event, game: State) -> None:
        """Look at the town before and after a card; before the runners move it has done all."""
        self.tally.see(event, game)
        if isinstance(event, CardPlayed):
            self.seat, self.card = event.seat, game.rules.cards[event.card].key
            self.latest = game.town()
            self.before = expected(self.latest, game)
        elif isinstance(event, RunnersMoved):
            self.settle(game)
        elif self.card:
            self.latest = game.town()

    def settle(self, game: State) -> None:
        """Write down what the card was worth, if one is being weighed."""
        if not self.card or self.latest is None:
            return
        change = [
            after - before
            for after, before in zip(expected(self.latest, game), self.before, strict=True)
        ]
        own = change.pop(self.seat)
        self.tally.weighed[self.card] += 1
        self.tally.gained[self.card] += own
        self.tally.taken[self.card] -= sum(change)
        self.card = ""
