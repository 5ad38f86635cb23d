"""The form of a matador: his last ten bulls, a letter each, and what they are worth.

Form is what those who contract him have heard lately; the cards he fights with know nothing of
it.
"""

from functools import lru_cache
from typing import Final

from corridas.engine import Crowd, Ending, Trophy

LENGTH = 10
"""So many bulls make the form; older ones are forgotten."""

OUTCOMES: Final = "XBPSDAO12IR"
"""The letters from worst to best: three avisos, bronca, pitos, silencio, división de opiniones,
aplausos, ovación, one ear, two ears, indulto (a bull spared), rabo (the tail)."""

VALUES: Final = dict(zip(OUTCOMES, (-8, -6, -4, -2, 0, 1, 2, 4, 6, 7, 8), strict=True))
"""What each bull is worth to his name, -8 to 8."""

_FULL_MARKS = 8 * sum(range(1, LENGTH + 1))


class FormError(ValueError):
    """A letter that stands for no outcome, or a form of more than ten bulls."""


def outcome(ending: Ending, trophy: Trophy | None, crowd: Crowd | None) -> str:
    """The letter of a lidia for whoever finished it; empty where it was broken off.

    Raises `FormError` for a lidia that ended with neither trophy nor verdict of the crowd.
    """
    if ending is Ending.BROKEN_OFF:
        return ""
    if ending is Ending.THREE_AVISOS:
        return "X"
    if trophy is Trophy.RABO:
        return "R"
    if ending is Ending.SPARED:
        return "I"
    if trophy:
        return str(int(trophy))
    if crowd is None:
        raise FormError("a lidia without a trophy has a verdict of the crowd")
    return OUTCOMES[crowd]


def push(form: str, letter: str) -> str:
    """The form with one more bull, the newest last; an empty letter changes nothing.

    Raises `FormError` for a letter that is no outcome.
    """
    if letter and letter not in VALUES:
        raise FormError(f"{letter!r} is no outcome; the letters are {OUTCOMES}")
    return (form + letter)[-LENGTH:]


@lru_cache(maxsize=4096)
def value(form: str) -> int:
    """What a form is worth, -100 to 100; 0 for one of whom nothing has been heard.

    The newest bull counts ten times, the one before nine times, and so on: short forms stay
    near 0. Raises `FormError` for a form that cannot be.
    """
    if len(form) > LENGTH:
        raise FormError(f"the form {form!r} has more than {LENGTH} bulls")
    total = sum(
        worth * weight
        for worth, weight in zip(reversed(worths(form)), range(LENGTH, 0, -1), strict=False)
    )
    share = 100 * abs(total) // _FULL_MARKS
    return share if total > 0 else -share


def worths(form: str) -> tuple[int, ...]:
    """What each bull of a form is worth, -8 to 8, oldest first: the sparkline of a career.

    Raises `FormError` for a letter that is no outcome.
    """
    try:
        return tuple(VALUES[letter] for letter in form)
    except KeyError as error:
        raise FormError(f"{error.args[0]!r} is no outcome; the letters are {OUTCOMES}") from None
