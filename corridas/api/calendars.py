"""A circuit's settings and its calendar, which its director reads and replaces."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.conditional import check
from api.views import Detail
from corridas.api.acting import READ_AND_PUT, Putting
from corridas.api.described import Operation, described
from corridas.api.seen import OfCircuit, who
from corridas.circuits.operations import (
    LONGEST_NAME,
    PACES_MS,
    Settings,
    change_calendar,
    change_circuit,
)
from corridas.models import Circuit
from corridas.simulation import calendar_of
from corridas.world.calendar import DAY_PATTERNS, Entry

MOST_ENTRIES = 500
HOUR = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"


class CalendarEntry(serializers.Serializer[Any]):
    """A line of a calendar: a feria, or a run of single dates, of one plaza."""

    feria = serializers.CharField(max_length=80)
    plaza = serializers.SlugField(max_length=60)
    starts = serializers.CharField(
        max_length=30, help_text="The rule of its first day: 07-07, easter+49, sunday>=03-22."
    )
    corridas = serializers.IntegerField(min_value=1, max_value=366)
    days = serializers.ChoiceField(DAY_PATTERNS)


def entries_of(rows: Sequence[Mapping[str, Any]] | None) -> list[Entry] | None:
    """Entries as the operations take them; None is the site's calendar."""
    return None if rows is None else [Entry(**row) for row in rows]


class CircuitSettingsAsked(serializers.Serializer[Any]):
    """What can be changed at any time."""

    name = serializers.CharField(max_length=LONGEST_NAME)
    public = serializers.BooleanField()
    pace_ms = serializers.IntegerField(min_value=PACES_MS[0], max_value=PACES_MS[1])
    always_on_air = serializers.BooleanField()
    evening = serializers.RegexField(
        HOUR, allow_null=True, help_text="The hour in its zone, or null: none."
    )
    zone = serializers.CharField(max_length=40)
    tables_count = serializers.BooleanField()


class CircuitSettingsTold(CircuitSettingsAsked):
    """The same as it stands."""

    evening = serializers.SerializerMethodField()  # type: ignore[assignment]

    def get_evening(self, circuit: Circuit) -> str | None:
        """The hour as it is written."""
        return circuit.evening.strftime("%H:%M") if circuit.evening else None


class CalendarAsked(serializers.Serializer[Any]):
    """The calendar of seasons to come; null stands for the site's."""

    entries = serializers.ListField(child=CalendarEntry(), allow_null=True, max_length=MOST_ENTRIES)


class CalendarTold(serializers.Serializer[Any]):
    """The calendar of seasons to come, and whether it is the circuit's own."""

    own = serializers.BooleanField()
    entries = CalendarEntry(many=True)


class _Directed(OfCircuit, Putting, Detail):
    """What a director reads and replaces, and nobody else."""

    http_method_names = READ_AND_PUT
    queryset = Circuit.objects.none()

    def get_object(self) -> Circuit:
        """The circuit, for its director."""
        return self.directed

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Replace it, if it still is as it was read."""
        asked = self.read(request)
        held = Circuit.objects.select_for_update(of=("self",)).get(pk=self.directed.pk)
        check(request, self.represent(held), required=True)
        return Response(self.represent(self.replace(held, asked)))

    def replace(self, held: Circuit, asked: dict[str, Any]) -> Circuit:
        """The circuit with what was asked for."""
        raise NotImplementedError


@described(
    get=Operation("settings_read", CircuitSettingsTold, problems=(403,)),
    put=Operation("settings_replace", CircuitSettingsTold),
)
class CircuitSettings(_Directed):
    """A circuit's settings."""

    serializer_class = CircuitSettingsTold
    asks_for = CircuitSettingsAsked

    def replace(self, held: Circuit, asked: dict[str, Any]) -> Circuit:
        """With other settings."""
        hour = asked.pop("evening")
        evening = dt.time.fromisoformat(hour) if hour else None
        return change_circuit(
            circuit=held, settings=Settings(evening=evening, **asked), by=who(self)
        )


@described(
    get=Operation("calendar_read", CalendarTold, problems=(403,)),
    put=Operation("calendar_replace", CalendarTold),
)
class CircuitCalendar(_Directed):
    """The calendar that the next season will follow."""

    serializer_class = CalendarTold
    asks_for = CalendarAsked

    def represent(self, row: Circuit) -> Any:
        """Its lines, the site's where it has none of its own."""
        entries = [entry._asdict() for entry in calendar_of(row)]
        return self.get_serializer({"own": row.calendar is not None, "entries": entries}).data

    def replace(self, held: Circuit, asked: dict[str, Any]) -> Circuit:
        """With another calendar."""
        return change_calendar(circuit=held, entries=entries_of(asked["entries"]), by=who(self))
