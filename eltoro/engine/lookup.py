"""Lookup tables of the El Toro engine, such as ways of dice by byte and cards by key.

A `Roster` contains the tables for the runners of a day. All runners are in one sequence, seat after
seat.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from itertools import accumulate
from typing import Any, Final, NamedTuple

from eltoro.engine.board import EVEN, ODD, STARTS, Board
from eltoro.engine.cards import Bonus, Destination, Effect, RunnerOwner, card_indexes
from eltoro.engine.dice import EVERY_BYTE, FACES, IDENTITY_TABLE, SIGNS, TRAMPLED, UNPLACED
from eltoro.engine.moves import DecisionKind, Move, write_runner
from eltoro.engine.rules import Rules

# Maximum number of moves that a roster caches. If there are more, the cache is cleared.
MAX_CACHED_MOVES: Final = 20_000


class Play(NamedTuple):
    """The functions of a card's effect. `aimed` are the card's targets as numbers.

    `read(roster, seat, card, targets)`: parses targets, whatever the state of the town. Raises
    `IllegalMove` if the card can never have these targets. `write(roster, aimed)`: the inverse of
    `read`. `check(game, seat, card, aimed)`: raises `IllegalMove` if the town does not allow these
    targets now. `act(game, seat, card, aimed)`: applies the card. It is not called without targets.
    `choose(seen, seat, card, number)`: returns random legal targets. It is `None` if there is
    nothing to choose, and `bare` contains the targets.
    """

    read: Callable[..., tuple[Any, ...]]
    write: Callable[..., Sequence[str]]
    check: Callable[..., None] | None
    act: Callable[..., None]
    choose: Callable[..., tuple[Any, ...]] | None
    bare: tuple[Any, ...] = ()


class Bonuses(NamedTuple):
    """The effects of all of a player's destinations on the next day (Ruling E-7).

    `runners`, `cards`, `bulls`: numbers to add. `first`: True if the player takes the first-player
    token. `paid`: the destinations that bring points, in order.
    """

    runners: int
    cards: int
    bulls: int
    first: bool
    paid: tuple[int, ...]


POINT_BONUSES: Final = (Bonus.POINTS, Bonus.DIE)


class EffectTotals(dict[tuple[int, ...], Bonuses]):
    """Cache of the combined effects of several destinations (Ruling E-7).

    The key is a tuple of indexes of destinations.
    """

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
        self[effects] = bonuses = Bonuses(
            runners=added[Bonus.RUNNER],
            cards=added[Bonus.CARD],
            bulls=added[Bonus.BULL],
            first=any(every[index].effect is Bonus.FIRST for index in effects),
            paid=tuple(index for index in effects if every[index].effect in POINT_BONUSES),
        )
        return bonuses


class Tables:
    """The lookup tables of one rule set.

    `plays`: for each card, the functions of its effect. `acts`: for each card, the card and the
    functions needed for every move. `down`: for each byte of a die, the byte of the same die one
    row down. `forks`: for each fork, the bytes of the six faces one row down: with a token on the
    even sign, with a token on the odd sign, and without a token. `starting`: for the face rolled in
    the morning, the byte of a runner. `slots`: for the byte of a runner at the end of the day, 0 to
    4 for destinations d1 to d5, or 5 if it is trampled. `deck`, `destination_cards`: all single
    cards. `works`: the total effect of each combination of destinations.
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

    def __init__(self, rules: Rules, effects: Mapping[Effect, Play]) -> None:
        board = rules.board
        self.rules = rules
        self.cards = rules.cards
        self.keys = tuple(card.key for card in rules.cards)
        self.by_key = {key: index for index, key in enumerate(self.keys)}
        self.plays = tuple(effects[card.effect] for card in rules.cards)
        plays = zip(rules.cards, self.plays, strict=True)
        self.acts = tuple(
            (card, play.check, play.act, play.choose, play.bare) for card, play in plays
        )
        self.deck = tuple(card_indexes(card.count for card in rules.cards))
        self.destination_cards = tuple(card_indexes(each.count for each in rules.destinations))
        self.down = down_table(board)
        self.steps = board.steps
        self.forks = {
            at: _led_bytes(board, at) for at, space in enumerate(board.spaces) if space.is_fork
        }
        self.row_starts = tuple(space * FACES - 1 for space in board.rows[0])
        self.starting = _starting_bytes(board)
        self.slots = _slot_table(board)
        self.works = EffectTotals(rules.destinations)
        self.rosters: dict[tuple[int, ...], Roster] = {}

    def roster(self, counts: tuple[int, ...]) -> Roster:
        """Return the cached roster for these numbers of runners by seat."""
        cached = self.rosters.get(counts)
        if cached is None:
            cached = self.rosters[counts] = Roster(self, counts)
        return cached


class Roster:
    """Lookup tables for the runners of a day.

    `begins`: the index of each seat's first runner, and the total. `every`: the indexes of all
    runners. `seats`, `names`: seat and name of each runner. `index`: index by name. `turns`,
    `sets`: runner and turn, or runner and face, by target in notation. `spans`: by kind of owner
    and seat, the runners that a card may target. `turned`: for each first player, all runners in
    turn order. `ranks`: for each first player and runner, a number that increases in turn order and
    has the runner's index as its low byte.
    """

    __slots__ = (
        "begins",
        "counts",
        "every",
        "index",
        "kept",
        "names",
        "ranks",
        "seats",
        "sets",
        "spans",
        "tables",
        "total",
        "turned",
        "turns",
    )

    def __init__(self, tables: Tables, counts: Sequence[int]) -> None:
        self.tables = tables
        self.counts = tuple(counts)
        self.begins = (0, *accumulate(self.counts))
        self.total = self.begins[-1]
        self.seats = tuple(seat for seat, count in enumerate(self.counts) for _ in range(count))
        self.names = tuple(
            write_runner(seat, number)
            for seat, count in enumerate(self.counts)
            for number in range(1, count + 1)
        )
        self.index = {name: at for at, name in enumerate(self.names)}
        self.turns = {
            f"{name}{sign}": (at, by) for name, at in self.index.items() for sign, by in SIGNS
        }
        self.sets = {
            f"{name}={face}": (at, face)
            for name, at in self.index.items()
            for face in range(1, FACES + 1)
        }
        self.every = every = tuple(range(self.total))
        seats = range(len(self.counts))
        own = [every[self.begins[seat] : self.begins[seat + 1]] for seat in seats]
        others = [every[: self.begins[seat]] + every[self.begins[seat + 1] :] for seat in seats]
        self.turned = [every[begin:] + every[:begin] for begin in self.begins[:-1]]
        self.ranks = [
            tuple((at - begin) % self.total * EVERY_BYTE + at for at in every)
            for begin in self.begins[:-1]
        ]
        self.spans = {
            RunnerOwner.OWN: own,
            RunnerOwner.OTHER: others,
            RunnerOwner.ANY: [every for _ in seats],
        }
        self.kept: dict[tuple[int, int, tuple[Any, ...]], Move] = {}

    def move(self, card: int, seat: int, aimed: tuple[Any, ...]) -> Move:
        """Return the cached move that plays a card with these targets (in the format of `Play`)."""
        key = (card, seat, aimed)
        move = self.kept.get(key)
        if move is None:
            tables = self.tables
            targets = tables.plays[card].write(self, aimed) if aimed else ()
            move = self._cache_move(key, Move(DecisionKind.CARD, tables.keys[card], tuple(targets)))
        return move

    def _cache_move(self, key: tuple[int, int, tuple[Any, ...]], move: Move) -> Move:
        card, seat, aimed = key
        move.cache_move(ReadMove(self, seat, card, aimed))
        if len(self.kept) > MAX_CACHED_MOVES:
            self.kept.clear()
        self.kept[key] = move
        return move

    def other_move(self, kind: DecisionKind, seat: int, aimed: tuple[Any, ...]) -> Move:
        """Return the cached move that places 1s or discards cards.

        `aimed`: pairs of runner and space, or the cards.
        """
        key = (-1 if kind is DecisionKind.START else -2, seat, aimed)
        move = self.kept.get(key)
        if move is None:
            if kind is DecisionKind.START:
                spaces, names = self.tables.rules.board.spaces, self.names
                targets = tuple(f"{names[at]}>{spaces[space].key}" for at, space in aimed)
            else:
                targets = tuple(self.tables.keys[index] for index in aimed)
            move = self._cache_move(key, Move(kind, "", targets))
        return move


class ReadMove(NamedTuple):
    """A parsed move of a seat: card and targets as numbers, valid for one roster."""

    roster: Roster
    seat: int
    card: int
    aimed: tuple[Any, ...]


def down_table(board: Board) -> bytes:
    """Return a lookup table for moving dice: for the byte of each die, its byte one row down.

    Even and odd faces take different ways at forks (Ruling E-5).
    """
    table = bytearray(IDENTITY_TABLE)
    for index, space in enumerate(board.spaces):
        if space.ways:
            street = space.ways if space.is_fork else space.ways * 2
            table[index * FACES : (index + 1) * FACES] = _six_faces(street[EVEN], street[ODD])
    return bytes(table)


def _six_faces(even: int, odd: int) -> bytes:
    """Return the next bytes of a die with faces 1 to 6, given the even and the odd way."""
    return bytes((odd if face % 2 else even) * FACES + face - 1 for face in range(1, FACES + 1))


def _led_bytes(board: Board, fork: int) -> tuple[bytes, bytes, bytes]:
    """Return the bytes of a fork's six faces after they move one row down: with a token on the even
    sign, with a token on the odd sign, and without a token.
    """
    even, odd = board.spaces[fork].ways
    return _six_faces(even, even), _six_faces(odd, odd), _six_faces(even, odd)


def _starting_bytes(board: Board) -> bytes:
    """Return a table with the byte of a runner for each face rolled in the morning.

    A 1 becomes `UNPLACED`, because its player chooses the starting space later.
    """
    table = bytearray(IDENTITY_TABLE)
    table[1] = UNPLACED
    for key in STARTS:
        table[int(key)] = board.find_space(key) * FACES + int(key) - 1
    return bytes(table)


def _slot_table(board: Board) -> bytes:
    """Return a table with the index of the destination (from 0) for the byte of an
    arrived runner.
    """
    table = bytearray(IDENTITY_TABLE)
    table[TRAMPLED] = len(board.rows[-1])
    for slot, space in enumerate(board.rows[-1]):
        for face in range(FACES):
            table[space * FACES + face] = slot
    return bytes(table)
