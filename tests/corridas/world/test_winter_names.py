"""The tables of names for invented matadors, and the errors that loading them reports."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from corridas.world.roster import DATA, RosterError, load_countries, load_names

Lines = list[str]
TABLES = ("names.csv", "countries.csv")


def folder(tmp_path: Path, file: str, change: Callable[[Lines], Lines]) -> Path:
    for name in TABLES:
        shutil.copy(DATA / name, tmp_path / name)
    lines = (DATA / file).read_text("utf-8").splitlines()
    (tmp_path / file).write_text("\n".join(change(lines)) + "\n", encoding="utf-8")
    return tmp_path


@pytest.mark.parametrize(
    ("file", "change", "line", "rule"),
    [
        ("names.csv", lambda lines: [*lines[:2], lines[1]], 3, "is already on line 2"),
        (
            "names.csv",
            lambda lines: [lines[0], "ES,nickname,Pepe"],
            2,
            "not one of these values: given, surname",
        ),
        (
            "names.csv",
            lambda lines: [lines[0], "ES,real,Pepe"],
            2,
            "country is empty for a real name",
        ),
        (
            "names.csv",
            lambda lines: [lines[0], ",given,Pepe"],
            2,
            "country “” is not one of these values: ES",
        ),
        ("names.csv", lambda lines: [lines[0], "ES,given,"], 2, "name is empty"),
        ("names.csv", lambda lines: ["name"], 1, "the columns are country,kind,name"),
        ("names.csv", lambda lines: [lines[0], "ES,given,Pepe"], 2, "no surname name of ES"),
        ("countries.csv", lambda lines: [*lines[:2], lines[1]], 3, "is already on line 2"),
        ("countries.csv", lambda lines: lines[:1], 1, "there is no town"),
        ("countries.csv", lambda lines: [lines[0], "XX,Nowhere,1"], 2, "country “XX” is not one"),
        ("countries.csv", lambda lines: [lines[0], "ES,Ronda,0"], 2, "not a whole number from 1"),
        ("countries.csv", lambda lines: [lines[0], "ES,,1"], 2, "place is empty"),
    ],
)
def test_invalid_name_tables_are_rejected_with_line_and_rule(
    tmp_path: Path, file: str, change: Callable[[Lines], Lines], line: int, rule: str
) -> None:
    with pytest.raises(RosterError, match=rule) as caught:
        load_countries(folder(tmp_path, file, change))
    assert caught.value.line == line


def test_shipped_name_tables_are_valid() -> None:
    names, places = load_names(), load_countries()
    assert len([name for name in names if name.kind == "real"]) > 150
    shares = {place.country: 0 for place in places}
    for place in places:
        shares[place.country] += place.share
    assert max(shares, key=lambda country: shares[country]) == "ES"
    assert list(shares) == ["ES", "MX", "PE", "CO", "VE", "EC", "FR", "PT"]
    assert not [name for name in names if name.name != name.name.strip() or "  " in name.name]
