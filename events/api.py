"""API of the event log at `/api/v1/events/`, read by event number."""

from __future__ import annotations

from typing import Any, Final

from django.http import Http404
from django.urls import path
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import Problem, problem_responses
from api.views import ResourceView
from core.keys import MAX_KEY
from events.kinds import kinds
from events.queries import MAX_PAGE_SIZE, EventBatch, EventReader, page_after
from events.representation import event_json, public_events
from events.scopes import ScopeName, scopes

DEFAULT_LIMIT: Final = 100


class EventQuery(serializers.Serializer[Any]):
    """Query parameters of the list of events."""

    after = serializers.IntegerField(
        min_value=0,
        max_value=MAX_KEY,
        default=0,
        help_text="Return events with a higher number; 0 begins with the first event.",
    )
    limit = serializers.IntegerField(
        min_value=1, max_value=MAX_PAGE_SIZE, default=DEFAULT_LIMIT, help_text="At most so many."
    )
    kind = serializers.ChoiceField(
        choices=(), required=False, help_text="A kind, or a family of them: `corrida`."
    )
    circuit = serializers.RegexField(
        r"^[-\w]{1,40}$", required=False, help_text="The address of a circuit: its events alone."
    )
    league = serializers.RegexField(
        r"^[-\w]{1,80}$", required=False, help_text="The address of a league: its events alone."
    )

    def get_fields(self) -> dict[str, Any]:
        """Return the fields. The kinds are known once every app has registered its own."""
        fields: dict[str, Any] = super().get_fields()
        fields["kind"].choices = kinds.names()
        return fields


class EventOut(serializers.Serializer[Any]):
    """An event in the response."""

    number = serializers.IntegerField(min_value=1, help_text="Its place in the one order.")
    kind = serializers.CharField()
    subject = serializers.CharField(help_text="What it is about, as `corrida/12`.")
    at = serializers.DateTimeField()
    circuit = serializers.CharField(allow_null=True, help_text="The address of its circuit.")
    league = serializers.CharField(allow_null=True, help_text="The address of its league.")
    page = serializers.CharField(help_text="The path of a page about it; may be empty.")
    data = serializers.DictField(help_text="By kind: see the page on events.")  # type: ignore[assignment]


class EventPage(serializers.Serializer[Any]):
    """A page of events in the response."""

    results = EventOut(many=True)
    next = serializers.CharField(
        allow_null=True,
        help_text="The address of what follows; null at the end. A page may be empty before it.",
    )
    after = serializers.IntegerField(help_text="The cursor to ask with later.")
    newest = serializers.IntegerField(
        help_text="The highest number of all events, including those that you may not see."
    )
    note = serializers.CharField(required=False, help_text="What is unusual about the request.")


class EventList(ResourceView):
    """Public events in one order. Numbers have no gaps, so a reader can continue from a number."""

    query_serializer_class = EventQuery
    serializer_class = EventPage

    @extend_schema(operation_id="events_list", responses={200: EventPage, **problem_responses(409)})
    def get(self, request: Request) -> Response:
        """The events after a cursor that this reader may see."""
        query = self.read_query(request)
        page = page_after(self._reader(request, query), query["after"], query["limit"])
        answer = {
            "results": [event_json(event) for event in public_events(page.events)],
            "next": self._next_url(request, page) if page.reached < page.newest else None,
            "after": page.reached,
            "newest": page.newest,
        }
        if query["after"] > page.newest:
            answer["note"] = _(
                "There is no event with the number %(asked)s yet. The latest is %(newest)s."
            ) % {"asked": query["after"], "newest": page.newest}
        return Response(answer)

    def _reader(self, request: Request, query: dict[str, Any]) -> EventReader:
        named = [name for name in ("circuit", "league") if name in query]
        if len(named) > 1:
            raise Problem(409, _("Specify either a circuit or a league, not both."), field="league")
        chosen_kinds = kinds.under(query["kind"]) if "kind" in query else ()
        if not named:
            return EventReader(kinds=chosen_kinds)
        name: ScopeName = "circuit" if named == ["circuit"] else "league"
        visitor: Any = request.user
        visitor.session = request._request.session  # identifies a guest
        key = scopes.find_key(name, query[name], visitor)
        if key is None:
            raise Http404
        return EventReader(scope=name, key=key, kinds=chosen_kinds)

    def _next_url(self, request: Request, page: EventBatch) -> str:
        query = request.query_params.copy()
        query["after"] = str(page.reached)
        return request.build_absolute_uri(f"{request.path}?{query.urlencode()}")


urlpatterns = [path("events/", EventList.as_view(), name="api_events")]
