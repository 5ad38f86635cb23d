"""Descriptions of API operations for the OpenAPI document."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from drf_spectacular.utils import OpenApiParameter, extend_schema
from rest_framework.fields import empty

from api.problems import problem_responses
from api.views import Handler

TAGS: Final = ["corridas"]
LOCATION: Final = OpenApiParameter(
    "Location", str, OpenApiParameter.HEADER, response=[201, 202], description="Where it is."
)


def op(
    name: str, answer: object = None, status: int = 200, problems: tuple[int, ...] = ()
) -> Callable[[Handler], Handler]:
    """Return a decorator that describes an operation in the OpenAPI schema.

    `name` is the operation id. `answer` is the serializer of the response, None for that of the
    view.
    """
    parameters = [LOCATION] if status in (201, 202) else []
    responses: Any = empty
    if answer is not None or problems or status == 204:
        responses = {status: answer, **problem_responses(*problems)}
    return extend_schema(operation_id=name, tags=TAGS, parameters=parameters, responses=responses)
