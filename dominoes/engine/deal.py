"""The deal: who gets which tiles, what is left in the boneyard, who leads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dominoes.engine.errors import DealError
from dominoes.engine.rules import Rules
from dominoes.engine.tiles import bit_set, domino_set, write_tile
from fairness import Chance


class Deal(NamedTuple):
    """What chance brought to a hand.

    `hands`: by seat, a bit set of tiles. `boneyard`: tile numbers in the order they are drawn.
    `leader`: the seat that sets the first tile (Ruling D-3).
    """

    hands: tuple[int, ...]
    boneyard: tuple[int, ...]
    leader: int

    @classmethod
    def of(
        cls, hands: Iterable[Iterable[int]], boneyard: Iterable[int] = (), leader: int = 0
    ) -> Deal:
        """The deal of these tiles, given by number."""
        return cls(tuple(bit_set(hand) for hand in hands), tuple(boneyard), leader)

    def check(self, rules: Rules) -> None:
        """`DealError` unless every tile of the set is there once, and as many as rules say."""
        check_players(rules, len(self.hands))
        for seat, hand in enumerate(self.hands):
            if hand.bit_count() != rules.hand_size:
                raise DealError(f"Seat {seat} has {hand.bit_count()} tiles.")
        tiles = domino_set(rules.highest)
        whole = bit_set(self.boneyard)
        for hand in self.hands:
            whole |= hand
        dealt = len(self.hands) * rules.hand_size + len(self.boneyard)
        if whole != tiles.all or dealt != len(tiles):
            raise DealError(
                f"These are not the {len(tiles)} tiles of a double-{rules.highest} set."
            )
        if self.leader not in leaders(rules, self.hands, None):
            raise DealError(f"Seat {self.leader} cannot lead.")


def check_players(rules: Rules, players: int) -> None:
    """`DealError` where the rules do not seat so many (Ruling D-2)."""
    if players not in rules.seats:
        raise DealError(f"By these rules {players} cannot play.")


def deal_tiles(
    rules: Rules, players: int, chance: Chance, leader: int | Sequence[int] | None = None
) -> Deal:
    """Shuffle, deal and find out who leads (Rulings D-2, D-3, F-1).

    The shuffled tiles go seat by seat, a whole hand at a time; the rest is the boneyard. `leader`
    is the seat that leads, or the seats among whom it is drawn (after the shuffle, by the same
    chance); `None` are all. With `lead=highest_double` whoever holds it leads.
    Raises `DealError` where the rules do not seat so many, or there is no such seat.
    """
    check_players(rules, players)
    order = chance.shuffled(domino_set(rules.highest).each)
    size, dealt = rules.hand_size, players * rules.hand_size
    hands = tuple([sum(order[first : first + size]) for first in range(0, dealt, size)])
    boneyard = tuple([tile.bit_length() - 1 for tile in order[dealt:]])
    seats = leaders(rules, hands, leader)
    first = seats[0] if len(seats) == 1 else seats[chance.below(len(seats))]
    return Deal(hands, boneyard, first)


def leaders(
    rules: Rules, hands: Sequence[int], leader: int | Sequence[int] | None
) -> Sequence[int]:
    """The seats among whom the lead is drawn; often one (Ruling D-3)."""
    if rules.lead == "highest_double":
        doubles = [hand & domino_set(rules.highest).doubles for hand in hands]
        if any(doubles):
            return (doubles.index(max(doubles)),)
    if leader is None:
        return range(len(hands))
    asked = (leader,) if isinstance(leader, int) else leader
    if not asked or min(asked) < 0 or max(asked) >= len(hands):
        raise DealError(f"There is no seat {leader} to lead.")
    return asked


def must_lead_with(rules: Rules, hand: int) -> int:
    """The tiles with which the leader may lead, as a bit set (Ruling D-3)."""
    doubles = hand & domino_set(rules.highest).doubles
    if doubles and (rules.set_highest_double or rules.lead == "highest_double"):
        return 1 << doubles.bit_length() - 1
    return hand


def names(tiles: Iterable[int]) -> str:
    """Tiles in notation, separated by spaces."""
    return " ".join(map(write_tile, tiles))
