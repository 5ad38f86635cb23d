"""Runners a card is aimed at: from notation and back, whatever lies in town (Ruling E-4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from typing import Final, TypeAlias

from eltoro.engine.cards import Card, Whose
from eltoro.engine.dice import SIGN_OF
from eltoro.engine.errors import IllegalMove
from eltoro.engine.tables import Roster

RUNNER: Final = re.compile(r"[a-f][1-9][0-9]?", re.ASCII)
EVERYTHING: Final = (0,)
"""What a card is aimed at that is aimed at nothing, and so always does what it can."""
Pair: TypeAlias = tuple[int, int]


def read_nothing(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[int, ...]:
    """Cards that are aimed at nothing."""
    if targets:
        raise IllegalMove("no_targets", card=card.key)
    return EVERYTHING


def write_nothing(roster: Roster, aimed: object) -> Sequence[str]:
    """No target."""
    return ()


def read_runners(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[int, ...]:
    """Runners, by index: `a1 c3`."""
    found = tuple(roster.index.get(name, -1) for name in targets)
    _check(roster, seat, card, targets, found)
    return found


def write_runners(roster: Roster, aimed: Sequence[int]) -> Sequence[str]:
    """The same in notation."""
    return [roster.names[at] for at in aimed]


def read_turns(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[Pair, ...]:
    """Runners with a turn of 1 or -1: `a1+ c3-`."""
    found = tuple(roster.turns.get(target, (-1, 0)) for target in targets)
    _check(roster, seat, card, targets, [at for at, _ in found])
    return found


def write_turns(roster: Roster, aimed: Sequence[Pair]) -> Sequence[str]:
    """The same in notation."""
    return [roster.names[at] + SIGN_OF[by] for at, by in aimed]


def read_sets(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[Pair, ...]:
    """Runners with a face: `a1=5`."""
    found = tuple(roster.sets.get(target, (-1, 0)) for target in targets)
    _check(roster, seat, card, targets, [at for at, _ in found])
    return found


def write_sets(roster: Roster, aimed: Sequence[Pair]) -> Sequence[str]:
    """The same in notation."""
    return [f"{roster.names[at]}={face}" for at, face in aimed]


def read_pairs(roster: Roster, seat: int, card: Card, targets: Sequence[str]) -> tuple[Pair, ...]:
    """One own runner and one of another, each: `a1~c4`."""
    check_amount(card, targets)
    found = tuple(_pair(roster, card, target) for target in targets)
    for pair in found:
        for whose, at in zip((Whose.OWN, Whose.OTHER), pair, strict=True):
            _check_owner(roster, seat, whose, at)
    check_once([at for pair in found for at in pair], roster.names)
    return found


def _pair(roster: Roster, card: Card, target: str) -> Pair:
    own, _, other = target.partition("~")
    for name in (own, other):
        if name not in roster.index:
            raise _no_runner(roster, card, name, target)
    return roster.index[own], roster.index[other]


def write_pairs(roster: Roster, aimed: Sequence[Pair]) -> Sequence[str]:
    """The same in notation."""
    return [f"{roster.names[own]}~{roster.names[other]}" for own, other in aimed]


def _check(
    roster: Roster, seat: int, card: Card, targets: Sequence[str], found: Sequence[int]
) -> None:
    """Not too many, all runners of today, of the right owner, each once."""
    check_amount(card, targets)
    for target, at in zip(targets, found, strict=True):
        if at < 0:
            raise _no_runner(roster, card, target.rstrip("+-").partition("=")[0], target)
        _check_owner(roster, seat, card.whose, at)
    check_once(found, roster.names)


def _check_owner(roster: Roster, seat: int, whose: Whose | None, at: int) -> None:
    own = roster.seats[at] == seat
    if whose is Whose.OWN and not own:
        raise IllegalMove("not_own", runner=roster.names[at])
    if whose is Whose.OTHER and own:
        raise IllegalMove("not_other", runner=roster.names[at])


def check_amount(card: Card, targets: Sequence[str]) -> None:
    """Refuse more targets than the card reaches (Ruling E-4)."""
    if len(targets) > card.amount:
        raise IllegalMove("too_many", card=card.key, most=card.amount)


def check_once(found: Sequence[int], names: Sequence[str]) -> None:
    """Refuse what is named twice; `names` by index (Ruling E-4)."""
    for place, at in enumerate(found):
        if at in found[:place]:
            raise IllegalMove("twice", target=names[at])


def _no_runner(roster: Roster, card: Card, name: str, target: str) -> IllegalMove:
    """Why this names no runner: no such one today (Ruling E-1), or none at all."""
    if RUNNER.fullmatch(name) and name not in roster.index:
        return IllegalMove("no_runner", runner=name)
    return IllegalMove("bad_target", card=card.key, target=target)
