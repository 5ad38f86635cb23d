"""OpenAPI schema: adds the errors and headers that all operations share."""

from __future__ import annotations

from typing import Any

from drf_spectacular.openapi import AutoSchema
from drf_spectacular.utils import OpenApiParameter

from api.problems import MEDIA_TYPE, problem_responses
from api.views import ListView
from core.keys import MAX_KEY

SAFE = ("GET", "HEAD")
COMMON_STATUSES = (400, 401, 403, 404, 406, 422, 429, 503)
ACTION_STATUSES = (409, 412, 413, 415, 428)
IDEMPOTENCY_KEY_SCHEMA = {"type": "string", "pattern": "^[!-~]{1,64}$"}


class ProblemAutoSchema(AutoSchema):
    """drf-spectacular's schema with problems, conditional requests and idempotency keys added."""

    def get_response_serializers(self) -> Any:
        if self.method not in SAFE and getattr(self.view, "serializer_class", None) is None:
            return None  # an action without a declared response has no body
        return super().get_response_serializers()

    def get_request_serializer(self) -> Any:
        # Attribute of a view method with the serializer class that was passed to the decorator
        # `api.views.idempotent`.
        action = getattr(self.view, "action", None)
        return getattr(getattr(self.view, action or self.method.lower()), "body", None)

    def get_override_parameters(self) -> list[Any]:
        parameters = list(super().get_override_parameters())
        if self.method in SAFE:
            query_serializer = getattr(self.view, "query_serializer_class", None)
            parameters += [query_serializer] if query_serializer else []
            return [
                *parameters,
                _header("If-None-Match", "The ETag you have: 304 if it still holds."),
            ]
        return [
            *parameters,
            _header(
                "Idempotency-Key",
                "1 to 64 characters: the same again is done once.",
                IDEMPOTENCY_KEY_SCHEMA,
            ),
            _header("If-Match", "The ETag you have seen: 412 if it has changed since."),
        ]

    def _resolve_path_parameters(self, variables: object) -> Any:
        """Limit numbers in URLs to the range of a database column."""
        parameters = super()._resolve_path_parameters(variables)
        for parameter in parameters:
            if parameter["schema"].get("type") == "integer":
                parameter["schema"] |= {"minimum": 0, "maximum": MAX_KEY}
        return parameters

    def _get_response_bodies(self, direction: Any = "response") -> Any:
        bodies = super()._get_response_bodies(direction)
        statuses = COMMON_STATUSES if self.method in SAFE else COMMON_STATUSES + ACTION_STATUSES
        for (status, _media), response in problem_responses(*statuses).items():
            body = self._get_response_for_code(response, str(status), [MEDIA_TYPE], direction)
            bodies.setdefault(str(status), body)
        if self.method in SAFE:
            bodies.setdefault("304", {"description": "You have it already."})
        return bodies

    def _map_basic_serializer(self, serializer: object, direction: object) -> Any:
        """Forbid undeclared members in request objects, as `api.parsing` does."""
        schema = super()._map_basic_serializer(serializer, direction)
        return schema | {"additionalProperties": False} if direction == "request" else schema

    def _is_list_view(self, serializer: Any = None) -> bool:
        if isinstance(self.view, ListView) and self.method == "GET":
            return True
        return bool(super()._is_list_view(serializer))


def _header(name: str, text: str, kind: Any = str) -> OpenApiParameter:
    return OpenApiParameter(name, kind, OpenApiParameter.HEADER, description=text)
