"""Whether what a card is aimed at stands in town as it must, before anything is done (E-4)."""

from __future__ import annotations

from collections.abc import Sequence

from eltoro.engine.aims import Pair
from eltoro.engine.aims_in_town import Signing
from eltoro.engine.board import Sign
from eltoro.engine.cards import Card
from eltoro.engine.dice import BULL_NAMES, FACES, MOST_BULLS, OUTSIDE, TOKENS
from eltoro.engine.errors import IllegalMove
from eltoro.engine.state import State


def runners(game: State, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """None of them is trampled (Ruling E-6)."""
    dice = game.dice
    for at in aimed:
        if dice[at] >= OUTSIDE:
            raise IllegalMove("trampled", runner=game.roster.names[at])


def placed(game: State, seat: int, card: Card, aimed: Sequence[Pair]) -> None:
    """The same for runners with a face."""
    runners(game, seat, card, [at for at, _ in aimed])


def pairs(game: State, seat: int, card: Card, aimed: Sequence[Pair]) -> None:
    """The same for runners that swap."""
    runners(game, seat, card, [at for pair in aimed for at in pair])


def turned(game: State, seat: int, card: Card, aimed: Sequence[Pair]) -> None:
    """They stand, and none is turned past 6 or 1 but by a card that goes round (Ruling E-6)."""
    runners(game, seat, card, [at for at, _ in aimed])
    if not card.goes_round:
        _check_ends(aimed, game.dice, game.roster.names)


def _check_ends(aimed: Sequence[Pair], dice: bytearray, names: Sequence[str]) -> None:
    for at, by in aimed:
        face = dice[at] % FACES + 1
        if not 1 <= face + by <= FACES:
            raise IllegalMove("past_end", target=names[at], face=face)


def in_row(game: State, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Spaces of the row where all stand now."""
    board = game.rules.board
    for space in aimed:
        if board.spaces[space].row != game.step:
            raise IllegalMove("not_in_row", space=board.spaces[space].key)


def new_bulls(game: State, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Ten bulls at most (Ruling E-1), in the row of the others (Ruling E-6)."""
    in_row(game, seat, card, aimed)
    if len(game.bulls) + len(aimed) > MOST_BULLS:
        raise IllegalMove("ten_bulls")


def bulls(game: State, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """So many bulls are in town."""
    for at in aimed:
        if at >= len(game.bulls):
            raise IllegalMove("no_bull", bull=BULL_NAMES[at])


def turned_bulls(game: State, seat: int, card: Card, aimed: Sequence[Pair]) -> None:
    """They are there, and none is turned past 6 or 1 but by a card that goes round (E-6)."""
    bulls(game, seat, card, [at for at, _ in aimed])
    if not card.goes_round:
        _check_ends(aimed, game.bulls, BULL_NAMES)


def led_bulls(game: State, seat: int, card: Card, aimed: Sequence[Pair]) -> None:
    """They are led to a neighbour in their row (Ruling E-2)."""
    bulls(game, seat, card, [at for at, _ in aimed])
    board = game.rules.board
    for at, space in aimed:
        if space not in board.neighbours(game.bulls[at] // FACES):
            raise IllegalMove("not_neighbour", space=board.spaces[space].key, bull=BULL_NAMES[at])


def signs(game: State, seat: int, card: Card, aimed: Sequence[Signing]) -> None:
    """Token by token, as though the one before lay already (Ruling E-5)."""
    tokens = game.tokens.copy()
    for sign, moved in aimed:
        _check_token(game, tokens, seat, sign, moved)
        if moved:
            del tokens[moved]
        tokens[sign] = seat


def _check_token(
    game: State, tokens: dict[Sign, int], seat: int, sign: Sign, moved: Sign | None
) -> None:
    """Never onto one's own; one is moved when none is left, and only then (Ruling E-5)."""
    write = game.rules.board.write_sign
    if tokens.get(sign) == seat:
        raise IllegalMove("own_sign", sign=write(sign))
    left = TOKENS - list(tokens.values()).count(seat)
    if moved is None and not left:
        raise IllegalMove("no_token_left")
    if moved is not None and left:
        raise IllegalMove("token_left")
    if moved is not None and tokens.get(moved) != seat:
        raise IllegalMove("not_your_token", sign=write(moved))


def tokens(game: State, seat: int, card: Card, aimed: Sequence[Sign]) -> None:
    """A token lies on each (Ruling E-5)."""
    for sign in aimed:
        if sign not in game.tokens:
            raise IllegalMove("no_token", sign=game.rules.board.write_sign(sign))
