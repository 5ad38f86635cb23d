"""Read a position of Running with the Bulls from two lines of notation.

Parts that are left out have the values of an empty board.
"""

from __future__ import annotations

import re
from typing import Final

from eltoro.engine import FACES, TOKENS, Board, Die, NotationError, Phase, Rules, Town
from eltoro.engine.moves import LETTERS
from eltoro.engine.notation import TRAMPLED_WORD, UNPLACED_WORD

NUMBER: Final = re.compile(r"-?[0-9]{1,4}", re.ASCII)
HEADING_WORDS: Final = 7  # day 1 step 0 cards first a


def read_town(text: str, rules: Rules) -> Town:
    """Parse a position with the board, cards and destinations of the rules.

    Raises `NotationError`.
    """
    written = [part.split() for part in text.replace("\n", " | ").split("|") if part.strip()]
    first, *parts = written or [[]]
    found = {words[0]: words[1:] for words in parts}
    seats = [letter for letter in LETTERS if letter in found]
    if len(first) != HEADING_WORDS or len(found) < len(parts):
        raise NotationError(f"“{text[:40]}” is no town.")
    try:
        return _town(rules, first, found, seats)
    except (KeyError, ValueError, IndexError) as error:
        raise NotationError(f"The town cannot be read: {error}") from error


def _town(rules: Rules, first: list[str], found: dict[str, list[str]], seats: list[str]) -> Town:
    board, players = rules.board, len(seats)
    cards = {card.key: index for index, card in enumerate(rules.cards)}
    kinds = {kind.key: index for index, kind in enumerate(rules.destinations)}
    tokens = dict(word.split("=") for word in found.get("tokens", []))
    days = tuple(_numbers(word) for word in found.get("points", []))
    working = dict(word.split("=") for word in found.get("effects", []))
    return Town(
        day=_number(first[1]),
        step=_number(first[3]),
        phase=Phase(first[4]),
        first=seats.index(first[6]),
        runners=tuple(tuple(_read_die(board, word) for word in found[seat]) for seat in seats),
        bulls=tuple(_read_bull(board, word) for word in found.get("T", [])),
        tokens={board.by_sign[sign]: seats.index(seat) for sign, seat in tokens.items()},
        tokens_left=tuple(TOKENS - list(tokens.values()).count(seat) for seat in seats),
        destinations=tuple(kinds[word] for word in found.get("laid", [])),
        totals=tuple(map(sum, zip(*days, strict=True))) or (0,) * players,
        day_points=days,
        effects=tuple(_kinds(kinds, working.get(seat)) for seat in seats),
        hand_sizes=_numbers(*found.get("hands", [])) or (0,) * players,
        deck_left=_number(*found.get("deck", ["0"])),
        discards=tuple(cards[word] for word in found.get("discards", [])),
    )


def _kinds(kinds: dict[str, int], keys: str | None) -> tuple[int, ...]:
    return tuple(kinds[key] for key in keys.split(",")) if keys is not None else ()


def _number(word: str) -> int:
    if not NUMBER.fullmatch(word):
        raise ValueError(f"“{word}” is no number")
    return int(word)


def _numbers(word: str = "") -> tuple[int, ...]:
    return tuple(map(_number, word.split(","))) if word else ()


def _read_die(board: Board, word: str) -> Die | None:
    if word == TRAMPLED_WORD:
        return None
    return Die(-1, 1) if word == UNPLACED_WORD else _read_bull(board, word)


def _read_bull(board: Board, word: str) -> Die:
    key, _, face = word.partition(":")
    if not 1 <= _number(face) <= FACES:
        raise ValueError(f"“{word}” is no die")
    return Die(board.by_key[key], _number(face))
