"""Fills the index with kinds that a new version has brought."""

from __future__ import annotations

from django.apps import apps

from search import index
from search.kinds import all_kinds
from search.models import Entry


def fill_missing_kinds() -> list[str]:
    """Index the kinds of which the index holds nothing. Return their keys.

    After an upgrade the index of an existing site has no rows of a new kind.
    """
    filled = []
    for kind in all_kinds():
        if kind.rows is None or Entry.objects.filter(kind=kind.key).exists():
            continue
        if index.replace(kind.rows(apps.get_model), kind=kind.key):
            filled.append(kind.key)
    return filled
