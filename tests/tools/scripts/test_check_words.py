"""The check for expressions that `words.txt` replaces."""

from __future__ import annotations

import pytest

from tools.scripts import check_words
from tools.scripts.check_words import find_hits, lines_with, read_list

WORDS = read_list(
    "# A comment\n\\banew\\b\tagain\n\\bmends?\\b\trepair\nexcept\tdocs/old\t\\banew\\b"
)


def test_hit_is_reported_with_its_place_and_with_what_to_write_instead() -> None:
    assert list(find_hits(WORDS, ["a.py:2:# It mends: Anew."])) == [
        "a.py:2: “Anew”: write again",
        "a.py:2: “mends”: write repair",
    ]


def test_exception_allows_one_expression_in_one_place() -> None:
    lines = ["docs/older.md:1:anew it mends", "docs/new.md:1:anew"]
    assert list(find_hits(WORDS, lines)) == [
        "docs/older.md:1: “mends”: write repair",
        "docs/new.md:1: “anew”: write again",
    ]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("anew", "line 1: an expression, a tab"),
        ("anew\tagain\n\nmend\trepair", "line 2: an expression, a tab"),
        ("anew\t", "line 1: an expression, a tab"),
        ("anew\tagain\nexcept\tdocs/", "line 2: an expression, a tab"),
        ("anew\tagain\nexcept\tdocs/\tmend", "line 2: no line above has the expression mend"),
    ],
)
def test_missing_part_of_a_line_is_an_error(text: str, message: str) -> None:
    with pytest.raises(ValueError, match=message):
        read_list(text)


def test_search_finds_lines_of_tracked_files_without_regard_to_case() -> None:
    (line,) = lines_with([r"^lint: *$", "no such expression anywhere"])
    assert line.startswith("Makefile:")
    assert any(line.startswith("README.md:1:") for line in lines_with(["TEMPORADA"]))


def test_invalid_expression_is_an_error() -> None:
    with pytest.raises(RuntimeError, match="missing"):
        lines_with(["("])


def test_check_fails_if_there_is_a_hit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(check_words, "lines_with", lambda _words: ["a.md:1:It is anew"])
    assert check_words.main() == 1
    assert capsys.readouterr().out == "a.md:1: “anew”: write again\n"
    monkeypatch.setattr(check_words, "lines_with", lambda _words: [])
    assert check_words.main() == 0
    assert capsys.readouterr().out == ""
