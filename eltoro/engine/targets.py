"""Targets of action cards: parsing, notation, and checks against the town (Ruling E-4).

The `read_…` functions parse targets, and raise `IllegalMove` if the card can never have them. The
`write_…` functions return targets in notation. The other functions check whether the town allows
them now.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from eltoro.engine.board import Board, Sign
from eltoro.engine.cards import UNCOUNTED, Card, RunnerOwner
from eltoro.engine.dice import (
    BULL_INDEX,
    BULL_NAMES,
    BULL_TURNS,
    FACES,
    MAX_BULLS,
    OUTSIDE,
    SIGN_OF,
    TOKENS,
)
from eltoro.engine.errors import IllegalMove
from eltoro.engine.lookup import Roster
from eltoro.engine.state import GameState

RUNNER: Final = re.compile(r"[a-f][1-9][0-9]?", re.ASCII)
# Placeholder for the targets of a card that needs no targets. An empty tuple means that no targets
# were chosen, so the card has no effect. With this placeholder, the card takes effect.
EVERYTHING: Final = (0,)
Pair: TypeAlias = tuple[int, int]


def read_nothing(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[int, ...]:
    """Return `EVERYTHING` for a card that has no targets.

    Raises `IllegalMove` if targets are given.
    """
    if targets:
        raise IllegalMove("no_targets", card=card.key)
    return EVERYTHING


def write_nothing(roster: Roster, aimed: object) -> Sequence[str]:
    """Return the notation of a card without targets, which is empty."""
    return ()


def read_runners(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[int, ...]:
    """Parse runners such as `a1 c3`, and return their indexes."""
    runners = tuple(roster.index.get(name, -1) for name in targets)
    _check_runners(roster, seat, card, targets, runners)
    return runners


def write_runners(roster: Roster, aimed: Sequence[int]) -> Sequence[str]:
    """Return runners in notation, such as `a1 c3`."""
    return [roster.names[at] for at in aimed]


def read_turns(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[Pair, ...]:
    """Parse runners with a turn such as `a1+ c3-`, and return pairs of index and turn (1 or -1)."""
    turns = tuple(roster.turns.get(target, (-1, 0)) for target in targets)
    _check_runners(roster, seat, card, targets, [at for at, _ in turns])
    return turns


def write_turns(roster: Roster, aimed: Sequence[Pair]) -> Sequence[str]:
    """Return runners with their turns in notation, such as `a1+ c3-`."""
    return [roster.names[at] + SIGN_OF[by] for at, by in aimed]


def read_sets(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[Pair, ...]:
    """Parse runners with a face such as `a1=5`, and return pairs of index and face."""
    faces = tuple(roster.sets.get(target, (-1, 0)) for target in targets)
    _check_runners(roster, seat, card, targets, [at for at, _ in faces])
    return faces


def write_sets(roster: Roster, aimed: Sequence[Pair]) -> Sequence[str]:
    """Return runners with their faces in notation, such as `a1=5`."""
    return [f"{roster.names[at]}={face}" for at, face in aimed]


def read_pairs(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[Pair, ...]:
    """Parse pairs such as `a1~c4`: a runner of the player, and a runner of another player."""
    check_amount(card, targets)
    pairs = tuple(_pair(roster, card, target) for target in targets)
    for pair in pairs:
        for whose, at in zip((RunnerOwner.OWN, RunnerOwner.OTHER), pair, strict=True):
            _check_owner(roster, seat, whose, at)
    check_once([at for pair in pairs for at in pair], roster.names)
    return pairs


def _pair(roster: Roster, card: Card, target: str) -> Pair:
    own, _, other = target.partition("~")
    for name in (own, other):
        if name not in roster.index:
            raise _no_runner(roster, card, name, target)
    return roster.index[own], roster.index[other]


def write_pairs(roster: Roster, aimed: Sequence[Pair]) -> Sequence[str]:
    """Return pairs of runners in notation, such as `a1~c4`."""
    return [f"{roster.names[own]}~{roster.names[other]}" for own, other in aimed]


def _check_runners(
    roster: Roster, seat: int, card: Card, targets: Sequence[str], runners: Sequence[int]
) -> None:
    """Raise `IllegalMove` if there are too many runners, if a runner is unknown or named twice, or
    if it belongs to a player whom the card may not target.
    """
    check_amount(card, targets)
    for target, at in zip(targets, runners, strict=True):
        if at < 0:
            raise _no_runner(roster, card, target.rstrip("+-").partition("=")[0], target)
        _check_owner(roster, seat, card.whose, at)
    check_once(runners, roster.names)


def _check_owner(roster: Roster, seat: int, whose: RunnerOwner | None, at: int) -> None:
    own = roster.seats[at] == seat
    if whose is RunnerOwner.OWN and not own:
        raise IllegalMove("not_own", runner=roster.names[at])
    if whose is RunnerOwner.OTHER and own:
        raise IllegalMove("not_other", runner=roster.names[at])


def check_amount(card: Card, targets: Sequence[str]) -> None:
    """Raise `IllegalMove` for more targets than the card allows (Ruling E-4)."""
    if len(targets) > card.amount:
        raise IllegalMove("too_many", card=card.key, most=card.amount)


def check_once(pieces: Sequence[int], names: Sequence[str]) -> None:
    """Raise `IllegalMove` for duplicate targets (Ruling E-4).

    `names`: the names of all possible pieces, by index.
    """
    for place, at in enumerate(pieces):
        if at in pieces[:place]:
            raise IllegalMove("twice", target=names[at])


def _no_runner(roster: Roster, card: Card, name: str, target: str) -> IllegalMove:
    """Return the error for an unknown runner.

    The message depends on whether it is missing today (Ruling E-1) or is no valid name.
    """
    if RUNNER.fullmatch(name) and name not in roster.index:
        return IllegalMove("no_runner", runner=name)
    return IllegalMove("bad_target", card=card.key, target=target)


# A path sign on which a token is placed, and the sign from which the token is taken, if any.
Signing: TypeAlias = tuple[Sign, Sign | None]


def read_spaces(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[int, ...]:
    """Parse spaces such as `@molino`.

    A card that affects all dice on a space allows only one space.
    """
    if card.effect not in UNCOUNTED:
        check_amount(card, targets)
    elif len(targets) > 1:
        raise IllegalMove("too_many", card=card.key, most=1)
    return tuple(_space_of_target(roster, card, target) for target in targets)


def _space_of_target(roster: Roster, card: Card, target: str) -> int:
    if not target.startswith("@"):
        raise IllegalMove("bad_target", card=card.key, target=target)
    return _space(roster, target[1:])


def _space(roster: Roster, key: str) -> int:
    space = roster.tables.rules.board.by_key.get(key)
    if space is None:
        raise IllegalMove("no_space", space=key)
    return space


def write_spaces(roster: Roster, aimed: Sequence[int]) -> Sequence[str]:
    """Return spaces in notation, such as `@molino`."""
    return [f"@{roster.tables.rules.board.spaces[space].key}" for space in aimed]


def read_bulls(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[int, ...]:
    """Parse bulls such as `T1 T3`, and return their numbers from 0."""
    bulls = tuple(_bull(card, name, name) for name in targets)
    _check_bulls(card, targets, bulls)
    return bulls


def write_bulls(roster: Roster, aimed: Sequence[int]) -> Sequence[str]:
    """Return bulls in notation, such as `T1 T3`."""
    return [BULL_NAMES[at] for at in aimed]


def read_bull_turns(
    roster: Roster, seat: int, card: Card, targets: Sequence[str]
) -> tuple[Pair, ...]:
    """Parse bulls with a turn such as `T1+ T3-`, and return pairs of number and turn (1 or -1)."""
    for target in targets:
        if target not in BULL_TURNS:
            raise IllegalMove("bad_target", card=card.key, target=target)
    turns = tuple(BULL_TURNS[target] for target in targets)
    _check_bulls(card, targets, [at for at, _ in turns])
    return turns


def write_bull_turns(roster: Roster, aimed: Sequence[Pair]) -> Sequence[str]:
    """Return bulls with their turns in notation, such as `T1+ T3-`."""
    return [BULL_NAMES[at] + SIGN_OF[by] for at, by in aimed]


def read_led(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[Pair, ...]:
    """Parse bulls such as `T1>iglesia`, each with the space to which it is moved."""
    moves = []
    for target in targets:
        name, _, key = target.partition(">")
        moves.append((_bull(card, name, target), _space(roster, key)))
    _check_bulls(card, targets, [at for at, _ in moves])
    return tuple(moves)


def write_led(roster: Roster, aimed: Sequence[Pair]) -> Sequence[str]:
    """Return bulls with their new spaces in notation, such as `T1>iglesia`."""
    spaces = roster.tables.rules.board.spaces
    return [f"{BULL_NAMES[at]}>{spaces[space].key}" for at, space in aimed]


def _bull(card: Card, name: str, target: str) -> int:
    """Return the number of a bull from 0.

    Raises `IllegalMove` unless it is one of the ten bulls (E-1).
    """
    at = BULL_INDEX.get(name)
    if at is None:
        raise IllegalMove("bad_target", card=card.key, target=target)
    return at


def _check_bulls(card: Card, targets: Sequence[str], bulls: Sequence[int]) -> None:
    check_amount(card, targets)
    check_once(bulls, BULL_NAMES)


def read_signs(
    roster: Roster, seat: int, card: Card, targets: Sequence[str]
) -> tuple[Signing, ...]:
    """Parse path signs on which tokens are placed (Ruling E-5).

    If the player must move a token, the sign on which it is comes first: `mercado/even>fuente/odd`.
    """
    check_amount(card, targets)
    board, signings = roster.tables.rules.board, []
    for target in targets:
        moved, _, sign = target.rpartition(">")
        signings.append((_sign(board, sign), _sign(board, moved) if moved else None))
    return tuple(signings)


def write_signs(roster: Roster, aimed: Sequence[Signing]) -> Sequence[str]:
    """Return placements of tokens in notation, such as `fuente/odd`."""
    write = roster.tables.rules.board.write_sign
    return [f"{write(moved)}>{write(sign)}" if moved else write(sign) for sign, moved in aimed]


def _sign(board: Board, name: str) -> Sign:
    sign = board.by_sign.get(name)
    if sign is None:
        raise IllegalMove("no_sign", sign=name)
    return sign


def read_tokens(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[Sign, ...]:
    """Parse path signs from which tokens are removed (Ruling E-5).

    Raises `IllegalMove` for duplicates.
    """
    check_amount(card, targets)
    for place, target in enumerate(targets):
        if target in targets[:place]:
            raise IllegalMove("twice", target=target)
    return tuple(_sign(roster.tables.rules.board, target) for target in targets)


def write_tokens(roster: Roster, aimed: Sequence[Sign]) -> Sequence[str]:
    """Return path signs in notation, such as `fuente/odd`."""
    return [roster.tables.rules.board.write_sign(sign) for sign in aimed]


def runners(game: GameState, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Raise `IllegalMove` if a runner is trampled (Ruling E-6)."""
    dice = game.dice
    for at in aimed:
        if dice[at] >= OUTSIDE:
            raise IllegalMove("trampled", runner=game.roster.names[at])


def check_placed_runners(game: GameState, seat: int, card: Card, aimed: Sequence[Pair]) -> None:
    """Raise `IllegalMove` if a runner that gets a face is trampled (Ruling E-6)."""
    runners(game, seat, card, [at for at, _ in aimed])


def pairs(game: GameState, seat: int, card: Card, aimed: Sequence[Pair]) -> None:
    """Raise `IllegalMove` if a runner in a swap is trampled (Ruling E-6)."""
    runners(game, seat, card, [at for pair in aimed for at in pair])


def check_turned_runners(game: GameState, seat: int, card: Card, aimed: Sequence[Pair]) -> None:
    """Raise `IllegalMove` for runners that cannot be turned this way (Ruling E-6).

    A trampled runner cannot be turned. Turning from 6 up or from 1 down requires a card that allows
    it.
    """
    runners(game, seat, card, [at for at, _ in aimed])
    if not card.goes_round:
        _check_ends(aimed, game.dice, game.roster.names)


def _check_ends(aimed: Sequence[Pair], dice: bytearray, names: Sequence[str]) -> None:
    for at, by in aimed:
        face = dice[at] % FACES + 1
        if not 1 <= face + by <= FACES:
            raise IllegalMove("past_end", target=names[at], face=face)


def in_row(game: GameState, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Raise `IllegalMove` if a space is not in the current row."""
    board = game.rules.board
    for space in aimed:
        if board.spaces[space].row != game.step:
            raise IllegalMove("not_in_row", space=board.spaces[space].key)


def new_bulls(game: GameState, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Raise `IllegalMove` if there would be more than ten bulls (E-1), or bulls in another row
    (E-6).
    """
    in_row(game, seat, card, aimed)
    if len(game.bulls) + len(aimed) > MAX_BULLS:
        raise IllegalMove("ten_bulls")


def bulls(game: GameState, seat: int, card: Card, aimed: Sequence[int]) -> None:
    """Raise `IllegalMove` if a bull is not in town."""
    for at in aimed:
        if at >= len(game.bulls):
            raise IllegalMove("no_bull", bull=BULL_NAMES[at])


def turned_bulls(game: GameState, seat: int, card: Card, aimed: Sequence[Pair]) -> None:
    """Raise `IllegalMove` for bulls that are not in town or cannot be turned this way (E-6).

    Turning from 6 up or from 1 down requires a card that allows it.
    """
    bulls(game, seat, card, [at for at, _ in aimed])
    if not card.goes_round:
        _check_ends(aimed, game.bulls, BULL_NAMES)


def led_bulls(game: GameState, seat: int, card: Card, aimed: Sequence[Pair]) -> None:
    """Raise `IllegalMove` unless each bull is moved to a neighbouring space in its row (Ruling
    E-2).
    """
    bulls(game, seat, card, [at for at, _ in aimed])
    board = game.rules.board
    for at, space in aimed:
        if space not in board.neighbours(game.bulls[at] // FACES):
            raise IllegalMove("not_neighbour", space=board.spaces[space].key, bull=BULL_NAMES[at])


def signs(game: GameState, seat: int, card: Card, aimed: Sequence[Signing]) -> None:
    """Raise `IllegalMove` for an impossible placement of tokens (Ruling E-5).

    Each token is checked as if the tokens before it were already placed.
    """
    tokens = game.tokens.copy()
    for sign, moved in aimed:
        _check_token(game, tokens, seat, sign, moved)
        if moved:
            del tokens[moved]
        tokens[sign] = seat


def _check_token(
    game: GameState, tokens: dict[Sign, int], seat: int, sign: Sign, moved: Sign | None
) -> None:
    """Check one placement of a token (Ruling E-5).

    Raises `IllegalMove` if the player's token is already on the sign. Players move a token if and
    only if they have no token left.
    """
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


def tokens(game: GameState, seat: int, card: Card, aimed: Sequence[Sign]) -> None:
    """Raise `IllegalMove` if there is no token on a path sign (Ruling E-5)."""
    for sign in aimed:
        if sign not in game.tokens:
            raise IllegalMove("no_token", sign=game.rules.board.write_sign(sign))
