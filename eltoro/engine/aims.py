"""Runners that a card is aimed at: targets in notation, checked before anything is done (E-4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import TYPE_CHECKING, Final, TypeAlias

from eltoro.engine.cards import Card, Whose
from eltoro.engine.dice import FACES, OUTSIDE, TRAMPLED
from eltoro.engine.errors import IllegalMove

if TYPE_CHECKING:
    from eltoro.engine.game import Game

Aimed: TypeAlias = Sequence[tuple[int, int]]
RUNNER: Final = re.compile(r"[a-f][1-9][0-9]?", re.ASCII)


def at_nothing(game: Game, seat: int, card: Card, targets: Sequence[str]) -> Sequence[int]:
    """Cards that are aimed at nothing always do what they can."""
    if targets:
        raise IllegalMove("no_targets", card=card.key)
    return (seat,)


def at_runners(game: Game, seat: int, card: Card, targets: Sequence[str]) -> list[int]:
    """Runners, by index: `a1 c3`."""
    index = game.roster.index
    found = [index.get(name, -1) for name in targets]
    _check_runners(game, seat, card, targets, found)
    return found


def at_turned(game: Game, seat: int, card: Card, targets: Sequence[str]) -> list[tuple[int, int]]:
    """Runners with a turn of 1 or -1: `a1+ c3-`; past 6 and 1 only where the card goes round."""
    nowhere = (-1, 0)
    found = [game.roster.turns.get(target, nowhere) for target in targets]
    _check_runners(game, seat, card, targets, [at for at, _ in found])
    if not card.goes_round:
        check_ends(found, game.dice, targets)
    return found


def at_set(game: Game, seat: int, card: Card, targets: Sequence[str]) -> list[tuple[int, int]]:
    """Runners with a face: `a1=5`."""
    nowhere = (-1, 0)
    found = [game.roster.sets.get(target, nowhere) for target in targets]
    _check_runners(game, seat, card, targets, [at for at, _ in found])
    return found


def at_pairs(game: Game, seat: int, card: Card, targets: Sequence[str]) -> list[tuple[int, int]]:
    """One own runner and one of another, each: `a1~c4`."""
    index, found = game.roster.index, []
    begin, end = game.roster.begins[seat : seat + 2]
    check_amount(card, targets)
    for target in targets:
        own, sign, other = target.partition("~")
        pair = (index.get(own, -1), index.get(other, -1))
        if not sign:
            raise IllegalMove("bad_target", card=card.key, target=target)
        for name, at in zip((own, other), pair, strict=True):
            _check_there(game, card, name, at)
        if not begin <= pair[0] < end:
            raise IllegalMove("not_own", runner=own)
        if begin <= pair[1] < end:
            raise IllegalMove("not_other", runner=other)
        found.append(pair)
    check_once([at for pair in found for at in pair], game.roster.names)
    return found


def _check_runners(
    game: Game, seat: int, card: Card, targets: Sequence[str], found: Sequence[int]
) -> None:
    """Not too many, all there, of the right owner, each once."""
    dice = game.dice
    begin, end = game.roster.begins[seat : seat + 2]
    whose = card.whose
    for target, at in zip(targets, found, strict=True):
        if at < 0 or dice[at] >= OUTSIDE:
            _check_there(game, card, target.rstrip("+-").partition("=")[0], at, target)
        if whose is Whose.OWN and not begin <= at < end:
            raise IllegalMove("not_own", runner=game.roster.names[at])
        if whose is Whose.OTHER and begin <= at < end:
            raise IllegalMove("not_other", runner=game.roster.names[at])
    if len(found) > 1:
        check_amount(card, targets)
        check_once(found, game.roster.names)


def check_amount(card: Card, targets: Sequence[str]) -> None:
    """Refuse more targets than the card reaches (Ruling E-4)."""
    if len(targets) > card.amount:
        raise IllegalMove("too_many", card=card.key, most=card.amount)


def check_once(found: Sequence[int], names: Sequence[str]) -> None:
    """Refuse what is named twice; `names` by index (Ruling E-4)."""
    for place, at in enumerate(found):
        if at in found[:place]:
            raise IllegalMove("twice", target=names[at])


def _check_there(game: Game, card: Card, name: str, at: int, target: str = "") -> None:
    """Refuse a runner that is none, or stands nowhere (Rulings E-1 and E-6)."""
    if not RUNNER.fullmatch(name) or (at < 0 and name in game.roster.index):
        raise IllegalMove("bad_target", card=card.key, target=target or name)
    if at < 0:
        raise IllegalMove("no_runner", runner=name)
    if game.dice[at] == TRAMPLED:
        raise IllegalMove("trampled", runner=name)


def check_ends(found: Aimed, dice: bytearray, targets: Sequence[str]) -> None:
    """No die is turned past 6 or 1 (Ruling E-6)."""
    for (at, by), target in zip(found, targets, strict=True):
        face = dice[at] % FACES + 1
        if not 1 <= face + by <= FACES:
            raise IllegalMove("past_end", target=target[:-1], face=face)
