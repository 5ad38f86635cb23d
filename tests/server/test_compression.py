"""Compression of pages and static files by the site itself, if no proxy compresses them."""

from __future__ import annotations

import gzip
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from django.contrib.staticfiles import finders
from django.http import FileResponse, HttpRequest, HttpResponse
from django.http.response import HttpResponseBase
from django.test import RequestFactory
from whitenoise.middleware import WhiteNoiseMiddleware

from server.compression import CompressionMiddleware

if TYPE_CHECKING:
    from django.test import Client

TEXT = b"toro " * 100


def compressed_response(response: HttpResponse) -> HttpResponse:
    request = RequestFactory().get("/", headers={"Accept-Encoding": "br, gzip"})
    answer = CompressionMiddleware(lambda _request: response)(request)
    assert isinstance(answer, HttpResponse)
    return answer


def test_page_is_compressed() -> None:
    answer = compressed_response(HttpResponse(TEXT))
    assert answer["Content-Encoding"] == "gzip"
    assert gzip.decompress(answer.content) == TEXT


def test_response_that_fits_into_one_packet_is_not_compressed(client: Client) -> None:
    answer = client.get("/static/img/mark.svg", headers={"Accept-Encoding": "gzip"})
    assert (answer.status_code, "Content-Encoding" in answer) == (200, False)
    short = HttpResponse(TEXT, headers={"Content-Length": str(len(TEXT))})
    assert compressed_response(short).content == TEXT


@pytest.mark.parametrize(
    ("content_type", "status"),
    [("application/json", 200), ("application/zip", 200), ("text/css", 206)],
)
def test_other_content_types_and_status_codes_are_not_compressed(
    content_type: str, status: int
) -> None:
    answer = compressed_response(
        HttpResponse(TEXT, content_type=content_type, status=status, headers={"ETag": '"1"'})
    )
    assert answer.content == TEXT
    assert answer["ETag"] == '"1"'


@pytest.mark.parametrize(
    "name", ["css/site.css", "js/play.js", "img/art.svg", "fonts/FjallaOne-Regular.ttf"]
)
def test_static_file_is_compressed_and_answered_with_304_if_unchanged(name: str) -> None:
    whitenoise = WhiteNoiseMiddleware(_not_found)
    middleware = CompressionMiddleware(whitenoise)
    path = finders.find(name)
    assert path

    def get(**headers: str) -> HttpResponseBase:
        request = RequestFactory().get(f"/static/{name}", headers=headers)
        response = middleware(request)
        assert isinstance(response, HttpResponseBase)
        return response

    answer = get(**{"Accept-Encoding": "gzip"})
    assert isinstance(answer, FileResponse)
    assert gzip.decompress(answer.getvalue()) == Path(path).read_bytes()
    again = get(**{"Accept-Encoding": "gzip", "If-Modified-Since": answer["Last-Modified"]})
    assert "ETag" not in answer
    assert again.status_code == 304


def _not_found(request: HttpRequest) -> HttpResponse:
    return HttpResponse(status=404)


def test_middleware_compresses_the_pages_of_the_site(client: Client, db: None) -> None:
    answer = client.get("/glosario/", headers={"Accept-Encoding": "gzip"})
    assert answer["Content-Encoding"] == "gzip"
    assert b"</html>" in gzip.decompress(answer.content)
