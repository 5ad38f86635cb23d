"""The rule set of a game: an immutable object with all options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Literal

from corridas.engine.errors import RulesError

ENGINE_VERSION = "1"

Shuffle = Literal["each_bull", "when_exhausted"]
BullReading = Literal["same_card", "next_card"]
BullPoints = Literal["separate", "against", "for"]

CHOICES: dict[str, tuple[str, ...]] = {
    "shuffle": ("each_bull", "when_exhausted"),
    "bull_reading": ("same_card", "next_card"),
    "bull_points": ("separate", "against", "for"),
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Rules:
    """Options for the points that the rulebook leaves open.

    `shuffle`: shuffle the deck before every bull, or only when no card is left (Ruling I-3).
    `bull_reading`: a BULL entry refers to the BULL line of the same card, or of the next one
    (Ruling I-6). `bull_points`: the bull's points do not affect the final score, or are subtracted
    from it, or added (Ruling I-11). Raises `RulesError` for an invalid value.
    """

    shuffle: Shuffle = "each_bull"
    bull_reading: BullReading = "same_card"
    bull_points: BullPoints = "separate"

    def __post_init__(self) -> None:
        for field in fields(self):
            value = getattr(self, field.name)
            if value not in CHOICES[field.name]:
                choices = ", ".join(CHOICES[field.name])
                raise RulesError(f"The option {field.name} is one of {choices}, not “{value}”.")

    @classmethod
    def from_options(cls, options: Mapping[str, str]) -> Rules:
        """Create a rule set from these options; missing ones get their defaults.

        Raises `RulesError` for unknown options.
        """
        for name in options:
            if name not in CHOICES:
                raise RulesError(f"There is no option “{name}”; there are {', '.join(CHOICES)}.")
        given: dict[str, Any] = dict(options)
        return cls(**given)  # which checks the values

    def options(self) -> dict[str, str]:
        """Return every option by name, in the form that is stored and used in commitments."""
        return {name: getattr(self, name) for name in CHOICES}
