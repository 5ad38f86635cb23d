"""Queries on the search index for tests."""

from __future__ import annotations

from django.apps import apps
from django.test import Client

from search.index import replace
from search.kinds import all_rows
from search.models import Entry

Indexed = set[tuple[str, int, int | None, int, str]]


def reindex() -> None:
    replace(all_rows(apps.get_model))


def indexed(kind: str = "") -> Indexed:
    """Return all entries of the index, or those of one kind."""
    entries = Entry.objects.filter(kind=kind) if kind else Entry.objects.all()
    return set(entries.values_list("kind", "key", "scope", "weight", "words"))


def assert_as_rebuilt() -> None:
    """Check that the index equals a rebuilt one."""
    kept = indexed()
    assert kept
    reindex()
    assert kept == indexed()


def titles(client: Client, question: str, **more: str) -> dict[str, list[str]]:
    """Return the titles of search results by kind, as the API returns them."""
    response = client.get("/api/v1/search/", {"q": question, **more})
    assert response.status_code == 200, response.content
    groups = response.json()["groups"]
    return {group["kind"]: [hit["title"] for hit in group["hits"]] for group in groups}
