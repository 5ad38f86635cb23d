"""Spaces, bulls and signs that a card is aimed at, checked before anything is done (E-4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from eltoro.engine.aims import check_amount, check_ends, check_once
from eltoro.engine.board import Sign
from eltoro.engine.cards import Card
from eltoro.engine.dice import BULL_INDEX, BULL_TURNS, FACES, MOST_BULLS, TOKENS
from eltoro.engine.errors import IllegalMove

if TYPE_CHECKING:
    from eltoro.engine.game import Game


def at_space(game: Game, seat: int, card: Card, targets: Sequence[str]) -> list[int]:
    """One space of the row where all stand: `@molino`."""
    if len(targets) > 1:
        raise IllegalMove("too_many", card=card.key, most=1)
    return [_space_here(game, card, target) for target in targets]


def _space_here(game: Game, card: Card, target: str) -> int:
    if not target.startswith("@"):
        raise IllegalMove("bad_target", card=card.key, target=target)
    space = _space(game, target[1:])
    if space not in game.rules.board.rows[game.step]:
        raise IllegalMove("not_in_row", space=target[1:])
    return space


def _space(game: Game, key: str) -> int:
    space = game.rules.board.by_key.get(key)
    if space is None:
        raise IllegalMove("no_space", space=key)
    return space


def at_new_bulls(game: Game, seat: int, card: Card, targets: Sequence[str]) -> list[int]:
    """Spaces of the bulls' row for bulls to be added, while there are ten at most (E-1)."""
    check_amount(card, targets)
    if len(game.bulls) + len(targets) > MOST_BULLS:
        raise IllegalMove("ten_bulls")
    return [_space_here(game, card, target) for target in targets]


def at_bulls(game: Game, seat: int, card: Card, targets: Sequence[str]) -> list[int]:
    """Bulls, by number from 0: `T1 T3`."""
    found = [_bull(game, card, name, name) for name in targets]
    _check_bulls(card, targets, found)
    return found


def at_turned_bulls(
    game: Game, seat: int, card: Card, targets: Sequence[str]
) -> list[tuple[int, int]]:
    """Bulls with a turn of 1 or -1: `T1+ T3-`."""
    found = []
    for target in targets:
        if target not in BULL_TURNS:
            raise IllegalMove("bad_target", card=card.key, target=target)
        bull = _bull(game, card, target[:-1], target)
        found.append((bull, BULL_TURNS[target][1]))
    _check_bulls(card, targets, [at for at, _ in found])
    if not card.goes_round:
        check_ends(found, game.bulls, targets)
    return found


def at_led_bulls(
    game: Game, seat: int, card: Card, targets: Sequence[str]
) -> list[tuple[int, int]]:
    """Bulls, each with a neighbour in its row: `T1>iglesia`."""
    found = []
    for target in targets:
        name, _, key = target.partition(">")
        at, space = _bull(game, card, name, target), _space(game, key)
        if space not in game.rules.board.neighbours(game.bulls[at] // FACES):
            raise IllegalMove("not_neighbour", space=key, bull=name)
        found.append((at, space))
    _check_bulls(card, targets, [at for at, _ in found])
    return found


def _bull(game: Game, card: Card, name: str, target: str) -> int:
    """The number of a bull that is in town."""
    at = BULL_INDEX.get(name)
    if at is None:
        raise IllegalMove("bad_target", card=card.key, target=target)
    if at >= len(game.bulls):
        raise IllegalMove("no_bull", bull=name)
    return at


def _check_bulls(card: Card, targets: Sequence[str], found: Sequence[int]) -> None:
    check_amount(card, targets)
    if len(found) > 1:
        check_once(found, tuple(BULL_INDEX))


def at_signs(
    game: Game, seat: int, card: Card, targets: Sequence[str]
) -> list[tuple[Sign, Sign | None]]:
    """Signs for tokens, or two signs each where an own token is moved (Ruling E-5)."""
    check_amount(card, targets)
    tokens, found = dict(game.tokens), []
    for target in targets:
        before, _, after = target.rpartition(">")
        sign, moved = _sign(game, after), _sign(game, before) if before else None
        _check_token(game, tokens, seat, sign, moved)
        if moved:
            del tokens[moved]
        tokens[sign] = seat
        found.append((sign, moved))
    return found


def _check_token(
    game: Game, tokens: dict[Sign, int], seat: int, sign: Sign, moved: Sign | None
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


def _sign(game: Game, name: str) -> Sign:
    sign = game.rules.board.by_sign.get(name)
    if sign is None:
        raise IllegalMove("no_sign", sign=name)
    return sign


def at_tokens(game: Game, seat: int, card: Card, targets: Sequence[str]) -> list[Sign]:
    """Signs with a token of anybody, each once (Ruling E-5)."""
    check_amount(card, targets)
    found = [_sign(game, target) for target in targets]
    for place, sign in enumerate(found):
        if sign not in game.tokens:
            raise IllegalMove("no_token", sign=targets[place])
        if sign in found[:place]:
            raise IllegalMove("twice", target=targets[place])
    return found
