"""Messages for errors that end the simulation of a season or prevent a corrida from being played.

The English message is stored, and translated when it is shown. The error itself is in the log.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Final

from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy, gettext_noop

from corridas.engine import EngineError
from corridas.world.calendar import CalendarError
from corridas.world.contracts import ContractError
from corridas.world.encierro import EncierroError
from corridas.world.winter.debuts import NamesError

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

INVALID: Final = gettext_noop(
    "A card, the deck or a rule of this circuit is not valid. Check the roster, correct what is "
    "wrong and continue the season."
)
NO_BULLS: Final = gettext_noop(
    "There are not enough bulls for all corridas. Add a herd on the continent of the next corrida "
    "and continue the season."
)
NO_CALENDAR: Final = gettext_noop(
    "The calendar of this circuit is not valid. Correct its dates and continue the season."
)
NO_NAMES: Final = gettext_noop(
    "No unused name is left for the novilleros of this winter. Tell the administrator of this site."
)
UNEXPECTED: Final = gettext_noop(
    "An unexpected error occurred. Try again. If it happens again, ask the administrator of this "
    "site to look at the log."
)

# Errors that occur again until somebody changes the circuit, with their messages.
_LASTING: Final[Mapping[type[Exception], str]] = {
    EngineError: INVALID,
    ContractError: INVALID,
    NamesError: NO_NAMES,
    EncierroError: NO_BULLS,
    CalendarError: NO_CALENDAR,
}
LASTING: Final = tuple(_LASTING)
# The messages as they are stored, with their lazy translations for notifications.
SENTENCES: Final[Mapping[str, _StrPromise]] = {
    text: gettext_lazy(text) for text in (INVALID, NO_BULLS, NO_CALENDAR, NO_NAMES, UNEXPECTED)
}


def sentence_of(error: Exception) -> str:
    """Return the English message to store for an error."""
    for kind, sentence in _LASTING.items():
        if isinstance(error, kind):
            return sentence
    return UNEXPECTED


def translated(sentence: str) -> str:
    """Translate a stored message. Other texts are returned unchanged."""
    return _(sentence) if sentence else ""
