"""The search query: entries in which every word of a query begins a word, for one visitor."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import groupby
from typing import Final, NamedTuple

from django.db.models import Case, Count, F, IntegerField, Q, Value, When, Window
from django.db.models.functions import RowNumber
from django.http import HttpRequest

from search import sql
from search.kinds import SearchHit, SearchKind, all_kinds
from search.models import Entry

# Number of results per kind if results of all kinds are shown.
PREVIEW_SIZE: Final = 2
PAGE_SIZE: Final = 25


@dataclass(frozen=True, kw_only=True)
class HitGroup:
    """The results of one kind that are shown, and their `total` number."""

    kind: SearchKind
    total: int
    hits: Sequence[SearchHit]

    @property
    def more_count(self) -> int:
        return self.total - len(self.hits)


class Slice(NamedTuple):
    """The results of a kind to return: `size` results from `start`, counted from 0."""

    start: int = 0
    size: int = PREVIEW_SIZE


PREVIEW: Final = Slice()


def find_groups(
    request: HttpRequest,
    words: Sequence[str],
    *,
    only: SearchKind | None = None,
    part: Slice = PREVIEW,
) -> list[HitGroup]:
    """Return the groups of results, in the order in which their kinds were registered.

    This takes one query for the index, and the queries of the kinds that describe their results.
    """
    if not words:
        return []
    kinds = [only] if only else list(all_kinds())
    entries = _entries(request, words, [kind for kind in kinds if kind.visible], part)
    groups = (_group(request, words, kind, entries, part) for kind in kinds)
    return [group for group in groups if group.total]


def _group(
    request: HttpRequest,
    words: Sequence[str],
    kind: SearchKind,
    entries: Sequence[_FoundEntry],
    part: Slice,
) -> HitGroup:
    if kind.lookup is not None:
        found = kind.lookup(request, words)
        shown = found[part.start : part.start + part.size]
        return HitGroup(kind=kind, total=len(found), hits=shown)
    own = [entry for entry in entries if entry.kind == kind.key]
    if not own or kind.hits is None:
        return HitGroup(kind=kind, total=0, hits=())
    described = kind.hits(request, [entry.key for entry in own])
    hits = [described[entry.key] for entry in own if entry.key in described]
    return HitGroup(kind=kind, total=own[0].total, hits=hits)


class _FoundEntry(NamedTuple):
    """An entry of the search index that matches, and the total number of matches of its kind."""

    kind: str
    key: int
    total: int


def _entries(
    request: HttpRequest, words: Sequence[str], kinds: Sequence[SearchKind], part: Slice
) -> Sequence[_FoundEntry]:
    first = Case(When(words__startswith=words[0], then=Value(0)), default=Value(1))
    # For equal names, results of the older circuit come first, so the site's own circuit precedes
    # its copies.
    scope = F("scope").asc(nulls_first=True)
    # Then the newest rows come first by their primary key, regardless of when they were indexed.
    order = [first, F("weight").desc(), scope, F("key").desc()]
    kind = F("kind")
    rows = (
        Entry.objects.filter(sql.matching(words), _visible(request, kinds))
        .annotate(
            total=Window(Count("pk"), partition_by=kind),
            place=Window(
                RowNumber(), partition_by=kind, order_by=order, output_field=IntegerField()
            ),
        )
        .filter(place__gt=part.start, place__lte=part.start + part.size)
        .order_by("kind", "place")
    )
    return [_FoundEntry(*row) for row in rows.values_list("kind", "key", "total")]


def _visible(request: HttpRequest, kinds: Sequence[SearchKind]) -> Q:
    """Return the condition for entries that the visitor may see.

    Kinds that share a permission rule share a part of the condition.
    """
    by_rule = groupby(sorted(kinds, key=_rule), key=_rule)
    shared = [list(group) for _, group in by_rule]
    condition = Q(pk__in=())
    for group in shared:
        rule = group[0].visible
        assert rule is not None
        condition |= Q(kind__in=[kind.key for kind in group]) & rule(request)
    return condition


def _rule(kind: SearchKind) -> int:
    return id(kind.visible)
