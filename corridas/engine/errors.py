"""What can be wrong with what the engine is given; each names the place and the ruling."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType


class EngineError(ValueError):
    """Something that cannot be played with; the message is fit to be shown to a person."""


class RulesError(EngineError):
    """An option that does not exist, or a value it does not take."""


class DeckError(EngineError):
    """A deck that is not legal (Ruling I-1)."""


CARD_FAULTS: Mapping[str, str] = MappingProxyType(
    {
        "no_range": "“%(text)s” is not a range; write 81-94, 7 or - (Ruling I-13).",
        "order": "“%(text)s” does not run upwards within 1 to 100 (Ruling I-13).",
        "rating": "a rating of %(rating)s is below 0.",
        "bounds": "%(range)s %(low)s-%(high)s goes beyond 1 to 100 (Ruling I-13).",
        "gap": "no range covers %(numbers)s (Ruling I-13).",
        "twice": "%(number)s is in %(one)s and in %(other)s (Ruling I-13).",
    }
)
"""What can be wrong with a card: by its stable code the sentence, to be filled with `%` and the
params of the error; the site says it in the language of the reader."""


class CardError(EngineError):
    """A matador's card whose ranges do not hold together (Ruling I-13).

    `code` is one of `CARD_FAULTS`, `params` fills its sentence; `name` is on the card, where it
    was read so far.
    """

    def __init__(self, code: str, name: str = "", **params: str | int) -> None:
        self.code, self.name, self.params = code, name, params
        said = CARD_FAULTS[code] % params
        super().__init__(f"{name}: {said}" if name else said)

    def __reduce__(self) -> tuple[object, ...]:
        """Pickled by code and params, from which the rest follows."""
        return _card_error, (self.code, self.name, self.params)


def _card_error(code: str, name: str, params: dict[str, str | int]) -> CardError:
    return CardError(code, name, **params)


class CartelError(EngineError):
    """A cartel that cannot be: not three matadors, the same one twice, no such plaza rating."""


class ImpossibleDraw(EngineError):  # noqa: N818  the field's word for it
    """The first card of a record that cannot have been drawn.

    `lidia` is the turn (0-5), `position` the ordinal of the card in it (from 0).
    """

    def __init__(self, lidia: int, position: int, reason: str) -> None:
        self.lidia = lidia
        self.position = position
        self.reason = reason
        super().__init__(f"Lidia {lidia + 1}, card {position + 1}: {reason}")
