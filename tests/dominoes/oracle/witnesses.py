"""Search for a hand that leaves given pips, which proves that the pips are possible (Ruling D-10).

Hands are played at random. The hidden tiles of a hand can be exchanged as long as some deal makes
every move legal, so the moves of one hand can prove many combinations of pips.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from fairness import Chance
from tests.dominoes.oracle.bounds import heaviest, lightest
from tests.dominoes.oracle.hand import Hand, Move, is_over, legal_moves, make_move
from tests.dominoes.oracle.hidden_tiles import Known, faults_of_hidden_tiles
from tests.dominoes.oracle.open_log import followed
from tests.dominoes.oracle.open_table import OpenHand
from tests.dominoes.oracle.paper import copied, deal_at_random
from tests.dominoes.oracle.tiles import Options, Tile, all_tiles, pips

# Number of exchanged tiles after which the search continues with other moves.
SWAPS = 60
TRIES_EACH = 3
# Total number of tiles in the random hands after which the search for these pips stops.
MOST_TILES = 6_000
# The styles in which a random hand is played: at random (any), playing as few tiles as possible
# (hoard), or closing ends with blanks (blanks).
TASTES = ["any", "any", "any", "hoard", "blanks"]


def is_possible(
    rules: Options, figures: Sequence[int], out: int | None, first: Sequence[Hand], chance: Chance
) -> bool:
    """Return whether a hand that leaves these pips was found.

    The given hands are tried first, then random ones.
    """
    players = len(figures)
    for hand in first:
        if any(leaves(turned(hand, by), figures, out, chance) for by in range(players)):
            return True
    for number in range(MOST_TILES // len(all_tiles(rules["highest"]))):
        taste = TASTES[number % len(TASTES)]
        hand = played_out(deal_at_random(rules, players, chance), taste, chance)
        if any(leaves(turned(hand, by), figures, out, chance) for by in range(players)):
            return True
    return False


def turned(over: Hand, by: int) -> Hand:
    """Return the same hand with all players moved by this many seats to the left."""
    seats = range(over.players)
    hand = Hand(over.rules, [over.hands[(seat - by) % over.players] for seat in seats], [], 0)
    hand.out = None if over.out is None else (over.out + by) % over.players
    hand.log = [((seat + by) % over.players, move) for seat, move in over.log]
    return hand


def leaves(over: Hand, figures: Sequence[int], out: int | None, chance: Chance) -> bool:
    """Return whether this hand leaves these pips after exchanging hidden tiles."""
    highest = over.rules["highest"]
    counts = [len(held) for held in over.hands]
    near = all(
        lightest(highest, many) <= figure <= heaviest(highest, many)
        for figure, many in zip(figures, counts, strict=True)
    )
    if over.out != out or not near:
        return False
    table = followed(over.rules, over.players, over.log[0][0], [move for _, move in over.log])
    assert table.counts == counts
    return any(shared_out(table, over.hands, figures, chance) for _ in range(TRIES_EACH))


def played_out(dealt: Hand, taste: str, chance: Chance) -> Hand:
    """Play the hand to its end in this style and return it."""
    over = copied(dealt)
    while not is_over(over):
        make_move(over, chance.pick(to_the_taste(over, taste, legal_moves(over))))
    return over


def to_the_taste(hand: Hand, taste: str, moves: list[Move]) -> list[Move]:
    """Return the legal moves that fit this style of play."""
    waiting = [move for move in moves if move.kind in ("draw", "pass")]
    if taste == "hoard" and waiting:
        return waiting
    if taste != "any" and not hand.train:
        return [move for move in moves if move.tile == (0, 0)] or moves
    if taste == "blanks":
        closing = [move for move in moves if move.way is not None and move.way.outward == 0]
        return closing or waiting or moves
    return moves


def earliest(table: OpenHand) -> list[dict[Tile, int]]:
    """Return for each seat the tiles that it did not hold at some move, with the number of the last
    such move.
    """
    found: list[dict[Tile, int]] = [{} for _ in table.counts]
    for fact in table.not_held:
        for tile in fact.tiles:
            found[fact.seat][tile] = max(fact.at, found[fact.seat].get(tile, fact.at))
    return found


class Shares:
    """A distribution of the remaining tiles between the seats and the boneyard."""

    def __init__(
        self,
        table: OpenHand,
        left: Sequence[list[Tile]],
        figures: Sequence[int],
        chance: Chance,
    ) -> None:
        self.table, self.figures, self.chance = table, figures, chance
        seats = range(len(table.counts))
        late = earliest(table)
        drawn = [
            max((place.since for place in table.drawn if place.seat == seat), default=-1)
            for seat in seats
        ]
        tiles = all_tiles(table.rules["highest"])
        self.may = [{t for t in tiles if late[seat].get(t, -1) <= drawn[seat]} for seat in seats]
        self.left = [list(held) for held in left]
        held = [tile for own in left for tile in own]
        self.rest = [tile for tile in tiles if tile not in table.played and tile not in held]

    def missing(self) -> list[int]:
        """Return for each seat how many pips are missing."""
        return [want - pips(held) for want, held in zip(self.figures, self.left, strict=True)]

    def stands(self) -> bool:
        """Return whether some deal of the hidden tiles leaves exactly these tiles."""
        known = Known(self.left, [None] * len(self.left))
        return not faults_of_hidden_tiles(self.table, known)

    def swap(self, missing: list[int]) -> bool:
        """Exchange a tile so that fewer pips are missing. Sometimes a worse exchange is made.

        Returns `False` if no exchange is possible.
        """
        seat = self.chance.pick([seat for seat, some in enumerate(missing) if some])
        swaps = list(self.swaps(seat, missing))
        if not swaps:
            return False
        best = min(cost for cost, *_ in swaps) + self.chance.pick([0, 0, 1, 3])
        _, own, where, other = self.chance.pick([swap for swap in swaps if swap[0] <= best])
        self.left[seat][own], where[other] = where[other], self.left[seat][own]
        return True

    def swaps(self, seat: int, missing: list[int]) -> Iterator[tuple[int, int, list[Tile], int]]:
        """Yield every possible exchange of a tile of this seat, with the change in missing pips."""
        others = [(at, held) for at, held in enumerate(self.left) if at != seat]
        for whose, where in [(None, self.rest), *others]:
            for other, instead in enumerate(where):
                if instead not in self.may[seat]:
                    continue
                for own, tile in enumerate(self.left[seat]):
                    gain = sum(instead) - sum(tile)
                    cost = abs(missing[seat] - gain) - abs(missing[seat])
                    if whose is not None:
                        if tile not in self.may[whose]:
                            continue
                        cost += abs(missing[whose] + gain) - abs(missing[whose])
                    yield cost, own, where, other


def shared_out(
    table: OpenHand, left: Sequence[list[Tile]], figures: Sequence[int], chance: Chance
) -> bool:
    """Return whether an exchange of hidden tiles was found that gives the wanted pips."""
    shares = Shares(table, left, figures, chance)
    for _ in range(SWAPS):
        missing = shares.missing()
        if not any(missing):
            return shares.stands()
        if not shares.swap(missing):
            return False
    return False
