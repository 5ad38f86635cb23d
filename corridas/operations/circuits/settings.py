"""What a director changes about a circuit that stands."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING
from zoneinfo import available_timezones

from django.db import transaction
from django.utils.translation import gettext as _

from corridas.models import Circuit
from corridas.operations.circuits.asked import check_directs
from corridas.operations.circuits.founding import (
    check_calendar,
    clean_name,
    coming_year,
    written,
)
from corridas.operations.errors import OperationError
from corridas.queries.circuit import SHIPPED
from corridas.world.calendar import Entry

if TYPE_CHECKING:
    from accounts.models import User

PACES_MS = (50, 60_000)
"""The fastest and the slowest pace, in milliseconds a card."""


@dataclass(frozen=True, kw_only=True)
class Settings:
    """What can be changed at any time; `evening` is an hour in `zone`, or None."""

    name: str
    public: bool
    pace_ms: int
    always_on_air: bool
    evening: dt.time | None
    zone: str
    tables_count: bool


@transaction.atomic
def change_circuit(*, circuit: Circuit, settings: Settings, by: User) -> Circuit:
    """Change a circuit's settings.

    Raises `PermissionDenied` for who does not direct it, `OperationError` for a name, a pace or a
    time zone that is none, and where the shipped circuit would be hidden.
    """
    check_directs(by, circuit)
    found = Circuit.objects.select_for_update().get(pk=circuit.pk)
    _check(found, settings)
    found.name, found.public = clean_name(settings.name), settings.public
    found.pace_ms, found.always_on_air = settings.pace_ms, settings.always_on_air
    found.evening, found.zone = settings.evening, settings.zone
    found.tables_count = settings.tables_count
    found.save(
        update_fields=[
            *("name", "public", "pace_ms", "always_on_air", "evening", "zone", "tables_count")
        ]
    )
    return found


def _check(circuit: Circuit, settings: Settings) -> None:
    fastest, slowest = PACES_MS
    if not fastest <= settings.pace_ms <= slowest:
        raise OperationError(
            _("Enter %(fastest)s to %(slowest)s milliseconds per card, not %(pace)s.")
            % {"fastest": fastest, "slowest": slowest, "pace": settings.pace_ms},
            "pace_ms",
        )
    if settings.zone not in available_timezones():
        raise OperationError(_("“%s” is not a time zone.") % settings.zone, "zone")
    if circuit.slug == SHIPPED and not settings.public:
        raise OperationError(_("The site’s own circuit is always public."), "public")


@transaction.atomic
def change_calendar(*, circuit: Circuit, entries: Sequence[Entry] | None, by: User) -> Circuit:
    """Another calendar, from the next season that is planned; None is the shipped one.

    Raises `PermissionDenied` for who does not direct the circuit, `OperationError` for a calendar
    that is empty, cannot be, or names a plaza the circuit has not.
    """
    check_directs(by, circuit)
    found = Circuit.objects.select_for_update().get(pk=circuit.pk)
    check_calendar(entries, coming_year(found))
    plazas = set(found.plazas.filter(archived_at=None).values_list("slug", flat=True))
    strangers = {entry.plaza for entry in entries or ()} - plazas
    if strangers:
        named = ", ".join(sorted(strangers))
        raise OperationError(_("This circuit has no plaza %s.") % named, "calendar")
    found.calendar = written(entries)
    found.save(update_fields=["calendar"])
    return found
