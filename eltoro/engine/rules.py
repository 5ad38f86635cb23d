"""The options of El Toro as an immutable value: board, action cards, destinations and days."""

from __future__ import annotations

from collections.abc import Mapping
from functools import lru_cache
from hashlib import sha256
from pathlib import Path
from types import MappingProxyType
from typing import Any, Final

from eltoro.engine.board import Board, read_board
from eltoro.engine.cards import Card, Destination, read_cards, read_destinations
from eltoro.engine.errors import RulesError
from fairness import canonical

__all__ = [
    "BOARDS",
    "DECK",
    "DESTINATIONS",
    "ENGINE_VERSION",
    "PROFILES",
    "RULINGS",
    "RUNNERS",
    "SEATS",
    "Rules",
]

ENGINE_VERSION: Final = "1"
DATA: Final = Path(__file__).resolve().parent.parent / "data"

MAX_DAYS: Final = 3
SEATS: Final = (2, 3, 4, 5, 6)
# Number of runners of each player, by number of players (Ruling E-1).
RUNNERS: Final[Mapping[int, int]] = MappingProxyType({2: 9, 3: 8, 4: 6, 5: 6, 6: 6})
RULINGS: Final[Mapping[str, str]] = MappingProxyType(
    {"board": "E-2", "days": "E-4", "cards": "E-10", "destinations": "E-10"}
)
Option = str | int


def _read_shipped(path: Path) -> str:
    return path.read_text("utf-8")


# The boards that come with the game, by key.
BOARDS: Final[Mapping[str, Board]] = MappingProxyType(
    {
        path.stem: read_board(_read_shipped(path), path.stem)
        for path in sorted((DATA / "boards").glob("*.csv"))
    }
)
FIRST_BOARD: Final = "el-toro"
_DECK_TEXT: Final = _read_shipped(DATA / "cards.csv")
_DESTINATIONS_TEXT: Final = _read_shipped(DATA / "destinations.csv")
# The kinds of action cards supplied with the game (Ruling E-10).
DECK: Final = read_cards(_DECK_TEXT, "cards.csv")
# The kinds of destination cards supplied with the game (Ruling E-10).
DESTINATIONS: Final = read_destinations(_DESTINATIONS_TEXT, "destinations.csv")


class Rules:
    """Options of a game of El Toro, where the rulebook and its rulings leave a choice.

    `board`: the key of a supplied board, or the text of another board (Ruling E-2). The attribute
    is a `Board`. `days`: 1 to 3. `cards`, `destinations`: texts that replace the supplied cards.
    The attributes are tuples of `Card` and `Destination`, and other modules identify cards by their
    indexes in them (Ruling E-10).

    Rules are immutable, and they are compared and hashed by their options. Raises `RulesError` for
    an invalid number of days or an unknown board, and `DataError` for an invalid text.
    """

    __slots__ = ("_options", "board", "cards", "days", "destinations")
    board: Board
    cards: tuple[Card, ...]
    days: int
    destinations: tuple[Destination, ...]

    def __init__(
        self,
        board: str = FIRST_BOARD,
        days: int = MAX_DAYS,
        cards: str = "",
        destinations: str = "",
    ) -> None:
        if isinstance(days, bool) or days not in range(1, MAX_DAYS + 1):
            sentence = f"The option days is a whole number from 1 to {MAX_DAYS}, not “{days}”."
            raise RulesError("days", RULINGS["days"], sentence)
        options: dict[str, Option] = {"board": board, "days": days}
        options |= {"cards": cards} if cards else {}
        options |= {"destinations": destinations} if destinations else {}
        parts = {
            "_options": options,
            "board": _board(board),
            "cards": _cards(cards) if cards else DECK,
            "days": days,
            "destinations": _destinations(destinations) if destinations else DESTINATIONS,
        }
        for name, part in parts.items():
            object.__setattr__(self, name, part)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError(f"Rules are frozen: {name} stays as it is.")

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Rules) and self._options == other._options

    def __hash__(self) -> int:
        return hash(tuple(self._options.values()))

    def __repr__(self) -> str:
        return f"Rules(board={self.board.name!r}, days={self.days})"

    def __reduce__(self) -> tuple[object, ...]:
        """Return the arguments for pickling and copying the rules: their options."""
        return Rules.from_options, (self.options(),)

    def runners(self, players: int) -> int:
        """Return the number of runners of each player (Ruling E-1).

        Raises `ValueError` for fewer than two or more than six players.
        """
        if players not in RUNNERS:
            raise ValueError(f"Two to six play, not {players}. (Ruling E-1)")
        return RUNNERS[players]

    @classmethod
    def from_options(cls, options: Mapping[str, Any]) -> Rules:
        """Return a rule set with these options. Missing options have their default.

        The number of days may be text. Raises `RulesError` for an unknown option, and the errors of
        `Rules`.
        """
        for name in options:
            if name not in RULINGS:
                names = ", ".join(RULINGS)
                raise RulesError(name, "E-2", f"No option “{name}”; there are {names}.")
        given = dict(options)
        days = given.get("days")
        if isinstance(days, str) and days in {"1", "2", "3"}:
            given["days"] = int(days)
        return cls(**given)

    def options(self) -> dict[str, Option]:
        """Return all options by name, as they are stored and included in a commitment.

        A supplied board is represented by its key.
        """
        return dict(self._options)

    @property
    def texts(self) -> dict[str, str]:
        """The texts from which board, cards and destinations were parsed."""
        return {
            "board": self.board.text,
            "cards": str(self._options.get("cards", _DECK_TEXT)),
            "destinations": str(self._options.get("destinations", _DESTINATIONS_TEXT)),
        }

    @property
    def digest(self) -> str:
        """SHA-256 of board, cards, destinations and days, as 64 hexadecimal digits."""
        return sha256(canonical({**self.texts, "days": self.days})).hexdigest()

    _options: dict[str, Option]


@lru_cache(maxsize=64)
def _board(board: str) -> Board:
    """Return the board with this key, or parse the board from this text."""
    if not isinstance(board, str):
        raise RulesError("board", RULINGS["board"], "The option board is a key or a text.")
    if board in BOARDS:
        return BOARDS[board]
    if "\n" not in board.strip():
        sentence = f"There is no board “{board[:40]}”; there are {', '.join(BOARDS)}."
        raise RulesError("board", RULINGS["board"], sentence)
    return read_board(board)


@lru_cache(maxsize=64)
def _cards(text: str) -> tuple[Card, ...]:
    return read_cards(text)


@lru_cache(maxsize=64)
def _destinations(text: str) -> tuple[Destination, ...]:
    return read_destinations(text)


# Rule sets with a name. Leagues can also define their own `Rules`.
PROFILES: Final[Mapping[str, Rules]] = MappingProxyType(
    {
        FIRST_BOARD: Rules(),
        **{key: Rules(board=key) for key in BOARDS if key != FIRST_BOARD},
        "one-day": Rules(days=1),
    }
)
