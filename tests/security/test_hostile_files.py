"""Files that cost more to read than they look: each is read or refused within its bounds."""

from __future__ import annotations

import pytest

from tools.scripts.hostile_files import Hostile, corpus, cost, is_well

ATTACKS = (
    "roster: rows 1 and 10^12",
    "roster: 500000 shared strings",
    "roster: 7900000 commas",
    "roster: 168000 members",
    "roster: 1000000 merged cells",
    "roster: attribute of 20 MB",
    "roster: format of 1000000 [",
    "results: 7900000 commas",
    "json: depth 3000000",
)
"""What once took seconds to hours of a page."""


@pytest.fixture(scope="module")
def files() -> dict[str, Hostile]:
    return {hostile.name: hostile for hostile in corpus() if hostile.name in ATTACKS}


@pytest.mark.slow
@pytest.mark.parametrize("name", ATTACKS)
def test_an_attack_that_once_succeeded(files: dict[str, Hostile], name: str) -> None:
    found = cost(files[name])
    assert is_well(found), found


@pytest.mark.nightly
def test_the_whole_corpus() -> None:
    found = [cost(hostile) for hostile in corpus()]
    assert len(found) >= 200
    assert [one for one in found if not is_well(one)] == []
