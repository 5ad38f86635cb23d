"""Slugs that rows must not have, because pages have these addresses.

A model whose rows have addresses names in `FOLDERS` the routes in front of their slugs, such as
`leagues/` for `leagues/<slug:slug>/`.
"""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from typing import ClassVar, Final

from django.urls import URLResolver, get_resolver
from django.urls.converters import SlugConverter


@cache
def reserved_words(*folders: str) -> frozenset[str]:
    """Return the first words of all routes in these folders, other than those with a converter.

    `{"new", "join"}` for `leagues/`: a league of that address would never be found.
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


# No slug contains it, and browsers leave it as it is.
MARK: Final = "~"


class AddressConverter(SlugConverter):
    """A slug in a route, with a mark behind it where the bare slug is the address of a page.

    For rows from before slugs were checked, whose slug is part of what was played, and for those
    of imported seasons. Subclasses name the `folders`.
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
