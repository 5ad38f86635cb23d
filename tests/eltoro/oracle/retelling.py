"""Reconstruct the position from the events of the engine alone, as pages do.

This shows that no event is missing. Dice rolled in the morning and dice moving down are not part of
the events, so these are read from the position at that moment.
"""

from __future__ import annotations

from typing import Any

from eltoro import engine
from tests.eltoro.oracle.town import SEATS
from tests.eltoro.oracle.translation import Named, die_of, runners_of


class Retelling:
    """Everything that follows from events: dice, tokens, points and sizes of hands."""

    def __init__(self, rules: engine.Rules, players: int) -> None:
        self.rules = rules
        self.runners: Named = {}
        self.bulls: Named = {}
        self.tokens: dict[str, int] = {}
        self.totals = [0] * players
        self.held = [0] * players
        self.first = 0
        self.matched: list[engine.Runner] = []

    def __call__(self, event: engine.Event, game: engine.GameState) -> None:
        """Receive an event of the engine (a witness is called after every event)."""
        if isinstance(event, engine.Matched):
            self.await_charge(event)
            return
        tell: Any = getattr(self, type(event).__name__.lower(), None)
        if tell is not None:
            tell(event, game.town())

    def agrees(self, seen: dict[str, object]) -> bool:
        """Check that the reconstructed position equals this one."""
        told = {name: getattr(self, name) for name in seen if name in vars(self)}
        assert told == {name: seen[name] for name in told}
        return len(told) == len(("runners", "bulls", "tokens", "totals", "held", "first"))

    def change(self, event: Any) -> None:
        """Replace a die by its new state after checking the old one."""
        dice, name = self.die_meant(event)
        assert dice[name] == die_of(self.rules, event.before), event
        dice[name] = die_of(self.rules, event.after)

    def die_meant(self, event: Any) -> tuple[Named, str]:
        """Return the dice (runners or bulls) and the name of the die that an event means."""
        if getattr(event, "runner", None) is not None:
            return self.runners, name_of(event.runner)
        return self.bulls, f"T{event.bull + 1}"

    def destinationslaid(self, event: engine.DestinationsLaid, town: engine.Town) -> None:
        assert event.destinations == town.destinations
        self.runners, self.bulls = {}, {}

    def bullrolled(self, event: engine.BullRolled, town: engine.Town) -> None:
        self.bulls[f"T{event.bull + 1}"] = die_of(self.rules, event.die)

    def runnersrolled(self, event: engine.RunnersRolled, town: engine.Town) -> None:
        every = runners_of(self.rules, town)
        own = {name: die for name, die in every.items() if name[0] == SEATS[event.seat]}
        assert len(own) == len(town.runners[event.seat])
        self.runners |= own

    def placed(self, event: engine.Placed, town: engine.Town) -> None:
        for number, space in event.placed:
            name = name_of((event.seat, number))
            assert self.runners[name] == (None, 1)
            self.runners[name] = (self.rules.board.spaces[space].key, 1)

    def cardplayed(self, event: engine.CardPlayed, town: engine.Town) -> None:
        assert event.move.card == self.rules.cards[event.card].key
        self.held[event.seat] -= 1

    def dierolled(self, event: engine.DieRolled, town: engine.Town) -> None:
        assert event.before.space == event.after.space
        self.change(event)

    def dieturned(self, event: engine.DieTurned, town: engine.Town) -> None:
        assert event.before.space == event.after.space
        self.change(event)

    def bullled(self, event: engine.BullLed, town: engine.Town) -> None:
        assert event.before.face == event.after.face
        self.change(event)

    def bulladded(self, event: engine.BullAdded, town: engine.Town) -> None:
        assert event.bull == len(self.bulls)
        self.bulls[f"T{event.bull + 1}"] = die_of(self.rules, event.die)

    def tokenplaced(self, event: engine.TokenPlaced, town: engine.Town) -> None:
        sign = self.rules.board.write_sign(event.sign)
        assert event.replaced == self.tokens.get(sign)
        if event.moved is not None:
            assert self.tokens.pop(self.rules.board.write_sign(event.moved)) == event.seat
        self.tokens[sign] = event.seat

    def tokenremoved(self, event: engine.TokenRemoved, town: engine.Town) -> None:
        assert self.tokens.pop(self.rules.board.write_sign(event.sign)) == event.seat

    def runnersmoved(self, event: engine.RunnersMoved, town: engine.Town) -> None:
        self.runners = runners_of(self.rules, town)

    def bullsmoved(self, event: engine.BullsMoved, town: engine.Town) -> None:
        bulls = enumerate(town.bulls, start=1)
        self.bulls = {f"T{at}": die_of(self.rules, die) for at, die in bulls}

    def await_charge(self, event: engine.Matched) -> None:
        assert event.runners
        assert not self.matched
        self.matched = list(event.runners)

    def charged(self, event: engine.Charged, town: engine.Town) -> None:
        self.change(event)
        assert self.matched.pop(0) == event.runner
        if event.trampled:
            del self.runners[name_of(event.runner)]

    def tokenpassed(self, event: engine.TokenPassed, town: engine.Town) -> None:
        assert not self.matched
        self.first = event.to

    def firsttaken(self, event: engine.FirstTaken, town: engine.Town) -> None:
        self.first = event.seat

    def effectpaid(self, event: engine.EffectPaid, town: engine.Town) -> None:
        self.totals[event.seat] += event.points

    def gained(self, event: engine.Gained, town: engine.Town) -> None:
        self.totals[event.seat] += event.points

    def scored(self, event: engine.Scored, town: engine.Town) -> None:
        self.totals[event.seat] += event.points

    def dealt(self, event: engine.Dealt, town: engine.Town) -> None:
        self.held[event.seat] += event.count

    def drew(self, event: engine.Drew, town: engine.Town) -> None:
        self.held[event.seat] += event.count

    def discarded(self, event: engine.Discarded, town: engine.Town) -> None:
        self.held[event.seat] -= event.count


def name_of(runner: engine.Runner) -> str:
    """Return the name of a runner in notation."""
    seat, number = runner
    return f"{SEATS[seat]}{number + 1}"
