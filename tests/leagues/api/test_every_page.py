"""Every page of leagues and games has an API resource, or a reason why it has none."""

from __future__ import annotations

from importlib import import_module

import pytest
from django.urls import URLPattern

from config import api_urls
from tests.leagues.api.pages_to_resources import ALONE, RESOURCES

APPLICATIONS = ("leagues", "dominoes", "eltoro")


def pages() -> set[str]:
    """Return the names of all URL patterns of pages."""
    found: set[str] = set()
    for application in APPLICATIONS:
        for one in import_module(f"{application}.urls").urlpatterns:
            assert isinstance(one, URLPattern)
            found.add(str(one.name))
    return found


def resources() -> set[str]:
    """Return the URL names of all API resources of leagues and games."""
    names = {"api_me"}
    for module in ("leagues.api.urls", "eltoro.api.urls"):
        names |= {str(one.name) for one in import_module(module).urlpatterns}
    return names


def test_every_page_of_leagues_and_games_has_a_resource_or_a_reason() -> None:
    assert not set(RESOURCES) & set(ALONE)
    assert set(RESOURCES) | set(ALONE) == pages()


@pytest.mark.parametrize("page", sorted(RESOURCES))
def test_api_resources_listed_for_a_page_exist(page: str) -> None:
    assert set(RESOURCES[page]) <= resources()


def test_every_api_resource_is_listed_for_a_page_with_two_exceptions() -> None:
    named = {name for names in RESOURCES.values() for name in names}
    beside = {"api_table_rounds", "api_eltoro_board"}
    assert resources() - named - {"api_me"} == beside


def test_api_index_lists_the_collections() -> None:
    names = api_urls.collections()
    assert {"games", "leagues", "matches", "tables", "eltoro_boards"} <= set(names)
