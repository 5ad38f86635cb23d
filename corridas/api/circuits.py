"""Circuits under `/api/v1/`: the list, their settings, calendar, transfer, freezing and ending."""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Sequence

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.viewsets import ViewSetMixin

from accounts.models import User
from api.conditional import check_if_match
from api.filters import BooleanFilter, StrictFilterSet
from api.types import JSON, JSONObject
from api.views import DetailView, ListView, idempotent
from core.names.serializers import CleanCharField
from corridas.api.links import Links, link_to
from corridas.api.mixins import OfCircuit, signed_in_user
from corridas.api.schema import op
from corridas.circuit_queries import Belongings, belongings, seen_by
from corridas.circuits.copying import cancel_copy, request_copy
from corridas.circuits.operations import (
    MAX_NAME_LENGTH,
    MAX_SEED_LENGTH,
    PACES_MS,
    YEARS,
    Founding,
    Settings,
    accept_circuit,
    change_calendar,
    change_circuit,
    decline_circuit,
    delete_circuit,
    found_circuit,
    freeze_circuit,
    offer_circuit,
    restore_circuit,
    thaw_circuit,
    withdraw_offer,
)
from corridas.engine import CHOICES
from corridas.models import Circuit, CircuitCopy
from corridas.simulation.schedule import calendar_of
from corridas.world.calendar import DAY_PATTERNS, LONGEST_YEAR, MAX_ENTRIES
from corridas.world.calendar import CalendarEntry as Entry

HOUR = r"^([01][0-9]|2[0-3]):[0-5][0-9]$"


class CalendarEntry(serializers.Serializer[JSONObject]):
    """A line of a circuit's calendar: a feria, or a series of single dates, in one plaza."""

    feria = CleanCharField(max_length=80)
    plaza = serializers.SlugField(max_length=60)
    starts = serializers.CharField(
        max_length=30, help_text="The rule of its first day: 07-07, easter+49, sunday>=03-22."
    )
    corridas = serializers.IntegerField(min_value=1, max_value=LONGEST_YEAR)
    days = serializers.ChoiceField(DAY_PATTERNS)


def entries_of(rows: Sequence[JSONObject] | None) -> list[Entry] | None:
    """Convert the calendar entries of a request; None stands for the shipped calendar."""
    return None if rows is None else [Entry(**row) for row in rows]


class CircuitSettingsAsked(serializers.Serializer[Circuit]):
    """The settings of a circuit that can be changed at any time."""

    name = CleanCharField(max_length=MAX_NAME_LENGTH)
    public = serializers.BooleanField()
    pace_ms = serializers.IntegerField(min_value=PACES_MS[0], max_value=PACES_MS[1])
    always_on_air = serializers.BooleanField()
    evening = serializers.RegexField(
        HOUR, allow_null=True, help_text="The hour in its zone, or null: none."
    )
    zone = serializers.CharField(max_length=40)
    tables_count = serializers.BooleanField()


class CircuitSettingsTold(CircuitSettingsAsked):
    """The current settings of a circuit."""

    evening = serializers.SerializerMethodField()  # type: ignore[assignment]

    def get_evening(self, circuit: Circuit) -> str | None:
        """Return the hour of the daily corrida as text such as "20:30", or None."""
        return circuit.evening.strftime("%H:%M") if circuit.evening else None


class CalendarAsked(serializers.Serializer[JSONObject]):
    """The calendar of a circuit's future seasons. Null stands for the shipped calendar."""

    entries = serializers.ListField(
        child=CalendarEntry(),
        allow_null=True,
        help_text=f"At most {MAX_ENTRIES}, or as many as it has now.",
    )


class CalendarTold(serializers.Serializer[JSONObject]):
    """The calendar of future seasons. `own` is false for the shipped calendar."""

    own = serializers.BooleanField()
    entries = CalendarEntry(many=True)


class _Directed(OfCircuit, DetailView):
    """Base class of resources that only the director of a circuit may read and replace."""

    queryset = Circuit.objects.none()

    def get_object(self) -> Circuit:
        """Return the circuit. Only its director may use this view."""
        return self.directed_circuit

    def replace(self, request: Request, change: Callable[..., Circuit]) -> Response:
        """Replace the resource with the data of the request.

        This fails with 412 if it has changed since the client read it.
        """
        data = self.read(request)
        held = Circuit.objects.select_for_update(of=("self",)).get(pk=self.directed_circuit.pk)
        check_if_match(request, self.represent(held), required=True)
        return Response(self.represent(change(circuit=held, by=signed_in_user(self), **data)))


@extend_schema_view(get=op("settings_read", CircuitSettingsTold, problems=(403,)))
class CircuitSettings(_Directed):
    """The settings of a circuit, for its director."""

    serializer_class = CircuitSettingsTold

    @op("settings_replace", CircuitSettingsTold)
    @idempotent(CircuitSettingsAsked)
    def put(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Change the settings of the circuit."""
        return self.replace(request, _change_settings)


def _change_settings(*, circuit: Circuit, by: User, evening: str | None, **others: JSON) -> Circuit:
    hour = dt.time.fromisoformat(evening) if evening else None
    return change_circuit(circuit=circuit, settings=Settings(evening=hour, **others), by=by)


@extend_schema_view(get=op("calendar_read", CalendarTold, problems=(403,)))
class CircuitCalendar(_Directed):
    """The calendar that the next season of a circuit will follow."""

    serializer_class = CalendarTold

    def represent(self, row: Circuit) -> JSON:
        """Return the calendar of the circuit: its own, or the shipped one."""
        entries = [entry._asdict() for entry in calendar_of(row)]
        return self.get_serializer({"own": row.calendar is not None, "entries": entries}).data

    @op("calendar_replace", CalendarTold)
    @idempotent(CalendarAsked)
    def put(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Change the calendar of future seasons."""
        return self.replace(request, _change_calendar)


def _change_calendar(
    *, circuit: Circuit, by: User, entries: Sequence[JSONObject] | None
) -> Circuit:
    return change_calendar(circuit=circuit, entries=entries_of(entries), by=by)


class CircuitRow(serializers.Serializer[Circuit]):
    """A circuit in a list."""

    slug = serializers.CharField()
    name = serializers.CharField()
    public = serializers.BooleanField()
    director = serializers.CharField(source="owner.username", default=None, allow_null=True)
    roster = serializers.ChoiceField(Circuit.Roster.choices)
    founded_at = serializers.DateTimeField(allow_null=True)
    frozen_at = serializers.DateTimeField(allow_null=True)
    archived_at = serializers.DateTimeField(allow_null=True)
    seasons = serializers.IntegerField(source="count", help_text="How many seasons it has.")
    year = serializers.IntegerField(allow_null=True, help_text="Of the latest season.")
    on_air = serializers.BooleanField(source="airing", help_text="Whether a corrida is on air.")
    links = Links(
        self=link_to("api_circuit", circuit="slug"),
        seasons=link_to("api_seasons", circuit="slug"),
        matadors=link_to("api_matadors", circuit="slug"),
        plazas=link_to("api_plazas", circuit="slug"),
        herds=link_to("api_herds", circuit="slug"),
        bulls=link_to("api_bulls", circuit="slug"),
        cards=link_to("api_cards", circuit="slug"),
        deck=link_to("api_deck", circuit="slug"),
        records=link_to("api_records", circuit="slug"),
        hall=link_to("api_hall", circuit="slug"),
    )


class CircuitHolds(serializers.Serializer[Belongings]):
    """The size of a circuit: its numbers of seasons, corridas, matadors, plazas and herds."""

    seasons = serializers.IntegerField()
    posted = serializers.IntegerField(help_text="Corridas that are over.")
    matadors = serializers.IntegerField()
    plazas = serializers.IntegerField()
    herds = serializers.IntegerField()


class CircuitWhole(CircuitRow):
    """A circuit with its rules and settings."""

    rules = serializers.DictField(
        child=serializers.CharField(),
        source="engine_rules.options",
        help_text="Every option of the rule set of seasons to come.",
    )
    roster_seed = serializers.CharField(help_text="The words an invented roster is drawn from.")
    pace_ms = serializers.IntegerField(help_text="Milliseconds a card.")
    always_on_air = serializers.BooleanField()
    evening = serializers.SerializerMethodField(
        help_text="When the broadcast of a corrida begins, HH:MM in its zone."
    )
    zone = serializers.CharField()
    tables_count = serializers.BooleanField()
    own_calendar = serializers.SerializerMethodField()
    cards_version = serializers.IntegerField(
        help_text="The version of its matadors' cards and of the rules for its next winters."
    )
    holds = serializers.SerializerMethodField()

    def get_evening(self, circuit: Circuit) -> str | None:
        """Return the hour of the daily corrida as text such as "20:30", or None."""
        return circuit.evening.strftime("%H:%M") if circuit.evening else None

    def get_own_calendar(self, circuit: Circuit) -> bool:
        """Return whether the circuit has its own calendar instead of the shipped one."""
        return circuit.calendar is not None

    @extend_schema_field(CircuitHolds)
    def get_holds(self, circuit: Circuit) -> JSONObject:
        """Return the size of the circuit: how many seasons, corridas, matadors and so on it has."""
        return CircuitHolds(belongings(circuit)).data


class RulesAsked(serializers.Serializer[JSONObject]):
    """Options of a circuit's rules. An option that is left out has the value of the rulebook."""

    shuffle = serializers.ChoiceField(CHOICES["shuffle"], required=False)
    bull_reading = serializers.ChoiceField(CHOICES["bull_reading"], required=False)
    bull_points = serializers.ChoiceField(CHOICES["bull_points"], required=False)


class FoundingAsked(serializers.Serializer[JSONObject]):
    """A circuit to create. Without a calendar it follows the shipped one."""

    name = CleanCharField(max_length=MAX_NAME_LENGTH)
    year = serializers.IntegerField(min_value=YEARS[0], max_value=YEARS[1])
    public = serializers.BooleanField(default=True)
    roster = serializers.ChoiceField(Circuit.Roster.choices, default=Circuit.Roster.LEGENDS)
    seed = serializers.CharField(max_length=MAX_SEED_LENGTH, default="", allow_blank=True)
    rules = RulesAsked(required=False)
    calendar = serializers.ListField(
        child=CalendarEntry(), required=False, allow_null=True, max_length=MAX_ENTRIES
    )


class CircuitFilter(StrictFilterSet):
    """Filters of the list of circuits."""

    mine = BooleanFilter(method="of_me", label="those I direct")
    offered = BooleanFilter(method="to_me", label="those offered to me")
    on_air = BooleanFilter(field_name="airing", label="where a corrida is on air")

    def of_me(self, rows: QuerySet[Circuit], _name: str, wanted: bool) -> QuerySet[Circuit]:
        """Return the circuits that the user directs, or all others."""
        own = Q(owner__isnull=False, owner=self.request.user.pk)
        return rows.filter(own) if wanted else rows.exclude(own)

    def to_me(self, rows: QuerySet[Circuit], _name: str, wanted: bool) -> QuerySet[Circuit]:
        """Return the circuits that are offered to the user, or all others."""
        own = Q(offered_to__isnull=False, offered_to=self.request.user.pk)
        return rows.filter(own) if wanted else rows.exclude(own)


@extend_schema_view(get=op("circuits_list"))
class Circuits(ListView):
    """Circuits that the user may see. POST creates one."""

    serializer_class = CircuitRow
    filterset_class = CircuitFilter
    ordering = ("slug",)
    queryset = Circuit.objects.none()

    def get_queryset(self) -> QuerySet[Circuit]:
        return seen_by(self.request.user)

    @op("circuits_found", CircuitWhole, 201)
    @idempotent(FoundingAsked)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Create a circuit.

        Its first season is planned at once, unless its roster is still to be added.
        """
        data = self.read(request)
        entries = entries_of(data.pop("calendar", None))
        data["roster"] = Circuit.Roster(data["roster"])
        founding = Founding(calendar=entries, **data)
        circuit = found_circuit(founding=founding, by=signed_in_user(self), at=timezone.now())
        circuit_whole = CircuitWhole(
            seen_by(signed_in_user(self)).get(pk=circuit.pk), context=self.get_serializer_context()
        )
        way = reverse("api_circuit", kwargs={"circuit": circuit.slug})
        return Response(circuit_whole.data, status=201, headers={"Location": way})


class CircuitEnded(serializers.Serializer[JSONObject]):
    """The result of ending a circuit: whether it was deleted or archived."""

    gone = serializers.BooleanField(help_text="False: it has a history and is archived.")


class CopyTold(serializers.Serializer[CircuitCopy]):
    """The progress of copying a circuit: `done` of `total` rows have been written."""

    id = serializers.IntegerField(source="pk")
    state = serializers.ChoiceField(CircuitCopy.State.choices)
    name = serializers.CharField()
    done = serializers.IntegerField()
    total = serializers.IntegerField(help_text="0 as long as it is not known.")
    reason = serializers.ChoiceField(
        CircuitCopy.Reason.choices, help_text="Why it failed; otherwise empty."
    )
    detail = serializers.CharField(
        source="get_reason_display", help_text="The reason as a sentence."
    )
    circuit = serializers.SerializerMethodField(help_text="The copy, once it is done.")
    asked_at = serializers.DateTimeField()
    ended_at = serializers.DateTimeField(allow_null=True)
    links = Links(self=link_to("api_circuit_copying", pk="pk"))

    def get_circuit(self, copy: CircuitCopy) -> str | None:
        """Return the slug of the copy once it is complete, otherwise null."""
        complete = copy.circuit is not None and not copy.circuit.incomplete
        return copy.circuit.slug if copy.circuit and complete else None


class OfferAsked(serializers.Serializer[JSONObject]):
    """The username of the person to whom a circuit is offered."""

    name = CleanCharField(max_length=150, help_text="The name of the user.")


class Offered(serializers.Serializer[JSONObject]):
    """The user who was offered a circuit and may accept it."""

    offered_to = serializers.CharField()


class OfferAnswerAsked(serializers.Serializer[JSONObject]):
    """Whether the user accepts the circuit that was offered."""

    accept = serializers.BooleanField()


class OfferAnswered(serializers.Serializer[JSONObject]):
    """Whether the offered circuit was accepted."""

    accepted = serializers.BooleanField()


class RestAsked(serializers.Serializer[JSONObject]):
    """Whether to freeze the circuit, so that nothing is played in it."""

    frozen = serializers.BooleanField()


class CircuitViewSet(ViewSetMixin, OfCircuit):
    """A circuit, with actions that change its director or its state."""

    serializer_class = CircuitWhole
    queryset = Circuit.objects.none()

    def circuit_response(self) -> Response:
        """Return a response with the current state of the circuit."""
        circuit = seen_by(self.request.user).get(pk=self.circuit.pk)
        return Response(self.get_serializer(circuit).data)

    @op("circuits_read")
    def retrieve(self, request: Request, circuit: str) -> Response:
        """Return the circuit."""
        return self.circuit_response()

    @op("circuits_end", CircuitEnded)
    @idempotent()
    def destroy(self, request: Request, circuit: str) -> Response:
        """Delete the circuit if no corrida has been played in it. Otherwise archive it."""
        gone = delete_circuit(circuit=self.circuit, by=signed_in_user(self), at=timezone.now())
        return Response({"gone": gone})

    @op("offer_make", Offered)
    @idempotent(OfferAsked)
    def offer(self, request: Request, circuit: str) -> Response:
        """Offer the circuit to another user, who may accept or decline."""
        name = self.read(request)["name"]
        other = offer_circuit(circuit=self.circuit, name=name, by=signed_in_user(self))
        return Response({"offered_to": other.get_username()})

    @op("offer_withdraw", status=204)
    @idempotent()
    def withdraw_offer(self, request: Request, circuit: str) -> Response:
        """Withdraw the offer of the circuit."""
        withdraw_offer(circuit=self.circuit, by=signed_in_user(self))
        return Response(status=204)

    @op("offer_answer", OfferAnswered)
    @idempotent(OfferAnswerAsked)
    def answer_offer(self, request: Request, circuit: str) -> Response:
        """Accept or decline a circuit that was offered to the user."""
        accepted = self.read(request)["accept"]
        answer = accept_circuit if accepted else decline_circuit
        answer(circuit=self.circuit, by=signed_in_user(self))
        return Response({"accepted": accepted})

    @op("rest_set", CircuitWhole)
    @idempotent(RestAsked)
    def set_rest(self, request: Request, circuit: str) -> Response:
        """Freeze the circuit, so that nothing is played in it, or thaw it."""
        if self.read(request)["frozen"]:
            freeze_circuit(circuit=self.circuit, by=signed_in_user(self), at=timezone.now())
        else:
            thaw_circuit(circuit=self.circuit, by=signed_in_user(self))
        return self.circuit_response()

    @op("circuits_restore", CircuitWhole)
    @idempotent()
    def restore(self, request: Request, circuit: str) -> Response:
        """Restore the archived circuit."""
        restore_circuit(circuit=self.circuit, by=signed_in_user(self), at=timezone.now())
        return self.circuit_response()

    @op("circuits_copy", CopyTold, 202)
    @idempotent()
    def copy(self, request: Request, circuit: str) -> Response:
        """Copy the current state of the circuit into a private circuit of the user.

        A worker creates the copy. Until it is complete, `circuit` is null.
        """
        copied = request_copy(circuit=self.circuit, by=signed_in_user(self), at=timezone.now())
        serializer = CopyTold(copied, context=self.get_serializer_context())
        way = reverse("api_circuit_copying", kwargs={"pk": copied.pk})
        return Response(serializer.data, status=202, headers={"Location": way})


@extend_schema_view(get=op("copies_read", CopyTold, problems=(403,)))
class OneCopy(DetailView):
    """The progress of a copy of a circuit that the user requested."""

    serializer_class = CopyTold
    queryset = CircuitCopy.objects.none()

    def get_queryset(self) -> QuerySet[CircuitCopy]:
        """Return the copies that the user requested.

        Raise `NotAuthenticated` for anonymous users.
        """
        if self.person is None:
            raise NotAuthenticated(_("Sign in or send an API key."))
        return CircuitCopy.objects.filter(asked_by=self.person).select_related("circuit")

    @op("copies_cancel", CopyTold)
    @idempotent()
    def delete(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Cancel the copy. A complete copy is not affected."""
        cancel_copy(copy=self.get_object(), by=signed_in_user(self), at=timezone.now())
        return Response(self.get_serializer(self.get_object()).data)
