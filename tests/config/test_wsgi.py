"""The WSGI handler caches resolved URLs."""

from __future__ import annotations

import pytest
from django.http import Http404
from django.test import RequestFactory
from django.urls import resolve

from config import wsgi


@pytest.mark.parametrize("path", ["/matadores/joselito/", "/api/v1/" + "a" * 300])
def test_wsgi_handler_resolves_urls_like_django(path: str, rf: RequestFactory) -> None:
    handler = wsgi.Handler()
    for _ in range(2):
        match = handler.resolve_request(rf.get(path))
        assert (match.func, match.kwargs) == (resolve(path).func, resolve(path).kwargs)


def test_wsgi_handler_caches_only_short_existing_urls(rf: RequestFactory) -> None:
    wsgi._resolve.cache_clear()
    handler = wsgi.Handler()
    handler.resolve_request(rf.get("/api/v1/" + "a" * wsgi.MAX_KEPT_PATH))
    with pytest.raises(Http404):
        handler.resolve_request(rf.get("/nowhere/"))
    handler.resolve_request(rf.get("/matadores/"))
    assert wsgi._resolve.cache_info().currsize == 1
