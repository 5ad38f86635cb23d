"""Effects of the action cards, one function for each. The targets have already been checked."""

from __future__ import annotations

from collections.abc import Callable

from tests.eltoro.oracle.draw_pile import draw_one
from tests.eltoro.oracle.papers import Line, amount
from tests.eltoro.oracle.targets import is_for, place_tokens
from tests.eltoro.oracle.town import (
    Die,
    Town,
    bulls_at,
    runners_at,
    runners_of,
)

Deed = Callable[[Town, Line, int, list[str]], None]

# The opposite face of each face: one higher for odd faces, one lower for even faces.
PAIRS = {1: 2, 2: 1, 3: 4, 4: 3, 5: 6, 6: 5}


def roll_these(town: Town, _card: Line, _seat: int, targets: list[str]) -> None:
    """Roll these runners again, in the order written."""
    for runner in targets:
        town.runners[runner].face = town.dice.roll()


def roll_space(town: Town, card: Line, seat: int, targets: list[str]) -> None:
    """Roll all runners on a space to which the card applies."""
    for target in targets:
        there = runners_at(town, target[1:])
        roll_these(town, card, seat, [runner for runner in there if is_for(card, seat, runner)])


def roll_all(town: Town, card: Line, seat: int, _targets: list[str]) -> None:
    """Roll all of the player's own runners, by number."""
    roll_these(town, card, seat, runners_of(town, seat))


def turned(face: int, sign: str) -> int:
    """Return the face one higher or lower; after 6 comes 1 if the card allows it."""
    step = {"+": 1, "-": -1}[sign]
    return {0: 6, 7: 1}.get(face + step, face + step)


def turn(town: Town, _card: Line, _seat: int, targets: list[str]) -> None:
    """Turn runners one face up or down."""
    for target in targets:
        die = town.runners[target[:-1]]
        die.face = turned(die.face, target[-1])


def flip(town: Town, _card: Line, _seat: int, targets: list[str]) -> None:
    """Turn runners to the opposite face."""
    for runner in targets:
        town.runners[runner].face = 7 - town.runners[runner].face


def make_odd(town: Town, _card: Line, _seat: int, targets: list[str]) -> None:
    """Turn runners with an even face one down; odd faces stay."""
    for runner in targets:
        die = town.runners[runner]
        die.face = die.face if die.face in (1, 3, 5) else PAIRS[die.face]


def make_even(town: Town, _card: Line, _seat: int, targets: list[str]) -> None:
    """Turn runners with an odd face one up; even faces stay."""
    for runner in targets:
        die = town.runners[runner]
        die.face = die.face if die.face in (2, 4, 6) else PAIRS[die.face]


def set_face(town: Town, _card: Line, _seat: int, targets: list[str]) -> None:
    """Turn runners to a chosen face."""
    for target in targets:
        runner, face = target.split("=")
        town.runners[runner].face = int(face)


def swap(town: Town, _card: Line, _seat: int, targets: list[str]) -> None:
    """Let two runners exchange their faces."""
    for target in targets:
        own, other = (town.runners[runner] for runner in target.split("~"))
        own.face, other.face = other.face, own.face


def bull_roll(town: Town, _card: Line, _seat: int, targets: list[str]) -> None:
    """Roll bulls again; they stay on their space."""
    for bull in targets:
        town.bulls[bull].face = town.dice.roll()


def bull_roll_space(town: Town, card: Line, seat: int, targets: list[str]) -> None:
    """Roll all bulls on a space again."""
    for target in targets:
        bull_roll(town, card, seat, bulls_at(town, target[1:]))


def bull_turn(town: Town, _card: Line, _seat: int, targets: list[str]) -> None:
    """Turn bulls one face up or down."""
    for target in targets:
        die = town.bulls[target[:-1]]
        die.face = turned(die.face, target[-1])


def bull_flip(town: Town, _card: Line, _seat: int, targets: list[str]) -> None:
    """Turn bulls to the opposite face."""
    for bull in targets:
        town.bulls[bull].face = 7 - town.bulls[bull].face


def bull_lead(town: Town, _card: Line, _seat: int, targets: list[str]) -> None:
    """Move bulls aside to a neighbouring space of their row."""
    for target in targets:
        bull, space = target.split(">")
        town.bulls[bull].space = space


def bull_add(town: Town, _card: Line, _seat: int, targets: list[str]) -> None:
    """Add a bull with the next number; it may show a 1 (Ruling E-6)."""
    for target in targets:
        town.bulls[f"T{len(town.bulls) + 1}"] = Die(target[1:], town.dice.roll())


def sign(town: Town, _card: Line, seat: int, targets: list[str]) -> None:
    """Place direction tokens. A token that is replaced returns to its owner."""
    place_tokens(town, town.tokens, seat, targets)


def unsign(town: Town, _card: Line, _seat: int, targets: list[str]) -> None:
    """Remove direction tokens, which return to their owners."""
    for target in targets:
        del town.tokens[target]


def draw(town: Town, card: Line, seat: int, _targets: list[str]) -> None:
    """Draw cards one by one. The card being played is not among the discards yet."""
    for _ in range(amount(card)):
        draw_one(town, seat)


def points(town: Town, card: Line, seat: int, _targets: list[str]) -> None:
    """Give the player points on this day."""
    town.points[-1][seat] += amount(card)


def brave(town: Town, card: Line, seat: int, _targets: list[str]) -> None:
    """Give a point for each own runner beside a bull, up to a limit."""
    near = [r for r in runners_of(town, seat) if bulls_at(town, town.runners[r].space)]
    town.points[-1][seat] += min(len(near), amount(card))


DEEDS: dict[str, Deed] = {
    "roll": roll_these,
    "roll-space": roll_space,
    "roll-all": roll_all,
    "turn": turn,
    "flip": flip,
    "odd": make_odd,
    "even": make_even,
    "set": set_face,
    "swap": swap,
    "bull-roll": bull_roll,
    "bull-roll-space": bull_roll_space,
    "bull-turn": bull_turn,
    "bull-flip": bull_flip,
    "bull-lead": bull_lead,
    "bull-add": bull_add,
    "sign": sign,
    "unsign": unsign,
    "draw": draw,
    "points": points,
    "brave": brave,
}
