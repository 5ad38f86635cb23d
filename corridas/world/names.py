"""Names of matadors and plazas as they stand on posters."""

from __future__ import annotations

from typing import Final


def display_name(name: str, apodo: str) -> str:
    return apodo or name


def plaza_title(city: str, name: str) -> tuple[str, str]:
    """Return the city and the name of a plaza; one of them is empty where both say the same.

    “Plaza de Valencia” needs no city, and “Plaza de Priego” is clearer as Priego de Córdoba.
    """
    spoken, places = _words(name), _words(city)
    if places <= spoken:
        return "", name
    if any(len(word) > LONGEST_ARTICLE for word in places & spoken):
        return city, ""
    return city, name


LONGEST_ARTICLE: Final = 3


def _words(text: str) -> set[str]:
    return set(text.casefold().replace("d'", "").replace("d’", "").split())
