"""Follows a recorded hand of dominoes move by move, and finds moves that break the rules."""

from __future__ import annotations

from collections.abc import Sequence
from heapq import heappop, heappush
from typing import Literal, NamedTuple, cast

from dominoes.engine.deal import Deal
from dominoes.engine.errors import EngineError, IllegalMove, NotationError
from dominoes.engine.fits import End, fits_of
from dominoes.engine.hand import Hand, reason_against
from dominoes.engine.moves import MOVES, Move, MoveKind, Side
from dominoes.engine.referee.reading import (
    HandSheet,
    HeldTiles,
    Objection,
    Param,
    quoted,
    read_set_tile,
)
from dominoes.engine.rules import BONEYARD_RESERVE, Rules
from dominoes.engine.tiles import TILES, bit_set, bits, domino_set, write_tile


class Event(NamedTuple):
    """A recorded move with its player and the situation before the move.

    `number`: index of the move in the hand. `plain`: the tiles other than matadors that fitted and
    were not yet in the train. `draws`: how many tiles this seat had drawn before. `dead`: True for
    an entry that is no move, but marks that the hand was declared blocked. At that point nobody
    held a fitting tile, and `plain` contains all of them, including matadors.
    """

    number: int
    seat: int
    move: Move
    plain: int
    draws: int
    dead: bool = False


class Course:
    """The public state of a hand, calculated only from its recorded moves.

    `turn`: the seat whose turn it is, None when the hand is over. `counts`: number of tiles that
    each seat holds. `drawn`: number of tiles that each seat has drawn. `boneyard`: number of tiles
    left in the boneyard. `played`: the tiles in the train, as a bit set. `events`: the accepted
    moves. `out`: the seat that has no tiles left.
    """

    def __init__(self, rules: Rules, players: int, leader: int) -> None:
        self.rules = rules
        self.players = players
        self.leader = leader
        self.tiles = domino_set(rules.highest)
        self.turn: int | None = leader
        self.counts = [rules.hand_size] * players
        self.drawn = [0] * players
        self.boneyard = len(self.tiles) - rules.hand_size * players
        self.played = 0
        self.events: list[Event] = []
        self.out: int | None = None
        self._fits = fits_of(rules.highest, rules.matadors)
        self._left = self._right = -1
        self._passes = 0

    @property
    def ends(self) -> tuple[End, End] | None:
        """The left and the right end of the train, or None before the first tile is played."""
        if self._left < 0:
            return None
        return self._fits.ends[self._left], self._fits.ends[self._right]

    @property
    def ended_by(self) -> Literal["out", "blocked"] | None:
        """How the hand ended (`out` or `blocked`), or None while it continues (Ruling D-6)."""
        if self.turn is not None:
            return None
        return "blocked" if self.out is None else "out"

    @property
    def can_draw(self) -> bool:
        """True if the rules allow drawing now (Ruling D-5)."""
        return self.rules.boneyard == "draw" and self.boneyard > BONEYARD_RESERVE

    @property
    def plain(self) -> int:
        """The tiles other than matadors that fit now, as a bit set."""
        if self._left < 0:
            return 0
        return self._fits.plain[self._left] | self._fits.plain[self._right]

    def moves_of(self, seat: int) -> list[Event]:
        """Return all recorded moves of one seat."""
        return [event for event in self.events if event.seat == seat]

    def held_tiles(self, _seat: int) -> int:
        """Return all tiles that a seat may hold, which are all tiles that are not in the train,
        because hands are unknown.
        """
        return self.tiles.all & ~self.played

    def possible_plays(self, among: int | None = None) -> list[Move]:
        """Return all moves that could play a tile now.

        `among`: only these tiles are considered. By default all tiles that are not in the train are
        considered.
        """
        if self.turn is None:
            return []
        free = self.held_tiles(self.turn) if among is None else self.held_tiles(self.turn) & among
        if self._left < 0:
            return [Move.lead(tile) for tile in bits(free)]
        left, right = self._fits.left[self._left], self._fits.right[self._right]
        fits = self._fits.fits
        codes = left[free & fits[self._left]] + right[free & fits[self._right]]
        return [MOVES[code] for code in codes]

    def waits(self) -> list[Move]:
        """Return the moves other than playing a tile (draw, pass) that the boneyard
        allows (D-5).
        """
        if self.turn is None or self._left < 0:
            return []
        draw, passing = Move(MoveKind.DRAW), Move(MoveKind.PASS)
        if self.rules.free_pass and self.can_draw:
            return [draw, passing]
        return [draw] if self.can_draw else [passing]

    def block(self) -> None:
        """End the hand as blocked, because no player could ever play a tile again (Ruling D-6)."""
        fits = self._fits.fits[self._left] | self._fits.fits[self._right]
        number, passing = len(self.events), Move(MoveKind.PASS)
        for seat in range(self.players):
            free = fits & self.held_tiles(seat)
            self.events.append(Event(number, seat, passing, free, self.drawn[seat], dead=True))
        self.turn = None

    def add(self, text: str) -> Objection | None:
        """Apply a move in notation, or return the objection to it."""
        path = f"moves/{len(self.events)}"
        try:
            move = Move.read(text)
        except NotationError:
            return Objection(path, "no_move", {"move": quoted(text)})
        if self.turn is None:
            return Objection(path, "went_on", {"move": str(move)})
        fault = self._fault(move)
        if fault is not None:
            return Objection(
                path, fault.code, {"seat": self.turn, **self._fault_params(move, fault)}
            )
        self._apply_move(move)
        return None

    def _fault_params(self, move: Move, fault: IllegalMove) -> dict[str, str | int]:
        """Return the params of an objection: the move, its end of the train, and params of the
        reason.
        """
        side = {} if move.side is None else {"end_side": move.side.value}
        return {"move": str(move), **side, **fault.params}

    def _fault(self, move: Move) -> IllegalMove | None:
        """Return the reason why a move breaks the rules, or None. Only the train and the numbers of
        tiles are known here, not the tiles in the hands.
        """
        if move.tile is not None:
            return self._fault_of_tile(move, move.tile)
        if self._left < 0:
            return IllegalMove("must_lead")
        if move in self.waits():
            return None
        if move.kind is MoveKind.PASS:
            return IllegalMove("must_draw")
        code = "no_drawing" if self.rules.boneyard == "pass" else "boneyard_closed"
        return IllegalMove(code)

    def _fault_of_tile(self, move: Move, tile: int) -> IllegalMove | None:
        if tile >= len(self.tiles):
            return IllegalMove("no_tile", tile=write_tile(tile))
        if self.played >> tile & 1:
            return _TileTwiceError(write_tile(tile))
        if move in self.possible_plays(1 << tile):
            return None
        # `reason_against` only uses attributes of a `Hand` that `Course` also has.
        return reason_against(cast("Hand", self), move)

    def _apply_move(self, move: Move) -> None:
        seat = self.turn
        assert seat is not None
        plain = self.plain & self.held_tiles(seat)
        event = Event(len(self.events), seat, move, plain, self.drawn[seat])
        self.events.append(event)
        if move.kind is MoveKind.DRAW:
            self.counts[seat] += 1
            self.drawn[seat] += 1
            self.boneyard -= 1
            return
        self.turn = (seat + 1) % self.players
        if move.kind is MoveKind.PASS:
            self._passes += 1
            self.turn = None if self._passes == self.players else self.turn
            return
        self._lay_tile(seat, move)

    def _lay_tile(self, seat: int, move: Move) -> None:
        assert move.tile is not None
        self.played |= 1 << move.tile
        self._passes = 0
        self.counts[seat] -= 1
        if move.side is None:
            self._right, self._left = TILES[move.tile]
        elif move.side is Side.LEFT:
            self._left = self._fits.after[move.code]
        else:
            self._right = self._fits.after[move.code]
        if not self.counts[seat]:
            self.turn, self.out = None, seat


class _TileTwiceError(IllegalMove):
    """Error: a tile is already in the train (Ruling D-1)."""

    def __init__(self, tile: str) -> None:
        super().__init__("no_tile", tile=tile)
        self.code = "played_twice"


def follow_moves(
    rules: Rules, players: int, leader: int, moves: Sequence[str]
) -> tuple[Course, Objection | None]:
    """Apply recorded moves until one is wrong. Return the course and the objection, if any."""
    course = Course(rules, players, leader)
    for text in moves:
        fault = course.add(text)
        if fault is not None:
            return course, fault
    return course, None


class TileStay(NamedTuple):
    """The period during a hand in which a player can have received a tile.

    `first` and `last` are the numbers of the earliest and latest possible draw. The deal is number
    0.
    """

    tile: int
    first: int
    last: int


def stays_of(course: Course, seat: int, kept: int) -> list[TileStay]:
    """Return the tiles that a seat is known to have held, each with the last draw by which it can
    have been received.

    `kept`: the tiles held at the end, as a bit set.
    """
    laid = [
        TileStay(event.move.tile, 0, event.draws)
        for event in course.moves_of(seat)
        if event.move.tile is not None
    ]
    return laid + [TileStay(tile, 0, course.drawn[seat]) for tile in bits(kept)]


def assign_draws(tiles: list[TileStay], size: int, draws: int) -> dict[int, int] | None:
    """Return for each tile the draw by which it can have come into the player's hand, or None if
    that is impossible.

    Draw 0 is the deal of `size` tiles. Tiles that were needed first are assigned first, which is
    optimal by an exchange argument.
    """
    waiting: list[tuple[int, int]] = []
    coming = sorted(tiles, key=lambda stay: stay.first, reverse=True)
    arranged: dict[int, int] = {}
    for draw in range(draws + 1):
        while coming and coming[-1].first <= draw:
            stay = coming.pop()
            heappush(waiting, (stay.last, stay.tile))
        for _room in range(1 if draw else size):
            if waiting and waiting[0][0] >= draw:
                arranged[heappop(waiting)[1]] = draw
        if waiting and waiting[0][0] <= draw:
            return None
    return None if coming or waiting else arranged


def object_to_waiting(
    course: Course, seat: int, tiles: list[TileStay]
) -> tuple[list[TileStay], Objection | None]:
    """Check a seat's draws and passes. Return the tiles, each with the period in which it can have
    been received, and an objection. The check narrows these periods.

    Tiles that fitted at a draw or pass must have come into the hand later. With the rule
    `free_pass` anybody may pass or draw, so nothing follows from it.
    """
    for event in course.moves_of(seat):
        if event.move.kind not in {MoveKind.DRAW, MoveKind.PASS}:
            continue
        if course.rules.free_pass and not event.dead:
            continue
        later = [_arriving_after(stay, event) for stay in tiles]
        if assign_draws(later, course.rules.hand_size, course.drawn[seat]) is None:
            return tiles, _could_play(tiles, later, event)
        tiles = later
    return tiles, None


def _arriving_after(stay: TileStay, event: Event) -> TileStay:
    """Return the period in which a tile can have been received.

    The tile was received after this draw or pass, because it would have fitted before.
    """
    if not event.plain >> stay.tile & 1:
        return stay
    return stay._replace(first=max(stay.first, event.draws + 1))


def _could_play(before: list[TileStay], later: list[TileStay], event: Event) -> Objection:
    """Return the objection that a seat could have played a tile instead of drawing or passing."""
    moved = [new for old, new in zip(before, later, strict=True) if old != new]
    stay = min(moved or later, key=lambda stay: (stay.last, stay.tile))
    params: dict[str, Param] = {"seat": event.seat, "tile": write_tile(stay.tile)}
    if event.dead:
        return Objection("out", "not_blocked", params)
    return Objection(f"moves/{event.number}", "could_play", {**params, "move": str(event.move)})


def doubles_not_dealt(course: Course, seat: int) -> int:
    """Return doubles that this seat was not dealt, according to the first tile (Ruling D-3).

    If the rules require it, the leader plays the highest double held. If the rules say that the
    holder of the highest double leads, no other seat was dealt a higher double.
    """
    rules = course.rules
    if not course.events or course.events[0].move.tile is None:
        return 0
    if rules.lead != "highest_double" and not (rules.set_highest_double and seat == course.leader):
        return 0
    led = course.events[0].move.tile
    doubles = domino_set(rules.highest).doubles
    return doubles & ~((2 << led) - 1) if doubles >> led & 1 else doubles


def object_to_lead(
    course: Course, seat: int, tiles: list[TileStay]
) -> tuple[list[TileStay], Objection | None]:
    """Check that a seat did not hold a higher double than the first tile (Ruling D-3).

    Return the tiles, each with the period in which it can have been received (narrowed by the
    check), or an objection.
    """
    higher = doubles_not_dealt(course, seat)
    if not higher:
        return tiles, None
    later = [
        stay._replace(first=max(stay.first, 1)) if higher >> stay.tile & 1 else stay
        for stay in tiles
    ]
    if assign_draws(later, course.rules.hand_size, course.drawn[seat]) is not None:
        return later, None
    tile = max(stay.tile for stay in later if higher >> stay.tile & 1)
    code = "highest_double" if seat == course.leader else "highest_double_other"
    return tiles, Objection("moves/0", code, {"seat": seat, "tile": write_tile(tile)})


def object_to_log(course: Course, hands: HeldTiles, written: HandSheet) -> list[Objection]:
    """Return contradictions between a complete log and the tiles left in the hands.

    They are: tiles both played and held (D-1), doubles that had to be the first tile (D-3), and
    tiles that had to be played instead of a draw or pass (D-5).
    """
    objections = _held_and_played(course, hands)
    dealt, faults = _read_deal(course, written)
    objections += faults
    if objections:
        return objections
    complete_hands(course, hands, dealt)
    brought: list[dict[int, int]] = []
    for seat in range(course.players):
        ways, fault = _stays_of_seat(course, hands, dealt, seat)
        if fault is not None:
            return [fault]
        brought.append(assign_draws(ways, course.rules.hand_size, course.drawn[seat]) or {})
    return _replay_log(course, hands, brought)


def _held_and_played(course: Course, hands: HeldTiles) -> list[Objection]:
    """Return objections to tiles that are recorded both in the train and in a hand."""
    return [
        Objection(f"held/{seat}", "played_and_held", {"seat": seat, "tile": write_tile(tile)})
        for seat, tiles in enumerate(hands.tiles)
        for tile in bits((tiles or 0) & course.played)
    ]


def _read_deal(course: Course, written: HandSheet) -> tuple[list[int] | None, list[Objection]]:
    """Return the tiles dealt to each seat, if the sheet contains them, and objections."""
    if written.deal is None:
        return None, []
    dealt: list[int] = []
    whole = 0
    for hand in written.deal:
        tiles = [read_set_tile(course.tiles, text) for text in hand]
        dealt.append(bit_set(tile for tile in tiles if tile is not None))
        whole |= dealt[-1]
    sizes = set(map(int.bit_count, dealt))
    right = len(dealt) == course.players and sizes == {course.rules.hand_size}
    if not right or whole.bit_count() != course.players * course.rules.hand_size:
        return None, [Objection("deal", "bad_deal", {"players": course.players})]
    return dealt, []


def complete_hands(course: Course, hands: HeldTiles, dealt: list[int] | None) -> None:
    """Fill in hands that are not recorded but follow from other facts.

    A hand can follow because its seat drew nothing, or because only these tiles of the set are
    left.
    """
    for seat in range(course.players):
        if hands.tiles[seat] is not None or hands.pips[seat] is not None:
            continue
        if not course.counts[seat]:
            hands.record_hand(seat, 0)
        elif dealt is not None and not course.drawn[seat]:
            hands.record_hand(seat, dealt[seat] & ~course.played)
    unknown = [seat for seat, tiles in enumerate(hands.tiles) if tiles is None]
    if course.boneyard == 0 and len(unknown) == 1 and hands.pips[unknown[0]] is None:
        rest = course.tiles.all & ~course.played & ~hands.known_tiles()
        hands.record_hand(unknown[0], rest)


def _stays_of_seat(
    course: Course, hands: HeldTiles, dealt: list[int] | None, seat: int
) -> tuple[list[TileStay], Objection | None]:
    """Return the periods in which a seat can have received its known tiles, and an objection if
    that is impossible.
    """
    tiles = stays_of(course, seat, hands.tiles[seat] or 0)
    if (hands.tiles[seat] or 0).bit_count() > course.counts[seat]:
        return tiles, None  # too many tiles are reported by another check
    if dealt is not None:
        tiles = [_as_dealt(stay, dealt[seat]) for stay in tiles]
        if assign_draws(tiles, course.rules.hand_size, course.drawn[seat]) is None:
            return tiles, Objection("deal", "not_dealt", {"seat": seat})
    tiles, fault = object_to_lead(course, seat, tiles)
    if fault is not None:
        return tiles, fault
    return object_to_waiting(course, seat, tiles)


def _as_dealt(stay: TileStay, dealt: int) -> TileStay:
    if dealt >> stay.tile & 1:
        return stay._replace(last=0)
    return stay._replace(first=max(stay.first, 1))


def _replay_log(course: Course, hands: HeldTiles, brought: list[dict[int, int]]) -> list[Objection]:
    """Replay a log with the engine if all tiles are known. Return objections."""
    whole = sum(map(len, brought)) == course.players * course.rules.hand_size + sum(course.drawn)
    if course.turn is not None or not whole or None in hands.tiles:
        return []
    deal = Deal(
        tuple(bit_set(tile for tile, draw in seat.items() if not draw) for seat in brought),
        _boneyard(course, brought),
        course.leader,
    )
    try:
        deal.check(course.rules)
        hand = _play_out(course, deal)
    except EngineError as error:
        return [Objection("moves", "unreadable", {"sentence": str(error)})]
    if hand.turn is None and list(hand.pips) == hands.pips:
        return []
    return [Objection("moves", "unreadable", {"sentence": ""})]


def _play_out(course: Course, deal: Deal) -> Hand:
    """Play the recorded moves from this deal. Passes that were not recorded are added."""
    hand = Hand(course.rules, deal)
    for event in course.events:
        if not event.dead:
            hand.play(event.move)
    while hand.turn is not None and course.ended_by == "blocked":
        hand.play(Move(MoveKind.PASS))
    return hand


def _boneyard(course: Course, brought: list[dict[int, int]]) -> tuple[int, ...]:
    """Return a boneyard in an order that supplies the recorded draws, followed by the
    other tiles.
    """
    by_draw = [{draw: tile for tile, draw in seat.items() if draw} for seat in brought]
    drawn, taken = [], [0] * course.players
    for event in course.events:
        if event.move.kind is MoveKind.DRAW:
            taken[event.seat] += 1
            drawn.append(by_draw[event.seat][taken[event.seat]])
    gone = bit_set(tile for seat in brought for tile in seat)
    return (*drawn, *bits(course.tiles.all & ~gone))
