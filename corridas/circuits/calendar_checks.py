"""Checks that a circuit's calendar is possible in every year that the circuit may reach."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from typing import Final

from django.conf import settings
from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from corridas.calendar_faults import calendar_fault
from corridas.circuit_queries import seasons_left
from corridas.errors import OperationError
from corridas.models import Circuit
from corridas.simulation.new_circuit import shipped
from corridas.simulation.schedule import calendar_of
from corridas.world.calendar import (
    MAX_ENTRIES,
    CalendarEntry,
    CalendarError,
    Overlap,
    first_break,
    overlap,
)

# A year that stands for any year, for circuits without a season.
ANY_YEAR: Final = 2027
# Maximum number of years to check. The Gregorian calendar repeats after 400 years.
MAX_YEARS: Final = 400


def coming_year(circuit: Circuit) -> int:
    """Return the year after the circuit's latest season.

    Without a season, return a year that stands for any year.
    """
    latest = circuit.seasons.order_by("-year").first()
    return latest.year + 1 if latest else ANY_YEAR


def years_from(first: int) -> range:
    """Return the years from `first` on, as many as a circuit may have seasons."""
    return range(first, first + min(settings.SEASONS_A_CIRCUIT, MAX_YEARS))


def years_ahead(circuit: Circuit) -> range:
    """Return the years in which the circuit may still have a season, at least the next one."""
    years = years_from(coming_year(circuit))
    return years[: max(1, seasons_left(circuit))]


def check_calendar(
    entries: Sequence[CalendarEntry] | None, years: Sequence[int], *, room: int = MAX_ENTRIES
) -> None:
    """Raise `OperationError` for a calendar that is empty, too long, invalid or overlapping.

    Dates must be possible in all these years. Overlaps are only rejected in the first year, because
    in later years a feria that overlaps another one takes the next free days. `room` is the maximum
    number of entries.
    """
    if entries is None:
        return
    if not entries:
        raise OperationError(_("A calendar needs at least one corrida."), "calendar")
    if len(entries) > room:
        raise OperationError(too_many_entries(len(entries), room), "calendar")
    if error := first_break(entries, years):
        raise OperationError(calendar_fault(error), "calendar")
    if clash := refused_overlap(entries, years[0]):
        raise OperationError(overlap_error(clash), "calendar")


def broken_calendar(circuit: Circuit) -> CalendarError | None:
    """Return why the circuit's calendar is impossible in a coming year, or None.

    The shipped calendar is always possible.
    """
    if circuit.calendar is None:
        return None
    return first_break(calendar_of(circuit), years_ahead(circuit))


def too_many_entries(count: int, room: int) -> str:
    return ngettext(
        "A calendar can have at most %(most)s row. This one has %(count)s.",
        "A calendar can have at most %(most)s rows. This one has %(count)s.",
        room,
    ) % {"most": room, "count": count}


def refused_overlap(entries: Sequence[CalendarEntry], year: int) -> Overlap | None:
    """Return two ferias that need the same day of a plaza, or None.

    Overlaps within the shipped calendar are allowed, because single corridas may fall on a day of a
    feria. Raise `CalendarError` for an impossible date.
    """
    clash = overlap(entries, year)
    return None if clash and is_shipped(clash) else clash


def is_shipped(overlap: Overlap) -> bool:
    return {overlap.entry, overlap.other} <= set(shipped().ferias)


def overlap_error(overlap: Overlap) -> str:
    """Return an error message about two ferias that overlap, with their days."""
    return _(
        "In %(year)s, “%(feria)s” (%(days)s) overlaps with “%(other)s” (%(others)s). A "
        "plaza can have only one corrida a day, so choose other days for one of these "
        "ferias."
    ) % {
        "year": overlap.days[0].year,
        "feria": overlap.entry.feria,
        "days": _span(overlap.days),
        "other": overlap.other.feria,
        "others": _span(overlap.others),
    }


def _span(days: Sequence[dt.date]) -> str:
    """Return the first and the last day as text, such as 3 March – 7 March."""
    ends = dict.fromkeys((min(days), max(days)))
    return " – ".join(date_format(day, "MONTH_DAY_FORMAT") for day in ends)
