"""Ranges of the numbers 1 to 100, as printed on a matador's card."""

from __future__ import annotations

import re
from typing import NamedTuple

from corridas.engine.errors import CardError

_TEXT = re.compile(r"([0-9]{1,3})(?:-([0-9]{1,3}))?")
LOWEST, HIGHEST = 1, 100


class Range(NamedTuple):
    """The whole numbers from `low` to `high`, both included. It is empty if `low` is above `high`.

    Its text form is `81-94`, `7` for a single number, or `-` for an empty range (Ruling I-13).
    """

    low: int
    high: int

    @classmethod
    def parse(cls, text: str) -> Range:
        """Parse the text form. Raises `CardError` if it is invalid or outside 1 to 100."""
        text = text.strip()
        if text == "-":
            return EMPTY
        match = _TEXT.fullmatch(text)
        if not match:
            raise CardError("no_range", text=text)
        low, high = int(match[1]), int(match[2] or match[1])
        if not LOWEST <= low <= high <= HIGHEST:
            raise CardError("order", text=text)
        return cls(low, high)

    def __contains__(self, number: object) -> bool:
        return isinstance(number, int) and self.low <= number <= self.high

    @property
    def size(self) -> int:
        """Count of numbers in the range, 0 to 100."""
        return max(0, self.high - self.low + 1)

    def __str__(self) -> str:
        if not self.size:
            return "-"
        return str(self.low) if self.low == self.high else f"{self.low}-{self.high}"


EMPTY = Range(1, 0)
