"""A town as its view tells it, as plain data; the sheet as a JSON schema."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

from eltoro.api.schemas import SHEET
from eltoro.engine import Die, Rules, Town, View, offers, write_town
from eltoro.table import KEY, ElToroPosition
from leagues.games import Position
from leagues.games import schema as game_schema

MOVE: Final = (
    "`start a2>4 a5>6` places 1s; `play second-wind a1 a3` plays a card at targets as the view "
    "offers them; `discard elbow` puts cards away, `discard` none. `a1` is the first runner of "
    "seat 0, `T1` the first bull."
)


def offer() -> None:
    """Tell programs of the game."""
    game_schema.register_schema(KEY, game_schema.GameSchema(sheet=SHEET, move=MOVE, view=view))


def view(position: Position, seat: int | None, revealed: bool) -> Any:
    """What a seat sees of the game, or a watcher; every hand open where it is `revealed`."""
    assert isinstance(position, ElToroPosition)
    if position.game is None:
        return None
    seen = position.game.view(seat)
    hands = position.hands() if revealed else None
    return town_told(seen.town, seen.rules) | {
        "turn": seen.turn,
        "ask": None if seen.ask is None else seen.ask.value,
        "hand": _cards(seen.rules, seen.hand),
        "offers": _offers(seen),
        "hands": None if hands is None else [_cards(seen.rules, hand) for hand in hands],
    }


def _cards(rules: Rules, held: tuple[int, ...]) -> list[str]:
    return [rules.cards[card].key for card in held]


def _offers(seen: View) -> dict[str, Any]:
    """What each card of the own hand may be aimed at, where it is this seat's turn to play one."""
    if seen.seat is None or seen.turn != seen.seat or seen.ask is None:
        return {}
    if seen.ask.value != "play":
        return {}
    return {seen.rules.cards[card].key: asdict(offers(seen, card)) for card in set(seen.hand)}


def town_told(town: Town, rules: Rules) -> dict[str, Any]:
    """All that lies open, by the keys of spaces, signs and cards."""
    board = rules.board
    return {
        "day": town.day,
        "step": town.step,
        "phase": town.phase.value,
        "first": town.first,
        "runners": [[_die(die, rules) for die in own] for own in town.runners],
        "bulls": [_die(die, rules) for die in town.bulls],
        "tokens": {board.write_sign(sign): seat for sign, seat in town.tokens.items()},
        "tokens_left": list(town.tokens_left),
        "destinations": _kinds(rules, town.destinations),
        "totals": list(town.totals),
        "day_points": [list(points) for points in town.day_points],
        "effects": [_kinds(rules, own) for own in town.effects],
        "hand_sizes": list(town.hand_sizes),
        "deck_left": town.deck_left,
        "discards": _cards(rules, town.discards),
        "written": write_town(town, rules),
    }


def _kinds(rules: Rules, kinds: tuple[int, ...]) -> list[str]:
    return [rules.destinations[index].key for index in kinds]


def _die(die: Die | None, rules: Rules) -> dict[str, Any] | None:
    """Its space by key, null for a 1 not yet placed; null where trampled."""
    if die is None:
        return None
    space = None if die.space < 0 else rules.board.spaces[die.space].key
    return {"space": space, "face": die.face}
