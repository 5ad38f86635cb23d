"""Founding circuits, the shipped one and those of users, and planning their seasons."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from hashlib import sha256
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, transaction
from django.utils.formats import date_format
from django.utils.translation import gettext as _

from corridas import simulation
from corridas.engine import Rules, RulesError
from corridas.models import Circuit, Season
from corridas.operations.circuits.asked import check_awake, check_circuits, check_seasons
from corridas.operations.errors import OperationError
from corridas.queries.circuit import SHIPPED
from corridas.queries.circuits import free_slug
from corridas.simulation.founding import Company, bare_company, invented_company, shipped
from corridas.world.calendar import CalendarError, Entry, Overlap, dates, overlap
from fairness import Seed

if TYPE_CHECKING:
    from accounts.models import User

LONGEST_NAME: Final = 60
LONGEST_SEED: Final = 64
YEARS: Final = (1900, 2500)


@dataclass(frozen=True, kw_only=True)
class Founding:
    """What a circuit is founded with.

    `rules`: options by name; `seed`: the words an invented roster is drawn from; `calendar`: its
    own entries, or None for the shipped ones; `year`: that of its first season.
    """

    name: str
    year: int
    public: bool = True
    rules: Mapping[str, str] = field(default_factory=dict)
    roster: Circuit.Roster = Circuit.Roster.LEGENDS
    seed: str = ""
    calendar: Sequence[Entry] | None = None


def found_circuit(*, founding: Founding, by: User, at: dt.datetime) -> Circuit:
    """A circuit of the user's own, with its first season where its roster is not still to come.

    Raises `OperationError` for a name that is none, an option that does not exist, a calendar that
    cannot be, a year out of bounds, an invented roster without words to draw it from, or one
    circuit too many.
    """
    name = clean_name(founding.name)
    rules = _options(founding.rules)
    check_year(founding.year)
    check_calendar(founding.calendar, founding.year)
    company = _company(founding)
    with transaction.atomic():
        check_circuits(by)
        circuit = simulation.found(
            company.roster, slug=free_slug(name), name=name, owner=by, rules=rules
        )
        _settle(circuit, founding, company, at)
        if founding.roster != Circuit.Roster.IMPORTED:
            plan_season(circuit=circuit, year=founding.year)
    return circuit


def _settle(circuit: Circuit, founding: Founding, company: Company, at: dt.datetime) -> None:
    """What a circuit of a user has besides its roster."""
    circuit.public, circuit.founded_at = founding.public, at
    circuit.roster = founding.roster
    circuit.roster_seed = company.seed
    circuit.calendar = written(founding.calendar)
    circuit.save(update_fields=["public", "founded_at", "roster", "roster_seed", "calendar"])
    simulation.mark_invented(circuit, company)


def clean_name(text: str) -> str:
    """A name as it is kept; `OperationError` for one that is empty or too long."""
    name = " ".join(text.split())
    if not name:
        raise OperationError(_("Enter a name for the circuit."), "name")
    if len(name) > LONGEST_NAME:
        raise OperationError(_("A name can have at most %s characters.") % LONGEST_NAME, "name")
    return name


def _options(rules: Mapping[str, str]) -> dict[str, str]:
    try:
        return Rules.from_options(rules).options()
    except RulesError as error:
        raise OperationError(str(error), "rules") from error


def check_year(year: int) -> None:
    """`OperationError` for a year that no season can be in."""
    if not YEARS[0] <= year <= YEARS[1]:
        raise OperationError(
            _("The year of a season must be from %(first)s to %(last)s.")
            % {"first": YEARS[0], "last": YEARS[1]},
            "year",
        )


def check_calendar(entries: Sequence[Entry] | None, year: int) -> None:
    """`OperationError` for a calendar that is empty, cannot be in that year or has overlaps."""
    if entries is None:
        return
    if not entries:
        raise OperationError(_("A calendar needs at least one corrida."), "calendar")
    try:
        dates(entries, year)
    except CalendarError as error:
        raise OperationError(str(error), "calendar") from error
    if found := refused_overlap(entries, year):
        raise OperationError(overlap_error(found), "calendar")


def refused_overlap(entries: Sequence[Entry], year: int) -> Overlap | None:
    """Two ferias that need the same day of a plaza; None where all have their own.

    The shipped calendar is taken as it is: its single corridas may meet a Sunday of a run.
    Raises `CalendarError` where a date makes no sense.
    """
    found = overlap(entries, year)
    return None if found and {found.entry, found.other} <= set(shipped().ferias) else found


def overlap_error(found: Overlap) -> str:
    """The sentence that refuses an overlap, with both ferias and their days."""
    return _(
        "In %(year)s, “%(feria)s” (%(days)s) overlaps with “%(other)s” (%(others)s). A plaza can"
        " have one corrida a day, so choose other days for one of them."
    ) % {
        "year": found.days[0].year,
        "feria": found.entry.feria,
        "days": _span(found.days),
        "other": found.other.feria,
        "others": _span(found.others),
    }


def coming_year(circuit: Circuit) -> int:
    """The year after the latest season; any year without a catch where there is none."""
    latest = circuit.seasons.order_by("-year").first()
    return latest.year + 1 if latest else 2027


def _span(days: Sequence[dt.date]) -> str:
    """The first and the last of some days, as 3 March – 7 March."""
    ends = dict.fromkeys((min(days), max(days)))
    return " – ".join(date_format(day, "MONTH_DAY_FORMAT") for day in ends)


def written(entries: Sequence[Entry] | None) -> list[dict[str, str | int]] | None:
    """Entries as a circuit's row keeps them; None stands for the shipped calendar."""
    return None if entries is None else [entry._asdict() for entry in entries]


def _company(founding: Founding) -> Company:
    if founding.roster == Circuit.Roster.IMPORTED:
        return bare_company()
    if founding.roster == Circuit.Roster.LEGENDS:
        return Company(roster=shipped())
    words = founding.seed.strip()
    if not words or len(words) > LONGEST_SEED:
        raise OperationError(
            _("Enter a seed of 1 to %s characters. Any characters will do.") % LONGEST_SEED, "seed"
        )
    return invented_company(words, Seed(sha256(words.encode()).digest()), founding.year)


def found_leyendas(*, year: int) -> Circuit:
    """The shipped circuit with its roster and a first season; the one there is, if there is one."""
    circuit = Circuit.objects.filter(slug=SHIPPED).first()
    if circuit is None:
        with transaction.atomic():
            circuit = simulation.found(
                shipped(), slug=SHIPPED, name="Circuito Leyendas", owner=None, rules={}
            )
            circuit.always_on_air = True
            circuit.save(update_fields=["always_on_air"])
            plan_season(circuit=circuit, year=year)
    return circuit


def plan_season(*, circuit: Circuit, year: int) -> Season:
    """A season of the circuit's calendar.

    Raises `OperationError` where the year is planned already, or is none; where the circuit is
    frozen, or has seasons enough; where its calendar is empty, or fewer than three matadors with a
    card could appear in it.
    """
    check_awake(circuit)
    check_seasons(circuit)
    _check_company(circuit)
    entries = simulation.calendar_of(circuit)
    if not entries:
        raise OperationError(_("%s has no plazas in its calendar.") % circuit, "year")
    try:
        with transaction.atomic():
            return simulation.plan(circuit, year, entries, seed=Seed.fresh())
    except IntegrityError as error:
        if not Season.objects.filter(circuit=circuit, year=year).exists():
            raise
        raise OperationError(
            _("%(circuit)s already has a season in %(year)s.") % {"circuit": circuit, "year": year},
            "year",
        ) from error
    except CalendarError as error:
        raise OperationError(str(error), "year") from error


def _check_company(circuit: Circuit) -> None:
    """Three men and a herd, or there is no cartel."""
    able = circuit.matadors.filter(state="active", cards__isnull=False).distinct()
    if able.count() < 3 or not circuit.herds.filter(archived_at=None).exists():
        raise OperationError(
            _("%s needs at least three matadors with a card and one herd. Fill its roster first.")
            % circuit,
            "year",
        )
