"""A circuit's settings and its calendar, which its director reads and replaces."""

from __future__ import annotations

import datetime as dt
from collections.abc import Mapping, Sequence
from typing import Any

from django.db.models import Q, QuerySet
from django.urls import reverse
from django.utils import timezone
from drf_spectacular.utils import extend_schema_field
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.conditional import check_if_match
from api.filters import BooleanFilter, StrictFilterSet
from api.views import ActionView, DetailView, ListView
from corridas.api.links import Links, link_to
from corridas.api.mixins import (
    POST,
    POST_AND_DELETE,
    PUT,
    READ_AND_DELETE,
    READ_AND_POST,
    READ_AND_PUT,
    Deleting,
    OfCircuit,
    Putting,
    who,
)
from corridas.api.schema import Operation, described
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
from corridas.circuits.queries import belongings, seen_by
from corridas.engine import CHOICES
from corridas.models import Circuit
from corridas.season.simulation import calendar_of
from corridas.world.calendar import DAY_PATTERNS, Entry

MAX_ENTRIES = 500
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

    name = serializers.CharField(max_length=MAX_NAME_LENGTH)
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

    entries = serializers.ListField(child=CalendarEntry(), allow_null=True, max_length=MAX_ENTRIES)


class CalendarTold(serializers.Serializer[Any]):
    """The calendar of seasons to come, and whether it is the circuit's own."""

    own = serializers.BooleanField()
    entries = CalendarEntry(many=True)


class _Directed(OfCircuit, Putting, DetailView):
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
        check_if_match(request, self.represent(held), required=True)
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


class CircuitRow(serializers.Serializer[Any]):
    """A circuit as a list names it."""

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


class CircuitHolds(serializers.Serializer[Any]):
    """How much a circuit holds."""

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
        help_text="When a corrida goes on the sand, HH:MM in its zone."
    )
    zone = serializers.CharField()
    tables_count = serializers.BooleanField()
    own_calendar = serializers.SerializerMethodField()
    holds = serializers.SerializerMethodField()

    def get_evening(self, circuit: Circuit) -> str | None:
        """The hour and minute, where one is set."""
        return circuit.evening.strftime("%H:%M") if circuit.evening else None

    def get_own_calendar(self, circuit: Circuit) -> bool:
        """Whether it has a calendar of its own."""
        return circuit.calendar is not None

    @extend_schema_field(CircuitHolds)
    def get_holds(self, circuit: Circuit) -> Any:
        """Counts of what belongs to it."""
        return CircuitHolds(belongings(circuit)).data


class RulesAsked(serializers.Serializer[Any]):
    """Options of the rule set; what is left out is as the rulebook has it."""

    shuffle = serializers.ChoiceField(CHOICES["shuffle"], required=False)
    bull_reading = serializers.ChoiceField(CHOICES["bull_reading"], required=False)
    bull_points = serializers.ChoiceField(CHOICES["bull_points"], required=False)


class FoundingAsked(serializers.Serializer[Any]):
    """A circuit to be founded; without a calendar it follows the site's."""

    name = serializers.CharField(max_length=MAX_NAME_LENGTH)
    year = serializers.IntegerField(min_value=YEARS[0], max_value=YEARS[1])
    public = serializers.BooleanField(default=True)
    roster = serializers.ChoiceField(Circuit.Roster.choices, default=Circuit.Roster.LEGENDS)
    seed = serializers.CharField(max_length=MAX_SEED_LENGTH, default="", allow_blank=True)
    rules = RulesAsked(required=False)
    calendar = serializers.ListField(
        child=CalendarEntry(), required=False, allow_null=True, max_length=MAX_ENTRIES
    )


class CircuitFilter(StrictFilterSet):
    """Which circuits."""

    mine = BooleanFilter(method="of_me", label="those I direct")
    offered = BooleanFilter(method="to_me", label="those offered to me")
    on_air = BooleanFilter(field_name="airing", label="where a corrida is on air")

    def of_me(self, rows: QuerySet[Circuit], _name: str, wanted: bool) -> QuerySet[Circuit]:
        """Those whose director asks."""
        own = Q(owner__isnull=False, owner=self.request.user.pk)
        return rows.filter(own) if wanted else rows.exclude(own)

    def to_me(self, rows: QuerySet[Circuit], _name: str, wanted: bool) -> QuerySet[Circuit]:
        """Those that wait for an answer of who asks."""
        own = Q(offered_to__isnull=False, offered_to=self.request.user.pk)
        return rows.filter(own) if wanted else rows.exclude(own)


@described(
    get=Operation("circuits_list"),
    post=Operation("circuits_found", CircuitWhole, 201),
)
class Circuits(ActionView, ListView):
    """Circuits that one may watch, and founding one."""

    http_method_names = READ_AND_POST
    serializer_class = CircuitRow
    asks_for = FoundingAsked
    filterset_class = CircuitFilter
    ordering = ("slug",)
    queryset = Circuit.objects.none()

    def get_queryset(self) -> QuerySet[Circuit]:
        """What the visitor may see."""
        return seen_by(self.request.user)

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Found it; its first season is planned unless its roster is still to come."""
        asked = self.read(request)
        entries = entries_of(asked.pop("calendar", None))
        asked["roster"] = Circuit.Roster(asked["roster"])
        founding = Founding(calendar=entries, **asked)
        circuit = found_circuit(founding=founding, by=who(self), at=timezone.now())
        told = CircuitWhole(
            seen_by(who(self)).get(pk=circuit.pk), context=self.get_serializer_context()
        )
        way = reverse("api_circuit", kwargs={"circuit": circuit.slug})
        return Response(told.data, status=201, headers={"Location": way})


class CircuitEnded(serializers.Serializer[Any]):
    """What became of a circuit."""

    gone = serializers.BooleanField(help_text="False: it has a history and is archived.")


@described(get=Operation("circuits_read"), delete=Operation("circuits_end", CircuitEnded))
class OneCircuit(OfCircuit, Deleting, DetailView):
    """One circuit; ending it: gone where nothing was fought in it, else archived."""

    http_method_names = READ_AND_DELETE
    serializer_class = CircuitWhole
    queryset = Circuit.objects.none()

    def get_object(self) -> Circuit:
        """The circuit of the address."""
        return seen_by(self.request.user).get(pk=self.circuit.pk)

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """End it."""
        gone = delete_circuit(circuit=self.circuit, by=who(self), at=timezone.now())
        return Response({"gone": gone})


class _Passing(OfCircuit):
    """What changes whose a circuit is, or whether it is awake."""

    queryset = Circuit.objects.none()

    def told(self, pk: int) -> Response:
        """The circuit as it stands now."""
        found = seen_by(self.request.user).get(pk=pk)
        return Response(CircuitWhole(found, context=self.get_serializer_context()).data)


class OfferAsked(serializers.Serializer[Any]):
    """Whom a circuit is offered to."""

    name = serializers.CharField(max_length=150, help_text="The name of the user.")


class Offered(serializers.Serializer[Any]):
    """Who decides now."""

    offered_to = serializers.CharField()


@described(
    post=Operation("offer_make", Offered),
    delete=Operation("offer_withdraw", status=204),
)
class Offer(_Passing, Deleting):
    """Offer the circuit to somebody, who decides; take the offer back."""

    http_method_names = POST_AND_DELETE
    asks_for = OfferAsked

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Offer it, or take the offer back."""
        if request.method == "DELETE":
            withdraw_offer(circuit=self.circuit, by=who(self))
            return Response(status=204)
        name = self.read(request)["name"]
        other = offer_circuit(circuit=self.circuit, name=name, by=who(self))
        return Response({"offered_to": other.get_username()})


class OfferAnswerAsked(serializers.Serializer[Any]):
    """Yes or no."""

    accept = serializers.BooleanField()


class OfferAnswered(serializers.Serializer[Any]):
    """What became of an offer."""

    accepted = serializers.BooleanField()


@described(post=Operation("offer_answer", OfferAnswered))
class Answer(_Passing, ActionView):
    """Accept or decline what is offered to one."""

    http_method_names = POST
    asks_for = OfferAnswerAsked

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Accept or decline."""
        accepted = self.read(request)["accept"]
        answer = accept_circuit if accepted else decline_circuit
        answer(circuit=self.circuit, by=who(self))
        return Response({"accepted": accepted})


class RestAsked(serializers.Serializer[Any]):
    """Whether nothing is to be played."""

    frozen = serializers.BooleanField()


@described(put=Operation("rest_set", CircuitWhole))
class Rest(_Passing, Putting):
    """Freeze the circuit, or thaw it."""

    http_method_names = PUT
    asks_for = RestAsked

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Freeze or thaw it."""
        if self.read(request)["frozen"]:
            freeze_circuit(circuit=self.circuit, by=who(self), at=timezone.now())
        else:
            thaw_circuit(circuit=self.circuit, by=who(self))
        return self.told(self.circuit.pk)


@described(post=Operation("circuits_restore", CircuitWhole))
class Restore(_Passing, ActionView):
    """Bring an archived circuit back."""

    http_method_names = POST

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Restore it."""
        restore_circuit(circuit=self.circuit, by=who(self), at=timezone.now())
        return self.told(self.circuit.pk)
