"""By effect, what a card is aimed at by who does not think, drawn from a large random number.

Each takes what is seen, the seat, the card and the number; it gives targets as the effect reads
them, always legal: any number of any.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any, Final, Protocol

from eltoro.engine.board import Sign
from eltoro.engine.cards import Card, Whose
from eltoro.engine.dice import FACES, MAX_BULLS, OUTSIDE, TOKENS, TRAMPLED, UNPLACED
from eltoro.engine.moves import Ask
from eltoro.engine.tables import Roster, Tables

TWO: Final = 2
LAST_VALUES: Final = (0, FACES - 1, 0)
"""By a turn, 1 or -1, the value of the die that cannot make it."""
OWN: Final = Whose.OWN
OTHER: Final = Whose.OTHER


class Position(Protocol):
    """What a game and a sight have in common."""

    @property
    def tables(self) -> Tables:
        """The lookups of the rule set."""

    @property
    def roster(self) -> Roster:
        """Who has which die."""

    @property
    def dice(self) -> bytes | bytearray:
        """The runners, as bytes."""

    @property
    def bulls(self) -> bytes | bytearray:
        """The bulls, as bytes."""

    @property
    def tokens(self) -> Mapping[Sign, int]:
        """The seat whose token is on a sign."""

    @property
    def step(self) -> int:
        """The row where all stand."""

    @property
    def ask(self) -> Ask | None:
        """What is asked."""


def runners_for(seen: Position, seat: int, whose: Whose | None) -> Sequence[int]:
    """The runners on the board that a card for these owners may be aimed at, by index."""
    dice = seen.dice
    span = seen.roster.spans[whose or Whose.OWN][seat]
    return [at for at in span if dice[at] < OUTSIDE] if TRAMPLED in dice else span


def spaces_for(seen: Position, seat: int, card: Card) -> list[int]:
    """The spaces where runners stand that the card is for, or bulls; as the board lists them."""
    if card.bull:
        return sorted({die // FACES for die in seen.bulls})
    return sorted({seen.dice[at] // FACES for at in runners_for(seen, seat, card.whose)})


def tokens_left(seen: Position, seat: int) -> int:
    """How many tokens a seat has in hand (Ruling E-5)."""
    return TOKENS - list(seen.tokens.values()).count(seat)


def free_signs(seen: Position, seat: int) -> list[Sign]:
    """The signs on which this seat may put a token: all without its own (Ruling E-5)."""
    return [sign for sign in seen.tables.rules.board.signs if seen.tokens.get(sign) != seat]


def own_signs(seen: Position, seat: int) -> list[Sign]:
    """The signs with this seat's tokens."""
    return [sign for sign in seen.tables.rules.board.signs if seen.tokens.get(sign) == seat]


def random_starts(seen: Position, seat: int, number: int) -> tuple[tuple[int, int], ...]:
    """A starting space for each 1."""
    begins, find = seen.roster.begins, seen.dice.find
    row, found, end = seen.tables.rules.board.rows[0], [], begins[seat + 1]
    size, at = len(row), find(UNPLACED, begins[seat], end)
    while at >= 0:
        found.append((at, row[number % size]))
        number //= size
        at = find(UNPLACED, at + 1, end)
    return tuple(found)


def _some(items: Sequence[Any], most: int, number: int) -> Sequence[Any]:
    """Any number of different items up to so many, in any order."""
    count = number % (most + 1)
    return _so_many(items, count, number // (most + 1)) if count else ()


def _so_many(items: Sequence[Any], count: int, number: int) -> Sequence[Any]:
    """So many different items, or all where there are fewer, in any order."""
    size = len(items)
    if not size:
        return ()
    if count == 1:
        return (items[number % size],)
    pool, found = list(items), []
    for left in range(size, max(size - count, 0), -1):
        found.append(pool.pop(number % left))
        number //= left
    return found


def any_runners(seen: Position, seat: int, card: Card, number: int) -> tuple[int, ...]:
    """Runners."""
    most = card.amount + 1
    count = number % most
    if not count:
        return ()
    number //= most
    span, dice = seen.roster.spans[card.whose or OWN][seat], seen.dice
    size = len(span)
    at = span[number % size]
    if count == 1 and dice[at] < OUTSIDE:
        return (at,)
    if count == TWO:
        other = span[(number // size + number % size) % size]
        if dice[at] < OUTSIDE and dice[other] < OUTSIDE and at != other:
            return (at, other)
    return tuple(_so_many(runners_for(seen, seat, card.whose), count, number))


def any_turns(seen: Position, seat: int, card: Card, number: int) -> tuple[Any, ...]:
    """Runners, each with a turn."""
    found = any_runners(seen, seat, card, number >> 4)
    return _turned(found, seen.dice, card, number) if found else ()


def _turned(
    found: Sequence[int], dice: bytes | bytearray, card: Card, number: int
) -> tuple[Any, ...]:
    """Each with a turn that its card allows."""
    turned, goes_round = [], card.goes_round
    for at in found:
        by = 1 if number & 1 else -1
        number >>= 1
        if not goes_round and dice[at] % FACES == LAST_VALUES[by]:
            by = -by
        turned.append((at, by))
    return tuple(turned)


def any_faces(seen: Position, seat: int, card: Card, number: int) -> tuple[Any, ...]:
    """Runners, each with a face."""
    found = any_runners(seen, seat, card, number // FACES)
    if not found:
        return ()
    return tuple([(at, (number + place) % FACES + 1) for place, at in enumerate(found)])


def any_pairs(seen: Position, seat: int, card: Card, number: int) -> tuple[Any, ...]:
    """Own runners, each with one of another."""
    own = _some(runners_for(seen, seat, OWN), card.amount, number)
    if not own:
        return ()
    others = runners_for(seen, seat, OTHER)
    start = number >> 8
    size = len(others)
    return tuple([(at, others[(start + place) % size]) for place, at in enumerate(own[:size])])


def any_runners_space(seen: Position, seat: int, card: Card, number: int) -> tuple[int, ...]:
    """A space where such runners stand."""
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
    """A space where bulls stand."""
    return (seen.bulls[(number >> 1) % len(seen.bulls)] // FACES,) if number & 1 else ()


def any_bulls(seen: Position, seat: int, card: Card, number: int) -> tuple[int, ...]:
    """Bulls."""
    return tuple(_some(range(len(seen.bulls)), card.amount, number))


def any_bull_turns(seen: Position, seat: int, card: Card, number: int) -> tuple[Any, ...]:
    """Bulls, each with a turn."""
    found = _some(range(len(seen.bulls)), card.amount, number >> 4)
    return _turned(found, seen.bulls, card, number) if found else ()


def any_led(seen: Position, seat: int, card: Card, number: int) -> tuple[Any, ...]:
    """Bulls, each with a neighbour in its row."""
    found = _some(range(len(seen.bulls)), card.amount, number >> 4)
    board, led = seen.tables.rules.board, []
    for at in found:
        beside = board.neighbours(seen.bulls[at] // FACES)
        if beside:
            led.append((at, beside[number % len(beside)]))
    return tuple(led)


def any_new_bulls(seen: Position, seat: int, card: Card, number: int) -> tuple[int, ...]:
    """Spaces for new bulls."""
    room = min(card.amount, MAX_BULLS - len(seen.bulls))
    return tuple(_some(seen.tables.rules.board.rows[seen.step], room, number))


def any_signs(seen: Position, seat: int, card: Card, number: int) -> tuple[Any, ...]:
    """Signs for tokens."""
    if card.amount == 1 and not number & 1:
        return ()
    left, every = tokens_left(seen, seat), seen.tables.rules.board.signs
    if left and card.amount == 1:
        sign = every[(number >> 1) % len(every)]
        if seen.tokens.get(sign) != seat:
            return ((sign, None),)
    own = [] if left else own_signs(seen, seat)
    signs = _some(free_signs(seen, seat), min(card.amount, left or len(own)), number)
    start = number >> 8
    return tuple(
        (sign, None if left else own[(start + place) % len(own)])
        for place, sign in enumerate(signs)
    )


def any_tokens(seen: Position, seat: int, card: Card, number: int) -> tuple[Any, ...]:
    """Signs with tokens."""
    return tuple(_some(list(seen.tokens), card.amount, number))
