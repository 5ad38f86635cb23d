"""Memory of a dominoes bot: which tiles each hidden place in the other hands cannot hold."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from dominoes.bots.fit_masks import FitMasks, fit_masks_of
from dominoes.engine import MoveKind, PublicMove, View
from fairness import Chance

DRAWN_TO_FIT: Final = (MoveKind.DRAW, MoveKind.PASS)


class ImpossibleDeal(ValueError):
    """Error: no deal agrees with the guesses about the moves so far."""


@dataclass(slots=True)
class HiddenTile:
    """A tile in a player's hand that the bot cannot see.

    `never`: the tiles that it cannot be. `hardly`: the tiles that it is unlikely to be. Both are
    bit sets.
    """

    never: int = 0
    hardly: int = 0


class Memory:
    """All conclusions about hidden tiles from the plays, draws and passes of a hand.

    A seat that draws or passes holds no tile that it had to play (Ruling D-5), and probably no
    matador (wild tile) that fits. A seat that plays a matador probably holds no other fitting tile.
    A seat that plays another tile probably holds no fitting tile that is much heavier. None of this
    applies to tiles drawn later.

    `places`: the hidden tiles by seat. `lacking`: by seat, all tiles that it did not hold at one of
    its turns.

    It is often unknown which hidden place a played tile came from. `chance` chooses a place at
    random, which can turn out to be impossible later. Without `chance` the place with the most
    exclusions is chosen, which is always possible.
    """

    __slots__ = ("_chance", "_drew", "_fitting", "_rules", "lacking", "places")

    def __init__(self, view: View, chance: Chance | None = None) -> None:
        self._rules, self._chance = view.rules, chance
        self._fitting: FitMasks = fit_masks_of(view.rules)
        size = view.rules.hand_size
        self.places = [[HiddenTile() for _ in range(size)] for _ in range(view.players)]
        self.lacking = [0] * view.players
        self._drew = False
        for said in view.log:
            self._record_move(said)

    def _record_move(self, said: PublicMove) -> None:
        if said.move.kind in DRAWN_TO_FIT:
            self._hear_of_lack(said)
        else:
            self._hear_of_tile(said)
        self._drew = said.move.kind is MoveKind.DRAW

    def _needed(self, said: PublicMove) -> int:
        left, right = self._fitting.states(said.ends)
        return 0 if left < 0 else self._fitting.pairs[left][right]

    def _hear_of_lack(self, said: PublicMove) -> None:
        needed, places = self._needed(said), self.places[said.seat]
        self.lacking[said.seat] |= needed
        for place in places:
            place.hardly |= needed | self._fitting.matadors
            if not self._rules.free_pass:
                place.never |= needed
        if said.move.kind is MoveKind.DRAW:
            places.append(HiddenTile())

    def _hear_of_tile(self, said: PublicMove) -> None:
        tile, places = said.move.tile, self.places[said.seat]
        assert tile is not None
        places.pop(self._place_of(tile, places))
        hardly = self._passed_over(said, tile)
        for place in places:
            place.hardly |= hardly
        if said.move.kind is MoveKind.LEAD:
            self._hear_of_lead(said.seat, tile)

    def _passed_over(self, said: PublicMove, tile: int) -> int:
        """Return the tiles that most players would have played instead of this tile."""
        fitting = self._fitting
        if said.move.kind is MoveKind.LEAD:
            return fitting.heavier[tile]
        needed = self._needed(said)
        return needed if fitting.matadors >> tile & 1 else needed & fitting.heavier[tile]

    def _place_of(self, tile: int, places: list[HiddenTile]) -> int:
        """Return the index of the place in a hand from which a played tile came.

        If the tile must be the tile just drawn, this is the place of that tile. Otherwise it is any
        possible place. Raises `ImpossibleDeal` if there is none.
        """
        plain = not self._fitting.matadors >> tile & 1
        if self._drew and plain and not self._rules.free_pass:
            return len(places) - 1
        able = [number for number, place in enumerate(places) if not place.never >> tile & 1]
        if not able:
            raise ImpossibleDeal
        if self._chance:
            return self._chance.pick(able)
        return max(able, key=lambda number: places[number].never.bit_count())

    def _hear_of_lead(self, seat: int, tile: int) -> None:
        """Conclude from the first tile of a hand that the leader, or every player, held no higher
        double than this tile.

        If the holder of the highest double leads, the conclusion is valid for every player. If the
        leader must only play the highest double held, it is valid for the leader (Ruling D-3).
        """
        rules, doubles = self._rules, self._fitting.tiles.doubles
        everybody = rules.lead == "highest_double"
        if not everybody and not rules.set_highest_double:
            return
        higher = doubles >> tile << tile if doubles >> tile & 1 else doubles
        for places in self.places if everybody else [self.places[seat]]:
            for place in places:
                place.never |= higher
