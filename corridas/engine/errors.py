"""Exceptions for invalid input of the engine.

Messages say where the error is and which ruling applies.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class EngineError(ValueError):
    """Base class of the engine's errors. Its messages may be shown to users."""


class RulesError(EngineError):
    """The rule set has an unknown option, or an invalid value for an option."""


class DeckError(EngineError):
    """A deck violates the rules for decks (Ruling I-1)."""


# Error message for each code of a `CardError`. Messages are formatted with `%` and the error's
# params, and the site translates them for the reader.
CARD_FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "no_range": "“%(text)s” is not a range; write 81-94, 7 or - (Ruling I-13).",
        "order": "“%(text)s” does not run upwards within 1 to 100 (Ruling I-13).",
        "rating": "a rating of %(rating)s is below 0.",
        "bounds": (
            "The range %(range)s (%(low)s-%(high)s) must stay within 1 to 100 (Ruling I-13)."
        ),
        "gap": "no range covers %(numbers)s (Ruling I-13).",
        "twice": "%(number)s is in %(one)s and in %(other)s (Ruling I-13).",
    }
)


class CardError(EngineError):
    """The ranges on a matador's card overlap, leave gaps or are invalid (Ruling I-13).

    `code` is a key of `CARD_FAULTS`, and `params` fill the message. `name` is the name on the card,
    if it is known.
    """

    def __init__(self, code: str, name: str = "", **params: str | int) -> None:
        self.code, self.name, self.params = code, name, params
        message = CARD_FAULTS[code] % params
        super().__init__(f"{name}: {message}" if name else message)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the code, the name and the params; the message is rebuilt from them."""
        return _card_error, (self.code, self.name, self.params)


def _card_error(code: str, name: str, params: dict[str, str | int]) -> CardError:
    return CardError(code, name, **params)


class CartelError(EngineError):
    """A corrida does not have three different matadors, or the plaza rating is invalid."""


class ImpossibleDraw(EngineError):
    """A recorded card cannot have been drawn. Only the first such card is reported.

    `lidia` is the turn of the fight (0-5), and `position` the index of the card in it (from 0).
    """

    def __init__(self, lidia: int, position: int, reason: str) -> None:
        self.lidia = lidia
        self.position = position
        self.reason = reason
        super().__init__(f"Lidia {lidia + 1}, card {position + 1}: {reason}")
