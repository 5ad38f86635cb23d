"""Compression of responses if no proxy does it."""

from __future__ import annotations

from typing import Final

from django.http import HttpRequest
from django.http.response import HttpResponseBase
from django.middleware.gzip import GZipMiddleware
from django.utils.cache import patch_vary_headers

from core.page_cache import ACCEPTS_GZIP

COMPRESSED_TYPES: Final = frozenset(
    {"text/html", "text/css", "text/javascript", "image/svg+xml", "font/ttf"}
)

# A shorter response fits into one packet anyway, with its headers.
MIN_COMPRESSED_BYTES: Final = 860


class CompressionMiddleware(GZipMiddleware):
    """Compresses pages and what they load if no proxy does.

    Responses of the API stay as they are: compression makes an ETag weak, which If-Match refuses.
    """

    def process_response(
        self, request: HttpRequest, response: HttpResponseBase
    ) -> HttpResponseBase:
        content_type = response.get("Content-Type", "").partition(";")[0]
        if response.status_code == 206 or content_type not in COMPRESSED_TYPES:
            return response
        if int(response.get("Content-Length", str(MIN_COMPRESSED_BYTES))) < MIN_COMPRESSED_BYTES:
            return response
        if not ACCEPTS_GZIP.search(request.META.get("HTTP_ACCEPT_ENCODING", "")):
            patch_vary_headers(response, ("Accept-Encoding",))
            return response
        response = super().process_response(request, response)
        if response.streaming and response.has_header("Content-Encoding"):
            # WhiteNoise would not recognise the weak ETag. It compares Last-Modified without one.
            del response["ETag"]
        return response
