"""Targets for which action cards may be played, one check for each effect.

Nothing is changed here.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from tests.eltoro.oracle.papers import Line, amount, neighbours, signs
from tests.eltoro.oracle.town import (
    MOST_BULLS,
    RefusedMoveError,
    Town,
    owner,
    tokens_left,
)

Check = Callable[[Town, Line, int, str], None]

AIMLESS = ("roll-all", "draw", "points", "brave")
ONE_SPACE = ("roll-space", "bull-roll-space")


def most_targets(card: Line) -> int:
    """Return how many targets a card may have at most. Fewer, even none, are always allowed."""
    if card["effect"] in AIMLESS:
        return 0
    return 1 if card["effect"] in ONE_SPACE else amount(card)


def check_targets(town: Town, card: Line, seat: int, targets: list[str]) -> None:
    """Raise `RefusedMoveError` if this player's card may not have these targets."""
    if len(targets) > most_targets(card):
        raise RefusedMoveError("E-10", "too many targets")
    if card["effect"] == "sign":
        place_tokens(town, dict(town.tokens), seat, targets)
        return
    aimed_at = [thing for target in targets for thing in things_in(target)]
    if len(set(aimed_at)) < len(aimed_at):
        raise RefusedMoveError("E-10", "the same target twice")
    for target in targets:
        CHECKS[card["effect"]](town, card, seat, target)


def things_in(target: str) -> list[str]:
    """Return the runners, bulls, spaces or signs of a target, without what happens to them."""
    return re.split("~", re.split("[+=>-]", target)[0]) if target[:1] != "@" else [target]


def is_for(card: Line, seat: int, runner: str) -> bool:
    """Return whether a card of this player applies to this runner, according to its owner."""
    own = owner(runner) == seat
    return {"own": own, "other": not own, "any": True}[card["whose"]]


def check_runner(town: Town, card: Line, seat: int, target: str) -> None:
    """Check that the target is a runner on the board that belongs to the right player."""
    if target not in town.runners or town.runners[target].space is None:
        raise RefusedMoveError("E-6", f"{target} is no runner on the board")
    if not is_for(card, seat, target):
        raise RefusedMoveError("E-10", f"the card is not for {target}")


def check_bull(town: Town, _card: Line, _seat: int, target: str) -> None:
    """Check that the target is a bull on the board."""
    if target not in town.bulls:
        raise RefusedMoveError("E-6", f"{target} is no bull on the board")


def check_turning(face: int, card: Line, sign: str) -> None:
    """Check that a die is not turned above 6 or below 1, unless the card allows it (Ruling E-6)."""
    if sign not in ("+", "-"):
        raise RefusedMoveError("notation", "turned neither up nor down")
    if card["round"] != "yes" and (face, sign) in [(6, "+"), (1, "-")]:
        raise RefusedMoveError("E-6", "past the end")


def check_turned_runner(town: Town, card: Line, seat: int, target: str) -> None:
    """Check a target such as `a1+` or `a1-`: a runner turned up or down."""
    check_runner(town, card, seat, target[:-1])
    check_turning(town.runners[target[:-1]].face, card, target[-1:])


def check_turned_bull(town: Town, card: Line, seat: int, target: str) -> None:
    """Check a target such as `T1+` or `T1-`: a bull turned up or down."""
    check_bull(town, card, seat, target[:-1])
    check_turning(town.bulls[target[:-1]].face, card, target[-1:])


def check_set(town: Town, card: Line, seat: int, target: str) -> None:
    """Check a target such as `a1=5`: a runner turned to any of the six faces."""
    runner, _, face = target.partition("=")
    check_runner(town, card, seat, runner)
    if face not in ("1", "2", "3", "4", "5", "6"):
        raise RefusedMoveError("notation", f"{face} is no face")


def check_swap(town: Town, card: Line, seat: int, target: str) -> None:
    """Check a target such as `a1~c4`: an own runner and one of another player."""
    own, _, other = target.partition("~")
    check_runner(town, {**card, "whose": "own"}, seat, own)
    check_runner(town, {**card, "whose": "other"}, seat, other)


def check_space(town: Town, _card: Line, _seat: int, target: str) -> None:
    """Check a target such as `@molino`: a space in the row of all dice, which may be empty."""
    if target[:1] != "@" or target[1:] not in town.board["spaces"]:
        raise RefusedMoveError("E-2", f"{target} is no space")
    if town.board["row"][target[1:]] != town.step - 1:
        raise RefusedMoveError("E-4", "there is nobody in that row")


def check_more_bulls(town: Town, card: Line, seat: int, target: str) -> None:
    """Check that a new bull enters the row of the others and is at most the tenth (E-1 and E-6)."""
    check_space(town, card, seat, target)
    if len(town.bulls) == MOST_BULLS:
        raise RefusedMoveError("E-1", "there are only ten bulls")


def check_lead(town: Town, card: Line, seat: int, target: str) -> None:
    """Check a target such as `T1>iglesia`: a bull moves to a neighbouring space (Ruling E-2)."""
    bull, _, space = target.partition(">")
    check_bull(town, card, seat, bull)
    if space not in neighbours(town.board, str(town.bulls[bull].space)):
        raise RefusedMoveError("E-2", f"{space} is not beside {bull}")


def check_unsign(town: Town, _card: Line, _seat: int, target: str) -> None:
    """Check that the target is a sign with a token of any player."""
    if target not in town.tokens:
        raise RefusedMoveError("E-5", f"no token on {target}")


def place_tokens(town: Town, tokens: dict[str, int], seat: int, targets: list[str]) -> None:
    """Check tokens one after the other: each is placed on a sign or moved from another sign."""
    left = tokens_left(town, seat)
    for target in targets:
        source, moved, sign = target.rpartition(">")
        if bool(moved) != (left == 0):
            raise RefusedMoveError("E-5", "a token is moved when none is left, and only then")
        if sign not in signs(town.board):
            raise RefusedMoveError("E-5", f"{sign} is no sign")
        if tokens.get(sign) == seat:
            raise RefusedMoveError("E-5", "onto one's own")
        if moved and tokens.get(source) != seat:
            raise RefusedMoveError("E-5", f"no own token on {source}")
        tokens.pop(source, None)
        tokens[sign] = seat
        left -= 0 if moved else 1


CHECKS: dict[str, Check] = {
    "roll": check_runner,
    "roll-space": check_space,
    "turn": check_turned_runner,
    "flip": check_runner,
    "odd": check_runner,
    "even": check_runner,
    "set": check_set,
    "swap": check_swap,
    "bull-roll": check_bull,
    "bull-roll-space": check_space,
    "bull-turn": check_turned_bull,
    "bull-flip": check_bull,
    "bull-lead": check_lead,
    "bull-add": check_more_bulls,
    "unsign": check_unsign,
}
