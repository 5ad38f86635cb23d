"""Compression of responses on sites without a proxy."""

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

# Minimum size of a compressed response. A shorter response fits into one network packet with its
# headers anyway.
MIN_COMPRESSED_BYTES: Final = 860


class CompressionMiddleware(GZipMiddleware):
    """Compresses pages, styles, scripts and fonts on sites without a proxy.

    API responses are not compressed: compression makes an ETag weak, and `If-Match` requires a
    strong one.
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
            # Remove the ETag, which compression has made weak. WhiteNoise would not recognise it,
            # and compares Last-Modified if there is none.
            del response["ETag"]
        return response
