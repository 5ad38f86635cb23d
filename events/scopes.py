"""Whose events there are: what a circuit or a league is, and who may see it, told by its app.

Asked whenever events are read, never kept with them: what ceases to be public is gone from the
public stream at once, its past with it.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Literal

if TYPE_CHECKING:
    from django.db.models import QuerySet

ScopeName = Literal["circuit", "league"]
"""The columns of `models.Event` that say whose it is."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Scope:
    """One way of belonging.

    `public` gives the keys of all that anybody may see, as a query of one column. `find` gives
    the key of what stands at an address (None: nothing), `may_see` whether a visitor (a user, or
    an anonymous one, with a `session`) may see what has this key. `addresses` are those of keys.
    """

    name: ScopeName
    public: Callable[[], QuerySet[Any, Any]]
    find: Callable[[str], int | None]
    may_see: Callable[[int, Any], bool]
    addresses: Callable[[Collection[int]], Mapping[int, str]]


class Scopes:
    """All ways of belonging."""

    def __init__(self) -> None:
        self._scopes: dict[str, Scope] = {}

    def __iter__(self) -> Iterator[Scope]:
        return iter(self._scopes.values())

    def register(self, scope: Scope) -> None:
        """Add a scope. Raises ValueError for one that is there already."""
        if self._scopes.setdefault(scope.name, scope) is not scope:
            raise ValueError(f"The scope {scope.name!r} is registered already.")

    def key(self, name: str, address: str) -> int | None:
        """The key of what stands at an address, whoever asks; None where there is nothing."""
        scope = self._scopes.get(name)
        if scope is None or not address.isprintable():  # a NUL is no text for a database
            return None
        return scope.find(address)

    def addresses(self, name: str, keys: Collection[int]) -> Mapping[int, str]:
        """The addresses of what has these keys; one query."""
        scope = self._scopes.get(name)
        return scope.addresses(keys) if scope else {}

    def find(self, name: str, address: str, visitor: Any) -> int | None:
        """The key of what stands at an address, for a visitor who may see it; else None."""
        key = self.key(name, address)
        if key is None or not self._scopes[name].may_see(key, visitor):
            return None
        return key


scopes = Scopes()
