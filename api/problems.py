"""Errors as problem documents (RFC 9457)."""

from __future__ import annotations

import logging
from collections.abc import Mapping
from functools import singledispatch
from http import HTTPStatus

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, OperationalError, connection
from django.http import Http404
from django.utils.translation import gettext as _
from drf_spectacular.utils import OpenApiResponse
from rest_framework import serializers
from rest_framework.exceptions import APIException, NotAuthenticated, ValidationError
from rest_framework.response import Response

from api.types import JSON, JSONObject
from core.disk import database_advice, is_damaged, is_full

log = logging.getLogger(__name__)

MEDIA_TYPE = "application/problem+json"
# Value in seconds of the Retry-After header if the database was too busy.
BUSY_RETRY_AFTER = 5
# Value in seconds of the Retry-After header if the disk is full.
DISK_FULL_RETRY_AFTER = 30
# Value in seconds of the Retry-After header if an administrator has to restore the database.
DAMAGED_RETRY_AFTER = 300
# Error codes of DRF that give status 422 instead of 400: the type is right but the value is not
# acceptable, such as a blank name.
UNPROCESSABLE_CODES = {"blank"}


class Problem(APIException):
    """An API error, returned as a problem document.

    It has a status, a message, the name of the wrong field and the ruling (rule of the game) that
    was broken. `extra` are further members of the document (RFC 9457, 3.2) as plain JSON. `headers`
    are added to the response.
    """

    def __init__(
        self,
        status: int,
        sentence: str,
        *,
        field: str = "",
        ruling: str = "",
        extra: Mapping[str, JSON] | None = None,
        headers: Mapping[str, str] | None = None,
    ) -> None:
        super().__init__(sentence)
        self.status_code = status
        self.sentence, self.field, self.ruling = sentence, field, ruling
        self.extra, self.headers = dict(extra or {}), dict(headers or {})


class ProblemDocument(serializers.Serializer[JSONObject]):
    """The error document that every failed request returns."""

    type = serializers.CharField(help_text="An address of the kind of problem, or about:blank.")
    title = serializers.CharField(help_text="The kind of problem in a few words.")
    status = serializers.IntegerField(min_value=400, max_value=599)
    detail = serializers.CharField(help_text="What was wrong this time, in a sentence.")
    errors = serializers.ListField(  # type: ignore[assignment]
        child=serializers.DictField(child=serializers.CharField()),
        required=False,
        help_text="A list of pointer, detail and ruling where fields are to blame.",
    )


def problem_responses(*statuses: int) -> dict[tuple[int, str], OpenApiResponse]:
    return {
        (status, MEDIA_TYPE): OpenApiResponse(ProblemDocument, HTTPStatus(status).phrase)
        for status in statuses
    }


@singledispatch
def as_problem(error: Exception) -> Problem | None:
    """Return an exception as a Problem, or None for unexpected errors, which are logged.

    Applications register functions for their own exceptions.
    """
    return None


@as_problem.register
def _unchanged(error: Problem) -> Problem | None:
    return error


@as_problem.register
def _not_found(error: Http404) -> Problem | None:
    return Problem(404, _("The requested resource does not exist."))


@as_problem.register
def _denied(error: PermissionDenied) -> Problem | None:
    return Problem(403, str(error) or _("You don’t have permission to do this."))


@as_problem.register
def _invalid(error: ValidationError) -> Problem | None:
    errors = [{"pointer": at, "detail": text} for at, text in _flat_errors(error.detail, "")]
    first = errors[0]["detail"] if errors else _("Some values are not valid.")
    codes = {code for _at, code in _flat_errors(error.get_codes(), "")}
    status = 422 if codes and codes <= UNPROCESSABLE_CODES else 400
    return Problem(status, first, extra={"errors": errors[:50]})


@as_problem.register
def _api_exception(error: APIException) -> Problem | None:
    headers = {}
    wait = getattr(error, "wait", None)
    if wait is not None:
        headers["Retry-After"] = str(max(1, int(wait + 0.999)))
    challenge = getattr(error, "auth_header", None)
    if challenge:
        headers["WWW-Authenticate"] = challenge
    first = next((text for _at, text in _flat_errors(error.detail, "")), "")
    return Problem(error.status_code, first, headers=headers)


@as_problem.register
def _too_busy(error: OperationalError) -> Problem | None:
    """Return a problem for an OperationalError, such as a lock timeout. Nothing was saved."""
    if is_full(error):
        return disk_full(error)
    if is_damaged(error):
        return _database_error(error)
    log.error("The database could not serve a program", exc_info=error)
    sentence = _("The database is too busy at the moment. Nothing was done. Try again shortly.")
    return Problem(503, sentence, headers={"Retry-After": str(BUSY_RETRY_AFTER)})


@as_problem.register
def _database_error(error: DatabaseError) -> Problem | None:
    """Return a problem for a damaged database file."""
    if not is_damaged(error):
        return None
    log.critical(database_advice(error))
    connection.close()  # a new connection may find a restored file
    sentence = _("The site’s database can’t be read. Nothing was done.")
    return Problem(503, sentence, headers={"Retry-After": str(DAMAGED_RETRY_AFTER)})


@as_problem.register
def _os_error(error: OSError) -> Problem | None:
    return disk_full(error) if is_full(error) else None


def disk_full(error: Exception) -> Problem:
    log.error("The disk is full: %s", error)
    sentence = _("The site’s disk is full. Nothing was done. Try again once there is free space.")
    return Problem(503, sentence, headers={"Retry-After": str(DISK_FULL_RETRY_AFTER)})


def exception_handler(error: Exception, context: Mapping[str, object]) -> Response | None:
    problem = as_problem(error)
    if problem is None:
        if settings.DEBUG:
            return None
        log.exception("A request of a program broke down", exc_info=error)
        problem = Problem(500, _("Something went wrong. The error has been logged."))
    if isinstance(error, NotAuthenticated):
        problem.status_code = 401
    return problem_response(problem)


def problem_response(problem: Problem) -> Response:
    return Response(
        problem_document(problem),
        status=problem.status_code,
        headers=problem.headers,
        content_type=MEDIA_TYPE,
    )


def problem_document(problem: Problem) -> JSONObject:
    document: JSONObject = {
        "type": "about:blank",
        "title": HTTPStatus(problem.status_code).phrase,
        "status": problem.status_code,
        "detail": problem.sentence,
    }
    if problem.field or problem.ruling:
        pointer = f"/{problem.field}" if problem.field else ""
        blame = {"pointer": pointer, "detail": problem.sentence}
        document["errors"] = [blame | ({"ruling": problem.ruling} if problem.ruling else {})]
    return document | problem.extra


def _flat_errors(detail: object, at: str) -> list[tuple[str, str]]:
    if isinstance(detail, Mapping):
        return [
            leaf
            for name, value in detail.items()
            for leaf in _flat_errors(value, at if name == "non_field_errors" else f"{at}/{name}")
        ]
    if isinstance(detail, list):
        nested = any(isinstance(value, Mapping | list) for value in detail)
        return [
            leaf
            for place, value in enumerate(detail)
            for leaf in _flat_errors(value, f"{at}/{place}" if nested else at)
        ]
    return [(at, str(detail))]
