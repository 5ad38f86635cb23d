"""Scopes of events: circuits and leagues, and who may see them.

Permissions are checked whenever events are read and never stored. If a league stops being
public, its past events leave the public stream at once.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from django.db.models import QuerySet

# The columns of `models.Event` with a scope.
ScopeName = Literal["circuit", "league"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A scope, such as leagues.

    `public` returns a query for the primary keys of all public ones. `find` returns the key
    for an address, or None. `may_see` tells whether a visitor (a user, perhaps anonymous,
    with a `session`) may see it. `addresses` maps keys to addresses. `unwatched` returns, for the
    person of a request, the instants from which on the results of these keys are hidden.
    """

    name: ScopeName
    public: Callable[[], QuerySet[Any, Any]]
    find: Callable[[str], int | None]
    may_see: Callable[[int, Any], bool]
    addresses: Callable[[Collection[int]], Mapping[int, str]]
    unwatched: Callable[[Any], Mapping[int, dt.datetime]] | None = None


class Unwatched(NamedTuple):
    """A circuit or league with results that a person has not watched, `since` an instant."""

    scope: ScopeName
    key: int
    since: dt.datetime


class Scopes:
    """Registry of scopes."""

    def __init__(self) -> None:
        self._scopes: dict[str, Scope] = {}

    def __iter__(self) -> Iterator[Scope]:
        return iter(self._scopes.values())

    def register(self, scope: Scope) -> None:
        if self._scopes.setdefault(scope.name, scope) is not scope:
            raise ValueError(f"The scope {scope.name!r} is registered already.")

    def key(self, name: str, address: str) -> int | None:
        """Return the key for an address without checking permissions, or None."""
        scope = self._scopes.get(name)
        if scope is None or not address.isprintable():  # a NUL is no text for a database
            return None
        return scope.find(address)

    def addresses(self, name: str, keys: Collection[int]) -> Mapping[int, str]:
        scope = self._scopes.get(name)
        return scope.addresses(keys) if scope else {}

    def unwatched(self, request: Any) -> tuple[Unwatched, ...]:
        """Return what the person of a request has not watched; empty without spoiler protection."""
        return tuple(
            Unwatched(scope.name, key, since)
            for scope in self
            if scope.unwatched is not None
            for key, since in scope.unwatched(request).items()
        )

    def find(self, name: str, address: str, visitor: Any) -> int | None:
        key = self.key(name, address)
        if key is None or not self._scopes[name].may_see(key, visitor):
            return None
        return key


scopes = Scopes()
