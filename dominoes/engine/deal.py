"""The deal of a hand of dominoes: the players' tiles, the boneyard, and the player who leads."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple

from dominoes.engine.errors import DealError
from dominoes.engine.rules import Rules
from dominoes.engine.tiles import bit_set, domino_set
from fairness import Chance


class Deal(NamedTuple):
    """The random part of a hand of dominoes.

    `hands`: by seat, a bit set of tiles. `boneyard`: tile numbers in the order they are drawn.
    `leader`: the seat that plays the first tile (Ruling D-3).
    """

    hands: tuple[int, ...]
    boneyard: tuple[int, ...]
    leader: int

    @classmethod
    def of(
        cls, hands: Iterable[Iterable[int]], boneyard: Iterable[int] = (), leader: int = 0
    ) -> Deal:
        """Return a deal with these tiles. Tiles are given by number."""
        return cls(tuple(bit_set(hand) for hand in hands), tuple(boneyard), leader)

    def check(self, rules: Rules) -> None:
        """Raise `DealError` unless every tile occurs once, hands have the right size and the leader
        may lead.
        """
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
    """Raise `DealError` for a number of players that the rules do not allow (Ruling D-2)."""
    if players not in rules.seats:
        raise DealError(f"By these rules {players} cannot play.")


def deal_tiles(
    rules: Rules, players: int, chance: Chance, leader: int | Sequence[int] | None = None
) -> Deal:
    """Shuffle the tiles, deal them and determine the leader (Rulings D-2, D-3, F-1).

    The shuffled tiles are dealt a whole hand at a time, and the rest is the boneyard. `leader` is
    the leading seat, or the seats among which the leader is drawn (after the shuffle, from the same
    `chance`). `None` means all seats. With the rule `lead=highest_double` the holder of the highest
    double leads instead.

    Raises `DealError` for a wrong number of players or an unknown seat.
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
    """Return the seats among which the leader is drawn, often a single seat (Ruling D-3)."""
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
    """Return the tiles that the leader may play as the first tile, as a bit set (Ruling D-3)."""
    doubles = hand & domino_set(rules.highest).doubles
    if doubles and (rules.set_highest_double or rules.lead == "highest_double"):
        return 1 << doubles.bit_length() - 1
    return hand
