"""A dominoes match: successive hands until a side reaches the target (Ruling D-8)."""

from __future__ import annotations

from dominoes.engine.deal import check_players
from dominoes.engine.errors import MatchOver
from dominoes.engine.hand import Hand
from dominoes.engine.rules import Rules
from dominoes.engine.scoring import HandOutcome
from fairness import Chance


class Match:
    """A dominoes match: total points, possible next leaders and the winner (Rulings D-3, D-8).

    `hands`: the results so far. `totals`: the points of each side. `winner`: the side that has
    reached the target, or `None`. Only one side scores in a hand, so two sides cannot reach the
    target together. Raises `DealError` for a number of players that the rules do not allow.
    """

    __slots__ = ("hands", "players", "rules", "totals", "winner")

    def __init__(self, rules: Rules, players: int) -> None:
        check_players(rules, players)
        self.rules = rules
        self.players = players
        self.hands: list[HandOutcome] = []
        self.totals = (0,) * len(rules.sides(players))
        self.winner: int | None = None

    @property
    def leaders(self) -> tuple[int, ...]:
        """The seats among which the leader of the next hand is drawn (Ruling D-3).

        With the rule `lead=highest_double` the tiles that are dealt decide instead.
        """
        return leaders_after(self.rules, self.players, self.hands[-1] if self.hands else None)

    def deal(self, chance: Chance) -> Hand:
        """Deal the next hand. Raises `MatchOver` if the match has been won."""
        self._refuse_more()
        return Hand.deal(self.rules, self.players, chance, self.leaders)

    def add(self, outcome: HandOutcome) -> None:
        """Add the result of a hand. Raises `MatchOver` if the match has already been won."""
        self._refuse_more()
        self.hands.append(outcome)
        pairs = zip(self.totals, outcome.points, strict=True)
        self.totals = tuple(total + points for total, points in pairs)
        best = max(self.totals)
        if best >= self.rules.target:
            self.winner = self.totals.index(best)

    def _refuse_more(self) -> None:
        if self.winner is not None:
            raise MatchOver("The match is won. (Ruling D-8)")


def leaders_after(rules: Rules, players: int, last: HandOutcome | None) -> tuple[int, ...]:
    """Return the seats among which the leader of the next hand is drawn (Ruling D-3).

    `last`: the result of the hand before, `None` before the first hand.
    """
    if rules.lead != "winner" or last is None or last.winner is None:
        return tuple(range(players))
    side = rules.sides(players)[last.winner]
    return (last.out,) if last.out in side else side
