"""By effect of a card: how its targets are read, written, checked, done, and chosen at random.

`tables_of` gives the lookups of a rule set with these in it.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from eltoro.engine import choosers, effects, targets
from eltoro.engine.cards import Effect
from eltoro.engine.rules import Rules
from eltoro.engine.tables import Play, Tables


def _runners(act: Callable[..., None]) -> Play:
    read, write = targets.read_runners, targets.write_runners
    return Play(read, write, targets.runners, act, choosers.any_runners)


def _nothing(act: Callable[..., None]) -> Play:
    return Play(targets.read_nothing, targets.write_nothing, None, act, None, targets.EVERYTHING)


def _space(act: Callable[..., None], choose: Callable[..., tuple[Any, ...]]) -> Play:
    read, write = targets.read_spaces, targets.write_spaces
    return Play(read, write, targets.in_row, act, choose)


def _bulls(act: Callable[..., None]) -> Play:
    read, write = targets.read_bulls, targets.write_bulls
    return Play(read, write, targets.bulls, act, choosers.any_bulls)


PLAYS: Final[dict[Effect, Play]] = {
    Effect.ROLL: _runners(effects.roll),
    Effect.ROLL_SPACE: _space(effects.roll_space, choosers.any_runners_space),
    Effect.ROLL_ALL: _nothing(effects.roll_all),
    Effect.TURN: Play(
        targets.read_turns, targets.write_turns, targets.turned, effects.turn, choosers.any_turns
    ),
    Effect.FLIP: _runners(effects.flip),
    Effect.ODD: _runners(effects.make_odd),
    Effect.EVEN: _runners(effects.make_even),
    Effect.SET: Play(
        targets.read_sets, targets.write_sets, targets.placed, effects.set_face, choosers.any_faces
    ),
    Effect.SWAP: Play(
        targets.read_pairs, targets.write_pairs, targets.pairs, effects.swap, choosers.any_pairs
    ),
    Effect.BULL_ROLL: _bulls(effects.bull_roll),
    Effect.BULL_ROLL_SPACE: _space(effects.bull_roll_space, choosers.any_bulls_space),
    Effect.BULL_TURN: Play(
        targets.read_bull_turns,
        targets.write_bull_turns,
        targets.turned_bulls,
        effects.bull_turn,
        choosers.any_bull_turns,
    ),
    Effect.BULL_FLIP: _bulls(effects.bull_flip),
    Effect.BULL_LEAD: Play(
        targets.read_led,
        targets.write_led,
        targets.led_bulls,
        effects.bull_lead,
        choosers.any_led,
    ),
    Effect.BULL_ADD: Play(
        targets.read_spaces,
        targets.write_spaces,
        targets.new_bulls,
        effects.bull_add,
        choosers.any_new_bulls,
    ),
    Effect.SIGN: Play(
        targets.read_signs,
        targets.write_signs,
        targets.signs,
        effects.place_tokens,
        choosers.any_signs,
    ),
    Effect.UNSIGN: Play(
        targets.read_tokens,
        targets.write_tokens,
        targets.tokens,
        effects.remove_tokens,
        choosers.any_tokens,
    ),
    Effect.DRAW: _nothing(effects.draw),
    Effect.POINTS: _nothing(effects.gain),
    Effect.BRAVE: _nothing(effects.brave),
}


@lru_cache(maxsize=64)
def tables_of(rules: Rules) -> Tables:
    """What the engine looks up while it plays by these rules."""
    return Tables(rules, PLAYS)
