"""Error messages about calendars in the reader's language."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop, ngettext

from corridas.world.calendar import CalendarError

# Messages by the codes of `CalendarError`. The code `too_long` is missing, because it needs a
# plural.
FAULTS: Final[Mapping[str, str]] = {
    "rule": gettext_noop(
        "“%(rule)s” is not the rule of a first day. Write 07-07, easter+49 or sunday>=03-22."
    ),
    "leap_day": gettext_noop(
        "29 February does not exist in every year. Choose 28 February or 1 March."
    ),
    "no_day": gettext_noop("“%(rule)s” is a day that no year has. Choose another first day."),
    "outside": gettext_noop(
        "“%(rule)s” falls on %(day)s, outside %(year)s. Choose another first day."
    ),
    "year": gettext_noop("A season can’t be in the year %(year)s."),
    "easter": gettext_noop(
        "Easter is only computed for the years %(first)s to %(last)s, not for %(year)s."
    ),
    "none": gettext_noop("A row of the calendar needs at least one corrida."),
    "days": gettext_noop("“%(days)s” is not a choice of days. Write one of these: %(choices)s."),
}


def calendar_fault(error: CalendarError) -> str:
    """Return the message of an error, with the name of the feria in which it was found."""
    sentence = sentence_of(error)
    return f"{error.entry.feria} ({error.entry.plaza}): {sentence}" if error.entry else sentence


def sentence_of(error: CalendarError) -> str:
    """Return the message of an error without the feria, for places that already name it."""
    params = error.params
    day = params.get("day")
    if isinstance(day, dt.date):
        params = {**params, "day": date_format(day, "DATE_FORMAT")}
    if error.code == "too_long":
        corridas = params["corridas"]
        assert isinstance(corridas, int)
        sentence = ngettext(
            "The year %(year)s ends before there is %(corridas)s such day. Start earlier.",
            "The year %(year)s ends before there are %(corridas)s such days. Start earlier, or "
            "plan fewer corridas.",
            corridas,
        )
        return sentence % params
    return _(FAULTS[error.code]) % params
