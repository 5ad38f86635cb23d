"""The table of resources in `docs/api.md` is true, and lacks no collection."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from tests.security.endpoints import endpoints

PAGE = (Path(__file__).parents[2] / "docs" / "api.md").read_text()
NAMED = re.findall(
    r"`([a-z][^`]*/)`", PAGE.partition("## What is where")[2].partition("\n\nThe sheets")[0]
)
BESIDE = {"", "schema", "docs", "glossary", "invitations", "merges", "unwatched"}
"""First words of addresses that are reached from elsewhere."""


def ways() -> set[str]:
    """All addresses of resources, as the schema writes them."""
    routes = {one.route for one in endpoints() if one.route.startswith("api/v1/")}
    plain = {re.sub(r"<(?:\w+:)?(\w+)>", lambda part: f"{{{part[1]}}}", one) for one in routes}
    return {one.removeprefix("api/v1/").replace("{pk}", "{id}") for one in plain}


@pytest.mark.parametrize("way", NAMED)
def test_what_the_table_names_is_there(way: str) -> None:
    assert any(one.startswith(way) for one in ways())


def test_every_collection_is_in_the_table() -> None:
    told = {way.partition("/")[0] for way in NAMED}
    assert len(NAMED) >= 15
    assert {way.partition("/")[0] for way in ways()} - told <= BESIDE
