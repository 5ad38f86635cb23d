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


class LinkTarget(NamedTuple):
    """A URL by name, with attribute paths for its arguments and query parameters."""

    name: str
    parts: Mapping[str, str]
    query: Mapping[str, str]


def link_to(name: str, **parts: str) -> LinkTarget:
    """Return a link by URL name; each argument is a dotted attribute path from the row.

    `@year` is taken from the URL of the request. `page:corrida` links to the HTML page, in the
    right circuit.
    """
    return LinkTarget(name, parts, {})


def link_to_list(name: str, at: Mapping[str, str] | None = None, **query: str) -> LinkTarget:
    """Return a link to a collection filtered for the row; `at` are the arguments of its URL."""
    return LinkTarget(name, at or {}, query)


class Links(serializers.Field[Any, Any, Any, Any]):
    """Addresses by name; null where the row has no such thing."""

    def __init__(self, /, **targets: LinkTarget) -> None:
        self.targets = targets
        super().__init__(source="*", read_only=True)

    def to_representation(self, value: Any) -> dict[str, str | None]:
        """Return absolute URLs."""
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
    """OpenAPI schema of `Links`."""

    target_class = Links

    def map_serializer_field(self, auto_schema: Any, direction: Any) -> dict[str, Any]:
        """Describe an object of URLs."""
        schema = {"type": ["string", "null"], "format": "uri"}
        names = list(self.target.targets)
        return {"type": "object", "properties": dict.fromkeys(names, schema), "required": names}
