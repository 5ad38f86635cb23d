"""What a log gives away beyond the train, and what it says against the rest of the sheet."""

from __future__ import annotations

from dominoes.engine.deal import Deal
from dominoes.engine.errors import EngineError
from dominoes.engine.hand import Hand
from dominoes.engine.moves import Kind, Move
from dominoes.engine.referee.course import Course
from dominoes.engine.referee.hands import Hands, read_one
from dominoes.engine.referee.knowledge import (
    Stay,
    arrange,
    object_to_lead,
    object_to_waiting,
    stays,
)
from dominoes.engine.referee.written import Objection, Written
from dominoes.engine.tiles import bit_set, bits, write_tile


def object_to_log(course: Course, hands: Hands, written: Written) -> list[Objection]:
    """What cannot be: tiles laid and held, doubles not led, tiles not played (D-1, D-3, D-5)."""
    found = _held_and_played(course, hands)
    dealt, faults = _read_deal(course, written)
    found += faults
    if found:
        return found
    complete(course, hands, dealt)
    brought: list[dict[int, int]] = []
    for seat in range(course.players):
        ways, fault = _stays_of(course, hands, dealt, seat)
        if fault is not None:
            return [fault]
        brought.append(arrange(ways, course.rules.hand_size, course.drawn[seat]) or {})
    return _replayed(course, hands, brought)


def _held_and_played(course: Course, hands: Hands) -> list[Objection]:
    """A tile that was laid is in nobody's hand."""
    return [
        Objection(f"held/{seat}", "played_and_held", {"seat": seat, "tile": write_tile(tile)})
        for seat, tiles in enumerate(hands.tiles)
        for tile in bits((tiles or 0) & course.played)
    ]


def _read_deal(course: Course, written: Written) -> tuple[list[int] | None, list[Objection]]:
    """The tiles dealt to each seat, where the sheet has them."""
    if written.deal is None:
        return None, []
    dealt: list[int] = []
    whole = 0
    for hand in written.deal:
        tiles = [read_one(course.tiles, text) for text in hand]
        dealt.append(bit_set(tile for tile in tiles if tile is not None))
        whole |= dealt[-1]
    sizes = set(map(int.bit_count, dealt))
    right = len(dealt) == course.players and sizes == {course.rules.hand_size}
    if not right or whole.bit_count() != course.players * course.rules.hand_size:
        return None, [Objection("deal", "bad_deal", {"players": course.players})]
    return dealt, []


def complete(course: Course, hands: Hands, dealt: list[int] | None) -> None:
    """Note what follows without being written: the rest of a hand that drew nothing, the last
    tiles of a set of which nothing lies in the boneyard.
    """
    for seat in range(course.players):
        if hands.tiles[seat] is not None or hands.pips[seat] is not None:
            continue
        if not course.counts[seat]:
            hands.keep(seat, 0)
        elif dealt is not None and not course.drawn[seat]:
            hands.keep(seat, dealt[seat] & ~course.played)
    unknown = [seat for seat, tiles in enumerate(hands.tiles) if tiles is None]
    if course.boneyard == 0 and len(unknown) == 1 and hands.pips[unknown[0]] is None:
        rest = course.tiles.all & ~course.played & ~hands.known()
        hands.keep(unknown[0], rest)


def _stays_of(
    course: Course, hands: Hands, dealt: list[int] | None, seat: int
) -> tuple[list[Stay], Objection | None]:
    """When each known tile of a seat can have come to it, and what speaks against it."""
    tiles = stays(course, seat, hands.tiles[seat] or 0)
    if (hands.tiles[seat] or 0).bit_count() > course.counts[seat]:
        return tiles, None  # that is objected to where tiles are counted
    if dealt is not None:
        tiles = [_as_dealt(stay, dealt[seat]) for stay in tiles]
        if arrange(tiles, course.rules.hand_size, course.drawn[seat]) is None:
            return tiles, Objection("deal", "not_dealt", {"seat": seat})
    tiles, fault = object_to_lead(course, seat, tiles)
    if fault is not None:
        return tiles, fault
    return object_to_waiting(course, seat, tiles)


def _as_dealt(stay: Stay, dealt: int) -> Stay:
    if dealt >> stay.tile & 1:
        return stay._replace(last=0)
    return stay._replace(first=max(stay.first, 1))


def _replayed(course: Course, hands: Hands, brought: list[dict[int, int]]) -> list[Objection]:
    """Play a log of which everything is known through the engine itself."""
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
        hand = _played_out(course, deal)
    except EngineError as error:
        return [Objection("moves", "unreadable", {"sentence": str(error)})]
    if hand.turn is None and list(hand.pips) == hands.pips:
        return []
    return [Objection("moves", "unreadable", {"sentence": ""})]


def _played_out(course: Course, deal: Deal) -> Hand:
    """The hand these moves make of the deal, with the passes that nobody wrote down."""
    hand = Hand(course.rules, deal)
    for event in course.events:
        if not event.dead:
            hand.play(event.move)
    while hand.turn is not None and course.over == "blocked":
        hand.play(Move(Kind.PASS))
    return hand


def _boneyard(course: Course, brought: list[dict[int, int]]) -> tuple[int, ...]:
    """A boneyard that brings each draw its tile, then the rest."""
    by_draw = [{draw: tile for tile, draw in seat.items() if draw} for seat in brought]
    drawn, taken = [], [0] * course.players
    for event in course.events:
        if event.move.kind is Kind.DRAW:
            taken[event.seat] += 1
            drawn.append(by_draw[event.seat][taken[event.seat]])
    gone = bit_set(tile for seat in brought for tile in seat)
    return (*drawn, *bits(course.tiles.all & ~gone))
