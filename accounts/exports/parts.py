"""What a copy of a person's data is made of."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, Final

from django.db import models

if TYPE_CHECKING:
    from accounts.models import User

CHUNK: Final = 500
"""Rows held in memory at a time."""


@dataclass(frozen=True, kw_only=True)
class Table:
    """Rows of one model that are about a person, as a file of JSON.

    `name` is the file's, with its folder and no ending. `rows` chooses them. Columns of `without`
    stay out: secrets that open something, and what is about others.
    """

    name: str
    model: type[models.Model]
    rows: Callable[[User], models.QuerySet[Any]]
    without: frozenset[str] = frozenset()

    def count(self, user: User) -> int:
        """How many rows there are."""
        return self.rows(user).count()

    def each(self, user: User) -> Iterator[dict[str, Any]]:
        """The rows as columns and values, a chunk in memory at a time."""
        columns = [
            field.attname
            for field in self.model._meta.concrete_fields
            if field.name not in self.without
        ]
        return self.rows(user).order_by("pk").values(*columns).iterator(chunk_size=CHUNK)


@dataclass(frozen=True, kw_only=True)
class Files:
    """Whole files beside the tables, such as rosters: a name with its ending, and the content.

    `weigh` says how many rows' worth of work they are.
    """

    each: Callable[[User], Iterable[tuple[str, bytes]]]
    weigh: Callable[[User], int]


parts: list[Table | Files] = []
"""Everything that goes into a copy, in its order."""
left_out: dict[str, str] = {}
"""Models (`app.Model`) that name people and are in no copy, with the reason."""


def register(*declared: Table | Files) -> None:
    """Declare what an application keeps about people."""
    parts.extend(part for part in declared if part not in parts)


def leave_out(**reasons: str) -> None:
    """Say why tables stay out: `app__Model="reason"`."""
    left_out.update({name.replace("__", ".", 1): reason for name, reason in reasons.items()})
