"""Checks that `docs/records.md` and its examples match the code."""

from __future__ import annotations

import re
import subprocess
import sys
from collections.abc import Callable

import pytest

import actas
from tests.actas import documents, worked
from tests.actas.documents import Document, leaves


def test_figures_in_the_documentation_of_records_match_the_code() -> None:
    text = worked.BOOK.read_text("utf-8")
    assert worked.with_blocks(text) == text, "update the figures: python -m tests.actas.worked"


def test_example_records_match_the_documentation_and_can_be_verified() -> None:
    for name, document in zip(worked.NAMES, worked.examples(), strict=True):
        data = (worked.EXAMPLES / name).read_bytes()
        assert data == actas.to_bytes(document), name
        assert actas.check_file(data).is_confirmed, name
    files = [str(worked.EXAMPLES / name) for name in worked.NAMES]
    script = str(worked.ROOT / "tools" / "scripts" / "check_acta.py")
    ended = subprocess.run([sys.executable, "-I", script, *files], check=False)
    assert ended.returncode == 0


@pytest.mark.parametrize(
    "make",
    [
        documents.lidia,
        documents.hand,
        documents.town,
        documents.match,
        lambda: documents.sheet("dominoes", {"totals": [100, 58, 33]}),
    ],
    ids=["lidia", "hand", "game", "match", "sheet"],
)
def test_documentation_of_records_describes_every_field(make: Callable[[], Document]) -> None:
    document = make()
    text = worked.BOOK.read_text("utf-8")
    inside = re.compile(r"(rules|sheet)/.*")
    names = {
        name
        for path, _value in leaves(document)
        if not inside.fullmatch(path)
        for name in path.split("/")
        if not name.isdigit()
    }
    ranges = set(documents.lidia()["stake"]["cartel"][0]["ranges"])
    missing = [n for n in names - ranges if not re.search(rf"[`.…\"]{n}[`\"]", text)]
    assert not missing


def test_documentation_of_records_states_the_limits_and_kinds_of_the_code() -> None:
    from actas.parsing import MAX_BYTES, MAX_DEPTH, MAX_VALUES

    text = worked.BOOK.read_text("utf-8")
    assert f"{MAX_BYTES // 10**6} MB, {MAX_DEPTH} levels and {MAX_VALUES:,} values" in text
    for kind in actas.kinds():
        assert f"`{kind.kind}`" in text
        assert f'"{kind.game}"' in text
