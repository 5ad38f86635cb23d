"""The strongest dominoes bot.

It imagines possible hidden tiles many times and plays out every legal move.
"""

from __future__ import annotations

from collections.abc import Iterable
from contextlib import suppress
from dataclasses import dataclass
from typing import Final, NamedTuple

from dominoes.bots.fit_masks import fit_masks_of
from dominoes.bots.memory import ImpossibleDeal, Memory
from dominoes.bots.playout import Leaning, Player, Position
from dominoes.bots.simple_bots import legal_moves
from dominoes.engine import Move, MoveKind, View, bits, domino_set
from fairness import Chance
from leagues.bots import Clock, is_clearly_worse


class HiddenSlot(NamedTuple):
    """A tile in another player's hand, which the bot cannot see.

    `seat`: the player who holds it. `never`: the tiles that it cannot be. `hardly`: the tiles that
    it is unlikely to be. Both are bit sets.
    """

    seat: int
    never: int
    hardly: int


class DealSampler:
    """Generator of random deals that agree with a player's view and with all moves so far.

    The hidden tile with the most exclusions is chosen first. If the exclusions are nested, as
    within one hand, all consistent deals are equally likely.
    """

    __slots__ = ("_chance", "_slots", "_unseen", "_view")

    def __init__(self, view: View, memory: Memory, chance: Chance) -> None:
        self._view, self._chance = view, chance
        self._unseen = [1 << tile for tile in bits(view.unseen)]
        slots = [
            HiddenSlot(seat, place.never & view.unseen, place.hardly & view.unseen)
            for seat, places in enumerate(memory.places)
            if seat != view.seat
            for place in places
        ]
        self._slots = sorted(
            slots, key=lambda slot: (slot.never.bit_count(), slot.hardly.bit_count()), reverse=True
        )

    def deal(self, *, doubting: bool) -> tuple[list[int], list[int]]:
        """Return a random deal: the hands by seat, and the boneyard with the next tile last.

        If `doubting`, tiles that a player is only unlikely to hold are also excluded. Raises
        `ImpossibleDeal` if no deal agrees with the moves so far.
        """
        pile = self._chance.shuffled(self._unseen)
        hands = [0] * self._view.players
        hands[self._view.seat or 0] = self._view.held
        for slot in self._slots:
            excluded = slot.never | slot.hardly if doubting else slot.never
            tile = _last_allowed_index(pile, excluded)
            if tile < 0 and doubting:
                tile = _last_allowed_index(pile, slot.never)
            if tile < 0:
                return self._untangled()
            hands[slot.seat] |= pile.pop(tile)
        return hands, pile

    def _untangled(self) -> tuple[list[int], list[int]]:
        """Return a deal found by bipartite matching of hidden tiles and places in hands.

        Used if choosing one tile after another has failed. Raises `ImpossibleDeal` if there is no
        such deal.
        """
        pile = self._chance.shuffled(self._unseen)
        holder: dict[int, int] = {}
        for number in range(len(self._slots)):
            if not self._assign_tile(number, pile, holder, set()):
                raise ImpossibleDeal
        hands = [0] * self._view.players
        hands[self._view.seat or 0] = self._view.held
        for bit, number in holder.items():
            hands[self._slots[number].seat] |= bit
        return hands, [bit for bit in pile if bit not in holder]

    def _assign_tile(
        self, number: int, pile: list[int], holder: dict[int, int], tried: set[int]
    ) -> bool:
        """Assign a tile to the place with this number in another player's hand. Tiles that are
        already assigned are moved if necessary.

        This is Kuhn's matching algorithm. Returns False if no tile can be assigned.
        """
        for bit in pile:
            if bit & self._slots[number].never or bit in tried:
                continue
            tried.add(bit)
            if bit not in holder or self._assign_tile(holder[bit], pile, holder, tried):
                holder[bit] = number
                return True
        return False


def _last_allowed_index(pile: list[int], excluded: int) -> int:
    """Return the index of the last tile of the pile that is not excluded, or -1 if there
    is none.
    """
    for number in range(len(pile) - 1, -1, -1):
        if not pile[number] & excluded:
            return number
    return -1


def deal_consistently(view: View, chance: Chance, ways: int) -> list[DealSampler]:
    """Return up to `ways` generators of deals, each based on its own guess.

    A guess says from which place in a hand each played tile came. Guesses that contradict the moves
    so far are left out.
    """
    deals_made = []
    for _ in range(ways):
        with suppress(ImpossibleDeal):
            deals = DealSampler(view, Memory(view, chance), chance)
            deals.deal(doubting=False)
            deals_made.append(deals)
    return deals_made or [DealSampler(view, Memory(view), chance)]


class MoveOption(NamedTuple):
    """A legal move, the bit of its tile (0 for none), and the states of both ends after it."""

    move: Move
    bit: int
    left: int
    right: int

    def play_at(self, at: Position, needed: int) -> bool:
        """Make this move in an imagined hand and return True if the hand continues.

        `needed`: the fitting tiles other than matadors.
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
        if self.move.kind is MoveKind.DRAW:
            at.hands[at.seat] |= at.boneyard.pop()
            return True
        at.passes += 1
        at.seat = (at.seat + 1) % len(at.hands)
        return at.passes < len(at.hands)


def options_of(view: View) -> list[MoveOption]:
    """Return the legal moves of a view.

    If several moves lead to the same train (the row of played tiles), only one of these moves is
    returned.
    """
    fitting = fit_masks_of(view.rules)
    left, right = fitting.states(view.ends)
    options: dict[tuple[object, ...], MoveOption] = {}
    for move in view.legal:
        ends = fitting.ends_after(move, left, right)
        bit = 0 if move.tile is None else 1 << move.tile
        options.setdefault((move.kind, bit, *sorted(ends)), MoveOption(move, bit, *ends))
    return list(options.values())


def count_passes(view: View) -> int:
    count = 0
    for said in reversed(view.log):
        if said.move.tile is not None:
            break
        count += said.move.kind is MoveKind.PASS
    return count


# Value of one point in a hand with the double-six set. Winning the hand has the value 1.
POINT: float = 0.015


class Stakes:
    """The value of a finished hand for one seat.

    A win is worth 1. A loss is worth -1, divided by the number of losing sides. Points add a
    little, up to those that the winner still needs for the target (Rulings D-7 and D-8).
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
        """Return the value, for the bot's seat, of a hand that ends with these tiles left. It is
        positive if the bot's side wins.
        """
        held = [self._count(hands[seat] for seat in seats) for seats in self._sides]
        winner = self._winner(hands, held)
        if winner < 0:
            return 0.0
        points = max(0, sum(held) - 2 * held[winner])
        worth = 1 + self._point * min(points, self._room[winner])
        return worth if winner == self._mine else -worth / (len(held) - 1)

    def _winner(self, hands: list[int], held: list[int]) -> int:
        """Return the number of the winning side, or -1 on a tie."""
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


# Number of tiles in a double-six set, for which `PLAYOUTS_A_MILLISECOND` is defined.
DOUBLE_SIX: Final = 28
# Playouts per millisecond of the time budget if no clock is passed, for a double-six set. Larger
# sets get fewer.
PLAYOUTS_A_MILLISECOND: Final = 20
# Number of guesses that the bot makes. A guess says from which place in a hand each played tile
# came.
MEMORIES: Final = 8
# Number of deals between two checks for moves that can be dropped.
DEALS_PER_ROUND: Final = 32
# One boolean for each generated deal; the pattern is repeated. If it is True, the deal also gives
# players no tiles that they are only unlikely to hold.
DOUBT_PATTERN: Final = (True, True, True, False)


@dataclass(slots=True)
class CandidateMove:
    """A legal move, and its value in each of the imagined deals.

    All candidates are compared in the same deals.
    """

    option: MoveOption
    values: list[float]


class Maestro:
    """Bot that compares all legal moves on the same imagined deals.

    The method is information-set Monte Carlo. The deals agree with all plays, draws and passes so
    far. A fast player model plays every deal to its end for all seats. The value of a move depends
    on the winner and the points. Clearly worse moves are dropped early, which leaves more time for
    the others.
    """

    def __init__(self, leaning: Leaning | None = None) -> None:
        self._leaning = leaning or Leaning()

    def choose(
        self, view: View, chance: Chance, budget_ms: int, clock: Clock | None = None
    ) -> Move:
        legal_moves(view)
        runners = [CandidateMove(option, []) for option in options_of(view)]
        if len(runners) == 1:
            return runners[0].option.move
        budget = Budget(view, budget_ms, clock)
        race = MoveComparison(view, chance, self._leaning)
        while len(runners) > 1 and budget.allows(len(runners)):
            race.compare_moves(runners)
            if not len(runners[0].values) % DEALS_PER_ROUND:
                runners = in_the_running(runners)
        return best_of(runners).option.move


class Budget:
    """Thinking budget of a decision: time if there is a clock, otherwise a number of playouts."""

    def __init__(self, view: View, budget_ms: int, clock: Clock | None) -> None:
        self._clock = clock
        self._until = clock() + budget_ms / 1000 if clock else 0.0
        size = len(domino_set(view.rules.highest))
        self._left = budget_ms * PLAYOUTS_A_MILLISECOND * DOUBLE_SIX // size

    def allows(self, playouts: int) -> bool:
        if self._clock:
            return self._clock() < self._until
        self._left -= playouts
        return self._left >= 0


class MoveComparison:
    """The imagined deals on which the candidate moves of one decision are compared."""

    def __init__(self, view: View, chance: Chance, leaning: Leaning) -> None:
        self.player = Player(view.rules, view.players, leaning)
        self.stakes = Stakes(view)
        self.lacking = Memory(view).lacking
        self.deals = deal_consistently(view, chance, MEMORIES)
        self.passes, self.played = count_passes(view), view.played
        self.ends = self.player.fitting.states(view.ends)
        self.seat, self.dealt = view.turn or 0, 0

    def compare_moves(self, runners: list[CandidateMove]) -> None:
        start = self._position()
        for runner in runners:
            at = start.copy()
            if runner.option.play_at(at, self.player.needed(at)):
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


def best_of(runners: list[CandidateMove]) -> CandidateMove:
    return max(runners, key=lambda runner: sum(runner.values))


def in_the_running(runners: list[CandidateMove]) -> list[CandidateMove]:
    best = best_of(runners).values
    return [runner for runner in runners if not is_clearly_worse(runner.values, best)]
