"""WSGI application for pages."""

import os
from functools import lru_cache
from typing import Final

import django
from django.core.handlers.wsgi import WSGIHandler
from django.http import HttpRequest
from django.urls import ResolverMatch, get_resolver

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup(set_prefix=False)

from core.disk import hold_database_open

# Maximum length of a path for which the handler caches the view. Without a limit, clients could
# fill the memory with long invented paths.
MAX_KEPT_PATH: Final = 200


class Handler(WSGIHandler):
    """WSGI handler that caches which view belongs to a path.

    The result is the same for all visitors: no request has its own URL configuration, and no URL is
    translated.
    """

    def resolve_request(self, request: HttpRequest) -> ResolverMatch:
        path = request.path_info
        find = _resolve if len(path) <= MAX_KEPT_PATH else get_resolver().resolve
        request.resolver_match = find(path)
        return request.resolver_match


@lru_cache(maxsize=2048)
def _resolve(path: str) -> ResolverMatch:
    return get_resolver().resolve(path)


application = Handler()
_database_file = hold_database_open()
