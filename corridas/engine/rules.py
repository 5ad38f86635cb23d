"""The rule set: one frozen value with every option of the game."""

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
    """The options of a corrida where the rulebook leaves a choice.

    `shuffle`: before every bull, or when no card is left (Ruling I-3). `bull_reading`: the BULL
    entry of the same card answers, or that of one more (Ruling I-6). `bull_points`: separate from
    the final score, subtracted from it, or added (Ruling I-11). Raises `RulesError` for an invalid
    value.
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
        """Return the rule set with these options and defaults. Raise `RulesError` for
        unknown ones.
        """
        for name in options:
            if name not in CHOICES:
                raise RulesError(f"There is no option “{name}”; there are {', '.join(CHOICES)}.")
        given: dict[str, Any] = dict(options)
        return cls(**given)  # which checks the values

    def options(self) -> dict[str, str]:
        """Return every option by name, as stored and committed to."""
        return {name: getattr(self, name) for name in CHOICES}
