"""Errors of the engine's input; each names the place and the ruling."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class EngineError(ValueError):
    """Base class of invalid input. The message may be shown to users."""


class RulesError(EngineError):
    """An unknown option, or a value it does not accept."""


class DeckError(EngineError):
    """An illegal deck (Ruling I-1)."""


# Faults of a card: the sentence of each stable code, to be formatted with `%` and the params of the
# error. The site translates it for the reader.
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
    """A matador's card with inconsistent ranges (Ruling I-13).

    `code` is one of `CARD_FAULTS`, `params` fills its sentence. `name` is the name on the card,
    where it was already read.
    """

    def __init__(self, code: str, name: str = "", **params: str | int) -> None:
        self.code, self.name, self.params = code, name, params
        said = CARD_FAULTS[code] % params
        super().__init__(f"{name}: {said}" if name else said)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickle the code and params, from which the rest follows."""
        return _card_error, (self.code, self.name, self.params)


def _card_error(code: str, name: str, params: dict[str, str | int]) -> CardError:
    return CardError(code, name, **params)


class CartelError(EngineError):
    """An impossible cartel: not three matadors, the same one twice, an invalid plaza rating."""


class ImpossibleDraw(EngineError):
    """A recorded card that cannot have been drawn; the first one is reported.

    `lidia` is the turn (0-5), `position` the ordinal of the card in it (from 0).
    """

    def __init__(self, lidia: int, position: int, reason: str) -> None:
        self.lidia = lidia
        self.position = position
        self.reason = reason
        super().__init__(f"Lidia {lidia + 1}, card {position + 1}: {reason}")
