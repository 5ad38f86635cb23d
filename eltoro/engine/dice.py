"""Dice as bytes.

A die on a space is one byte, `space * 6 + face - 1`. All runners of a day are one `bytearray`,
seat after seat. A 1 not yet placed and a trampled runner have bytes above those of all spaces.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from eltoro.engine.moves import write_bull

FACES: Final = 6
MAX_BULLS: Final = 10
FIRST_BULLS: Final = 5
# Of each colour (Ruling E-5).
TOKENS: Final = 3
UNPLACED: Final = 254
TRAMPLED: Final = 255
# From this byte on a runner is not on the board.
OUTSIDE: Final = UNPLACED
EVERY_BYTE: Final = 256
IDENTITY_TABLE: Final = bytes(range(EVERY_BYTE))
# By the byte of a die, the number to which a face is added.
FACE_BASE: Final = tuple(die - die % FACES - 1 for die in range(EVERY_BYTE))

BULL_NAMES: Final = tuple(write_bull(number + 1) for number in range(MAX_BULLS))
BULL_INDEX: Final[Mapping[str, int]] = {name: at for at, name in enumerate(BULL_NAMES)}
BULL_TURNS: Final[Mapping[str, tuple[int, int]]] = {
    f"{name}{sign}": (at, by)
    for name, at in BULL_INDEX.items()
    for sign, by in (("+", 1), ("-", -1))
}
SIGNS: Final = (("+", 1), ("-", -1))
SIGN_OF: Final[Mapping[int, str]] = {by: sign for sign, by in SIGNS}
