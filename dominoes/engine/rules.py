"""The options of a dominoes game as an immutable value, and named sets of options (profiles)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, fields
from functools import cache
from hashlib import sha256
from types import MappingProxyType
from typing import Final, Literal, TypeVar

from dominoes.engine.errors import RulesError
from dominoes.engine.tiles import MAX_DOUBLE, MIN_DOUBLE
from fairness import canonical

ENGINE_VERSION: Final = "1"

Lead = Literal["draw", "winner", "highest_double"]
Boneyard = Literal["draw", "pass"]
Matadors = Literal["inline", "crosswise_open", "crosswise_on_blank", "crosswise_stub"]
Option = str | int | bool

CHOICES: Final[Mapping[str, tuple[str, ...]]] = MappingProxyType(
    {
        "lead": ("draw", "winner", "highest_double"),
        "boneyard": ("draw", "pass"),
        "matadors": ("inline", "crosswise_open", "crosswise_on_blank", "crosswise_stub"),
    }
)
RANGES: Final[Mapping[str, tuple[int, int]]] = MappingProxyType(
    {"highest": (MIN_DOUBLE, MAX_DOUBLE), "hand_size": (1, 95), "target": (1, 10_000)}
)
RULINGS: Final[Mapping[str, str]] = MappingProxyType(
    {
        "highest": "D-1",
        "hand_size": "D-2",
        "partners": "D-2",
        "lead": "D-3",
        "set_highest_double": "D-3",
        "boneyard": "D-5",
        "free_pass": "D-5",
        "out_wins": "D-7",
        "target": "D-8",
        "matadors": "D-9",
    }
)
Part = TypeVar("Part")
SWITCHES: Final = ("partners", "set_highest_double", "free_pass", "out_wins")
PARTNERSHIP_PLAYERS: Final = 4
# Number of tiles that must stay in the boneyard (Ruling D-5).
BONEYARD_RESERVE: Final = 2
MAX_DIGITS: Final = 5
BOOLEANS: Final[Mapping[str, bool]] = MappingProxyType({"true": True, "false": False})


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Options of a dominoes game, where the rulebook and its rulings leave a choice.

    `highest`: n of the double-n set, 2 to 18 (Ruling D-1).
    `hand_size`: tiles dealt to each player (Ruling D-2).
    `partners`: two sides of two players, seats 0+2 against 1+3 (Ruling D-2).
    `lead`: the first player is drawn for each hand (`draw`), is the winner of the last hand
    (`winner`), or holds the highest double (`highest_double`, Ruling D-3).
    `set_highest_double`: the first player must play the highest double held (Ruling D-3).
    `boneyard`: players who cannot play draw until a tile fits or two tiles are left (`draw`), or
    pass without drawing (`pass`, Ruling D-5).
    `free_pass`: players may pass or draw at any turn (Ruling D-5).
    `out_wins`: a player without tiles wins the hand, whatever the others hold (Ruling D-7).
    `target`: points that win the match (Ruling D-8).
    `matadors`: how wild tiles may lie (Ruling D-9).
    Raises `RulesError` for an invalid value, and for hands that are too large for the set.
    """

    highest: int = 6
    hand_size: int = 7
    partners: bool = False
    lead: Lead = "draw"
    set_highest_double: bool = False
    boneyard: Boneyard = "draw"
    free_pass: bool = False
    out_wins: bool = False
    target: int = 100
    matadors: Matadors = "inline"

    def __post_init__(self) -> None:
        for field in fields(self):
            _check_option(field.name, getattr(self, field.name))
        if not self.seats:
            count = PARTNERSHIP_PLAYERS if self.partners else 2
            raise RulesError(
                "hand_size",
                "D-2",
                f"A double-{self.highest} set has no {count} hands of {self.hand_size} tiles.",
            )

    @property
    def seats(self) -> tuple[int, ...]:
        """The possible numbers of players, at least two (Ruling D-2)."""
        return _seats(self.highest, self.hand_size, self.partners)

    def sides(self, players: int) -> tuple[tuple[int, ...], ...]:
        """Return the seats of each side. Partners sit opposite each other (Ruling D-2)."""
        return ((0, 2), (1, 3)) if self.partners else _singly(players)

    def by_seat(self, players: int, of_sides: Sequence[Part]) -> tuple[Part, ...]:
        """Return the value of each seat from the values of the sides (Ruling D-2)."""
        of_seat = {
            seat: of_sides[side] for side, seats in enumerate(self.sides(players)) for seat in seats
        }
        return tuple(of_seat[seat] for seat in range(players))

    @classmethod
    def from_options(cls, options: Mapping[str, Option]) -> Rules:
        """Return a rule set with these options. Missing options have their default.

        Numbers and booleans may be text (`"12"`, `"true"`). Raises `RulesError` for an unknown
        option or an invalid value.
        """
        for name in options:
            if name not in RULINGS:
                names = ", ".join(RULINGS)
                raise RulesError(name, "D-1 to D-9", f"No option “{name}”; there are {names}.")
        return cls(**{name: _read_option(name, value) for name, value in options.items()})  # type: ignore[arg-type]  # values are checked in __post_init__

    def options(self) -> dict[str, Option]:
        """Return all options by name, as they are stored and included in a commitment."""
        return asdict(self)

    @property
    def digest(self) -> str:
        """SHA-256 of the options in canonical JSON, as 64 hexadecimal digits."""
        return sha256(canonical(self.options())).hexdigest()


@cache
def _seats(highest: int, hand_size: int, partners: bool) -> tuple[int, ...]:
    most = (highest + 1) * (highest + 2) // 2 // hand_size
    if partners:
        return (PARTNERSHIP_PLAYERS,) if most >= PARTNERSHIP_PLAYERS else ()
    return tuple(range(2, most + 1))


@cache
def _singly(players: int) -> tuple[tuple[int, ...], ...]:
    return tuple((seat,) for seat in range(players))


def _read_option(name: str, value: Option) -> Option:
    """Convert the value of an option from text. Other values are returned unchanged."""
    if not isinstance(value, str):
        return value
    if name in SWITCHES:
        return BOOLEANS.get(value, value)
    digits = value.lstrip("0") or value[:1]
    written = value.isdecimal() and value.isascii() and len(digits) <= MAX_DIGITS
    return int(digits) if name in RANGES and written else value


def _check_option(name: str, value: object) -> None:
    """Raise `RulesError` for a value that is invalid for this option."""
    if name in CHOICES:
        fine, wanted = value in CHOICES[name], f"one of {', '.join(CHOICES[name])}"
    elif name in SWITCHES:
        fine, wanted = isinstance(value, bool), "true or false"
    else:
        least, most = RANGES[name]
        wanted = f"a whole number from {least} to {most}"
        fine = isinstance(value, int) and not isinstance(value, bool) and least <= value <= most
    if not fine:
        raise RulesError(name, RULINGS[name], f"The option {name} is {wanted}, not “{value}”.")


# Rule sets with a name. Leagues can also define their own `Rules`.
PROFILES: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        "rulebook": Rules(),
        "draw": Rules(hand_size=5, lead="winner", out_wins=True),
        "block": Rules(boneyard="pass", lead="highest_double"),
        "crosswise_open": Rules(matadors="crosswise_open"),
        "crosswise_on_blank": Rules(matadors="crosswise_on_blank"),
        "crosswise_stub": Rules(matadors="crosswise_stub"),
        "partners": Rules(partners=True, lead="winner"),
    }
)
