"""What can be wrong with what the engine is given; each names the place and the ruling."""

from __future__ import annotations


class EngineError(ValueError):
    """Something that cannot be played with; the message is fit to be shown to a person."""


class RulesError(EngineError):
    """An option that does not exist, or a value it does not take."""


class DeckError(EngineError):
    """A deck that is not legal (Ruling I-1)."""


class CardError(EngineError):
    """A matador's card whose ranges do not hold together (Ruling I-13)."""


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
