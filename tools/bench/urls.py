"""The site's URLs, with a trivial page added for comparisons."""

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import include, path

TRIVIAL = "/bench/trivial/"
BARE = "/bench/bare/"
CONTEXT = {"title": "Bench", "words": ["oreja", "rabo", "vuelta"]}


def trivial(request: HttpRequest) -> HttpResponse:
    """Render a small template with the middleware and context processors of every page."""
    return render(request, "trivial.html", CONTEXT)


def bare(_: HttpRequest) -> HttpResponse:
    """Render the same template without context processors."""
    return render(None, "trivial.html", CONTEXT)


urlpatterns = [
    path(TRIVIAL.removeprefix("/"), trivial),
    path(BARE.removeprefix("/"), bare),
    path("", include("config.urls")),
]
