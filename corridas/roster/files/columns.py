"""The tables of a roster file: their columns, keys, checks and limits."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from django.conf import settings
from django.db.models import Model
from django.utils.translation import gettext_noop as _

from core.names.text import comparison_key
from core.spreadsheets.limits import Limits
from corridas.engine import RANGES
from corridas.models import Bull, Ganaderia, Matador, Plaza
from corridas.models.seasons import Feria
from corridas.world.roster import columns as world
from corridas.world.roster.entries import WHOLE_DATE
from corridas.world.roster.rows import Check, TableRow


def limits() -> Limits:
    return Limits(**getattr(settings, "ROSTER_LIMITS", {}))


# Error messages of modules without Django, repeated here so that `makemessages` finds them.
RULES: Final = frozenset(
    {
        _("%(column)s “%(value)s” is not a whole number from %(low)s to %(high)s"),
        _("%(column)s “%(value)s” is not a number of degrees from %(low)s to %(high)s"),
        _("%(column)s “%(value)s” is not one of these values: %(words)s"),
        _("%(column)s is empty"),
        _("%(column)s “%(value)s” is already on line %(before)s"),
        _("%(column)s “%(value)s” may only contain a–z, 0–9 and single hyphens"),
        _("%(column)s “%(value)s” is not a date. Enter YYYY-MM-DD."),
        _("%(column)s “%(value)s” is not a valid date"),
        _("the dates of birth, alternativa and death are not in order"),
        _("%(column)s “%(value)s” is not allowed. Enter yes or no."),
    }
)

YES: Final = "yes"
YEARS: Final = (1, 9999)
PLACES: Final = (0, 9999)
WEIGHTS: Final = (300, 800)
# States of a bull that belongs to a roster. A bull that died in the ring does not.
FATES: Final = (Bull.State.CAMPO.value, Bull.State.SEMENTAL.value)


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a roster table.

    `needed` columns must be present in a file. `blank` allows empty cells. `office` columns are for
    administrators only. `longest` is the maximum number of characters, None without a limit.
    """

    name: str
    check: Check
    needed: bool = False
    blank: bool = True
    office: bool = False
    longest: int | None = None


@dataclass(frozen=True)
class RosterTable:
    """A table of a roster file.

    `key` are the columns that identify a row. `columns` are in the order in which they are written.
    `folders` are the parts of a URL before the slug, for rows with pages.
    """

    name: str
    key: tuple[str, ...]
    columns: tuple[Column, ...]
    folders: tuple[str, ...] = ()

    @cached_property
    def by_name(self) -> Mapping[str, Column]:
        return {column.name: column for column in self.columns}

    def names(self, *, office: bool) -> tuple[str, ...]:
        """Return the columns that a user reads and writes.

        With `office` these include the columns for administrators.
        """
        return tuple(column.name for column in self.columns if office or not column.office)

    def needed(self) -> tuple[str, ...]:
        return tuple(column.name for column in self.columns if column.needed)


# Texts for yes and no: in the languages of the site, and as spreadsheets write true and false.
YES_WORDS: Final = frozenset({YES, "true", "sí", "si", "verdadero", "1", "x"})
NO_WORDS: Final = frozenset({"", "no", "false", "falso", "0"})


def yes_no(row: TableRow, column: str) -> str:
    word = comparison_key(row[column])
    sentence = "%(column)s “%(value)s” is not allowed. Enter yes or no."
    row.require(word in YES_WORDS | NO_WORDS, sentence, column, value=row[column])
    return YES if word in YES_WORDS else ""


def whole_day(row: TableRow, column: str) -> str:
    """Parse a complete date.

    A year alone is not enough, because dates of alternativas decide the order of seniority (Ruling
    I-14).
    """
    text = world.day(row, column)
    return text if len(text) == WHOLE_DATE else ""


def _longest(model: type[Model], name: str) -> int | None:
    if name in {"feria", "plaza", "herd", "padrino", "testigo", "matador"}:
        return 60 if name != "feria" else Feria._meta.get_field("name").max_length
    known = {field.name: field for field in model._meta.concrete_fields}
    length: int | None = getattr(known.get(name), "max_length", None)
    return length


def _shipped(
    checks: Mapping[str, Check], model: type[Model], *, blank: tuple[str, ...]
) -> tuple[Column, ...]:
    """Return the columns of a table that is part of the shipped data.

    Columns that are not in `blank` must be present and must not be empty.
    """
    return tuple(
        Column(
            name=name,
            check=check,
            needed=name not in blank,
            blank=name in blank,
            longest=_longest(model, name),
        )
        for name, check in checks.items()
    )


def _own(name: str, check: Check, *, office: bool = False, longest: int | None = None) -> Column:
    return Column(name=name, check=check, office=office, longest=longest)


def _name(name: str, longest: int = 60) -> Column:
    return Column(name=name, check=TableRow.text, needed=True, blank=False, longest=longest)


LIFE: Final = (
    *("apodo", "birthplace", "born", "died", "deathplace"),
    *("alternativa", "alternativa_place", "country", "style"),
)
MATADORS: Final = RosterTable(
    name="matadors",
    key=("slug",),
    folders=Matador.FOLDERS,
    columns=(
        *_shipped({**world.MATADORS, "alternativa": whole_day}, Matador, blank=LIFE),
        _own("state", world.one_of(tuple(Matador.State.values))),
        _own("retired_in", world.whole(*YEARS)),
        _own("counted_from", world.whole(*YEARS)),
        _own("promise", world.whole(*world.RATINGS), office=True),
        _own("fictional", yes_no),
        _own("padrino", TableRow.text, longest=60),
        _own("testigo", TableRow.text, longest=60),
    ),
)
CARDS: Final = RosterTable(
    name="cards",
    key=("matador",),
    columns=(
        _name("matador"),
        *(
            Column(name=name, check=check, needed=True, blank=False)
            for name, check in world.CARDS.items()
        ),
    ),
)
# Columns of a plaza whose values may be unknown.
PLACE: Final = ("seats", "latitude", "longitude")
PLAZAS: Final = RosterTable(
    name="plazas",
    key=("slug",),
    folders=Plaza.FOLDERS,
    columns=(*_shipped(world.PLAZAS, Plaza, blank=PLACE), _own("archived", yes_no)),
)
HERDS: Final = RosterTable(
    name="herds",
    key=("slug",),
    folders=Ganaderia.FOLDERS,
    columns=(
        *_shipped(world.HERDS, Ganaderia, blank=("encaste",)),
        _own("renown", world.whole(*PLACES)),
        _own("archived", yes_no),
    ),
)
BULLS: Final = RosterTable(
    name="bulls",
    key=("herd", "year", "number"),
    columns=(
        _name("herd"),
        Column(name="year", check=world.whole(*YEARS), needed=True, blank=False),
        Column(name="number", check=world.whole(*world.BRANDS), needed=True, blank=False),
        _name("name", 30),
        _name("coat", 30),
        Column(name="weight", check=world.whole(*WEIGHTS), needed=True, blank=False),
        _own("state", world.one_of(FATES)),
        _own("sire_year", world.whole(*YEARS)),
        _own("sire_number", world.whole(*world.BRANDS)),
    ),
)
DECK: Final = RosterTable(
    name="deck",
    key=("card",),
    columns=(
        Column(name="card", check=world.whole(0, 69), needed=True, blank=False),
        *(
            Column(name=name, check=check, needed=True, blank=False)
            for name, check in world.DECK.items()
        ),
    ),
)
FERIAS: Final = RosterTable(
    name="ferias",
    key=("plaza", "feria"),
    columns=_shipped(world.FERIAS, Feria, blank=()),
)

# All tables in the order of import. Rows that other rows refer to come first.
TABLES: Final[Mapping[str, RosterTable]] = {
    table.name: table for table in (PLAZAS, HERDS, MATADORS, CARDS, BULLS, DECK, FERIAS)
}

# Default values of columns that a file may leave out or leave empty.
DEFAULTS: Final[Mapping[str, Mapping[str, str]]] = {
    "matadors": {"state": Matador.State.ACTIVE.value},
    "bulls": {"state": Bull.State.CAMPO.value},
}

# Columns that cannot change once a corrida with the row has been announced, because its commitment
# contains them (Ruling F-2).
BOUND: Final[Mapping[str, tuple[str, ...]]] = {
    "matadors": ("name", "alternativa"),
    "plazas": ("name", "category"),
    "bulls": ("name", "coat", "weight", "state"),
}

assert set(RANGES) <= set(CARDS.by_name)
