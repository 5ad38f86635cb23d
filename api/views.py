"""Base classes of API views, and the decorator for methods that change something."""

from __future__ import annotations

from collections.abc import Callable, Collection
from functools import wraps
from typing import Any, ClassVar, TypeVar, cast

from django.http import HttpRequest
from django.utils import timezone
from django.utils.cache import patch_vary_headers
from django.utils.translation import gettext as _
from rest_framework import generics
from rest_framework.exceptions import (
    AuthenticationFailed,
    MethodNotAllowed,
    NotAuthenticated,
    Throttled,
    ValidationError,
)
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.serializers import BaseSerializer, Serializer

from accounts.models import User
from api.conditional import check_if_match_used, etag, matches_if_none_match
from api.idempotency import run_once
from api.models import Token
from api.parsing import check_characters, type_errors
from api.problems import Problem
from api.types import JSON, JSONObject

SAFE = ("GET", "HEAD")

RequestCheck = Callable[[Request], None]
_request_checks: list[RequestCheck] = []


def register_request_check(check: RequestCheck) -> RequestCheck:
    """Register a function that is called for every API request after authentication.

    It raises an exception to reject the request.
    """
    if check not in _request_checks:
        _request_checks.append(check)
    return check


Handler = TypeVar("Handler", bound=Callable[..., Response])


def idempotent(
    body: type[BaseSerializer[Any]] | None = None, *, shown_once: Collection[str] = ()
) -> Callable[[Handler], Handler]:
    """Decorate a method of a `ResourceView` that changes something.

    It runs in a transaction, and only once per Idempotency-Key. `body` is the serializer of the
    request body, which `self.read(request)` validates. `shown_once` names response members that are
    secret, such as a new API key. They are not stored, so the response to a repeated request has
    null for them.
    """

    def decorate(handler: Handler) -> Handler:
        @wraps(handler)
        def wrapped(
            view: ResourceView, request: Request, *args: str, **kwargs: str | int
        ) -> Response:
            def perform() -> Response:
                response: Response = handler(view, request, *args, **kwargs)
                check_if_match_used(request)
                return response

            view.body = body
            view.prepare(request)
            response: Response = run_once(request, perform, at=timezone.now(), without=shown_once)
            return response

        wrapped.body = body  # type: ignore[attr-defined] # for the schema
        return cast(Handler, wrapped)

    return decorate


class ResourceView(generics.GenericAPIView[Any]):
    """Base class of all API views: strict query parameters, ETags and cache headers.

    Every method that changes something must be decorated with `idempotent`. It requires a signed-in
    user. An API key must have write access.
    """

    body: type[BaseSerializer[Any]] | None = None

    filterset_class: Any = None
    # Serializer of query parameters other than filters and pagination. See `read_query`.
    query_serializer_class: ClassVar[type[Serializer[Any]] | None] = None

    def initial(self, request: Request, *args: str, **kwargs: str | int) -> None:
        """Reject characters that the database cannot store, then run DRF's checks."""
        for _name, values in request.query_params.lists():
            check_characters("".join(map(str, values)))
        check_characters(request.path)
        super().initial(request, *args, **kwargs)
        if request.method not in self.allowed_methods:
            raise MethodNotAllowed(str(request.method))
        self._check_query_parameters(request)
        for check in _request_checks:
            check(request)
        if request.method not in (*SAFE, "OPTIONS"):
            _check_may_write(request)

    def prepare(self, request: Request) -> None:
        """Do slow work, such as parsing a file, before the transaction of an idempotent method.

        This must not write to the database. It runs for every request, including repeated ones.
        """

    def read(self, request: Request) -> JSONObject:
        """Return the validated body. Raises ValidationError."""
        assert self.body is not None
        serializer = self.body(data=request.data, context=self.get_serializer_context())
        if wrong := type_errors(serializer, request.data):
            raise ValidationError(wrong)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def handle_exception(self, exc: Exception) -> Response:
        """Return the error response. An invalid API key counts against the address's rate limit."""
        if isinstance(exc, AuthenticationFailed):
            try:
                self.check_throttles(self.request)
            except Throttled as too_often:
                exc = too_often
        return super().handle_exception(exc)

    def read_query(self, request: Request) -> JSONObject:
        """Return the validated query parameters. Raises ValidationError."""
        assert self.query_serializer_class is not None
        serializer = self.query_serializer_class(data=request.query_params)
        for name, field in serializer.fields.items():
            # DRF would treat an empty date as a missing parameter.
            if request.query_params.get(name) == "" and not getattr(field, "allow_blank", False):
                raise Problem(400, _("This parameter can’t be empty."), field=name)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def query_parameters(self) -> set[str]:
        """Return the names of the query parameters that this view accepts."""
        names = set(self.query_serializer_class().fields) if self.query_serializer_class else set()
        return names | set(self.filterset_class.base_filters if self.filterset_class else ())

    def _check_query_parameters(self, request: Request) -> None:
        """Reject unknown and repeated query parameters.

        Otherwise a misspelt filter would return everything. Names with a dot are ignored, as on
        pages: security scanners send such names to every address and report an error as a
        vulnerability.
        """
        known = self.query_parameters()
        for name, values in request.query_params.lists():
            if name not in known:
                if "." in name:
                    continue
                raise Problem(422, _("There is no parameter with this name."), field=name[:60])
            if len(values) > 1:
                raise Problem(400, _("This parameter can only be given once."), field=name)

    def finalize_response(
        self, request: HttpRequest | Request, response: Any, *args: object, **kwargs: object
    ) -> Any:
        """Add the ETag, and return 304 without a body if the client has this version."""
        answer = super().finalize_response(cast(Any, request), response, *args, **kwargs)
        patch_vary_headers(answer, ["Authorization", "Cookie", "Accept-Language", "Veiled"])
        data = getattr(answer, "data", None)  # responses with a file have no data
        if request.method not in SAFE or answer.status_code != 200 or data is None:
            answer.setdefault("Cache-Control", "no-store")
            return answer
        tag = etag(data)
        answer["ETag"] = tag
        answer.setdefault("Cache-Control", "private, no-cache")
        if matches_if_none_match(cast(Request, request), tag):
            answer.status_code, answer.data = 304, None
        return answer

    @property
    def person(self) -> User | None:
        """Return the current user, or None if nobody is signed in."""
        user = self.request.user
        return user if isinstance(user, User) else None


class ListView(ResourceView, generics.ListAPIView[Any]):
    """Base class for a collection, paginated by cursor.

    Subclasses set `get_queryset`, `serializer_class`, `ordering` and `filterset_class`.
    """

    ordering: ClassVar[tuple[str, ...]] = ("pk",)

    def query_parameters(self) -> set[str]:
        """Return the names of the filters and of the pagination parameters."""
        return super().query_parameters() | {"cursor", "limit"}


class DetailView(ResourceView):
    """Base class for one object. Subclasses set `get_object` and `serializer_class`."""

    def get(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Return the current representation."""
        return Response(self.represent(self.get_object()))

    def represent(self, row: Any) -> JSON:
        """Return the representation of a row, which `conditional.check_if_match` compares too."""
        return self.get_serializer(row).data


def _check_may_write(request: Request) -> None:
    if not request.user.is_authenticated:
        raise NotAuthenticated(_("Sign in or send an API key."))
    if isinstance(request.auth, Token) and request.auth.scope != Token.Scope.WRITE:
        raise Problem(403, _("This key is read-only."))
