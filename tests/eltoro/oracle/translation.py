"""Conversion of the engine's numbers to the names of the oracle's notation."""

from __future__ import annotations

from eltoro import engine
from tests.eltoro.oracle.shelf import Setting
from tests.eltoro.oracle.town import SEATS, Die, Town, tokens_left, totals

Named = dict[str, tuple[str | None, int]]


def engine_rules(setting: Setting) -> engine.Rules:
    """Return the engine's rule set for this board and these cards."""
    return engine.Rules(
        board=setting.board,
        days=setting.days,
        cards=setting.cards,
        destinations=setting.destinations,
    )


def die_of(rules: engine.Rules, die: engine.Die) -> tuple[str | None, int]:
    """Return a die of the engine as the key of its space (or `None`) and its face."""
    return (None if die.space < 0 else rules.board.spaces[die.space].key, die.face)


def runners_of(rules: engine.Rules, town: engine.Town) -> Named:
    """Return all runners of the engine that are not trampled, by name."""
    return {
        f"{SEATS[seat]}{at}": die_of(rules, die)
        for seat, own in enumerate(town.runners)
        for at, die in enumerate(own, start=1)
        if die is not None
    }


def oracle_position(rules: engine.Rules, town: engine.Town) -> dict[str, object]:
    """Return the engine's position in the terms of the oracle."""
    return {
        "day": town.day,
        "first": town.first,
        "runners": runners_of(rules, town),
        "bulls": {f"T{at}": die_of(rules, die) for at, die in enumerate(town.bulls, start=1)},
        "tokens": {rules.board.write_sign(sign): seat for sign, seat in town.tokens.items()},
        "left": list(town.tokens_left),
        "laid": list(town.destinations),
        "points": [list(day) for day in town.day_points],
        "totals": list(town.totals),
        "arrived": [sorted(kinds) for kinds in town.effects],
        "held": list(town.hand_sizes),
        "deck": town.deck_left,
        "discards": [rules.cards[card].key for card in town.discards],
    }


def dice_by_name(dice: dict[str, Die]) -> Named:
    """Return the oracle's dice by name."""
    return {name: (die.space, die.face) for name, die in dice.items()}


def with_effect(town: Town, kinds: list[int]) -> list[int]:
    """Return the destinations with an effect on the next day."""
    return [kind for kind in kinds if town.destinations[kind]["effect"]]


def visible_position(town: Town) -> dict[str, object]:
    """Return the visible part of the oracle's position, comparable with the engine's."""
    return {
        "day": town.day,
        "first": town.first,
        "runners": dice_by_name(town.runners),
        "bulls": dice_by_name(town.bulls),
        "tokens": town.tokens,
        "left": [tokens_left(town, seat) for seat in range(town.players)],
        "laid": town.laid,
        "points": town.points,
        "totals": totals(town),
        "arrived": [sorted(with_effect(town, kinds)) for kinds in town.arrived],
        "held": [len(held) for held in town.hands],
        "deck": len(town.deck),
        "discards": town.discards,
    }
