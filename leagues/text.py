"""Formatting of lists of names (`Ana, Berta and Carla`, `Litri e Ignacio`), scores and points."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Sequence
from decimal import Decimal
from fractions import Fraction
from typing import Final

from django.contrib.humanize.templatetags.humanize import intcomma
from django.template.defaultfilters import floatformat
from django.utils.translation import get_language, ngettext
from django.utils.translation import gettext as _

# Matches words before which Spanish uses `e` instead of `y` for “and”, such as `Ignacio`, but not
# words such as `hielo`.
I_SOUND: Final = re.compile(r"h?[ií](?![aeoáéó])", re.IGNORECASE)
# Matches words before which Spanish uses `u` instead of `o` for “or”: `6 u 8`.
O_SOUND: Final = re.compile(r"h?[oó]|8|11(?!\d)", re.IGNORECASE)

MINUS: Final = "\N{MINUS SIGN}"
FRACTIONS: Final = {
    Fraction(1, 2): "½",
    Fraction(1, 3): "⅓",
    Fraction(2, 3): "⅔",
    Fraction(1, 4): "¼",
    Fraction(3, 4): "¾",
    Fraction(1, 6): "⅙",
    Fraction(5, 6): "⅚",
}


def and_word(name: object) -> str:
    return "e" if _spanish() and I_SOUND.match(str(name)) else _("and")


def or_word(name: object) -> str:
    return "u" if _spanish() and O_SOUND.match(str(name)) else _("or")


def join_with_and(names: Sequence[object]) -> str:
    return _join_names(names, and_word)


def join_with_or(names: Sequence[object]) -> str:
    return _join_names(names, or_word)


def _join_names(names: Sequence[object], word: Callable[[object], str]) -> str:
    if len(names) < 2:
        return "".join(map(str, names))
    return f"{', '.join(map(str, names[:-1]))} {word(names[-1])} {names[-1]}"


def _spanish() -> bool:
    return (get_language() or "").startswith("es")


def number_duplicates(names: Sequence[str]) -> list[str]:
    """Return the names, numbering those that occur several times: `Lookout 1`, `Lookout 2`."""
    seen: Counter[str] = Counter()
    numbered = []
    for name in names:
        seen[name] += 1
        numbered.append(f"{name} {seen[name]}" if name and names.count(name) > 1 else name)
    return numbered


def score(value: Fraction | int | float) -> str:
    """Return a score as text, with signs such as ½ or else with two decimal places."""
    exact = Fraction(value)
    whole, rest = divmod(exact, 1)
    if not rest:
        return str(whole)
    if rest in FRACTIONS and exact > 0:
        return f"{whole or ''}{FRACTIONS[rest]}"
    return floatformat(float(exact), 2)


def count_points(points: float | Decimal) -> str:
    """Return points as text: `1 point`, `−1 point`, `0 points`, `2.5 points`."""
    amount = -points if points < 0 else points
    number = f"{MINUS if points < 0 else ''}{intcomma(amount)}"
    few = 1 if amount == 1 else 2
    return ngettext("%(points)s point", "%(points)s points", few) % {"points": number}


def signed(value: float) -> str:
    if value == 0:
        return "0"
    return f"{'+' if value > 0 else MINUS}{intcomma(abs(value))}"
