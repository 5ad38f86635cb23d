"""The glossary of bullfighting terms, from `data/glossary.csv`.

`data/glossary_bloodless.csv` contains terms that have another name or meaning in bloodless language
variants. Its column `of` is the usual term, or empty if there is none.
"""

from __future__ import annotations

from functools import cache
from typing import Final

from django.utils.translation import gettext_lazy as _

from accounts.wording import is_bloodless
from core.names.text import sort_key
from corridas.world.roster.entries import Coat, GlossaryEntry
from corridas.world.roster.loading import load_bloodless_glossary, load_coats, load_glossary


@cache
def entries(language: str = "en") -> tuple[GlossaryEntry, ...]:
    rows = list(_usual())
    if is_bloodless(language):
        rows = [_instead().get(plain(entry.term), entry) for entry in rows]
        rows += [entry for of, entry in _bloodless() if not of]
    return tuple(sorted(rows, key=lambda entry: sort_key(entry.term)))


def called(name: str, language: str) -> str:
    other = _instead().get(plain(name)) if is_bloodless(language) else None
    return other.term if other and plain(other.term) != plain(name) else name


_usual = cache(load_glossary)
_bloodless = cache(load_bloodless_glossary)


@cache
def _instead() -> dict[str, GlossaryEntry]:
    return {plain(of): entry for of, entry in _bloodless() if of}


@cache
def _by_term(language: str) -> dict[str, GlossaryEntry]:
    usual = {plain(entry.term): entry for entry in _usual()}
    if not is_bloodless(language):
        return usual
    return {**usual, **_instead(), **{plain(known.term): known for known in entries(language)}}


@cache
def coats() -> dict[str, Coat]:
    return {plain(coat.name): coat for coat in load_coats()}


def coat_meaning(coat: str, language: str) -> str | None:
    coat_entry = coats().get(plain(coat))
    if coat_entry is None:
        return None
    return coat_entry.spanish if language.startswith("es") else coat_entry.english


def coat_colour(coat: str) -> str:
    coat_entry = coats().get(plain(coat))
    return coat_entry.colour if coat_entry else "#17110f"


COUNTRIES: Final = {
    "CO": _("Colombia"),
    "EC": _("Ecuador"),
    "ES": _("Spain"),
    "FR": _("France"),
    "MX": _("Mexico"),
    "PE": _("Peru"),
    "PT": _("Portugal"),
    "VE": _("Venezuela"),
}


def plain(term: str) -> str:
    return term.casefold().translate(ACCENTS)


ACCENTS: Final = str.maketrans("áéíóúü", "aeiouu")


def meaning(term: str, language: str) -> str | None:
    """Return the meaning of a term. Plurals and coats of bulls are found too."""
    plain_term, terms = plain(term), _by_term(language)
    for form in (plain_term, plain_term.removesuffix("s"), plain_term.removesuffix("es")):
        if form in terms:
            return terms[form].meaning(language)
    return coat_meaning(term, language)
