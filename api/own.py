"""The interface's own resources: its index, who asks, the schema and its page."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from django.http.response import HttpResponseBase
from django.urls import reverse
from django.utils.decorators import method_decorator
from django.utils.translation import gettext as _
from django.views.decorators.cache import cache_page
from drf_spectacular.utils import extend_schema
from drf_spectacular.views import SpectacularAPIView, SpectacularSwaggerSplitView
from rest_framework.exceptions import NotAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response

from api.problems import Problem
from api.serializers import Index, Me
from api.views import Detail, Resource

HOUR = 60 * 60  # seconds


class Here(Resource):
    """Where everything is."""

    serializer_class = Index
    collections: Callable[[], dict[str, str]] = staticmethod(dict)

    @extend_schema(operation_id="index", tags=["interface"])
    def get(self, request: Request) -> Response:
        """The addresses of the collections, of the schema and of its page."""
        told = {name: request.build_absolute_uri(at) for name, at in self.collections().items()}
        schema = request.build_absolute_uri(reverse("api_schema"))
        docs = request.build_absolute_uri(reverse("api_docs"))
        return Response({"resources": told, "documentation": docs, "schema": schema})


class Who(Detail):
    """Who asks."""

    serializer_class = Me

    @extend_schema(operation_id="me", tags=["interface"])
    def get(self, request: Request, *args: Any, **kwargs: Any) -> Response:
        """Name, preferences, and what the key is good for; 401 for a stranger."""
        return super().get(request, *args, **kwargs)

    def get_object(self) -> Any:
        """The person. Raises NotAuthenticated."""
        if self.person is None:
            raise NotAuthenticated(_("Sign in, or send a key."))
        return self.person


@method_decorator(cache_page(HOUR), name="dispatch")
class Schema(SpectacularAPIView):
    """The schema, OpenAPI 3.1, in JSON or YAML; drawing it up takes seconds, so it is kept."""


class Page(SpectacularSwaggerSplitView):
    """The schema as a page of the site, to try out: no script or style of it is inline."""

    url_name = "api_schema"
    template_name = "api/docs.html"
    schema = None


class Nothing(Resource):
    """Whatever else is asked for under the interface's address."""

    schema = None

    def initial(self, request: Request, *args: Any, **kwargs: Any) -> None:
        """Whatever the method: it is not here. Raises Problem."""
        raise Problem(
            404,
            _("There is no such address: %(index)s lists what is there.")
            % {"index": reverse("api_index")},
        )


nothing: Callable[..., HttpResponseBase] = Nothing.as_view()
