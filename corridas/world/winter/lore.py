"""Data for creating new matadors: names and towns by country, and existing cards of every style."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Collection
from dataclasses import dataclass
from functools import cached_property, lru_cache
from pathlib import Path

from corridas.engine import MatadorCard
from corridas.world.roster import (
    DATA,
    Birthplace,
    Matador,
    Name,
    load_cards,
    load_countries,
    load_matadors,
    load_names,
)


@dataclass(frozen=True)
class Lore:
    """The tables from which new matadors are created."""

    names: tuple[Name, ...]
    places: tuple[Birthplace, ...]
    matadors: tuple[Matador, ...]
    cards: dict[str, MatadorCard]

    @cached_property
    def by_kind(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """The parts of names by country and kind, in the order of the table."""
        names_by_kind: dict[tuple[str, str], list[str]] = {}
        for name in self.names:
            names_by_kind.setdefault((name.country, name.kind), []).append(name.name)
        return {key: tuple(names) for key, names in names_by_kind.items()}

    @cached_property
    def never(self) -> frozenset[str]:
        """Normalised names of historical people, which fictional matadors must not have."""
        real = [name.name for name in self.names if name.kind == "real"]
        billed = [text for man in self.matadors for text in (man.name, man.apodo) if text]
        return frozenset(map(key, [*real, *billed]))

    @cached_property
    def styles(self) -> tuple[str, ...]:
        """The styles of all bundled matadors, with repetitions, so that frequent styles are drawn
        more often.
        """
        return tuple(matador.style for matador in self.matadors)

    def masters(self, style: str) -> list[MatadorCard]:
        return [self.cards[man.slug] for man in self.matadors if man.style == style]


@lru_cache(maxsize=8)
def load_lore(folder: Path = DATA, *, version: int = 1) -> Lore:
    """Load the tables from a folder, by default the bundled ones. Raises `RosterError`.

    `version` is that of the winter's rules. It decides which cards the new ones are derived from.
    """
    cards = load_cards(folder, version=version)
    return Lore(load_names(folder), load_countries(folder), load_matadors(folder), cards)


def key(text: str) -> str:
    """Return a name as a slug. Names with the same slug count as equal."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")


def keys(texts: Collection[str]) -> set[str]:
    return {key(text) for text in texts}
