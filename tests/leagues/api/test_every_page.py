"""Every page of leagues and games has its resource: one that has none fails here."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.urls import URLPattern

from config import api_urls
from tests.leagues.api.pages_to_resources import ALONE, RESOURCES

APPLICATIONS = ("leagues", "dominoes", "eltoro")


def pages() -> set[str]:
    """The names of all pages, from the maps of addresses."""
    found: set[str] = set()
    for application in APPLICATIONS:
        for one in import_module(f"{application}.urls").urlpatterns:
            assert isinstance(one, URLPattern)
            found.add(str(one.name))
    return found


def resources() -> set[str]:
    """The names of all resources of leagues and games."""
    names = {"api_me"}
    for module in ("leagues.api.urls", "eltoro.api.urls"):
        names |= {str(one.name) for one in import_module(module).urlpatterns}
    return names


def test_every_page_has_a_row() -> None:
    assert not set(RESOURCES) & set(ALONE)
    assert set(RESOURCES) | set(ALONE) == pages()


@pytest.mark.parametrize("page", sorted(RESOURCES))
def test_what_it_names_is_there(page: str) -> None:
    assert set(RESOURCES[page]) <= resources()


def test_every_resource_is_a_page_s_or_has_a_reason() -> None:
    named = {name for names in RESOURCES.values() for name in names}
    beside = {"api_table_rounds", "api_eltoro_board"}
    assert resources() - named - {"api_me"} == beside


def test_the_index_names_the_collections() -> None:
    names = api_urls.collections()
    assert {"games", "leagues", "matches", "tables", "eltoro_boards"} <= set(names)
