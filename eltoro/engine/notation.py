"""Notation of a town in two lines, used in the API and in questions about rules. An example:

day 1 step 0 cards first a | a 3:3 6:6 x | b 1 2:2 4:1 | T 2:5 3:5 | tokens fuente/odd=a
laid casino bank pier festival bookstore | points 0,3 | effects a=bank | hands 5,5 | deck 41

A die is written as space and face. `1` is a runner that is not placed yet, `x` a trampled runner.
`T` precedes the bulls.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from eltoro.engine.board import Board
from eltoro.engine.moves import LETTERS
from eltoro.engine.rules import Rules
from eltoro.engine.town import Die, Town

TRAMPLED_WORD: Final = "x"
UNPLACED_WORD: Final = "1"


def write_town(town: Town, rules: Rules) -> str:
    """Return the town in two lines. They include the sizes of hands, but not their cards."""
    board, kinds = rules.board, rules.destinations
    first = f"day {town.day} step {town.step} {town.phase.value} first {LETTERS[town.first]}"
    parts = [first, *(
        _write_part(LETTERS[seat], (_die(board, die) for die in dice))
        for seat, dice in enumerate(town.runners)
    )]  # fmt: skip
    parts.append(_write_part("T", (_die(board, bull) for bull in town.bulls)))
    signs = sorted(town.tokens.items())
    parts.append(
        _write_part("tokens", (f"{board.write_sign(at)}={LETTERS[by]}" for at, by in signs))
    )
    effects = (
        f"{LETTERS[seat]}={','.join(kinds[index].key for index in working)}"
        for seat, working in enumerate(town.effects)
        if working
    )
    below = [
        _write_part("laid", (kinds[index].key for index in town.destinations)),
        _write_part("points", (",".join(map(str, points)) for points in town.day_points)),
        _write_part("effects", effects),
        f"hands {','.join(map(str, town.hand_sizes))}",
        f"deck {town.deck_left}",
        _write_part("discards", (rules.cards[index].key for index in town.discards)),
    ]
    return " | ".join(parts) + "\n" + " | ".join(below)


def _write_part(head: str, words: Iterable[str]) -> str:
    return " ".join([head, *words])


def _die(board: Board, die: Die | None) -> str:
    if die is None:
        return TRAMPLED_WORD
    return UNPLACED_WORD if die.space < 0 else f"{board.spaces[die.space].key}:{die.face}"
