"""Random texts in the CSV data files either load or raise a RosterError that names file and
line.
"""

from __future__ import annotations

import csv
import shutil
import tempfile
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from corridas.world import roster
from tests.properties import examples

# Files that are not part of the roster. The story and the pages read them.
TOLD = ("phrases.csv", "phrases_bloodless.csv", "glossary_bloodless.csv")
FILES = [path.name for path in sorted(roster.DATA.glob("*.csv")) if path.name not in TOLD]
TEXTS = st.one_of(
    st.text(max_size=12),
    st.sampled_from(["-", "+", "0", "-1", "1e3", "٣", "99-1", "1-100", "BULL", "HERIDA-", "\x00"]),
)


@pytest.mark.slow
@settings(max_examples=examples(150), deadline=None)
@given(file=st.sampled_from(FILES), text=TEXTS, data=st.data())
def test_any_text_in_any_field_loads_or_names_the_faulty_line(
    file: str, text: str, data: st.DataObject
) -> None:
    with tempfile.TemporaryDirectory() as scratch:
        folder = Path(shutil.copytree(roster.DATA, Path(scratch) / "data"))
        with (folder / file).open(encoding="utf-8", newline="") as source:
            rows = list(csv.reader(source))
        line = data.draw(st.integers(0, len(rows) - 1), label="line")
        column = data.draw(st.integers(0, len(rows[line]) - 1), label="column")
        rows[line][column] = text
        with (folder / file).open("w", encoding="utf-8", newline="", errors="replace") as target:
            csv.writer(target, lineterminator="\n").writerows(rows)
        error = refusal(folder)
    if error is not None:
        assert error.line >= 1
        assert error.rule
        assert str(error).startswith(f"{error.file}, line {error.line}: ")


def refusal(folder: Path) -> roster.RosterError | None:
    try:
        roster.load(folder)
    except roster.RosterError as error:
        return error
    return None
