"""The simple El Toro bots, the list of all bots, and comparisons of their strength."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import sqrt
from types import MappingProxyType
from typing import Final, NamedTuple

from eltoro.bots.aims import aims_of
from eltoro.bots.lookout import Lookout
from eltoro.bots.outlook import Outlook, best_start, pending_ask
from eltoro.bots.values import unwanted_cards
from eltoro.engine import PROFILES, DecisionKind, Game, Move, Rules, View, random_move
from fairness import Chance, Seed
from leagues.bots import NORMAL, Bot, BotLadder, Clock, ShareEstimate, markdown_table, points_ahead


class Random:
    """Bot that plays a uniformly random legal move."""

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        pending_ask(view)
        return random_move(view, chance)


class Greedy:
    """Bot that plays the card with the best expected points at the end of the day.

    It assumes that nobody plays another card. Its own points count in full. Points of other players
    count against it, and more if the player is more likely to win. It ignores the next day and
    saves no cards for it.
    """

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        ask = pending_ask(view)
        if ask is DecisionKind.DISCARD:
            return Move.discard(*unwanted_cards(view.rules, view.players, view.hand))
        outlook = Outlook(view)
        return best_start(outlook) if ask is DecisionKind.START else _best_play(outlook, chance)


def _best_play(outlook: Outlook, chance: Chance) -> Move:
    cards = outlook.view.rules.cards
    kinds = chance.shuffled(sorted(set(outlook.view.hand)))
    best = {kind: aims_of(outlook, cards[kind])[0] for kind in kinds}
    kind = max(best, key=lambda kind: best[kind].gain)
    return Move.play(cards[kind].key, *best[kind].targets)


class PlayedGame(NamedTuple):
    """Result of one game between bots.

    All values are by seat: the bots, their shares of the victory (a tied victory is divided, Ruling
    E-9) and their points.
    """

    bots: tuple[str, ...]
    shares: tuple[float, ...]
    points: tuple[int, ...]

    def is_of(self, bot: str, others: str) -> bool:
        return self.bots.count(bot) == 1 and self.bots.count(others) == len(self.bots) - 1

    def victory(self, bot: str) -> float:
        return self.shares[self.bots.index(bot)]

    def share_ahead(self, bot: str) -> float:
        return points_ahead(self.points, self.bots.index(bot))


def share_of(deals: Iterable[Sequence[PlayedGame]], bot: str, others: str) -> ShareEstimate:
    """Return the share of games that a single `bot` wins against copies of the bot `others`.

    A shared victory counts as a fraction.
    """
    share = _mean([[p.victory(bot) for p in deal if p.is_of(bot, others)] for deal in deals])
    return share._replace(low=max(share.low, 0.0), high=min(share.high, 1.0))


def margin_of(deals: Iterable[Sequence[PlayedGame]], bot: str, others: str) -> ShareEstimate:
    return _mean([[p.share_ahead(bot) for p in deal if p.is_of(bot, others)] for deal in deals])


def _mean(deals: Sequence[Sequence[float]]) -> ShareEstimate:
    """Return the mean of a value over all games, with its confidence interval. `deals` contains the
    values of the games of each deal.

    Games of the same deal are not independent, so the interval is calculated from whole deals.
    """
    deals = [deal for deal in deals if deal]
    games = sum(map(len, deals))
    if len(deals) < 2:
        return ShareEstimate(sum(map(sum, deals)) / games if games else 0.0, 0.0, 1.0, games)
    value = sum(map(sum, deals)) / games
    squares = sum((sum(deal) - value * len(deal)) ** 2 for deal in deals)
    width = NORMAL * sqrt(squares * len(deals) / (len(deals) - 1)) / games
    return ShareEstimate(value, value - width, value + width, games)


BOTS: Final[Mapping[str, Bot[View, Move]]] = MappingProxyType(
    {"random": Random(), "greedy": Greedy(), "lookout": Lookout()}
)

HEADINGS = ("alone", "against", "games", "victories", "95 %", "points ahead", "95 %")


def results_table(pairs: Iterable[tuple[str, str]], deals: Sequence[Sequence[PlayedGame]]) -> str:
    return markdown_table(HEADINGS, [_table_row(*pair, deals) for pair in pairs])


def _table_row(bot: str, others: str, deals: Sequence[Sequence[PlayedGame]]) -> tuple[str, ...]:
    won, ahead = share_of(deals, bot, others), margin_of(deals, bot, others)
    victories = (f"{100 * won.value:.1f} %", _interval(won, 100))
    return bot, others, str(won.games), *victories, f"{ahead.value:+.1f}", _interval(ahead, 1)


def _interval(share: ShareEstimate, scale: int) -> str:
    return f"{scale * share.low:.1f} to {scale * share.high:.1f}"


@dataclass(frozen=True, kw_only=True)
class Ladder(BotLadder[PlayedGame]):
    """Comparison of the El Toro bots.

    For every pair of bots, one copy of the stronger bot plays at a table of copies of the weaker
    bot.
    """

    bots: tuple[str, ...] = tuple(BOTS)
    players: int = 4

    @property
    def rules(self) -> Rules:
        return PROFILES[self.profile]

    @property
    def pairs(self) -> tuple[tuple[str, str], ...]:
        return tuple((bot, others) for others, bot in combinations(self.bots, 2))

    def seatings(self) -> Iterable[tuple[str, ...]]:
        return (
            (others,) * seat + (bot,) + (others,) * (self.players - 1 - seat)
            for bot, others in self.pairs
            for seat in range(self.players)
        )

    def play_table(self, bots: tuple[str, ...], seed: Seed) -> PlayedGame:
        game = Game.new(self.rules, self.players, seed)
        self.play_out(game, [BOTS[name] for name in bots], seed)
        winners = game.places.count(1)
        shares = tuple(1 / winners if place == 1 else 0.0 for place in game.places)
        return PlayedGame(bots, shares, tuple(game.points))

    def table(self, deals: Sequence[Sequence[PlayedGame]]) -> str:
        return results_table(self.pairs, deals)
