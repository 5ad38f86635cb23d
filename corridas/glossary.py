"""The glossary of bullfighting terms, from `data/glossary.csv`.

`data/glossary_bloodless.csv` contains terms that have another name or meaning in bloodless language
variants. Its column `of` is the usual term, or empty if there is none.
"""

from __future__ import annotations

import csv
from functools import cache
from pathlib import Path
from typing import Final, NamedTuple

from django.utils.translation import gettext_lazy as _

from accounts.wording import is_bloodless
from core.names.text import sort_key

DATA: Final = Path(__file__).resolve().parent / "data"


class GlossaryEntry(NamedTuple):
    term: str
    kind: str
    en: str
    es: str

    def meaning(self, language: str) -> str:
        return self.es if language.startswith("es") else self.en


@cache
def entries(language: str = "en") -> tuple[GlossaryEntry, ...]:
    rows = [entry for _, entry in _read("glossary.csv")]
    if is_bloodless(language):
        rows = [_instead().get(plain(entry.term), entry) for entry in rows]
        rows += [entry for of, entry in _read("glossary_bloodless.csv") if not of]
    return tuple(sorted(rows, key=lambda entry: sort_key(entry.term)))


def called(name: str, language: str) -> str:
    other = _instead().get(plain(name)) if is_bloodless(language) else None
    return other.term if other and plain(other.term) != plain(name) else name


def _read(file: str) -> list[tuple[str, GlossaryEntry]]:
    with (DATA / file).open(encoding="utf-8", newline="") as lines:
        return [
            (row.get("of", ""), GlossaryEntry(row["term"], row["kind"], row["en"], row["es"]))
            for row in csv.DictReader(lines)
        ]


@cache
def _instead() -> dict[str, GlossaryEntry]:
    return {plain(of): entry for of, entry in _read("glossary_bloodless.csv") if of}


@cache
def _by_term(language: str) -> dict[str, GlossaryEntry]:
    usual = {plain(entry.term): entry for entry in entries()}
    if not is_bloodless(language):
        return usual
    return {**usual, **_instead(), **{plain(known.term): known for known in entries(language)}}


class Coat(NamedTuple):
    en: str
    es: str
    colour: str


@cache
def coats() -> dict[str, Coat]:
    with (DATA / "coats.csv").open(encoding="utf-8", newline="") as lines:
        return {
            plain(row["coat"]): Coat(row["english"], row["spanish"], row["colour"])
            for row in csv.DictReader(lines)
        }


def coat_meaning(coat: str, language: str) -> str | None:
    coat_entry = coats().get(plain(coat))
    if coat_entry is None:
        return None
    return coat_entry.es if language.startswith("es") else coat_entry.en


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
