"""Hands that leave given pips: a proof that bare pips are possible (Ruling D-10).

Played at random, a hand leaves some pips; the tiles that nobody saw can have been others, as long
as every move stays legal. So one log is a witness for many figures.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import cached_property

from fairness import Chance
from tests.dominoes.oracle.hand import Hand, Move, is_over, legal_moves, make
from tests.dominoes.oracle.hidden_tiles import Known, faults_of_hidden_tiles
from tests.dominoes.oracle.open_log import followed
from tests.dominoes.oracle.paper import copied
from tests.dominoes.oracle.tiles import Options, Tile, all_tiles, pips

SWAPS = 60
"""Tiles taken for others until a log is given up as a witness."""
TASTES = ["any", "any", "any", "hoard", "blanks"]
"""How a hand is played out: at random; playing as little as may be; closing ends with blanks."""


def play_with_taste(hand: Hand, taste: str, chance: Chance) -> Hand:
    """The hand to its end."""
    over = copied(hand)
    while not is_over(over):
        make(over, chance.pick(to_the_taste(over, taste, legal_moves(over))))
    return over


def to_the_taste(hand: Hand, taste: str, moves: list[Move]) -> list[Move]:
    """The legal moves that somebody of this taste would make."""
    if taste == "hoard" and any(move.kind in ("draw", "pass") for move in moves):
        return [move for move in moves if move.kind in ("draw", "pass")]
    if taste != "any" and not hand.train:
        return [move for move in moves if move.tile == (0, 0)] or moves
    if taste == "blanks":
        closing = [move for move in moves if move.way is not None and move.way.outward == 0]
        waiting = [move for move in moves if move.kind in ("draw", "pass")]
        return closing or waiting or moves
    return moves


class Witness:
    """A whole hand by its moves, and what is known of the tiles that were left."""

    def __init__(self, over: Hand, leader: int) -> None:
        self.rules, self.players, self.out = over.rules, over.players, over.out
        self.left = [sorted(held) for held in over.hands]
        self.rest = sorted(over.boneyard)
        self.table = followed(over.rules, over.players, leader, [move for _, move in over.log])
        assert not self.table.faults
        self.pips = [pips(held) for held in over.hands]

    @cached_property
    def late(self) -> list[dict[Tile, int]]:
        """By seat, since which move at the earliest it can have come to hold a tile."""
        found: list[dict[Tile, int]] = [{} for _ in range(self.players)]
        for fact in self.table.not_held:
            for tile in fact.tiles:
                found[fact.seat][tile] = max(fact.at, found[fact.seat].get(tile, fact.at))
        return found

    @cached_property
    def last_draw(self) -> list[int]:
        """By seat, the move at which it drew last."""
        draws = [[place.since for place in self.table.drawn if place.seat == seat]
                 for seat in range(self.players)]  # fmt: skip
        return [max(own, default=-1) for own in draws]

    def may_hold(self, seat: int, tile: Tile) -> bool:
        """Whether this tile alone can have been left there."""
        return self.late[seat].get(tile, -1) <= self.last_draw[seat]

    def reaches(self, figures: Sequence[int], chance: Chance) -> bool:
        """Whether other tiles, the moves being the same, were found to make these pips."""
        left, rest = [list(held) for held in self.left], list(self.rest)
        for _ in range(SWAPS):
            missing = [want - pips(held) for want, held in zip(figures, left, strict=True)]
            if not any(missing):
                known = Known(left, [None] * self.players)
                return not faults_of_hidden_tiles(self.table, known)
            seat = chance.pick([seat for seat, some in enumerate(missing) if some])
            swaps = list(self.swaps(left, rest, seat, missing))
            if not swaps:
                return False
            best = min(cost for cost, *_ in swaps)
            _, own, where, other = chance.pick([swap for swap in swaps if swap[0] <= best + 1])
            left[seat][own], where[other] = where[other], left[seat][own]
        return False

    def swaps(
        self, left: list[list[Tile]], rest: list[Tile], seat: int, missing: list[int]
    ) -> Iterator[tuple[int, int, list[Tile], int]]:
        """Every tile a seat may have held for one of its own, and how far off that leaves all."""
        places = [(None, rest), *((at, left[at]) for at in range(self.players) if at != seat)]
        for own, tile in enumerate(left[seat]):
            for whose, where in places:
                for other, instead in enumerate(where):
                    if not self.may_hold(seat, instead):
                        continue
                    if whose is not None and not self.may_hold(whose, tile):
                        continue
                    gain = sum(instead) - sum(tile)
                    cost = abs(missing[seat] - gain) - abs(missing[seat])
                    if whose is not None:
                        cost += abs(missing[whose] + gain) - abs(missing[whose])
                    yield cost, own, where, other


def closest(witnesses: list[Witness], figures: Sequence[int], out: int | None) -> list[Witness]:
    """Those that end alike, the nearest to these figures first."""
    alike = [one for one in witnesses if one.out == out]

    def distance(one: Witness) -> float:
        each = zip(one.pips, figures, one.left, strict=True)
        return sum(abs(a - b) / (1 + len(held)) for a, b, held in each)

    return sorted(alike, key=distance)


def deal_at_random(rules: Options, players: int, chance: Chance) -> Hand:
    """Tiles shuffled and dealt, somebody to lead."""
    tiles, size = chance.shuffled(all_tiles(rules["highest"])), rules["hand_size"]
    hands = [tiles[seat * size : (seat + 1) * size] for seat in range(players)]
    return Hand(rules, hands, tiles[players * size :], chance.below(players))


def some_witnesses(rules: Options, players: int, many: int, chance: Chance) -> list[Witness]:
    """So many hands played out, by every taste in turn."""
    found = []
    for number in range(many):
        dealt = deal_at_random(rules, players, chance)
        over = play_with_taste(dealt, TASTES[number % len(TASTES)], chance)
        found.append(Witness(over, dealt.turn))
    return found
