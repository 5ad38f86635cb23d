"""The diagram of the packages in `docs/architecture.md`."""

from __future__ import annotations

import sys
import tomllib
import xml.etree.ElementTree as ET
from typing import Any

import pytest

from tools.scripts import package_picture
from tools.scripts.package_picture import PICTURE, ROOT, Panel, draw, main, panels

TEXT = "{http://www.w3.org/2000/svg}text"
CONTRACTS = [
    {"type": "layers", "layers": ["config", "corridas | eltoro", "core"]},
    {"type": "layers", "containers": ["core"], "layers": ["jobs"], "exhaustive": True},
    {
        "type": "layers",
        "containers": ["corridas", "eltoro"],
        "layers": ["(pages) | (api)", "models : sql"],
        "exhaustive": True,
    },
    {"type": "layers", "containers": ["corridas.season"], "layers": ["views"]},
    {"type": "forbidden", "source_modules": ["core"], "forbidden_modules": ["corridas"]},
]
SETTINGS: dict[str, Any] = {
    "root_packages": ["config", "core", "corridas", "eltoro"],
    "contracts": CONTRACTS,
}


def texts(picture: str) -> list[str]:
    """Return the texts of the diagram in the order in which they are drawn."""
    return [element.text or "" for element in ET.fromstring(picture).iter(TEXT)]


def test_committed_picture_is_current() -> None:
    assert PICTURE.read_text("utf-8") == package_picture.current_picture(), (
        "run: python -m tools.scripts.package_picture"
    )


def test_every_root_package_is_in_the_picture() -> None:
    settings = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))["tool"]["importlinter"]
    assert set(settings["root_packages"]) <= set(texts(PICTURE.read_text("utf-8")))
    assert panels(settings)[0].title == "Root packages"


def test_panels_are_the_root_contract_and_exhaustive_contracts() -> None:
    assert panels(SETTINGS) == [
        Panel("Root packages", (("config",), ("corridas", "eltoro"), ("core",))),
        Panel("core", (("jobs",),)),
        Panel("corridas and eltoro", (("pages", "api"), ("models + sql",))),
    ]


def test_picture_has_a_box_for_every_part() -> None:
    contents = panels(SETTINGS)
    drawn = texts(draw(contents))
    for panel in contents:
        assert {panel.title, *(part for row in panel.rows for part in row)} <= set(drawn)


def test_long_row_is_broken_into_lines() -> None:
    row = tuple(f"part_number_{number}" for number in range(9))
    root = ET.fromstring(draw([Panel("corridas", (row,))]))
    tops = {element.get("y") for element in root.iter(TEXT) if element.text in row}
    assert len(tops) > 1


def test_check_fails_for_an_outdated_picture(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(package_picture, "PICTURE", tmp_path / "packages.svg")
    monkeypatch.setattr(sys, "argv", ["package_picture", "--check"])
    assert main() == 1
    assert "is outdated" in capsys.readouterr().out
    monkeypatch.setattr(sys, "argv", ["package_picture"])
    assert main() == 0
    monkeypatch.setattr(sys, "argv", ["package_picture", "--check"])
    assert main() == 0
