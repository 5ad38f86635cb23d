"""Hands that the others may hold: dealt anew, again and again, as what is known allows."""

from __future__ import annotations

from contextlib import suppress
from typing import NamedTuple

from dominoes.bots.memory import Impossible, Memory
from dominoes.engine import View, bits
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


def consistent_deals(view: View, chance: Chance, ways: int) -> list[Deals]:
    """Deals by so many ways of remembering the play, fewer where some prove impossible."""
    found = []
    for _ in range(ways):
        with suppress(Impossible):
            deals = Deals(view, Memory(view, chance), chance)
            deals.deal(doubting=False)
            found.append(deals)
    return found or [Deals(view, Memory(view), chance)]
