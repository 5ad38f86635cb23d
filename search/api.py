"""API of the site search at `/api/v1/search/`, with results grouped by kind."""

from __future__ import annotations

from typing import Any

from django.urls import path
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import Problem, problem_responses
from api.views import ResourceView
from search.kinds import all_kinds, find_kind
from search.queries import PAGE_SIZE, HitGroup, Slice, find_groups
from search.text import read_question
from search.views import notes_on


class SearchQuery(serializers.Serializer[Any]):
    """Query parameters of the site search."""

    q = serializers.CharField(
        help_text="Words, each the start of one in a name. Only the first 100 characters are read.",
        trim_whitespace=False,
    )
    kind = serializers.ChoiceField(
        choices=(), required=False, help_text="Only this kind, with up to 25 results."
    )

    def get_fields(self) -> dict[str, Any]:
        """Return the fields. The kinds are known once every app has registered its own."""
        fields: dict[str, Any] = super().get_fields()
        fields["kind"].choices = [kind.key for kind in all_kinds()]
        return fields


class FoundHit(serializers.Serializer[Any]):
    """A search result in the response."""

    title = serializers.CharField()
    detail = serializers.CharField(help_text="Why it was found, in one line.")
    figure = serializers.CharField(help_text="A figure for display; may be empty.")
    unit = serializers.CharField(help_text="What the figure counts.")
    page = serializers.SerializerMethodField(help_text="The address of its page.")

    def get_page(self, hit: Any) -> str:
        return str(self.context["request"].build_absolute_uri(hit.url))


class FoundGroup(serializers.Serializer[Any]):
    """The search results of one kind in the response."""

    kind = serializers.CharField(source="kind.key")
    title = serializers.CharField(source="kind.title")
    total = serializers.IntegerField(min_value=0)
    hits = FoundHit(many=True)


class SearchTold(serializers.Serializer[Any]):
    """What was found."""

    words = serializers.ListField(child=serializers.CharField(), help_text="What was searched.")
    total = serializers.IntegerField(min_value=0)
    notes = serializers.ListField(
        child=serializers.CharField(), help_text="What of the question was not read."
    )
    groups = FoundGroup(many=True)


class Search(ResourceView):
    """Search in everything that has a name and that the user may see."""

    query_serializer_class = SearchQuery
    serializer_class = SearchTold

    @extend_schema(
        operation_id="search", responses={200: SearchTold, **problem_responses(400, 422)}
    )
    def get(self, request: Request) -> Response:
        """Return at most two results of each kind, or 25 of one kind."""
        query = self.read_query(request)
        question = read_question(query["q"])
        if not question.words:
            raise Problem(
                422,
                _("Enter letters or digits. A search for punctuation marks alone finds nothing."),
                field="q",
            )
        only = find_kind(query.get("kind", ""))
        part = Slice(size=PAGE_SIZE) if only else Slice()
        groups: list[HitGroup] = find_groups(request._request, question.words, only=only, part=part)
        told = {
            "words": question.words,
            "total": sum(group.total for group in groups),
            "notes": notes_on(question),
            "groups": groups,
        }
        return Response(SearchTold(told, context={"request": request}).data)


urlpatterns = [path("search/", Search.as_view(), name="api_search")]
