"""Test helper that reads the cards out of a lidia written as one line of text."""

from __future__ import annotations

import re

CARD = re.compile(r"\d\d")


def read_draws(text: str) -> bytes:
    """Return the cards in a line, in the order drawn. The other marks in the line are ignored.

    Raise `ValueError` for a number that does not have two digits.
    """
    if re.search(r"\d{3}|(?<!\d)\d(?!\d)", text):
        raise ValueError("A card is written with two digits, 00 to 69.")
    return bytes(int(card) for card in CARD.findall(text))
