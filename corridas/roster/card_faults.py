"""Error messages about a matador's card, in the language of the reader."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop

from corridas.engine import CardError, EngineError

# Error messages by the error codes of the engine.
FAULTS: Final[Mapping[str, str]] = {
    "no_range": gettext_noop(
        "“%(text)s” is not a range. Enter, for example, 81-94, 7 or - (Ruling I-13)."
    ),
    "order": gettext_noop(
        "“%(text)s” is not a range within 1 to 100 with the lower number first (Ruling I-13)."
    ),
    "rating": gettext_noop("The rating can’t be %(rating)s: it must be at least 0."),
    "bounds": gettext_noop(
        "The range %(range)s (%(low)s-%(high)s) must stay within 1 to 100 (Ruling I-13)."
    ),
    "gap": gettext_noop("These numbers are not in any range: %(numbers)s (Ruling I-13)."),
    "twice": gettext_noop(
        "The number %(number)s is in two ranges, %(one)s and %(other)s (Ruling I-13)."
    ),
}


def engine_fault(error: EngineError) -> str:
    return card_fault(error) if isinstance(error, CardError) else str(error)


def card_fault(error: CardError) -> str:
    return _(FAULTS[error.code]) % error.params
