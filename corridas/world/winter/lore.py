"""Sources of new matadors: names and birthplaces by country, and masters of every style."""

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
    """The tables from which a new matador is made."""

    names: tuple[Name, ...]
    places: tuple[Birthplace, ...]
    matadors: tuple[Matador, ...]
    cards: dict[str, MatadorCard]

    @cached_property
    def by_kind(self) -> dict[tuple[str, str], tuple[str, ...]]:
        """The names of a country and a kind, in the order of the table."""
        names_by_kind: dict[tuple[str, str], list[str]] = {}
        for name in self.names:
            names_by_kind.setdefault((name.country, name.kind), []).append(name.name)
        return {key: tuple(names) for key, names in names_by_kind.items()}

    @cached_property
    def never(self) -> frozenset[str]:
        """Keys of names of historical people."""
        real = [name.name for name in self.names if name.kind == "real"]
        billed = [text for man in self.matadors for text in (man.name, man.apodo) if text]
        return frozenset(map(key, [*real, *billed]))

    @cached_property
    def styles(self) -> tuple[str, ...]:
        """The style of every matador of the table, so that frequent ones are likelier."""
        return tuple(matador.style for matador in self.matadors)

    def masters(self, style: str) -> list[MatadorCard]:
        return [self.cards[man.slug] for man in self.matadors if man.style == style]


@lru_cache(maxsize=4)
def load_lore(folder: Path = DATA) -> Lore:
    """Load the lore of a folder of tables, by default the shipped ones. Raise `RosterError`."""
    return Lore(
        load_names(folder), load_countries(folder), load_matadors(folder), load_cards(folder)
    )


def key(text: str) -> str:
    """Return a name as a slug: names with the same key count as equal."""
    plain = unicodedata.normalize("NFKD", text.casefold())
    letters = "".join(sign for sign in plain if not unicodedata.combining(sign))
    return re.sub(r"[^a-z0-9]+", "-", letters).strip("-")


def keys(texts: Collection[str]) -> set[str]:
    return {key(text) for text in texts}
