"""Descriptions of operations for the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final, NamedTuple, TypeVar

from drf_spectacular.utils import OpenApiParameter, extend_schema, extend_schema_view

from api.problems import problem_responses
from api.types import JSONObject

TAGS: Final = ["corridas"]
View = TypeVar("View", bound=type)


class Operation(NamedTuple):
    """The id of an operation, its response (None for the view's serializer) and its description."""

    name: str
    answer: Any = None
    status: int = 200
    problems: tuple[int, ...] = ()


def described(**operations: Operation) -> Callable[[View], View]:
    """Describe a view's operations in the schema, by method."""
    return extend_schema_view(**{method: _told(one) for method, one in operations.items()})


def _told(one: Operation) -> Any:
    parameters: list[Any] = [_location()] if one.status in (201, 202) else []
    told: JSONObject = {"operation_id": one.name, "tags": TAGS, "parameters": parameters}
    if one.status == 204:
        return extend_schema(**told, responses={204: None, **problem_responses(*one.problems)})
    if one.answer is not None or one.problems:
        told["responses"] = {one.status: one.answer, **problem_responses(*one.problems)}
    return extend_schema(**told)


def _location() -> OpenApiParameter:
    return OpenApiParameter(
        "Location", str, OpenApiParameter.HEADER, response=[201, 202], description="Where it is."
    )
