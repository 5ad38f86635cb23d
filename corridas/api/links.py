"""Links to related resources."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import Any, Final, NamedTuple

from django.urls import reverse
from django.utils.http import urlencode
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from rest_framework import serializers

from corridas.addresses import address

PAGE: Final = "page"


class Way(NamedTuple):
    """A URL by name, with attribute paths for its arguments and query parameters."""

    name: str
    parts: Mapping[str, str]
    questions: Mapping[str, str]


def link_to(name: str, **parts: str) -> Way:
    """Return a link by URL name; each argument is a dotted attribute path from the row.

    `@year` is taken from the URL of the request. `page:corrida` links to the HTML page, in the
    right circuit.
    """
    return Way(name, parts, {})


def asking(name: str, at: Mapping[str, str] | None = None, **questions: str) -> Way:
    """Return a link to a collection filtered for the row; `at` are the arguments of its URL."""
    return Way(name, at or {}, questions)


class Links(serializers.Field[Any, Any, Any, Any]):
    """Addresses by name; null where the row has no such thing."""

    def __init__(self, /, **ways: Way) -> None:
        self.ways = ways
        super().__init__(source="*", read_only=True)

    def to_representation(self, value: Any) -> dict[str, str | None]:
        """Return absolute URLs."""
        return {name: self._address(value, way) for name, way in self.ways.items()}

    def _address(self, row: Any, way: Way) -> str | None:
        parts = {key: self._part(row, path) for key, path in way.parts.items()}
        questions = {key: self._part(row, path) for key, path in way.questions.items()}
        if any(part is None or part == "" for part in (*parts.values(), *questions.values())):
            return None
        asked = f"?{urlencode(questions)}" if questions else ""
        return str(self.context["request"].build_absolute_uri(_url(way.name, parts) + asked))

    def _part(self, row: Any, path: str) -> Any:
        if path.startswith("@"):
            return self.context["view"].kwargs[path[1:]]
        return reduce(_step, path.split("."), row)


def _url(name: str, parts: dict[str, Any]) -> str:
    kind, _colon, page = name.rpartition(":")
    return address(name=page, **parts) if kind == PAGE else reverse(name, kwargs=parts)


def _step(row: Any, name: str) -> Any:
    if row is None:
        return None
    return row.get(name) if isinstance(row, Mapping) else getattr(row, name, None)


class LinksInSchema(OpenApiSerializerFieldExtension):
    """OpenAPI schema of `Links`."""

    target_class = Links

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Describe an object of URLs."""
        schema = {"type": ["string", "null"], "format": "uri"}
        names = list(self.target.ways)
        return {"type": "object", "properties": dict.fromkeys(names, schema), "required": names}
