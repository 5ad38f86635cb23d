"""The strongest bot. It samples the hidden tiles and plays out every move."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from math import sqrt
from typing import Final, NamedTuple

from dominoes.bots.fit_masks import fit_masks_of
from dominoes.bots.memory import Impossible, Memory
from dominoes.bots.playout import Leaning, Player, Position
from dominoes.bots.simple_bots import legal_moves
from dominoes.engine import Kind, Move, View, bits, domino_set
from fairness import Chance
from leagues.bots import Clock


class Slot(NamedTuple):
    """A place to fill: its seat, the tiles it cannot hold and those it is unlikely to hold."""

    seat: int
    never: int
    hardly: int


class Deals:
    """Deals consistent with a view and with what is remembered.

    The most restricted place is filled first. If the exclusions are nested, as within one
    hand, all consistent deals are equally likely.
    """

    __slots__ = ("_chance", "_slots", "_unseen", "_view")

    def __init__(self, view: View, memory: Memory, chance: Chance) -> None:
        self._view, self._chance = view, chance
        self._unseen = [1 << tile for tile in bits(view.unseen)]
        slots = [
            Slot(seat, place.never & view.unseen, place.hardly & view.unseen)
            for seat, places in enumerate(memory.places)
            if seat != view.seat
            for place in places
        ]
        self._slots = sorted(
            slots, key=lambda slot: (slot.never.bit_count(), slot.hardly.bit_count()), reverse=True
        )

    def deal(self, *, doubting: bool) -> tuple[list[int], list[int]]:
        """Return the hands by seat and the boneyard, next tile last.

        `doubting` also excludes what is only unlikely. Raises `Impossible` if no deal is
        consistent.
        """
        pile = self._chance.shuffled(self._unseen)
        hands = [0] * self._view.players
        hands[self._view.seat or 0] = self._view.held
        for slot in self._slots:
            excluded = slot.never | slot.hardly if doubting else slot.never
            tile = _first(pile, excluded)
            if tile < 0 and doubting:
                tile = _first(pile, slot.never)
            if tile < 0:
                return self._untangled()
            hands[slot.seat] |= pile.pop(tile)
        return hands, pile

    def _untangled(self) -> tuple[list[int], list[int]]:
        """Return a deal by matching, for when filling place by place fails."""
        pile = self._chance.shuffled(self._unseen)
        holder: dict[int, int] = {}
        for number in range(len(self._slots)):
            if not self._give(number, pile, holder, set()):
                raise Impossible
        hands = [0] * self._view.players
        hands[self._view.seat or 0] = self._view.held
        for bit, number in holder.items():
            hands[self._slots[number].seat] |= bit
        return hands, [bit for bit in pile if bit not in holder]

    def _give(self, number: int, pile: list[int], holder: dict[int, int], tried: set[int]) -> bool:
        """Find a tile for a place, moving others (Kuhn's matching algorithm)."""
        for bit in pile:
            if bit & self._slots[number].never or bit in tried:
                continue
            tried.add(bit)
            if bit not in holder or self._give(holder[bit], pile, holder, tried):
                holder[bit] = number
                return True
        return False


def _first(pile: list[int], excluded: int) -> int:
    """Return the index of the last tile not excluded, or -1."""
    for number in range(len(pile) - 1, -1, -1):
        if not pile[number] & excluded:
            return number
    return -1


def deal_consistently(view: View, chance: Chance, ways: int) -> list[Deals]:
    """Return deals for several memories of the play, fewer if some prove impossible."""
    deals_made = []
    for _ in range(ways):
        with suppress(Impossible):
            deals = Deals(view, Memory(view, chance), chance)
            deals.deal(doubting=False)
            deals_made.append(deals)
    return deals_made or [Deals(view, Memory(view), chance)]


class Option(NamedTuple):
    """A move, the bit of its tile (0: none), and the states of both ends after it."""

    move: Move
    bit: int
    left: int
    right: int

    def play(self, at: Position, needed: int) -> bool:
        """Make the move in an imagined hand and return True if the hand goes on.

        `needed` are the fitting tiles other than matadors.
        """
        if not self.bit:
            return self._wait(at, needed)
        at.hands[at.seat] ^= self.bit
        at.left, at.right = self.left, self.right
        at.played |= self.bit
        at.passes = 0
        goes_on = at.hands[at.seat] != 0
        at.seat = (at.seat + 1) % len(at.hands)
        return goes_on

    def _wait(self, at: Position, needed: int) -> bool:
        at.lacking[at.seat] |= needed
        if self.move.kind is Kind.DRAW:
            at.hands[at.seat] |= at.boneyard.pop()
            return True
        at.passes += 1
        at.seat = (at.seat + 1) % len(at.hands)
        return at.passes < len(at.hands)


def options_of(view: View) -> list[Option]:
    """Return the legal moves of a view, only one of those that lead to the same train."""
    fitting = fit_masks_of(view.rules)
    left, right = fitting.states(view.ends)
    options: dict[tuple[object, ...], Option] = {}
    for move in view.legal:
        ends = fitting.after(move, left, right)
        bit = 0 if move.tile is None else 1 << move.tile
        options.setdefault((move.kind, bit, *sorted(ends)), Option(move, bit, *ends))
    return list(options.values())


def count_passes(view: View) -> int:
    count = 0
    for said in reversed(view.log):
        if said.move.tile is not None:
            break
        count += said.move.kind is Kind.PASS
    return count


# Value of a point in a double-six hand, relative to winning it.
POINT: float = 0.015


class Stakes:
    """The value of a finished hand for one seat.

    Winning is worth 1. Losing is worth -1, shared among the losers. Points add a little, as
    far as they count towards the target (Rulings D-7 and D-8).
    """

    __slots__ = ("_mine", "_out_wins", "_pips", "_point", "_room", "_sides")

    def __init__(self, view: View) -> None:
        rules, tiles = view.rules, domino_set(view.rules.highest)
        assert view.seat is not None
        self._sides = rules.sides(view.players)
        self._mine = next(side for side, seats in enumerate(self._sides) if view.seat in seats)
        self._pips = {1 << tile: sum(halves) for tile, halves in enumerate(tiles.tiles)}
        self._out_wins = rules.out_wins
        self._point = POINT * 6 / rules.highest
        self._room = [rules.target - total for total in view.totals]

    def value(self, hands: list[int]) -> float:
        """Return the value of these final hands, positive if the own side wins."""
        held = [self._count(hands[seat] for seat in seats) for seats in self._sides]
        winner = self._winner(hands, held)
        if winner < 0:
            return 0.0
        points = max(0, sum(held) - 2 * held[winner])
        worth = 1 + self._point * min(points, self._room[winner])
        return worth if winner == self._mine else -worth / (len(held) - 1)

    def _winner(self, hands: list[int], held: list[int]) -> int:
        """Return the winning side, or -1 on a tie."""
        if self._out_wins and 0 in hands:
            seat = hands.index(0)
            return next(side for side, seats in enumerate(self._sides) if seat in seats)
        lowest = min(held)
        return held.index(lowest) if held.count(lowest) == 1 else -1

    def _count(self, hands: Iterable[int]) -> int:
        pips, total = self._pips, 0
        for hand in hands:
            rest = hand
            while rest:
                bit = rest & -rest
                rest ^= bit
                total += pips[bit]
        return total


# Tiles of the set for which playouts are counted.
DOUBLE_SIX: Final = 28
# Work without a clock for a double-six set. Less for larger ones.
PLAYOUTS_A_MILLISECOND: Final = 20
# Sampled memories of what the others may hold.
MEMORIES: Final = 8
# Deals between two checks of which moves are behind.
DEALS_PER_ROUND: Final = 32
# Standard errors by which a move is dropped.
BEHIND: Final = 3.0
# How often deals exclude what is only unlikely.
DOUBT_PATTERN: Final = (True, True, True, False)


@dataclass(slots=True)
class Candidate:
    """A move and its results in the shared deals."""

    option: Option
    values: list[float]


class Maestro:
    """Compares all legal moves over the same imagined deals (information-set Monte Carlo).

    The deals agree with all plays, draws and passes. A quick player finishes each for every
    seat. Points and the winner count. Moves clearly behind are dropped, to spend the time on
    close ones.
    """

    def __init__(self, leaning: Leaning | None = None) -> None:
        self._leaning = leaning or Leaning()

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        legal_moves(view)
        runners = [Candidate(option, []) for option in options_of(view)]
        if len(runners) == 1:
            return runners[0].option.move
        budget = Budget(view, budget_ms, clock)
        race = Race(view, chance, self._leaning)
        while len(runners) > 1 and budget.lasts(len(runners)):
            race.run(runners)
            if not len(runners[0].values) % DEALS_PER_ROUND:
                runners = in_the_running(runners)
        return best_of(runners).option.move


class Budget:
    """A budget of time by the clock, or else of playouts."""

    def __init__(self, view: View, budget_ms: int, clock: Clock | None) -> None:
        self._clock = clock
        self._until = clock() + budget_ms / 1000 if clock else 0.0
        size = len(domino_set(view.rules.highest))
        self._left = budget_ms * PLAYOUTS_A_MILLISECOND * DOUBLE_SIX // size

    def lasts(self, playouts: int) -> bool:
        if self._clock:
            return self._clock() < self._until
        self._left -= playouts
        return self._left >= 0


class Race:
    """The deals over which the moves of a decision are compared."""

    def __init__(self, view: View, chance: Chance, leaning: Leaning) -> None:
        self.player = Player(view.rules, view.players, leaning)
        self.stakes = Stakes(view)
        self.lacking = Memory(view).lacking
        self.deals = deal_consistently(view, chance, MEMORIES)
        self.passes, self.played = count_passes(view), view.played
        self.ends = self.player.fitting.states(view.ends)
        self.seat, self.dealt = view.turn or 0, 0

    def run(self, runners: list[Candidate]) -> None:
        start = self._position()
        for runner in runners:
            at = start.copy()
            if runner.option.play(at, self.player.needed(at)):
                self.player.play_out(at)
            runner.values.append(self.stakes.value(at.hands))

    def _position(self) -> Position:
        deals = self.deals[self.dealt % len(self.deals)]
        doubting = DOUBT_PATTERN[self.dealt // len(self.deals) % len(DOUBT_PATTERN)]
        self.dealt += 1
        hands, boneyard = deals.deal(doubting=doubting)
        left, right = self.ends
        passes, played = self.passes, self.played
        return Position(hands, boneyard, left, right, self.seat, passes, played, self.lacking)


def best_of(runners: list[Candidate]) -> Candidate:
    return max(runners, key=lambda runner: sum(runner.values))


def in_the_running(runners: list[Candidate]) -> list[Candidate]:
    best = best_of(runners).values
    return [runner for runner in runners if not _behind(runner.values, best)]


def _behind(values: list[float], best: list[float]) -> bool:
    """Return True if the gap over the same deals is significant."""
    gaps = [one - other for one, other in zip(best, values, strict=True)]
    total, count = sum(gaps), len(gaps)
    spread = sum(gap * gap for gap in gaps) - total * total / count
    return total > BEHIND * sqrt(max(spread, 0.0) * count / (count - 1)) and total > 0
