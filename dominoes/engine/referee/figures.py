"""Checks whether the tiles and pips left at the end of a hand are possible after the moves of the
hand (Ruling D-10).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from dominoes.engine.fits import fits_of
from dominoes.engine.moves import MOVES, MoveKind
from dominoes.engine.referee.course import Course, doubles_not_dealt
from dominoes.engine.referee.feasible import (
    HiddenTiles,
    PipsVerdict,
    SearchBudget,
    find_verdict,
    pip_bounds,
)
from dominoes.engine.referee.reading import HeldTiles, Objection
from dominoes.engine.rules import BONEYARD_RESERVE, Rules
from dominoes.engine.tiles import TILES, bits, domino_set, write_tile

# Maximum number of trains that a search tries. If a search needs more trains, the referee does not
# object.
MAX_TRAINS: Final = 7_000

# A train of dominoes during a search: its tiles as a bit set, and the states of both ends, the
# lower state first.
Train = tuple[int, int, int]


def object_to_left_over(rules: Rules, held: Sequence[int], out: int | None) -> list[Objection]:
    """Return objections to the tiles left in the hands if the moves are not recorded.

    `held`: bit sets by seat. The tiles that nobody holds must form a train. Turn order and players
    are ignored, so such a train need not have been playable in turn.
    """
    together = 0
    for tiles in held:
        together |= tiles
    fault = _double_that_led(rules, held, together)
    if fault is not None:
        return [fault]
    blocked = out is None and not rules.free_pass
    search = _Search(rules, together, _lengths(rules, held, out), blocked)
    if search.finds_a_train():
        return []
    return [Objection("held", "no_block" if blocked else "no_train")]


def _double_that_led(rules: Rules, held: Sequence[int], together: int) -> Objection | None:
    """Return an objection if a player holds a higher double than the first tile can be (Ruling
    D-3).
    """
    if rules.lead != "highest_double" or rules.boneyard != "pass":
        return None
    doubles = domino_set(rules.highest).doubles
    # A higher double has a higher tile number.
    if not doubles & together or doubles & ~together > doubles & together:
        return None
    tile = (doubles & together).bit_length() - 1
    seat = next(seat for seat, tiles in enumerate(held) if tiles >> tile & 1)
    return Objection(f"held/{seat}", "double_led", {"seat": seat, "tile": write_tile(tile)})


def _lengths(rules: Rules, held: Sequence[int], out: int | None) -> range:
    """Return the numbers of tiles that the train can have (Ruling D-5)."""
    count = sum(map(int.bit_count, held))
    dealt = rules.hand_size * len(held)
    if rules.boneyard == "pass":
        return range(dealt - count, dealt - count + 1)
    most = max(dealt, len(domino_set(rules.highest)) - BONEYARD_RESERVE) - count
    if out is None and not rules.free_pass:
        return range(most, most + 1)  # nobody may pass while tiles can be drawn
    least = rules.hand_size if out is not None else 1
    return range(max(least, dealt - count), most + 1)


class _Search:
    """Search for a train of the tiles that nobody holds.

    `lengths`: the possible numbers of tiles. `blocked`: at the end of the hand, no tile in a hand
    may fit except matadors (wild tiles).
    """

    def __init__(self, rules: Rules, together: int, lengths: range, blocked: bool) -> None:
        self.fits = fits_of(rules.highest, rules.matadors)
        self.free = domino_set(rules.highest).all & ~together
        self.lengths = lengths
        self.unplayable = together if blocked else 0
        self.seen: set[Train] = set()

    def finds_a_train(self) -> bool:
        """Return True if there is such a train, or if the search reached its limit."""
        if self.unplayable and not self._can_close():
            return False
        waiting = list(self._first())
        while waiting:
            train = waiting.pop()
            if train in self.seen:
                continue
            self.seen.add(train)
            if len(self.seen) > MAX_TRAINS or self._ends_so(train):
                return True
            if train[0].bit_count() < self.lengths[-1]:
                waiting += self._longer(train)
        return False

    def _can_close(self) -> bool:
        """Return True if an end of the train is possible that no tile in the hands fits.

        Matadors in the hands are ignored. They fit every end.
        """
        ends = {half for tile in bits(self.free) for half in TILES[tile]}
        for spot in self.fits.spots:
            ends |= {self.fits.after[code] for code in spot.right[self.free & spot.fits]}
        return any(not self.fits.plain[end] & self.unplayable for end in ends)

    def _ends_so(self, train: Train) -> bool:
        laid, left, right = train
        plain = self.fits.plain[left] | self.fits.plain[right]
        return laid.bit_count() in self.lengths and not plain & self.unplayable

    def _first(self) -> Iterator[Train]:
        """Yield the shortest trains, which consist of one tile.

        Both halves of the tile are ends (Ruling D-4).
        """
        if self.lengths and self.lengths[-1] > 0:
            for tile in bits(self.free):
                low, high = TILES[tile]
                yield 1 << tile, low, high

    def _longer(self, train: Train) -> Iterator[Train]:
        """Yield all trains that have one more tile at either end."""
        laid, *ends = train
        free = self.free & ~laid
        for end, other in ((ends[0], ends[1]), (ends[1], ends[0])):
            spot = self.fits.spots[end]
            for code in spot.right[free & spot.fits]:
                tile = MOVES[code].tile
                assert tile is not None
                low, high = sorted((self.fits.after[code], other))
                yield laid | 1 << tile, low, high


@dataclass(frozen=True, slots=True)
class TileRange:
    """The number of tiles that a seat can hold at the end of a hand.

    The number is between `least` and `most`. More than `free` tiles require draws.
    """

    least: int
    most: int
    free: int


def object_to_figures(
    rules: Rules,
    players: int,
    hands: HeldTiles,
    out: int | None,
    course: Course | int | None,
    patience: SearchBudget,
) -> tuple[list[Objection], bool]:
    """Return objections to the tiles and pips of a finished hand, and whether it is undecided.

    `course` is the log if there is one, or else the number of the leading seat if known. Undecided
    means that there is no objection, but the search for tiles with these pips reached its limit.
    """
    objections, undecided = _object_to_pips(rules, players, hands, out, course, patience)
    held = [tiles for tiles in hands.tiles if tiles is not None]
    if not objections and not isinstance(course, Course) and len(held) == players:
        objections = object_to_left_over(rules, held, out)
    return objections, undecided


def _object_to_pips(
    rules: Rules,
    players: int,
    hands: HeldTiles,
    out: int | None,
    course: Course | int | None,
    patience: SearchBudget,
) -> tuple[list[Objection], bool]:
    """Return the same as `object_to_figures`, but do not check that the tiles that nobody holds can
    form a train.
    """
    figures = _Figures(rules, players, hands, out, course, patience)
    objections = figures.find_objections()
    if objections or course is not None or out is not None:
        return objections, figures.undecided
    # One of the seats has played the first tile, so it holds one tile less. The seat with the
    # fewest pips is the most likely one and is tried first.
    undecided = False
    for seat in sorted(range(players), key=lambda seat: hands.pips[seat] or 0):
        led = _Figures(rules, players, hands, out, seat, patience)
        if not led.against_counts():
            verdict = led.possible()
            if verdict is PipsVerdict.POSSIBLE:
                return [], False
            undecided |= verdict is PipsVerdict.UNDECIDED
    if undecided:
        return [], True
    return [Objection("held", "nobody_led", {"count": rules.hand_size})], False


class _Figures:
    """Check of the tiles and pips that are recorded for the end of a hand: are they possible after
    its moves?

    `undecided`: True if the search for tiles with these pips reached its limit without a result.
    """

    def __init__(
        self,
        rules: Rules,
        players: int,
        hands: HeldTiles,
        out: int | None,
        course: Course | int | None,
        patience: SearchBudget,
    ) -> None:
        self.rules, self.players, self.hands, self.out = rules, players, hands, out
        self.patience = patience
        self.undecided = False
        self.course = course if isinstance(course, Course) else None
        self.leader = None if isinstance(course, Course) else course
        rest = len(domino_set(rules.highest)) - players * rules.hand_size
        self.drawn = max(0, rest - BONEYARD_RESERVE) if rules.boneyard == "draw" else 0
        self.rooms = [self._room(seat) for seat in range(players)]

    def find_objections(self) -> list[Objection]:
        """Return all objections to the recorded tiles and pips. The simplest checks come first."""
        return self.against_hands() or self.against_counts() or self.against_pips()

    def _room(self, seat: int) -> TileRange:
        """Return how many tiles a seat can hold at the end of the hand."""
        if self.course is not None:
            count = self.course.counts[seat]
            return TileRange(count, count, count)
        if seat == self.out:
            return TileRange(0, 0, 0)
        # The leader has certainly played a tile. Other players may have played none.
        free = self.rules.hand_size - (seat == self.leader)
        return TileRange(1, free + self.drawn, free)

    def against_hands(self) -> list[Objection]:
        """Check that a player who went out holds no tiles, and all others hold some
        (Ruling D-6).
        """
        objections = []
        for seat, tiles in enumerate(self.hands.tiles):
            if seat == self.out:
                if tiles or self.hands.pips[seat]:
                    objections.append(Objection(f"held/{seat}", "out_holds", {"seat": seat}))
                else:
                    self.hands.record_hand(seat, 0)
            elif tiles == 0:
                objections.append(Objection(f"held/{seat}", "holds_none", {"seat": seat}))
        return objections

    def against_counts(self) -> list[Objection]:
        """Check that nobody holds more tiles than were dealt and drawn (Rulings D-2 and D-5)."""
        objections, drawn = [], 0
        for seat, tiles in enumerate(self.hands.tiles):
            room, count = self.rooms[seat], (tiles or 0).bit_count()
            if tiles is None:
                continue
            drawn += max(0, count - room.free)
            if not room.least <= count <= room.most:
                objections.append(self._miscounted(seat, count, room))
        if not objections and drawn > self.drawn:
            return [Objection("held", "too_many_drawn", {"drawn": drawn, "most": self.drawn})]
        return objections

    def _miscounted(self, seat: int, count: int, room: TileRange) -> Objection:
        code = "count" if self.course is not None else "too_many_tiles"
        params = {"seat": seat, "count": count, "most": room.most}
        return Objection(f"held/{seat}", code, params)

    def against_pips(self) -> list[Objection]:
        """Return objections to pips that no different tiles of one set have together."""
        shares, drawn = self._shares(), self._drawable()
        alone = [self._objection_to_seat(seat, share, drawn) for seat, share in shares.items()]
        objections = [objection for objection in alone if objection is not None]
        if objections:
            return objections
        verdict = self._possible(shares, drawn)
        self.undecided = verdict is PipsVerdict.UNDECIDED
        if verdict is not PipsVerdict.IMPOSSIBLE:
            return []
        seats = self._least_conflict(shares, drawn)
        return [Objection("held", "pips_together", {"seats": tuple(seats)})]

    def possible(self) -> PipsVerdict:
        """Return whether the recorded pips are possible with different tiles of one set."""
        return self._possible(self._shares(), self._drawable())

    def _possible(self, shares: dict[int, HiddenTiles], drawn: int) -> PipsVerdict:
        return find_verdict(list(shares.values()), drawn, self.patience)

    def _drawable(self) -> int:
        """Return how many tiles can have been drawn by players of whom only the pips are known."""
        return self.drawn - sum(
            max(0, tiles.bit_count() - self.rooms[seat].free)
            for seat, tiles in enumerate(self.hands.tiles)
            if tiles is not None and seat != self.out
        )

    def _shares(self) -> dict[int, HiddenTiles]:
        """Return pips and possible tiles of each seat for which only the pips are recorded."""
        free = domino_set(self.rules.highest).all & ~self.hands.known_tiles()
        if self.course is not None:
            free &= ~self.course.played
        shares = {}
        for seat, pips in enumerate(self.hands.pips):
            if self.hands.tiles[seat] is None and pips is not None:
                room = self.rooms[seat]
                among = free & ~self._had_to_be_played(seat)
                shares[seat] = HiddenTiles(pips, room.least, room.most, room.free, among)
        return shares

    def _had_to_be_played(self, seat: int) -> int:
        """Return tiles that a seat cannot hold, as they fitted when it last passed (Ruling D-5).

        Also return doubles that the seat was not dealt, according to the first tile (Ruling D-3).
        """
        drew = self.course is not None and self.course.drawn[seat]
        tiles = 0 if self.course is None or drew else doubles_not_dealt(self.course, seat)
        for event in self.course.moves_of(seat) if self.course is not None else ():
            free = self.rules.free_pass and not event.dead
            last = self.course is not None and event.draws == self.course.drawn[seat]
            if event.move.kind is MoveKind.PASS and last and not free:
                tiles |= event.plain
        return tiles

    def _objection_to_seat(self, seat: int, share: HiddenTiles, drawn: int) -> Objection | None:
        """Return an objection if the pips of one seat are impossible, whatever the other seats
        hold.
        """
        share = share._replace(most=min(share.most, share.free + max(0, drawn)))
        low, high = pip_bounds(share)
        params = {"seat": seat, "pips": share.pips, "low": low, "high": high, "most": share.most}
        if low <= share.pips <= high:
            verdict = find_verdict([share], max(0, drawn), self.patience)
            if verdict is not PipsVerdict.IMPOSSIBLE:
                return None
            return Objection(f"held/{seat}", "pips_none", params)
        code = "pips_high" if share.pips > high >= low else "pips_low"
        return Objection(f"held/{seat}", code if low <= high else "pips_none", params)

    def _least_conflict(self, shares: dict[int, HiddenTiles], drawn: int) -> list[int]:
        """Return a minimal set of seats whose recorded pips contradict each other."""
        kept = dict(shares)
        for seat in shares:
            fewer = {other: share for other, share in kept.items() if other != seat}
            if self._possible(fewer, drawn) is PipsVerdict.IMPOSSIBLE:
                kept = fewer
        return sorted(kept)


def only_blank(hands: HeldTiles, seat: int) -> bool:
    """Return True if a seat holds only the tile 0-0, which counts zero pips (Ruling D-7)."""
    tiles = hands.tiles[seat]
    return hands.pips[seat] == 0 and tiles != 0 and (tiles is None or list(bits(tiles)) == [0])
