"""Scopes of events (circuits and leagues), and who may see them.

Permissions are checked whenever events are read and never stored. If a league stops being public,
its past events disappear from the public stream at once.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal, NamedTuple

if TYPE_CHECKING:
    from django.db.models import QuerySet

# Keys of the kinds of scopes, to which events belong. Each is also the name of a column of
# `models.Event`.
ScopeName = Literal["circuit", "league"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """A kind of scope, such as leagues.

    `public` returns a queryset of the primary keys of all public ones. `find` returns the primary
    key for a slug, or None. `may_see` says whether a visitor (a user or AnonymousUser, with a
    `session`) may see one. `addresses` maps primary keys to slugs. `unwatched` maps primary keys to
    the time after which results are hidden from the user of a request by spoiler protection.
    """

    name: ScopeName
    public: Callable[[], QuerySet[Any, Any]]
    find: Callable[[str], int | None]
    may_see: Callable[[int, Any], bool]
    addresses: Callable[[Collection[int]], Mapping[int, str]]
    unwatched: Callable[[Any], Mapping[int, dt.datetime]] | None = None


class UnwatchedScope(NamedTuple):
    """A circuit or league whose results from `since` on are hidden from a user."""

    scope: ScopeName
    key: int
    since: dt.datetime


class Scopes:
    """Registry of the kinds of scopes (circuits and leagues) to which events belong."""

    def __init__(self) -> None:
        self._scopes: dict[str, Scope] = {}

    def __iter__(self) -> Iterator[Scope]:
        return iter(self._scopes.values())

    def register(self, scope: Scope) -> None:
        if self._scopes.setdefault(scope.name, scope) is not scope:
            raise ValueError(f"The scope {scope.name!r} is registered already.")

    def key(self, name: str, address: str) -> int | None:
        """Return the primary key of the circuit or league with this slug, or None.

        Permissions are not checked.
        """
        scope = self._scopes.get(name)
        if scope is None or not address.isprintable():  # databases reject a NUL
            return None
        return scope.find(address)

    def addresses(self, name: str, keys: Collection[int]) -> Mapping[int, str]:
        scope = self._scopes.get(name)
        return scope.addresses(keys) if scope else {}

    def unwatched(self, request: object) -> tuple[UnwatchedScope, ...]:
        """Return the circuits and leagues whose results are hidden from the user of a request.

        The result is empty without spoiler protection.
        """
        return tuple(
            UnwatchedScope(scope.name, key, since)
            for scope in self
            if scope.unwatched is not None
            for key, since in scope.unwatched(request).items()
        )

    def find_key(self, name: str, address: str, visitor: object) -> int | None:
        key = self.key(name, address)
        if key is None or not self._scopes[name].may_see(key, visitor):
            return None
        return key


scopes = Scopes()
