"""The strongest bot: it deals out what the others may hold, and plays every move on from there."""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from math import sqrt
from typing import Final, NamedTuple

from dominoes.bots.bot import Clock, legal_moves
from dominoes.bots.fit_masks import fit_masks_of
from dominoes.bots.memory import Impossible, Memory
from dominoes.bots.playout import Leaning, Player, Position
from dominoes.engine import Kind, Move, View, bits, domino_set
from fairness import Chance


class Slot(NamedTuple):
    """A place to be filled: whose it is, what it cannot hold, what it hardly holds."""

    seat: int
    never: int
    hardly: int


class Deals:
    """Deals consistent with a view, as likely as what is remembered makes them.

    The strictest place is filled first: where what places exclude is nested, as it is in one
    hand, every consistent way to fill them is as likely as every other.
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
        self._slots = sorted(slots, key=_strictness, reverse=True)

    def deal(self, *, doubting: bool) -> tuple[list[int], list[int]]:
        """Hands by seat and the boneyard, next tile last; `doubting` heeds what is only unlikely.

        Raises `Impossible` where no deal is consistent.
        """
        pile = self._chance.shuffled(self._unseen)
        hands = [0] * self._view.players
        hands[self._view.seat or 0] = self._view.held
        for slot in self._slots:
            excluded = slot.never | slot.hardly if doubting else slot.never
            found = _first(pile, excluded)
            if found < 0 and doubting:
                found = _first(pile, slot.never)
            if found < 0:
                return self._untangled()
            hands[slot.seat] |= pile.pop(found)
        return hands, pile

    def _untangled(self) -> tuple[list[int], list[int]]:
        """A deal found by moving tiles between places, where filling them one by one fails."""
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

    def _give(self, number: int, pile: list[int], holder: dict[int, int], asked: set[int]) -> bool:
        """Find a tile for a place, moving others on (Kuhn's matching)."""
        for bit in pile:
            if bit & self._slots[number].never or bit in asked:
                continue
            asked.add(bit)
            if bit not in holder or self._give(holder[bit], pile, holder, asked):
                holder[bit] = number
                return True
        return False


def _strictness(slot: Slot) -> tuple[int, int]:
    return slot.never.bit_count(), slot.hardly.bit_count()


def _first(pile: list[int], excluded: int) -> int:
    """The last tile of a pile that is not excluded; -1 where all are."""
    for number in range(len(pile) - 1, -1, -1):
        if not pile[number] & excluded:
            return number
    return -1


def deal_consistently(view: View, chance: Chance, ways: int) -> list[Deals]:
    """Deals by so many ways of remembering the play, fewer where some prove impossible."""
    found = []
    for _ in range(ways):
        with suppress(Impossible):
            deals = Deals(view, Memory(view, chance), chance)
            deals.deal(doubting=False)
            found.append(deals)
    return found or [Deals(view, Memory(view), chance)]


class Option(NamedTuple):
    """A move, the bit of its tile (0: none), and the states of both ends after it."""

    move: Move
    bit: int
    left: int
    right: int

    def play(self, at: Position, needed: int) -> bool:
        """Make the move in an imagined hand; whether the hand goes on.

        `needed` are the tiles that fit and are no matadors.
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
        """Draw, or pass."""
        at.lacking[at.seat] |= needed
        if self.move.kind is Kind.DRAW:
            at.hands[at.seat] |= at.boneyard.pop()
            return True
        at.passes += 1
        at.seat = (at.seat + 1) % len(at.hands)
        return at.passes < len(at.hands)


def options_of(view: View) -> list[Option]:
    """The legal moves of a view; of those that lead to the same train, one."""
    fitting = fit_masks_of(view.rules)
    left, right = fitting.states(view.ends)
    found: dict[tuple[object, ...], Option] = {}
    for move in view.legal:
        ends = fitting.after(move, left, right)
        bit = 0 if move.tile is None else 1 << move.tile
        found.setdefault((move.kind, bit, *sorted(ends)), Option(move, bit, *ends))
    return list(found.values())


def count_passes(view: View) -> int:
    """How many have passed in a row since the last tile was played."""
    count = 0
    for said in reversed(view.log):
        if said.move.tile is not None:
            break
        count += said.move.kind is Kind.PASS
    return count


POINT: float = 0.015
"""What a point of a double-six hand is worth beside winning it, which is worth 1."""


class Stakes:
    """What the end of an imagined hand is worth to whoever holds a view.

    Winning is worth 1 and losing -1 shared among those who do not win; each point adds a little,
    as far as it counts towards the target of the match (Rulings D-7 and D-8).
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
        """The worth of these hands at the end: above 0 where the own side wins."""
        held = [self._count(hands[seat] for seat in seats) for seats in self._sides]
        winner = self._winner(hands, held)
        if winner < 0:
            return 0.0
        points = max(0, sum(held) - 2 * held[winner])
        worth = 1 + self._point * min(points, self._room[winner])
        return worth if winner == self._mine else -worth / (len(held) - 1)

    def _winner(self, hands: list[int], held: list[int]) -> int:
        """The side that wins; -1 on a tie."""
        if self._out_wins and 0 in hands:
            seat = hands.index(0)
            return next(side for side, seats in enumerate(self._sides) if seat in seats)
        lowest = min(held)
        return held.index(lowest) if held.count(lowest) == 1 else -1

    def _count(self, hands: Iterable[int]) -> int:
        pips, found = self._pips, 0
        for hand in hands:
            rest = hand
            while rest:
                bit = rest & -rest
                rest ^= bit
                found += pips[bit]
        return found


DOUBLE_SIX: Final = 28
"""Tiles of the set by which playouts are reckoned."""
PLAYOUTS_A_MILLISECOND: Final = 20
"""How much is thought without a clock, with a double-six set; less with a larger one."""
MEMORIES: Final = 8
"""How many ways in which the tiles played may have left the others' hands are remembered."""
DEALS_PER_ROUND: Final = 32
"""Deals between two looks at who is behind."""
BEHIND: Final = 3.0
"""A move is dropped when it is behind by so many standard errors."""
DOUBT_PATTERN: Final = (True, True, True, False)
"""How often what is unlikely, but not excluded, is left out of the deals."""


@dataclass(slots=True)
class Candidate:
    """A move in the race, and what it brought in each of the same deals."""

    option: Option
    values: list[float]


class Maestro:
    """Compares all legal moves over the same imagined deals (information-set Monte Carlo).

    The deals agree with everything played, drawn and passed; each is played to its end by a quick
    player for every seat. What counts is the points of the hand and who wins it. A move clearly
    behind is dropped, so that time goes to those that are close.
    """

    def __init__(self, leaning: Leaning | None = None) -> None:
        self._leaning = leaning or Leaning()

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        """The move that brings most over as many deals as the budget allows."""
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
    """How long a bot may go on: by the clock, or without one by a number of playouts."""

    def __init__(self, view: View, budget_ms: int, clock: Clock | None) -> None:
        self._clock = clock
        self._until = clock() + budget_ms / 1000 if clock else 0.0
        size = len(domino_set(view.rules.highest))
        self._left = budget_ms * PLAYOUTS_A_MILLISECOND * DOUBLE_SIX // size

    def lasts(self, playouts: int) -> bool:
        """Whether there is some left, for so many playouts more."""
        if self._clock:
            return self._clock() < self._until
        self._left -= playouts
        return self._left >= 0


class Race:
    """The deals over which the moves of one decision are compared."""

    def __init__(self, view: View, chance: Chance, leaning: Leaning) -> None:
        self.player = Player(view.rules, view.players, leaning)
        self.stakes = Stakes(view)
        self.lacking = Memory(view).lacking
        self.deals = deal_consistently(view, chance, MEMORIES)
        self.passes, self.played = count_passes(view), view.played
        self.ends = self.player.fitting.states(view.ends)
        self.seat, self.dealt = view.turn or 0, 0

    def run(self, runners: list[Candidate]) -> None:
        """One more deal, played out after every move that is still in the race."""
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
    """The move that has brought most so far; the first of those that are level."""
    return max(runners, key=lambda runner: sum(runner.values))


def in_the_running(runners: list[Candidate]) -> list[Candidate]:
    """The moves that are not clearly behind the best."""
    best = best_of(runners).values
    return [runner for runner in runners if not _behind(runner.values, best)]


def _behind(values: list[float], best: list[float]) -> bool:
    """Whether the gap to the best, over the same deals, is more than chance."""
    gaps = [one - other for one, other in zip(best, values, strict=True)]
    total, count = sum(gaps), len(gaps)
    spread = sum(gap * gap for gap in gaps) - total * total / count
    return total > BEHIND * sqrt(max(spread, 0.0) * count / (count - 1)) and total > 0
