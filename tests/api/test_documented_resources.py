"""Checks the table of resources in `docs/api.md`: it names existing URLs, and every collection."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.security.endpoints import endpoints

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
NAMED = re.findall(
    r"`([a-z][^`]*/)`", PAGE.partition("## What is where")[2].partition("\n\nThe sheets")[0]
)
# First path segments that the table need not contain, because other resources link to them.
BESIDE = {"", "schema", "docs", "glossary", "invitations", "merges", "unwatched"}


def ways() -> set[str]:
    """Return the paths of all API resources, with parameters as in the schema."""
    routes = {one.route for one in endpoints() if one.route.startswith("api/v1/")}
    plain = {re.sub(r"<(?:\w+:)?(\w+)>", lambda part: f"{{{part[1]}}}", one) for one in routes}
    return {one.removeprefix("api/v1/").replace("{pk}", "{id}") for one in plain}


@pytest.mark.parametrize("way", NAMED)
def test_api_resources_in_the_documentation_exist(way: str) -> None:
    assert any(one.startswith(way) for one in ways())


def test_documentation_contains_every_api_collection() -> None:
    told = {way.partition("/")[0] for way in NAMED}
    assert len(NAMED) >= 15
    assert {way.partition("/")[0] for way in ways()} - told <= BESIDE
