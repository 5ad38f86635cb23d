"""Random targets of cards, with one function for each effect.

Each function takes a position, the seat, the card and a large random number, from which all choices
are derived. It returns a random number of legal targets in the format of the effect.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from eltoro.engine.board import Sign
from eltoro.engine.cards import Card, RunnerOwner
from eltoro.engine.dice import FACES, MAX_BULLS, OUTSIDE, TOKENS, TRAMPLED, UNPLACED
from eltoro.engine.lookup import Roster, Tables
from eltoro.engine.moves import DecisionKind

TWO: Final = 2
# For each direction of a turn (1 or -1, used as an index): the face, counted from 0, that cannot be
# turned in this direction.
LAST_VALUES: Final = (0, FACES - 1, 0)
OWN: Final = RunnerOwner.OWN
OTHER: Final = RunnerOwner.OTHER


class Position(Protocol):
    """Attributes that a game and a seat's `ByteView` have in common."""

    @property
    def tables(self) -> Tables:
        """The lookup tables of the rule set."""

    @property
    def roster(self) -> Roster:
        """The lookup tables for the runners of the day."""

    @property
    def dice(self) -> bytes | bytearray:
        """The dice of the runners as bytes."""

    @property
    def bulls(self) -> bytes | bytearray:
        """The dice of the bulls as bytes."""

    @property
    def tokens(self) -> Mapping[Sign, int]:
        """The path signs with a token, and the seat of each token."""

    @property
    def step(self) -> int:
        """The number of the current row."""

    @property
    def ask(self) -> DecisionKind | None:
        """The decision that a player must make now."""


def runners_for(seen: Position, seat: int, whose: RunnerOwner | None) -> Sequence[int]:
    """Return the indexes of the runners on the board that a card for these owners may target."""
    dice = seen.dice
    span = seen.roster.spans[whose or RunnerOwner.OWN][seat]
    return [at for at in span if dice[at] < OUTSIDE] if TRAMPLED in dice else span


def spaces_for(seen: Position, seat: int, card: Card) -> list[int]:
    """Return the spaces with runners or bulls that the card may target, in board order."""
    if card.bull:
        return sorted({die // FACES for die in seen.bulls})
    return sorted({seen.dice[at] // FACES for at in runners_for(seen, seat, card.whose)})


def tokens_left(seen: Position, seat: int) -> int:
    """Return how many tokens a seat has in hand (Ruling E-5)."""
    return TOKENS - list(seen.tokens.values()).count(seat)


def free_signs(seen: Position, seat: int) -> list[Sign]:
    """Return the path signs on which this seat may place a token: all signs that do not have a
    token of the seat (Ruling E-5).
    """
    return [sign for sign in seen.tables.rules.board.signs if seen.tokens.get(sign) != seat]


def own_signs(seen: Position, seat: int) -> list[Sign]:
    """Return the signs with this seat's tokens."""
    return [sign for sign in seen.tables.rules.board.signs if seen.tokens.get(sign) == seat]


def random_starts(seen: Position, seat: int, number: int) -> tuple[tuple[int, int], ...]:
    """Return pairs of each of the seat's runners that show 1 and a random starting space."""
    begins, find = seen.roster.begins, seen.dice.find
    row, starts, end = seen.tables.rules.board.rows[0], [], begins[seat + 1]
    size, at = len(row), find(UNPLACED, begins[seat], end)
    while at >= 0:
        starts.append((at, row[number % size]))
        number //= size
        at = find(UNPLACED, at + 1, end)
    return tuple(starts)


def _random_sample(items: Sequence[object], most: int, number: int) -> Sequence[Any]:
    """Return a random number of different items in random order, at most `most`."""
    count = number % (most + 1)
    return _so_many(items, count, number // (most + 1)) if count else ()


def _so_many(items: Sequence[object], count: int, number: int) -> Sequence[Any]:
    """Return `count` different items in random order, or all items if there are fewer."""
    size = len(items)
    if not size:
        return ()
    if count == 1:
        return (items[number % size],)
    pool, items_drawn = list(items), []
    for left in range(size, max(size - count, 0), -1):
        items_drawn.append(pool.pop(number % left))
        number //= left
    return items_drawn


def any_runners(seen: Position, seat: int, card: Card, number: int) -> tuple[int, ...]:
    """Return random runners as targets of a card."""
    most = card.amount + 1
    count = number % most
    if not count:
        return ()
    number //= most
    span, dice = seen.roster.spans[card.whose or OWN][seat], seen.dice
    size = len(span)
    first = number % size
    at = span[first]
    if count == 1 and dice[at] < OUTSIDE:
        return (at,)
    if count == TWO:
        other = span[(number // size + first) % size]
        if dice[at] < OUTSIDE and dice[other] < OUTSIDE and at != other:
            return (at, other)
    return tuple(_so_many(runners_for(seen, seat, card.whose), count, number))


def any_turns(seen: Position, seat: int, card: Card, number: int) -> tuple[object, ...]:
    """Return random runners as targets of a card, each with a random turn."""
    runners = any_runners(seen, seat, card, number >> 4)
    return _random_turns(runners, seen.dice, card, number) if runners else ()


def _random_turns(
    pieces: Sequence[int], dice: bytes | bytearray, card: Card, number: int
) -> tuple[object, ...]:
    """Return these dice, each with a random turn that the card allows."""
    turned, goes_round = [], card.goes_round
    for at in pieces:
        by = 1 if number & 1 else -1
        number >>= 1
        if not goes_round and dice[at] % FACES == LAST_VALUES[by]:
            by = -by
        turned.append((at, by))
    return tuple(turned)


def any_faces(seen: Position, seat: int, card: Card, number: int) -> tuple[object, ...]:
    """Return random runners as targets of a card, each with a random face."""
    runners = any_runners(seen, seat, card, number // FACES)
    if not runners:
        return ()
    return tuple([(at, (number + place) % FACES + 1) for place, at in enumerate(runners)])


def any_pairs(seen: Position, seat: int, card: Card, number: int) -> tuple[object, ...]:
    """Return random runners of the player, each with a random runner of another player."""
    own = _random_sample(runners_for(seen, seat, OWN), card.amount, number)
    if not own:
        return ()
    others = runners_for(seen, seat, OTHER)
    start = number >> 8
    size = len(others)
    return tuple([(at, others[(start + place) % size]) for place, at in enumerate(own[:size])])


def any_runners_space(seen: Position, seat: int, card: Card, number: int) -> tuple[int, ...]:
    """Return a random space with runners that the card may target."""
    if not number & 1:
        return ()
    span, dice = seen.roster.spans[card.whose or OWN][seat], seen.dice
    at = span[(number >> 1) % len(span)]
    if dice[at] >= OUTSIDE:
        there = runners_for(seen, seat, card.whose)
        if not there:
            return ()
        at = there[number % len(there)]
    return (dice[at] // FACES,)


def any_bulls_space(seen: Position, seat: int, card: Card, number: int) -> tuple[int, ...]:
    """Return a random space with bulls as the target of a card."""
    return (seen.bulls[(number >> 1) % len(seen.bulls)] // FACES,) if number & 1 else ()


def any_bulls(seen: Position, seat: int, card: Card, number: int) -> tuple[int, ...]:
    """Return random bulls as targets of a card."""
    return tuple(_random_sample(range(len(seen.bulls)), card.amount, number))


def any_bull_turns(seen: Position, seat: int, card: Card, number: int) -> tuple[object, ...]:
    """Return random bulls as targets of a card, each with a random turn."""
    bulls = _random_sample(range(len(seen.bulls)), card.amount, number >> 4)
    return _random_turns(bulls, seen.bulls, card, number) if bulls else ()


def any_led(seen: Position, seat: int, card: Card, number: int) -> tuple[object, ...]:
    """Return random bulls as targets of a card, each with a random neighbouring space."""
    bulls = _random_sample(range(len(seen.bulls)), card.amount, number >> 4)
    board, led = seen.tables.rules.board, []
    for at in bulls:
        beside = board.neighbours(seen.bulls[at] // FACES)
        if beside:
            led.append((at, beside[number % len(beside)]))
    return tuple(led)


def any_new_bulls(seen: Position, seat: int, card: Card, number: int) -> tuple[int, ...]:
    """Return random spaces on which a card adds bulls."""
    room = min(card.amount, MAX_BULLS - len(seen.bulls))
    return tuple(_random_sample(seen.tables.rules.board.rows[seen.step], room, number))


def any_signs(seen: Position, seat: int, card: Card, number: int) -> tuple[object, ...]:
    """Return random path signs on which a card places tokens."""
    if card.amount == 1 and not number & 1:
        return ()
    left, every = tokens_left(seen, seat), seen.tables.rules.board.signs
    if left and card.amount == 1:
        sign = every[(number >> 1) % len(every)]
        if seen.tokens.get(sign) != seat:
            return ((sign, None),)
    own = [] if left else own_signs(seen, seat)
    signs = _random_sample(free_signs(seen, seat), min(card.amount, left or len(own)), number)
    start = number >> 8
    return tuple(
        (sign, None if left else own[(start + place) % len(own)])
        for place, sign in enumerate(signs)
    )


def any_tokens(seen: Position, seat: int, card: Card, number: int) -> tuple[object, ...]:
    """Return random path signs from which a card removes tokens."""
    return tuple(_random_sample(list(seen.tokens), card.amount, number))
