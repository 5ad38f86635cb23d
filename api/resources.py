"""Index, current user, schema and documentation of the API."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from django.conf import settings
from django.core.cache import cache
from django.http import HttpResponse
from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.cache import patch_vary_headers
from django.utils.translation import get_language, override
from django.utils.translation import gettext as _
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.negotiation import DefaultContentNegotiation
from rest_framework.renderers import BaseRenderer
from rest_framework.request import Request
from rest_framework.response import Response

from accounts.models import User
from api.problems import Problem
from api.types import JSONObject
from api.views import DetailView, ResourceView


class Me(serializers.ModelSerializer[User]):
    """The current user."""

    scope = serializers.SerializerMethodField(
        help_text="What the key is good for: read, write, or session for a browser."
    )

    class Meta:
        model = User
        fields = ["username", "language", "theme", "bloodless", "scope"]

    def get_scope(self, user: User) -> str:
        """Return the scope of the key or session."""
        token: Any = self.context["request"].auth
        return str(token.scope) if token is not None else "session"


class Index(serializers.Serializer[JSONObject]):
    """Addresses of the API."""

    resources = serializers.DictField(
        child=serializers.CharField(), help_text="Addresses of collections by name."
    )
    documentation = serializers.CharField()
    schema = serializers.CharField()


SCHEMA_TTL = 60 * 60  # seconds


class IndexView(ResourceView):
    """Addresses of the collections, of the schema and of its page."""

    serializer_class = Index
    collections: Callable[[], dict[str, str]] = staticmethod(dict)

    @extend_schema(operation_id="index", tags=["interface"])
    def get(self, request: Request) -> Response:
        """List the addresses of the collections, of the schema and of its page."""
        urls = {name: request.build_absolute_uri(at) for name, at in self.collections().items()}
        schema = request.build_absolute_uri(reverse("api_schema"))
        docs = request.build_absolute_uri(reverse("api_docs"))
        return Response({"resources": urls, "documentation": docs, "schema": schema})


class MeView(DetailView):
    """The current user."""

    serializer_class = Me

    @extend_schema(operation_id="me", tags=["interface"])
    def get(self, request: Request, *args: str, **kwargs: str | int) -> Response:
        """Name, preferences and the scope of the key. 401 without a key or session."""
        return super().get(request, *args, **kwargs)

    def get_object(self) -> User:
        """Return the user. Raises NotAuthenticated."""
        if self.person is None:
            raise NotAuthenticated(_("Sign in or send an API key."))
        return self.person


class FormatNegotiation(DefaultContentNegotiation):
    """Selects the renderer by `Accept` or `?format=json`, since schemas are opened in browsers."""

    def select_renderer(
        self,
        request: Request,
        renderers: Iterable[BaseRenderer],
        format_suffix: str | None = None,
    ) -> tuple[BaseRenderer, str]:
        """Return the renderer and its media type. Raises Http404 for an unknown format."""
        form = request.query_params.get("format") or format_suffix
        chosen: tuple[BaseRenderer, str] = super().select_renderer(request, renderers, form)
        return chosen


class SchemaView(SpectacularAPIView):
    """The schema, OpenAPI 3.1, in JSON or YAML.

    Generating it takes seconds, so it is cached by language and format. Other request headers
    and parameters cannot cause another generation.
    """

    content_negotiation_class = FormatNegotiation

    @extend_schema(exclude=True)
    def get(self, request: Request, *args: str, **kwargs: str | int) -> HttpResponseBase:
        """Return the schema as cached within the last hour.

        Raises Problem for an unknown language.
        """
        language = request.query_params.get("lang") or get_language() or settings.LANGUAGE_CODE
        if language not in dict(settings.LANGUAGES):
            raise Problem(400, _("This language is not available on this site."), field="lang")
        renderer: Any = request.accepted_renderer
        key = f"schema/{settings.ROOT_URLCONF}/{renderer.media_type}/{language}"
        text = cache.get(key)
        if text is None:
            with override(language):
                drawn = self._get_schema_response(request)
            text = renderer.render(drawn.data, renderer.media_type, {})
            cache.set(key, text, SCHEMA_TTL)
        headers = {"Content-Language": language, "Cache-Control": f"private, max-age={SCHEMA_TTL}"}
        answer = HttpResponse(text, content_type=renderer.media_type, headers=headers)
        patch_vary_headers(answer, ["Accept", "Accept-Language", "Cookie"])
        return answer


class DocsView(SpectacularSwaggerSplitView):
    """The schema as a page on which it can be tried out. It has no inline scripts or styles."""

    url_name = "api_schema"
    template_name = "api/docs.html"
    schema = None


class NotFoundView(ResourceView):
    """404 for any other address under the API."""

    schema = None

    def initial(self, request: Request, *args: str, **kwargs: str | int) -> None:
        """Raise Problem for any method."""
        raise Problem(
            404,
            _("This address does not exist. See %(index)s for a list of addresses.")
            % {"index": reverse("api_index")},
        )


not_found: Callable[..., HttpResponseBase] = NotFoundView.as_view()
