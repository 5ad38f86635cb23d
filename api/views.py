"""The three kinds of view that every part of the interface is made of."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, ClassVar, cast

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
from rest_framework.serializers import BaseSerializer

from accounts.models import User
from api.conditional import check_if_match_used, etag, matches_if_none_match
from api.idempotency import idempotent
from api.models import Token
from api.parsing import check_characters, type_errors
from api.problems import Problem

SAFE = ("GET", "HEAD")

RequestCheck = Callable[[Request], None]
_request_checks: list[RequestCheck] = []


def register_request_check(check: RequestCheck) -> RequestCheck:
    """Have every request of every resource checked once it is known who asks; a check raises."""
    if check not in _request_checks:
        _request_checks.append(check)
    return check


class ResourceView(generics.GenericAPIView[Any]):
    """Whatever has an address: bounded questions, ETags, nothing that caches could mix up."""

    filterset_class: Any = None
    questions: ClassVar[type[BaseSerializer[Any]] | None] = None
    """What may be asked with `?` besides filters and pages; `asked` gives it checked."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Refuse what no database could be asked, then do what every view does first."""
        for _name, values in request.query_params.lists():
            check_characters("".join(map(str, values)))
        check_characters(request.path)
        super().initial(request, *args, **kwargs)
        if request.method not in self.allowed_methods:
            raise MethodNotAllowed(str(request.method))
        self._check_questions(request)
        for check in _request_checks:
            check(request)

    def handle_exception(self, exc: Exception) -> Response:
        """The refusal; who sends keys that do not hold is counted as the stranger they are."""
        if isinstance(exc, AuthenticationFailed):
            try:
                self.check_throttles(self.request)
            except Throttled as too_often:
                exc = too_often
        return super().handle_exception(exc)

    def asked(self, request: Request) -> dict[str, Any]:
        """What was asked with `?`, checked; raises ValidationError."""
        assert self.questions is not None
        serializer = self.questions(data=request.query_params)
        for name, field in serializer.fields.items():  # type: ignore[attr-defined]
            # The framework takes a date of no letters for one that was not asked for.
            if request.query_params.get(name) == "" and not getattr(field, "allow_blank", False):
                raise Problem(400, _("This parameter can’t be empty."), field=name)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)

    def may_be_asked(self) -> set[str]:
        """The names that this address knows after the `?`."""
        names = set(self.questions().fields) if self.questions else set()  # type: ignore[attr-defined]
        return names | set(self.filterset_class.base_filters if self.filterset_class else ())

    def _check_questions(self, request: Request) -> None:
        """A filter that is misspelt would tell everything: it is refused, and one asked twice.

        A name with a dot is none misspelt: scanners send such to every address, and read a
        refusal as a weakness. It is passed over, as every page does.
        """
        known = self.may_be_asked()
        for name, values in request.query_params.lists():
            if name not in known:
                if "." in name:
                    continue
                raise Problem(422, _("There is no parameter with this name."), field=name[:60])
            if len(values) > 1:
                raise Problem(400, _("This parameter may only be given once."), field=name)

    def finalize_response(
        self, request: HttpRequest | Request, response: Any, *args: Any, **kwargs: Any
    ) -> Any:
        """Add the ETag; who knows it gets none of the body."""
        answer = super().finalize_response(cast(Any, request), response, *args, **kwargs)
        patch_vary_headers(answer, ["Authorization", "Cookie", "Accept-Language", "Veiled"])
        if request.method not in SAFE or answer.status_code != 200 or not _is_data(answer):
            answer.setdefault("Cache-Control", "no-store")
            return answer
        tag = etag(answer.data)
        answer["ETag"] = tag
        answer.setdefault("Cache-Control", "private, no-cache")
        if matches_if_none_match(cast(Request, request), tag):
            answer.status_code, answer.data = 304, None
        return answer

    @property
    def person(self) -> User | None:
        """Who asks; None for a stranger."""
        user = self.request.user
        return user if isinstance(user, User) else None


class ListView(ResourceView, generics.ListAPIView[Any]):
    """Many, by cursor: `get_queryset`, `serializer_class`, `ordering`, `filterset_class`."""

    ordering: ClassVar[tuple[str, ...]] = ("pk",)

    def may_be_asked(self) -> set[str]:
        """Filters, and which page."""
        return super().may_be_asked() | {"cursor", "limit"}


class DetailView(ResourceView):
    """One: `get_object`, `serializer_class`."""

    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The representation as it stands."""
        return Response(self.represent(self.get_object()))

    def represent(self, row: Any) -> Any:
        """What is told of a row; the same data `conditional.check_if_match` is held against."""
        return self.get_serializer(row).data


class ActionView(ResourceView):
    """What somebody signed in asks for by POST; subclasses write `act`, which is one transaction.

    `asks_for` is the serializer that reads the body. A key for reading alone opens nothing here.
    A view may be a `ListView` or a `DetailView` as well: reading it needs no key then.
    """

    asks_for: ClassVar[type[BaseSerializer[Any]] | None] = None
    shown_once: ClassVar[tuple[str, ...]] = ()
    """Members of the answer, secrets, that nothing keeps: told again they are null."""

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Nobody acts unsigned."""
        super().initial(request, *args, **kwargs)
        if request.method not in (*SAFE, "OPTIONS"):
            _check_may_write(request)

    def prepare(self, request: Request) -> None:
        """What must not keep others waiting: before the transaction of the act, as files are read.

        Nothing is written here; it is done again for every request.
        """

    def do(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Do it, once for every Idempotency-Key."""
        self.prepare(request)

        def act() -> Response:
            answer = self.act(request, *args, **kwargs)
            check_if_match_used(request)
            return answer

        return idempotent(request, act, at=timezone.now(), without=self.shown_once)

    def post(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """As asked."""
        return self.do(request, *args, **kwargs)

    def act(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """The act itself."""
        raise NotImplementedError

    def read(self, request: Request) -> dict[str, Any]:
        """The body, checked; raises ValidationError for what is not as the schema says."""
        assert self.asks_for is not None
        serializer = self.asks_for(data=request.data, context=self.get_serializer_context())
        if wrong := type_errors(serializer, request.data):
            raise ValidationError(wrong)
        serializer.is_valid(raise_exception=True)
        return dict(serializer.validated_data)


def _check_may_write(request: Request) -> None:
    """Raises where nobody signed, or with a key for reading."""
    if not request.user.is_authenticated:
        raise NotAuthenticated(_("Sign in or send an API key."))
    if isinstance(request.auth, Token) and request.auth.scope != Token.Scope.WRITE:
        raise Problem(403, _("This key is read-only."))


def _is_data(answer: Any) -> bool:
    return isinstance(answer, Response) and answer.data is not None
