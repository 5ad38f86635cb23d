"""What the engine looks up while it plays: the town as tables of bytes, the cards by their key."""

from __future__ import annotations

from typing import TYPE_CHECKING, Final, NamedTuple

from eltoro.engine.board import EVEN, ODD, STARTS, Board
from eltoro.engine.cards import copies
from eltoro.engine.destinations import Bonus, Destination
from eltoro.engine.dice import FACES, SAME, TRAMPLED, UNPLACED
from eltoro.engine.plays import PLAYS
from eltoro.engine.roster import Roster

if TYPE_CHECKING:
    from eltoro.engine.rules import Rules


class Bonuses(NamedTuple):
    """What a player's destinations bring on the next day (Ruling E-7).

    `runners`, `cards`, `bulls`: so many more than usual. `first`: the token. `paid`: the
    destinations that bring points, as they lie.
    """

    runners: int
    cards: int
    bulls: int
    first: bool
    paid: tuple[int, ...]


PAID: Final = (Bonus.POINTS, Bonus.DIE)


class Works(dict[tuple[int, ...], Bonuses]):
    """What a player's destinations add up to, by their indexes, reckoned once (Ruling E-7)."""

    def __init__(self, destinations: tuple[Destination, ...]) -> None:
        super().__init__()
        self.destinations = destinations

    def __missing__(self, effects: tuple[int, ...]) -> Bonuses:
        every = self.destinations
        added = dict.fromkeys(Bonus, 0)
        for index in effects:
            effect = every[index].effect
            if effect is not None:
                added[effect] += every[index].amount
        self[effects] = found = Bonuses(
            runners=added[Bonus.RUNNER],
            cards=added[Bonus.CARD],
            bulls=added[Bonus.BULL],
            first=any(every[index].effect is Bonus.FIRST for index in effects),
            paid=tuple(index for index in effects if every[index].effect in PAID),
        )
        return found


class Tables:
    """The lookups of one rule set.

    `plays`: by card, what its effect does; `acts`: the card with what of it
    is needed at every move. `down`: by the byte of a die, its byte one row down.
    `forks`: by fork, where its six faces go, led to either side or by no token. `starting`: by
    the face rolled in the morning, the byte of a runner. `slots`: by the byte of a runner that
    has arrived, 0 to 4 for d1 to d5, of one trampled 5. `deck`, `destination_cards`: every single
    card. `works`: by a player's destinations, what they bring.
    """

    __slots__ = (
        "acts",
        "by_key",
        "cards",
        "deck",
        "destination_cards",
        "down",
        "forks",
        "keys",
        "plays",
        "rosters",
        "row_starts",
        "rules",
        "slots",
        "starting",
        "steps",
        "works",
    )

    def __init__(self, rules: Rules) -> None:
        board = rules.board
        self.rules = rules
        self.cards = rules.cards
        self.keys = tuple(card.key for card in rules.cards)
        self.by_key = {key: index for index, key in enumerate(self.keys)}
        self.plays = tuple(PLAYS[card.effect] for card in rules.cards)
        plays = zip(rules.cards, self.plays, strict=True)
        self.acts = tuple(
            (card, play.check, play.act, play.choose, play.bare) for card, play in plays
        )
        self.deck = tuple(copies(card.count for card in rules.cards))
        self.destination_cards = tuple(copies(each.count for each in rules.destinations))
        self.down = down_table(board)
        self.steps = board.steps
        self.forks = {at: _led(board, at) for at, space in enumerate(board.spaces) if space.is_fork}
        self.row_starts = tuple(space * FACES - 1 for space in board.rows[0])
        self.starting = _starting(board)
        self.slots = _slots(board)
        self.works = Works(rules.destinations)
        self.rosters: dict[tuple[int, ...], Roster] = {}

    def roster(self, counts: tuple[int, ...]) -> Roster:
        """The roster with so many runners by seat, made once."""
        found = self.rosters.get(counts)
        if found is None:
            found = self.rosters[counts] = Roster(self, counts)
        return found


def down_table(board: Board) -> bytes:
    """By the byte of a die, its byte one row down, where its own parity leads (Ruling E-5)."""
    table = bytearray(SAME)
    for index, space in enumerate(board.spaces):
        if space.ways:
            street = space.ways if space.is_fork else space.ways * 2
            table[index * FACES : (index + 1) * FACES] = _six(street[EVEN], street[ODD])
    return bytes(table)


def _six(even: int, odd: int) -> bytes:
    """Where the six faces of a space go, given where even and odd ones do."""
    return bytes((odd if face % 2 else even) * FACES + face - 1 for face in range(1, FACES + 1))


def _led(board: Board, fork: int) -> tuple[bytes, bytes, bytes]:
    """Where its six faces go: led to the even side, to the odd one, or by no token."""
    even, odd = board.spaces[fork].ways
    return _six(even, even), _six(odd, odd), _six(even, odd)


def _starting(board: Board) -> bytes:
    """By the face rolled in the morning, the byte of the runner; a 1 is not placed yet."""
    table = bytearray(SAME)
    table[1] = UNPLACED
    for key in STARTS:
        table[int(key)] = board.find(key) * FACES + int(key) - 1
    return bytes(table)


def _slots(board: Board) -> bytes:
    """By the byte of a runner that has arrived, which of d1 to d5 it is, from 0; else the next."""
    table = bytearray(SAME)
    table[TRAMPLED] = len(board.rows[-1])
    for slot, space in enumerate(board.rows[-1]):
        for face in range(FACES):
            table[space * FACES + face] = slot
    return bytes(table)
