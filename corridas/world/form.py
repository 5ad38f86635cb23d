"""The form of a matador: one letter for each of his last ten bulls, and a value for all of them.

Form affects how often a matador is contracted, but not the cards he plays with.
"""

from functools import lru_cache
from typing import Final

from corridas.engine import Ending, Trophy

# Number of bulls that count for the form.
LENGTH = 10

# Letters for the result of one bull, from worst to best: three avisos (stopped by the third time
# warning); the crowd's verdicts bronca, pitos, silencio, división de opiniones, aplausos and
# ovación; one ear; two ears; indulto (bull spared); rabo (tail).
OUTCOMES: Final = "XBPSDAO12IR"

# Value of each letter, from -8 to 8.
VALUES: Final = dict(zip(OUTCOMES, (-8, -6, -4, -2, 0, 1, 2, 4, 6, 7, 8), strict=True))

_FULL_MARKS = 8 * sum(range(1, LENGTH + 1))


class FormError(ValueError):
    """A form contains an unknown letter or more than ten bulls."""


def outcome(ending: Ending | str, trophy: int | None, crowd: int | None) -> str:
    """Return the form letter for a lidia (the fight with one bull), or "" if it was broken off.

    The arguments come from the engine's result or from database columns. Raises `FormError` if a
    completed lidia has neither a trophy nor a verdict of the crowd.
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
    """Append the letter of one bull to a form and drop the oldest beyond ten.

    The newest letter is the last one. An empty letter changes nothing. Raises `FormError` for an
    unknown letter.
    """
    if letter and letter not in VALUES:
        raise FormError(f"{letter!r} is no outcome; the letters are {OUTCOMES}")
    return (form + letter)[-LENGTH:]


@lru_cache(maxsize=4096)
def value(form: str) -> int:
    """Return the value of a form, from -100 to 100. An empty form has the value 0.

    The newest bull has weight ten, the one before it nine, and so on. The sum is not normalised, so
    a short form stays near 0. Raises `FormError` for an invalid form.
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
    """Return the value of each letter in a form, from -8 to 8, the oldest bull first.

    Raises `FormError` for an unknown letter.
    """
    try:
        return tuple(VALUES[letter] for letter in form)
    except KeyError as error:
        raise FormError(f"{error.args[0]!r} is no outcome; the letters are {OUTCOMES}") from None
