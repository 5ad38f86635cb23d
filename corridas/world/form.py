"""The form of a matador: his last ten bulls, one letter each, and their value.

Form affects his contracts, but not the cards he fights with.
"""

from functools import lru_cache
from typing import Final

from corridas.engine import Ending, Trophy

# The number of bulls in the form.
LENGTH = 10

# The letters from worst to best: three avisos, bronca, pitos, silencio, división de opiniones,
# aplausos, ovación, one ear, two ears, indulto (a bull spared), rabo (the tail).
OUTCOMES: Final = "XBPSDAO12IR"

# The value of each bull, -8 to 8.
VALUES: Final = dict(zip(OUTCOMES, (-8, -6, -4, -2, 0, 1, 2, 4, 6, 7, 8), strict=True))

_FULL_MARKS = 8 * sum(range(1, LENGTH + 1))


class FormError(ValueError):
    """An unknown letter, or a form of more than ten bulls."""


def outcome(ending: Ending | str, trophy: int | None, crowd: int | None) -> str:
    """Return the letter of a lidia for its finisher; empty where it was broken off.

    The arguments are those of the engine's result, or columns of a row. Raise `FormError` for a
    completed lidia with neither trophy nor verdict of the crowd.
    """
    ending = Ending(ending)
    if ending is Ending.BROKEN_OFF:
        return ""
    if ending is Ending.THREE_AVISOS:
        return "X"
    if trophy == Trophy.RABO:
        return "R"
    if ending is Ending.SPARED:
        return "I"
    if trophy:
        return str(int(trophy))
    if crowd is None:
        raise FormError("a lidia without a trophy has a verdict of the crowd")
    return OUTCOMES[crowd]


def push(form: str, letter: str) -> str:
    """Append one bull to the form, the newest last; an empty letter changes nothing.

    Raise `FormError` for an unknown letter.
    """
    if letter and letter not in VALUES:
        raise FormError(f"{letter!r} is no outcome; the letters are {OUTCOMES}")
    return (form + letter)[-LENGTH:]


@lru_cache(maxsize=4096)
def value(form: str) -> int:
    """Return the value of a form, -100 to 100; 0 for an empty one.

    The newest bull counts ten times, the one before nine times, and so on: short forms stay near 0.
    Raise `FormError` for an invalid form.
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
    """Return the value of each bull of a form, -8 to 8, oldest first, for a sparkline.

    Raise `FormError` for an unknown letter.
    """
    try:
        return tuple(VALUES[letter] for letter in form)
    except KeyError as error:
        raise FormError(f"{error.args[0]!r} is no outcome; the letters are {OUTCOMES}") from None
