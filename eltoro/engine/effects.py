"""What each card does, once its targets have been checked (Rulings E-4 to E-6, E-10).

Each takes the game, the seat that plays, the card, and what it is aimed at: see `plays`.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, TypeAlias

from eltoro.engine.board import EVEN, ODD, Sign
from eltoro.engine.cards import Card, Whose
from eltoro.engine.day import take_cards
from eltoro.engine.dice import EVERY_BYTE, FACES, OUTSIDE, TRAMPLED
from eltoro.engine.events import (
    BullAdded,
    BullLed,
    DieRolled,
    DieTurned,
    Drew,
    Gained,
    TokenPlaced,
    TokenRemoved,
)
from eltoro.engine.state import State
from eltoro.engine.town import Die

ANY: Final = Whose.ANY
BEFORE: Final = tuple(die - die % FACES - 1 for die in range(EVERY_BYTE))
"""By the byte of a die, what a face is added to."""
Told: TypeAlias = type[DieRolled] | type[DieTurned]


def _die(byte: int) -> Die:
    return Die(byte // FACES, byte % FACES + 1)


def _set_runner(game: State, at: int, face: int, told: Told) -> None:
    """Another face for a runner where it stands."""
    before = game.dice[at]
    game.dice[at] = after = before - before % FACES + face - 1
    if game.witness:
        seat = game.roster.seats[at]
        runner = (seat, at - game.roster.begins[seat])
        game.tell(told(runner, None, _die(before), _die(after)))


def _set_bull(game: State, at: int, face: int, told: Told) -> None:
    """Another face for a bull where it stands."""
    before = game.bulls[at]
    game.bulls[at] = after = before - before % FACES + face - 1
    if game.witness:
        game.tell(told(None, at, _die(before), _die(after)))


def _turned(byte: int, by: int) -> int:
    """The face of a die turned by 1 or -1, past 6 to 1 and back."""
    return (byte % FACES + by) % FACES + 1


def roll(game: State, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """These runners rolled again, in this order."""
    faces = game.throw(len(aimed))
    if game.witness:
        for at, face in zip(aimed, faces, strict=True):
            _set_runner(game, at, face, DieRolled)
        return
    dice = game.dice
    for at, face in zip(aimed, faces):  # noqa: B905  as many as were thrown, and checking is dear
        dice[at] = BEFORE[dice[at]] + face


def roll_space(game: State, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """All runners of a space rolled: players in turn order of this step, then their number."""
    dice, low = game.dice, aimed[0] * FACES
    high = low + FACES
    there = [at for at in game.roster.turned[game.first] if low <= dice[at] < high]
    if card.whose is not ANY:
        there = [at for at in there if _meant(game, seat, card, at)]
    roll(game, seat, card, there)


def _meant(game: State, seat: int, card: Card, at: int) -> bool:
    """Whether a card is for this runner's owner."""
    own = game.roster.seats[at] == seat
    return own is (card.whose is Whose.OWN)


def roll_all(game: State, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """All own runners on the board rolled, by number."""
    begins, dice = game.roster.begins, game.dice
    own: Sequence[int] = range(begins[seat], begins[seat + 1])
    if TRAMPLED in dice:
        own = [at for at in own if dice[at] < OUTSIDE]
    roll(game, seat, card, own)


def turn(game: State, seat: int, card: Card, aimed: Sequence[tuple[int, int]]) -> None:
    """Each one face up or down."""
    for at, by in aimed:
        _set_runner(game, at, _turned(game.dice[at], by), DieTurned)


def flip(game: State, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Each to the opposite face."""
    for at in aimed:
        _set_runner(game, at, FACES - game.dice[at] % FACES, DieTurned)


def make_odd(game: State, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """An even face one down: 1 and 2, 3 and 4, 5 and 6 are pairs."""
    for at in aimed:
        value = game.dice[at] % FACES
        if value % 2:
            _set_runner(game, at, value, DieTurned)


def make_even(game: State, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """An odd face one up."""
    for at in aimed:
        value = game.dice[at] % FACES
        if not value % 2:
            _set_runner(game, at, value + 2, DieTurned)


def set_face(game: State, seat: int, card: Card, aimed: Sequence[tuple[int, int]]) -> None:
    """Each to the face named."""
    for at, face in aimed:
        _set_runner(game, at, face, DieTurned)


def swap(game: State, seat: int, card: Card, aimed: Sequence[tuple[int, int]]) -> None:
    """An own runner and another's exchange their faces; each stays where it is."""
    for own, other in aimed:
        faces = game.dice[own] % FACES + 1, game.dice[other] % FACES + 1
        _set_runner(game, own, faces[1], DieTurned)
        _set_runner(game, other, faces[0], DieTurned)


def bull_roll(game: State, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """These bulls rolled again where they stand, in this order."""
    for at, face in zip(aimed, game.throw(len(aimed)), strict=True):
        _set_bull(game, at, face, DieRolled)


def bull_roll_space(game: State, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """All bulls of a space rolled, by number."""
    there = [at for at, die in enumerate(game.bulls) if die // FACES == aimed[0]]
    bull_roll(game, seat, card, there)


def bull_turn(game: State, seat: int, card: Card, aimed: Sequence[tuple[int, int]]) -> None:
    """Each bull one face up or down."""
    for at, by in aimed:
        _set_bull(game, at, _turned(game.bulls[at], by), DieTurned)


def bull_flip(game: State, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Each bull to the opposite face."""
    for at in aimed:
        _set_bull(game, at, FACES - game.bulls[at] % FACES, DieTurned)


def bull_lead(game: State, seat: int, card: Card, aimed: Sequence[tuple[int, int]]) -> None:
    """Each bull to a neighbour in its row, its face unchanged (Ruling E-2)."""
    for at, space in aimed:
        before = game.bulls[at]
        game.bulls[at] = after = space * FACES + before % FACES
        if game.witness:
            game.tell(BullLed(at, _die(before), _die(after)))


def bull_add(game: State, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """New bulls, rolled, any face (Ruling E-6)."""
    for space in aimed:
        byte = space * FACES + game.throw(1)[0] - 1
        game.bulls.append(byte)
        if game.witness:
            game.tell(BullAdded(len(game.bulls) - 1, _die(byte)))


def place_tokens(
    game: State, seat: int, card: Card, aimed: Sequence[tuple[Sign, Sign | None]]
) -> None:
    """A token each; another's that lay there goes back to its owner (Ruling E-5)."""
    for sign, moved in aimed:
        if moved:
            del game.tokens[moved]
            _lead(game, seat, moved[0])
        replaced = game.tokens.get(sign)
        game.tokens[sign] = seat
        _lead(game, seat, sign[0])
        if replaced is not None:
            _lead(game, replaced, sign[0])
        if game.witness:
            game.tell(TokenPlaced(seat, sign, replaced, moved))


def remove_tokens(game: State, seat: int, card: Card, aimed: Iterable[Sign]) -> None:
    """Tokens back to their owners (Ruling E-5)."""
    for sign in aimed:
        owner = game.tokens.pop(sign)
        _lead(game, owner, sign[0])
        if game.witness:
            game.tell(TokenRemoved(owner, sign))


def _lead(game: State, seat: int, fork: int) -> None:
    """Where a colour goes at a fork: by its one token there, else by parity (Ruling E-5)."""
    if seat not in game.downs:
        game.downs[seat] = bytearray(game.tables.down)
    even, odd = (game.tokens.get((fork, parity)) == seat for parity in (EVEN, ODD))
    led = 2 if even == odd else EVEN if even else ODD
    game.downs[seat][fork * FACES : (fork + 1) * FACES] = game.tables.forks[fork][led]


def draw(game: State, seat: int, card: Card, aimed: object) -> None:
    """So many cards; the one being played is not yet among the discards (Ruling E-8)."""
    count = take_cards(game, seat, card.amount)
    if game.witness:
        game.tell(Drew(seat, count))


def gain(game: State, seat: int, card: Card, aimed: object) -> None:
    """So many points."""
    _gain(game, seat, card.amount)


def brave(game: State, seat: int, card: Card, aimed: object) -> None:
    """A point for each own runner where a bull stands, at most so many."""
    begin, end = game.roster.begins[seat : seat + 2]
    bulls = {die // FACES for die in game.bulls}
    near = [die for die in game.dice[begin:end] if die < OUTSIDE and die // FACES in bulls]
    _gain(game, seat, min(len(near), card.amount))


def _gain(game: State, seat: int, points: int) -> None:
    game.day_points[-1][seat] += points
    if game.witness:
        game.tell(Gained(seat, points))
