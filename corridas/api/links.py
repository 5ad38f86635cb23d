"""Serializer fields with links to related resources and pages."""

from __future__ import annotations

from collections.abc import Mapping
from functools import reduce
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from django.urls import reverse
from django.utils.http import urlencode
from drf_spectacular.extensions import OpenApiSerializerFieldExtension
from drf_spectacular.utils import Direction
from rest_framework import serializers

from api.types import JSONObject
from corridas.addresses import address

if TYPE_CHECKING:
    from drf_spectacular.openapi import AutoSchema

PAGE: Final = "page"


class LinkTarget(NamedTuple):
    """The target of a link: a URL name, and where its arguments come from.

    `parts` and `query` map URL arguments and query parameters to attribute paths of the serialized
    row.
    """

    name: str
    parts: Mapping[str, str]
    query: Mapping[str, str]


def link_to(name: str, **parts: str) -> LinkTarget:
    """Return a link target by URL name.

    Each argument is a dotted attribute path that starts at the serialized row. `@year` is taken
    from the URL of the request. `page:corrida` links to the HTML page in the right circuit.
    """
    return LinkTarget(name, parts, {})


def link_to_list(name: str, at: Mapping[str, str] | None = None, **query: str) -> LinkTarget:
    """Return a link to a list that is filtered for the row.

    `at` are the arguments of its URL, and the keyword arguments its query parameters.
    """
    return LinkTarget(name, at or {}, query)


class Links(serializers.Field[Any, Any, Any, Any]):
    """A serializer field with URLs by name. A URL is null if the row has no such related object."""

    def __init__(self, /, **targets: LinkTarget) -> None:
        self.targets = targets
        super().__init__(source="*", read_only=True)

    def to_representation(self, value: object) -> dict[str, str | None]:
        """Return the absolute URLs of the row's links by name."""
        return {name: self._address(value, target) for name, target in self.targets.items()}

    def _address(self, row: Any, target: LinkTarget) -> str | None:
        parts = {key: self._part(row, path) for key, path in target.parts.items()}
        query = {key: self._part(row, path) for key, path in target.query.items()}
        if any(part is None or part == "" for part in (*parts.values(), *query.values())):
            return None
        kind, _colon, name = target.name.rpartition(":")
        url = address(name=name, **parts) if kind == PAGE else reverse(target.name, kwargs=parts)
        if query:
            url += f"?{urlencode(query)}"
        return str(self.context["request"].build_absolute_uri(url))

    def _part(self, row: Any, path: str) -> Any:
        if path.startswith("@"):
            return self.context["view"].kwargs[path[1:]]
        return reduce(_step, path.split("."), row)


def _step(row: Any, name: str) -> Any:
    if row is None:
        return None
    return row.get(name) if isinstance(row, Mapping) else getattr(row, name, None)


class LinksInSchema(OpenApiSerializerFieldExtension):
    """Describes the field `Links` in the OpenAPI schema."""

    target_class = Links

    def map_serializer_field(self, auto_schema: AutoSchema, direction: Direction) -> JSONObject:
        """Return the schema of `Links`: an object whose values are URLs or null."""
        schema = {"type": ["string", "null"], "format": "uri"}
        names = list(self.target.targets)
        return {"type": "object", "properties": dict.fromkeys(names, schema), "required": names}
