"""Checks the balance of board, deck and destinations with many games between bots (E-10).

All figures are estimates from games of bots, not results of players (Ruling F-3). The same seed
text always gives the same figures.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields
from hashlib import sha256
from math import sqrt
from typing import Any, Final, NamedTuple, TypeAlias

from eltoro.bots import BOTS
from eltoro.engine import (
    DECK,
    DESTINATIONS,
    PROFILES,
    CardPlayed,
    DayOver,
    Event,
    Game,
    GameState,
    Rules,
    RunnersMoved,
    Town,
    Witness,
    odds,
    random_move,
)
from fairness import Seed
from leagues.games import MeasuredFigure


class Lineup(NamedTuple):
    """The bots at one table in a calibration.

    `watched`: a bot whose seat changes from game to game. `others`: the bot on all other seats.
    `one_in`: divisor of the number of games, larger for slower bots. `weighs`: True if the effect
    of every card is measured.
    """

    watched: str
    others: str
    players: int
    board: str = "el-toro"
    one_in: int = 1
    weighs: bool = False

    def __str__(self) -> str:
        who = f"{self.players} {self.others}"
        if self.watched != self.others:
            who = f"{self.watched}, {self.players - 1} {self.others}"
        return f"{who}, {self.board}" if self.board != "el-toro" else who

    @property
    def is_equal(self) -> bool:
        return self.watched == self.others

    def games(self, requested: int) -> int:
        return max(1, requested // self.one_in)


PLAYER_COUNTS: Final = (2, 3, 4, 6)
FOUR_RANDOM: Final = Lineup("random", "random", 4)
FOUR_GREEDY: Final = Lineup("greedy", "greedy", 4, one_in=20)
WEIGHED: Final = Lineup("greedy", "greedy", 4, one_in=40, weighs=True)
# Line-ups of a calibration. Random bots are fast, greedy bots are slower, and measuring their cards
# is slowest.
LINEUPS: Final = (
    *(FOUR_RANDOM._replace(players=players) for players in PLAYER_COUNTS),
    FOUR_RANDOM._replace(board="la-cuesta"),
    *(FOUR_GREEDY._replace(players=players) for players in PLAYER_COUNTS),
    FOUR_GREEDY._replace(board="la-cuesta"),
    Lineup("greedy", "random", 4, one_in=20),
    WEIGHED,
)

# Percentage points by which the first seat may win more or less often than its share.
MAX_SEAT_BIAS: Final = 3.0
TRAMPLED_RANGE: Final = (20.0, 45.0)
SPREAD_RANGE: Final = (1.2, 2.0)
# Minimum percentage of games that a greedy bot must win against three random bots.
MIN_SKILL_SHARE: Final = 40.0
FOUR_PLAYERS: Final = 4


def figures_of(tallies: Mapping[Lineup, LineupTotals]) -> list[MeasuredFigure]:
    return [line for lineup, tally in tallies.items() for line in _lineup_figures(lineup, tally)]


def _lineup_figures(lineup: Lineup, tally: LineupTotals) -> Iterator[MeasuredFigure]:
    if lineup.weighs:
        return
    if not lineup.is_equal:
        yield _share_figure(
            f"{lineup}: wins", tally.favourite / tally.games, (MIN_SKILL_SHARE, 100.0)
        )
        return
    share, near = 100 / lineup.players, _allowed_bias(lineup, tally)
    first = tally.first / tally.games
    yield _share_figure(f"{lineup}: seat 1 wins", first, (share - near, share + near))
    yield _share_figure(f"{lineup}: trampled", tally.trampled / tally.began, TRAMPLED_RANGE)
    if lineup.players == FOUR_PLAYERS:
        yield _ratio_figure(
            f"{lineup}: winner to last", tally.highest / max(1, tally.lowest), SPREAD_RANGE
        )


def _allowed_bias(lineup: Lineup, tally: LineupTotals) -> float:
    """Return the allowed deviation of the first seat in percentage points.

    It includes a margin for chance if there are few games.
    """
    share = 1 / lineup.players
    error = 100 * sqrt(share * (1 - share) / tally.games)
    return MAX_SEAT_BIAS + (2 * error if lineup.one_in > 1 else 0)


def _share_figure(what: str, share: float, bounds: tuple[float, float]) -> MeasuredFigure:
    low, high = bounds
    bounds_text = f"{round(low, 1):g}-{round(high, 1):g}"
    return MeasuredFigure(what, f"{100 * share:.1f} %", bounds_text, low <= 100 * share <= high)


def _ratio_figure(what: str, ratio: float, bounds: tuple[float, float]) -> MeasuredFigure:
    low, high = bounds
    return MeasuredFigure(what, f"{ratio:.2f}", f"{low:g}-{high:g}", low <= ratio <= high)


def expected_points(town: Town, game: GameState) -> tuple[float, ...]:
    """Return the expected points of each seat at the end of the day if no more cards are played."""
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
class CardWeigher:
    """Observer of a game's events that measures the effect of each card by exact odds.

    It does not measure effects after the current day, such as tokens that stay and cards that are
    drawn.
    """

    tally: LineupTotals
    seat: int = 0
    card: str = ""
    before: tuple[float, ...] = ()
    latest: Town | None = None

    def watch_event(self, event: Event, game: GameState) -> None:
        """Measure the effect of a card: compare the chances before the card is played with the
        chances when the runners move next.
        """
        self.tally.watch_event(event, game)
        if isinstance(event, CardPlayed):
            self.seat, self.card = event.seat, game.rules.cards[event.card].key
            self.latest = game.town()
            self.before = expected_points(self.latest, game)
        elif isinstance(event, RunnersMoved):
            self.weigh_card(game)
        elif self.card:
            self.latest = game.town()

    def weigh_card(self, game: GameState) -> None:
        if not self.card or self.latest is None:
            return
        change = [
            after - before
            for after, before in zip(expected_points(self.latest, game), self.before, strict=True)
        ]
        own = change.pop(self.seat)
        self.tally.weighed[self.card] += 1
        self.tally.gained[self.card] += own
        self.tally.taken[self.card] -= sum(change)
        self.card = ""


Sums: TypeAlias = defaultdict[str, float]


def zero_sums() -> Sums:
    return defaultdict(float)


@dataclass
class LineupTotals:
    """Totals over all games of one line-up.

    `first`: games won by seat 0, which begins. `favourite`: games won by the watched seat. A shared
    win counts as a fraction. `highest`, `lowest`: points of winners and of last players. `moves`:
    decisions of all players. `began`, `trampled`: runners at the start of all days, and those
    trampled. `bulls`: bulls at the end of all days. `laid`: by key, how often each destination card
    was laid out. `arrived`: by key, the runners that reached the destination. `reached`: by key,
    the players with a runner there. `played`: cards played, by key. `weighed`: for each card, how
    many of its uses were measured. `gained`: points that these uses brought the player of the card.
    `taken`: points that these uses cost all other players.
    """

    games: int = 0
    moves: int = 0
    first: float = 0
    favourite: float = 0
    highest: int = 0
    lowest: int = 0
    days: int = 0
    began: int = 0
    trampled: int = 0
    bulls: int = 0
    laid: Sums = field(default_factory=zero_sums)
    arrived: Sums = field(default_factory=zero_sums)
    reached: Sums = field(default_factory=zero_sums)
    played: Sums = field(default_factory=zero_sums)
    weighed: Sums = field(default_factory=zero_sums)
    gained: Sums = field(default_factory=zero_sums)
    taken: Sums = field(default_factory=zero_sums)

    def __add__(self, other: LineupTotals) -> LineupTotals:
        names = [field.name for field in fields(self)]
        return LineupTotals(
            **{name: _add_totals(getattr(self, name), getattr(other, name)) for name in names}
        )

    def watch_event(self, event: Event, game: GameState) -> None:
        """Count the cards played and the days.

        The engine calls this method with every event of a game.
        """
        if isinstance(event, CardPlayed):
            self.played[game.rules.cards[event.card].key] += 1
        elif isinstance(event, DayOver):
            self.see_day(game.town(), game.rules)

    def see_day(self, town: Town, rules: Rules) -> None:
        self.days += 1
        self.bulls += len(town.bulls)
        self.began += sum(map(len, town.runners))
        self.trampled += sum(own.count(None) for own in town.runners)
        for end, kind in zip(rules.board.rows[-1], town.destinations, strict=True):
            there = [
                sum(die is not None and die.space == end for die in own) for own in town.runners
            ]
            key = rules.destinations[kind].key
            self.laid[key] += 1
            self.arrived[key] += sum(there)
            self.reached[key] += sum(map(bool, there))

    def see_end(self, game: Game, favourite: int = 0) -> None:
        """Add a finished game to the totals. `favourite` is the watched seat."""
        self.games += 1
        self.moves += len(game.log)
        self.first += win_share(game.places, 0)
        self.favourite += win_share(game.places, favourite)
        self.highest += max(game.points)
        self.lowest += min(game.points)


def win_share(places: tuple[int, ...], seat: int) -> float:
    return (places[seat] == 1) / places.count(1)


def _add_totals(mine: object, theirs: Any) -> Any:
    if not isinstance(mine, Mapping):
        return mine + theirs
    both = zero_sums()
    for part in (mine, theirs):
        for key, value in part.items():
            both[key] += value
    return both


GAMES_HEADING: Final = (
    "| bots | games | decisions a game | runners trampled | bulls | winner | last |",
    "| --- | ---: | ---: | ---: | ---: | ---: | ---: |",
)
DESTINATIONS_HEADING: Final = (
    "| destination | points | runners a day, random | greedy | players a day, random | greedy |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
)
CARDS_HEADING: Final = (
    "| card | of 52 | played a game, random | greedy | gained a use | taken from others |",
    "| --- | ---: | ---: | ---: | ---: | ---: |",
)


def write_report(tallies: Mapping[Lineup, LineupTotals]) -> str:
    """Return the report as three tables: games, destinations and cards.

    The tables of destinations and cards are for four players.
    """
    random, greedy, weighed = (tallies[key] for key in (FOUR_RANDOM, FOUR_GREEDY, WEIGHED))
    tables = (
        [*GAMES_HEADING, *(_row(_games_row(lineup, tally)) for lineup, tally in tallies.items())],
        [*DESTINATIONS_HEADING, *map(_row, _destination_rows(random, greedy))],
        [*CARDS_HEADING, *map(_row, _card_rows(random, greedy, weighed))],
    )
    return "\n\n".join("\n".join(table) for table in tables) + "\n"


def _row(cells: Sequence[object]) -> str:
    return f"| {' | '.join(map(str, cells))} |"


def _games_row(lineup: Lineup, tally: LineupTotals) -> Sequence[object]:
    return (
        f"{lineup}, cards weighed" if lineup.weighs else lineup,
        tally.games,
        f"{tally.moves / tally.games:.1f}",
        f"{100 * tally.trampled / tally.began:.1f} %",
        f"{tally.bulls / tally.days:.2f}",
        f"{tally.highest / tally.games:.1f}",
        f"{tally.lowest / tally.games:.1f}",
    )


def _destination_rows(random: LineupTotals, greedy: LineupTotals) -> Iterable[Sequence[object]]:
    """Yield the rows for the table of destinations. Each figure is an average per
    day on which the destination card was laid out.
    """
    for kind in DESTINATIONS:
        counted = [
            f"{part[kind.key] / max(1, tally.laid[kind.key]):.2f}"
            for part, tally in (
                (random.arrived, random),
                (greedy.arrived, greedy),
                (random.reached, random),
                (greedy.reached, greedy),
            )
        ]
        yield kind.key, kind.points, *counted


def _card_rows(
    random: LineupTotals, greedy: LineupTotals, weighed: LineupTotals
) -> Iterable[Sequence[object]]:
    for card in DECK:
        uses = max(1, weighed.weighed[card.key])
        yield (
            card.key,
            card.count,
            *(f"{tally.played[card.key] / tally.games:.2f}" for tally in (random, greedy)),
            f"{weighed.gained[card.key] / uses:+.2f}",
            f"{weighed.taken[card.key] / uses:+.2f}",
        )


# Number of games that a worker process plays in one portion. Portions of games between random bots
# are larger by this factor.
PORTION_SIZE: Final = 25
RANDOM_FACTOR: Final = 10
RANDOM_BOT: Final = "random"
# Time budget in milliseconds, which the interface of bots requires. It has no effect on these bots.
BUDGET_MS: Final = 20


class Portion(NamedTuple):
    """Games of one line-up that one process plays. `numbers` are the numbers of the games."""

    lineup: Lineup
    numbers: range


@dataclass(frozen=True, kw_only=True)
class Calibration:
    """A calibration run: the number of games, the line-ups, and the text that determines
    the seeds.
    """

    games: int = 10_000
    seed: str = "calibrate"
    lineups: tuple[Lineup, ...] = LINEUPS

    @property
    def portions(self) -> Sequence[Portion]:
        """The portions of the run.

        The slowest come first, so that no process waits long at the end.
        """
        portions = []
        for lineup in sorted(self.lineups, key=lambda lineup: (not lineup.weighs, -lineup.one_in)):
            count = lineup.games(self.games)
            size = PORTION_SIZE if lineup.one_in > 1 else PORTION_SIZE * RANDOM_FACTOR
            portions += [
                Portion(lineup, range(first, min(first + size, count)))
                for first in range(0, count, size)
            ]
        return portions

    def play(self, portion: Portion) -> tuple[Lineup, LineupTotals]:
        tally = LineupTotals()
        for number in portion.numbers:
            self._game(portion.lineup, number, tally)
        return portion.lineup, tally

    def figures(self, played: Sequence[tuple[Lineup, LineupTotals]]) -> Sequence[MeasuredFigure]:
        return figures_of(self._tallies(played))

    def report(self, played: Sequence[tuple[Lineup, LineupTotals]]) -> str:
        return write_report(self._tallies(played))

    def _tallies(self, played: Sequence[tuple[Lineup, LineupTotals]]) -> dict[Lineup, LineupTotals]:
        tallies = dict.fromkeys(self.lineups, LineupTotals())
        for lineup, tally in played:
            tallies[lineup] += tally
        return tallies

    def _game(self, lineup: Lineup, number: int, tally: LineupTotals) -> None:
        """Play one game and add it to the totals.

        The watched bot's seat changes with the number of the game.
        """
        seed = Seed(sha256(f"{self.seed}/{number}".encode()).digest())
        watched = number % lineup.players
        bots = [lineup.others] * lineup.players
        bots[watched] = lineup.watched
        chances = [seed.chance(f"bot/{seat}") for seat in range(lineup.players)]
        scales = CardWeigher(tally)
        witness: Witness = scales.watch_event if lineup.weighs else tally.watch_event
        game = Game.new(PROFILES[lineup.board], lineup.players, seed)
        while (seat := game.turn) is not None:
            bot, chance = bots[seat], chances[seat]
            if bot == RANDOM_BOT:
                move = random_move(game, chance)  # fast, because it needs no view
            else:
                move = BOTS[bot].choose(game.view(seat), chance, BUDGET_MS)
            game.play(move, seat, witness)
            scales.weigh_card(game)
        tally.see_end(game, watched)
