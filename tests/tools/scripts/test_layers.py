"""The documentation shows the layers of the import contracts."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
BLOCK = re.compile(r"^```\n(.*?)^```$", re.MULTILINE | re.DOTALL)


def test_architecture_page_shows_the_layers_of_every_contract() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
    contracts = project["tool"]["importlinter"]["contracts"]
    page = (ROOT / "docs" / "architecture.md").read_text("utf-8")
    layers = page.partition("## Layers\n")[2].partition("### ")[0]
    shown = [block.splitlines() for block in BLOCK.findall(layers)]
    assert shown == [
        [layer.replace("(", "").replace(")", "") for layer in contract["layers"]]
        for contract in contracts
        if contract["type"] == "layers"
    ]
