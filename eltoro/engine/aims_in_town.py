"""Spaces, bulls and signs a card is aimed at: from notation and back (Ruling E-4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TypeAlias

from eltoro.engine.aims import Pair, check_amount, check_once
from eltoro.engine.board import Board, Sign
from eltoro.engine.cards import UNCOUNTED, Card
from eltoro.engine.dice import BULL_INDEX, BULL_NAMES, BULL_TURNS, SIGN_OF
from eltoro.engine.errors import IllegalMove
from eltoro.engine.tables import Roster

Signing: TypeAlias = tuple[Sign, Sign | None]
"""A sign for a token, and the sign it is moved from."""


def read_spaces(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[int, ...]:
    """Spaces: `@molino`; one, where all who stand there are meant."""
    if card.effect not in UNCOUNTED:
        check_amount(card, targets)
    elif len(targets) > 1:
        raise IllegalMove("too_many", card=card.key, most=1)
    return tuple(_at(roster, card, target) for target in targets)


def _at(roster: Roster, card: Card, target: str) -> int:
    if not target.startswith("@"):
        raise IllegalMove("bad_target", card=card.key, target=target)
    return _space(roster, target[1:])


def _space(roster: Roster, key: str) -> int:
    space = roster.tables.rules.board.by_key.get(key)
    if space is None:
        raise IllegalMove("no_space", space=key)
    return space


def write_spaces(roster: Roster, aimed: Sequence[int]) -> Sequence[str]:
    """The same in notation."""
    return [f"@{roster.tables.rules.board.spaces[space].key}" for space in aimed]


def read_bulls(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[int, ...]:
    """Bulls, by number from 0: `T1 T3`."""
    found = tuple(_bull(card, name, name) for name in targets)
    _check_bulls(card, targets, found)
    return found


def write_bulls(roster: Roster, aimed: Sequence[int]) -> Sequence[str]:
    """The same in notation."""
    return [BULL_NAMES[at] for at in aimed]


def read_bull_turns(
    roster: Roster, seat: int, card: Card, targets: Sequence[str]
) -> tuple[Pair, ...]:
    """Bulls with a turn of 1 or -1: `T1+ T3-`."""
    for target in targets:
        if target not in BULL_TURNS:
            raise IllegalMove("bad_target", card=card.key, target=target)
    found = tuple(BULL_TURNS[target] for target in targets)
    _check_bulls(card, targets, [at for at, _ in found])
    return found


def write_bull_turns(roster: Roster, aimed: Sequence[Pair]) -> Sequence[str]:
    """The same in notation."""
    return [BULL_NAMES[at] + SIGN_OF[by] for at, by in aimed]


def read_led(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[Pair, ...]:
    """Bulls, each with the space it is led to: `T1>iglesia`."""
    found = []
    for target in targets:
        name, _, key = target.partition(">")
        found.append((_bull(card, name, target), _space(roster, key)))
    _check_bulls(card, targets, [at for at, _ in found])
    return tuple(found)


def write_led(roster: Roster, aimed: Sequence[Pair]) -> Sequence[str]:
    """The same in notation."""
    spaces = roster.tables.rules.board.spaces
    return [f"{BULL_NAMES[at]}>{spaces[space].key}" for at, space in aimed]


def _bull(card: Card, name: str, target: str) -> int:
    """The number of a bull; there are ten (Ruling E-1)."""
    at = BULL_INDEX.get(name)
    if at is None:
        raise IllegalMove("bad_target", card=card.key, target=target)
    return at


def _check_bulls(card: Card, targets: Sequence[str], found: Sequence[int]) -> None:
    check_amount(card, targets)
    check_once(found, BULL_NAMES)


def read_signs(
    roster: Roster, seat: int, card: Card, targets: Sequence[str]
) -> tuple[Signing, ...]:
    """Signs for tokens, or two signs each where an own token is moved (Ruling E-5)."""
    check_amount(card, targets)
    board, found = roster.tables.rules.board, []
    for target in targets:
        moved, _, sign = target.rpartition(">")
        found.append((_sign(board, sign), _sign(board, moved) if moved else None))
    return tuple(found)


def write_signs(roster: Roster, aimed: Sequence[Signing]) -> Sequence[str]:
    """The same in notation."""
    write = roster.tables.rules.board.write_sign
    return [f"{write(moved)}>{write(sign)}" if moved else write(sign) for sign, moved in aimed]


def _sign(board: Board, name: str) -> Sign:
    sign = board.by_sign.get(name)
    if sign is None:
        raise IllegalMove("no_sign", sign=name)
    return sign


def read_tokens(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[Sign, ...]:
    """Signs to be cleared, each once (Ruling E-5)."""
    check_amount(card, targets)
    for place, target in enumerate(targets):
        if target in targets[:place]:
            raise IllegalMove("twice", target=target)
    return tuple(_sign(roster.tables.rules.board, target) for target in targets)


def write_tokens(roster: Roster, aimed: Sequence[Sign]) -> Sequence[str]:
    """The same in notation."""
    return [roster.tables.rules.board.write_sign(sign) for sign in aimed]
