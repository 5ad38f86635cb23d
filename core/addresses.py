"""Slugs that a row must not have, because its URL would be that of an existing page.

A model whose rows have slugs in URLs lists the route prefixes in `FOLDERS`, such as `leagues/` for
`leagues/<slug:slug>/`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import ClassVar, Final

from django.urls import URLResolver, get_resolver
from django.urls.converters import SlugConverter


@cache
def reserved_words(*folders: str) -> frozenset[str]:
    """Return the first path segments of all routes in these folders, without converters.

    For `leagues/` this includes `new` and `join`: a league with such a slug could never be reached.
    """
    routes = list(_routes(get_resolver(), ""))
    inside = {
        route.removeprefix(folder).split("/")[0]
        for folder in folders
        for route in routes
        if route.startswith(folder)
    }
    return frozenset(word for word in inside if word and "<" not in word)


def _routes(resolver: URLResolver, before: str) -> Iterator[str]:
    for pattern in resolver.url_patterns:
        route = f"{before}{pattern.pattern}"
        if isinstance(pattern, URLResolver):
            yield from _routes(pattern, route)
        else:
            yield route


# Appended to a slug that equals a page's path segment. No slug contains this character, and
# browsers do not escape it.
MARK: Final = "~"


class AddressConverter(SlugConverter):
    """URL converter for a slug. It appends a mark to a slug that is the address of a page.

    Such slugs belong to rows created before slugs were checked, which cannot be renamed because the
    slug is part of the record, and to imported seasons. Subclasses set `folders`.
    """

    regex = f"{SlugConverter.regex}{MARK}?"
    folders: ClassVar[tuple[str, ...]]

    def to_python(self, value: str) -> str:
        slug = value.removesuffix(MARK)
        if slug != value and slug not in reserved_words(*self.folders):
            raise ValueError(value)
        return slug

    def to_url(self, value: str) -> str:
        return f"{value}{MARK}" if value in reserved_words(*self.folders) else value
