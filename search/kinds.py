"""Kinds of search results. Applications register theirs, in the order of the results."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from django.apps import apps
from django.db.models import Model, Q
from django.http import HttpRequest

from search import index
from search.index import IndexRow
from search.models import Entry

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# Function that returns a model by application and name. In a migration it returns the historical
# model.
GetModel = Callable[[str, str], Any]


@dataclass(frozen=True, kw_only=True)
class SearchHit:
    """One search result.

    `detail` says in one line why it was found. `figure` is a number, and `unit` says what it
    counts.
    """

    title: str
    url: str
    detail: str = ""
    figure: str = ""
    unit: str = ""
    suit: int | None = None


@dataclass(frozen=True, kw_only=True)
class SearchKind:
    """A kind of search results, such as matadors.

    Kinds in the index have `visible`, `hits` and `rows`. `visible` returns the condition for
    entries that the visitor may see. `hits` returns results by primary key, without those whose row
    no longer exists. `rows` returns all rows for the index. A kind that is not in the index has
    `lookup`, which returns all results for the words of a query.
    """

    key: str
    title: str | _StrPromise
    icon: str
    visible: Callable[[HttpRequest], Q] | None = None
    hits: Callable[[HttpRequest, Sequence[int]], Mapping[int, SearchHit]] | None = None
    rows: Callable[[GetModel], Iterable[IndexRow]] | None = None
    lookup: Callable[[HttpRequest, Sequence[str]], Sequence[SearchHit]] | None = None


_kinds: dict[str, SearchKind] = {}


def register_kind(kind: SearchKind) -> None:
    _kinds[kind.key] = kind


def all_kinds() -> tuple[SearchKind, ...]:
    return tuple(_kinds.values())


def find_kind(key: str) -> SearchKind | None:
    return _kinds.get(key)


def all_rows(get_model: Callable[[str, str], type[Model]]) -> Iterable[IndexRow]:
    """Yield the rows of all kinds that belong in the index."""
    for kind in all_kinds():
        if kind.rows is not None:
            yield from kind.rows(get_model)


def fill_missing_kinds() -> list[str]:
    """Index the kinds that have no rows in the index, and return their keys.

    After an upgrade, the index of an existing site has no rows of a new kind.
    """
    filled = []
    for kind in all_kinds():
        if kind.rows is None or Entry.objects.filter(kind=kind.key).exists():
            continue
        if index.replace(kind.rows(apps.get_model), kind=kind.key):
            filled.append(kind.key)
    return filled
