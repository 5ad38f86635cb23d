"""Representation of dice as bytes.

The byte of a die on a space is `space * 6 + face - 1`. All runners of a day are in one `bytearray`,
seat after seat. A runner that shows 1 and is not yet placed on a starting space, and a trampled
runner, have byte values above those of all spaces.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from eltoro.engine.moves import write_bull

FACES: Final = 6
MAX_BULLS: Final = 10
FIRST_BULLS: Final = 5
# Number of tokens of each player (Ruling E-5).
TOKENS: Final = 3
UNPLACED: Final = 254
TRAMPLED: Final = 255
# Runners with this byte or a higher one are not on the board.
OUTSIDE: Final = UNPLACED
EVERY_BYTE: Final = 256
IDENTITY_TABLE: Final = bytes(range(EVERY_BYTE))
# For the byte of a die: the number to which a face from 1 to 6 is added.
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
