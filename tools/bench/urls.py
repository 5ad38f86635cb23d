"""The site's URLs, with a trivial page added for comparisons."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path

TRIVIAL = "/bench/trivial/"


def trivial(request: HttpRequest) -> HttpResponse:
    """Render a small template with the middleware and context processors of every page."""
    return render(request, "trivial.html", {"title": "Bench", "words": ["oreja", "rabo", "vuelta"]})


urlpatterns = [
    path(TRIVIAL.removeprefix("/"), trivial),
    path("", include("config.urls")),
]
