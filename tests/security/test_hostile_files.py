"""Files made to be expensive to read are read or rejected within limits of time and memory."""

from __future__ import annotations

import pytest

from tools.scripts.hostile_files import Hostile, corpus, cost, is_well

# Names of attacks that once kept a page busy for seconds to hours.
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
DAILY = {"roster: rows 1 and 10^12", "roster: 7900000 commas", "json: depth 3000000"}


@pytest.fixture(scope="module")
def files() -> dict[str, Hostile]:
    return {hostile.name: hostile for hostile in corpus() if hostile.name in ATTACKS}


@pytest.mark.slow
@pytest.mark.parametrize(
    "name",
    [name if name in DAILY else pytest.param(name, marks=pytest.mark.nightly) for name in ATTACKS],
)
def test_known_expensive_file_stays_within_the_limits(files: dict[str, Hostile], name: str) -> None:
    found = cost(files[name])
    assert is_well(found), found


@pytest.mark.nightly
def test_all_hostile_files_stay_within_the_limits() -> None:
    found = [cost(hostile) for hostile in corpus()]
    assert len(found) >= 200
    assert [one for one in found if not is_well(one)] == []
