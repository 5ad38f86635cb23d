"""The cards of a written lidia, for tests."""

from __future__ import annotations

import re

CARD = re.compile(r"\d\d")


def read_draws(text: str) -> bytes:
    """Return the cards of a line in the order drawn, ignoring the marks, which are redundant.

    Raise `ValueError` for a number that does not have two digits.
    """
    if re.search(r"\d{3}|(?<!\d)\d(?!\d)", text):
        raise ValueError("A card is written with two digits, 00 to 69.")
    return bytes(int(card) for card in CARD.findall(text))
