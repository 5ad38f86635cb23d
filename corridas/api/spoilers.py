"""Spoiler protection of the API: it rejects requests for results that the user has not watched."""

from __future__ import annotations

from typing import Any, Final

from django.db.models import Q, QuerySet
from django.http import Http404
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _
from django.utils.translation import ngettext
from drf_spectacular.utils import extend_schema_field, extend_schema_view
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from api.problems import Problem
from api.types import JSONObject
from api.views import ListView, ResourceView, idempotent, register_request_check
from corridas.api.links import Links, link_to
from corridas.api.mixins import signed_in_user
from corridas.api.schema import op
from corridas.models import Corrida
from corridas.spoilers.addresses import SpoilerScope, scope_of
from corridas.spoilers.hiding import Spoiler, SpoilerLimit, spoiler_at, spoiler_limit_for
from corridas.spoilers.operations import mark_all_watched, mark_watched
from corridas.spoilers.queries import EVERY, hidden, hidden_in

HEADER: Final = "Veiled"
SHOW: Final = "show"
TYPE: Final = "urn:temporada:problem:veiled"


@register_request_check
def check_revealed(request: Request) -> None:
    """Raise `Problem` if a resource would spoil a corrida the user has not watched.

    The header `Veiled: show` lifts the protection for one request. Single moments of a broadcast
    are always shown, because replays need them.
    """
    user, match = _protected_user(request), request.resolver_match
    if user is None or match is None:
        return
    scope = scope_of(match.view_name)
    if scope in (SpoilerScope.NOTHING, SpoilerScope.MOMENT):
        return
    spoiler = spoiler_at(user, scope, match.kwargs, at=timezone.now())
    if spoiler is not None:
        raise _problem(request, spoiler)


def _protected_user(request: Request) -> User | None:
    """Return the user if spoiler protection applies to this request, otherwise None."""
    user, wants_results = request.user, request.headers.get(HEADER, "").strip().lower() == SHOW
    return user if isinstance(user, User) and user.shielded_since and not wants_results else None


def check_circuit(request: Request, circuit: str) -> None:
    """Raise `Problem` if spoiler protection hides any result of a circuit.

    This is used for data that cannot be restricted to results up to a day.
    """
    user = _protected_user(request)
    if user is None:
        return
    spoiler = spoiler_at(user, SpoilerScope.CIRCUIT, {"circuit": circuit}, at=timezone.now())
    if spoiler is not None:
        raise _problem(request, spoiler)


def has_unwatched(request: Request, circuit: str, among: Q = EVERY) -> bool:
    """Return whether totals of a circuit must be hidden from the user.

    `among` restricts the check to some of its corridas.
    """
    user = _protected_user(request)
    if user is None:
        return False
    return bool(hidden_in(user, timezone.now(), circuit=circuit, among=among))


def spoiler_limit(request: Request, circuit: str, among: Q = EVERY) -> SpoilerLimit:
    """Return the last day whose results may be part of totals of a circuit.

    `among` restricts the check to some of its corridas.
    """
    return spoiler_limit_for(_protected_user(request), timezone.now(), circuit, among)


class TotalsTold(serializers.Serializer[Any]):
    """Base class for totals up to the last day that spoils nothing for the user.

    The serialized row needs an attribute `limit`.
    """

    until = serializers.DateField(
        source="limit.until",
        allow_null=True,
        help_text="The last day with results, because the user has not watched a corrida of the"
        " next day; null: no day is left out.",
    )
    unwatched = serializers.SerializerMethodField(
        help_text="The address of the moment from which that corrida is watched."
    )

    @extend_schema_field({"type": ["string", "null"], "format": "uri"})
    def get_unwatched(self, row: Any) -> str | None:
        """Return the URL at which to watch the first hidden corrida.

        Null if no result is hidden.
        """
        limit = row["limit"] if isinstance(row, dict) else row.limit
        return _first_moment(self.context["request"], limit.unwatched) if limit.unwatched else None


class RowTold(serializers.Serializer[Any]):
    """Base class of list rows with totals up to the last day that spoils nothing for the user."""

    until = serializers.DateField(
        allow_null=True,
        help_text="The last day with results, because the user has not watched a corrida of the"
        " next day; null: no day is left out.",
    )


def unwatched(request: Request) -> QuerySet[Corrida]:
    user = _protected_user(request)
    return hidden(user, timezone.now()) if user else Corrida.objects.none()


def _problem(request: Request, spoiler: Spoiler) -> Problem:
    total = spoiler.hidden.total
    sentence = ngettext(
        "This response reveals the result of a corrida that you have not watched.",
        "This response reveals the results of %(total)s corridas that you have not watched.",
        total,
    )
    return Problem(
        403,
        sentence % {"total": total},
        extra={
            "type": TYPE,
            "title": _("Not watched yet"),
            "veiled": total,
            "corridas": [_first_moment(request, corrida) for corrida in spoiler.hidden.first],
            "lift": f"{HEADER}: {SHOW}",
        },
    )


def _first_moment(request: Request, corrida: Corrida) -> str:
    return request.build_absolute_uri(reverse("api_moment", args=[corrida.pk, 0, 0]))


class Unwatched(serializers.Serializer[Corrida]):
    """A corrida whose result is hidden from the user. It contains no result."""

    id = serializers.IntegerField(source="pk")
    circuit = serializers.CharField(source="season.circuit.slug")
    date = serializers.DateField()
    plaza = serializers.CharField(source="plaza.slug")
    state = serializers.ChoiceField(Corrida.State.choices)
    links = Links(
        watched=link_to("api_watched", pk="pk"),
        page=link_to("page:corrida", circuit="season.circuit.slug", pk="pk"),
    )


class AllAsked(serializers.Serializer[JSONObject]):
    """The circuit whose corridas to mark as watched; without it, those of all circuits."""

    circuit = serializers.SlugField(max_length=40, required=False)


class Marked(serializers.Serializer[JSONObject]):
    """The number of corridas marked as watched."""

    watched = serializers.IntegerField(min_value=0)


@extend_schema_view(get=op("unwatched_list"))
class AllUnwatched(ListView):
    """Corridas whose results spoiler protection hides from the user."""

    serializer_class = Unwatched
    ordering = ("on_air_at", "pk")
    queryset = Corrida.objects.none()

    def get_queryset(self) -> QuerySet[Corrida]:
        """Return the hidden corridas; none without spoiler protection.

        Raise `NotAuthenticated` for anonymous users.
        """
        if self.person is None:
            raise NotAuthenticated(_("Sign in or send an API key."))
        return hidden(self.person, timezone.now()).select_related("plaza", "season__circuit")

    @op("unwatched_end", Marked)
    @idempotent(AllAsked)
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Mark all hidden corridas as watched."""
        circuit = self.read(request).get("circuit")
        count = mark_all_watched(user=signed_in_user(self), circuit=circuit, at=timezone.now())
        return Response({"watched": count})


class OneWatched(ResourceView):
    """Marks a corrida as watched, or its result as known to the user."""

    queryset = Corrida.objects.none()

    @op("corridas_watched", status=204)
    @idempotent()
    def post(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Show the result of this corrida from now on."""
        try:
            mark_watched(user=signed_in_user(self), corrida=self.kwargs["pk"], at=timezone.now())
        except Corrida.DoesNotExist as error:
            raise Http404(str(error)) from error
        return Response(status=204)
