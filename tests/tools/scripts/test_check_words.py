"""The check for expressions of `words.txt` that the project no longer uses."""

from __future__ import annotations

import pytest

from tools.scripts import check_words
from tools.scripts.check_words import LIST, find_hits, read_list

WORDS = read_list(
    "# A comment\n\\banew\\b\tagain\n\\bmends?\\b\trepair\nexcept\tdocs/old\t\\banew\\b"
)


def hits(path: str, text: str) -> list[str]:
    """Return the messages for a file."""
    return list(find_hits(WORDS, iter([(path, text)])))


def test_hit_is_reported_with_its_place_and_with_what_to_write_instead() -> None:
    assert hits("a.py", "# One\n# It mends Anew.\n") == [
        "a.py:2: “Anew”: write again",
        "a.py:2: “mends”: write repair",
    ]


def test_file_without_expressions_of_the_list_has_no_hits() -> None:
    assert hits("a.py", "renewed, amends and menders\n") == []


def test_exception_allows_one_expression_in_one_place() -> None:
    assert hits("docs/older.md", "anew\n") == []
    assert hits("docs/older.md", "anew it mends\n") == ["docs/older.md:1: “mends”: write repair"]
    assert hits("docs/new.md", "anew\n") == ["docs/new.md:1: “anew”: write again"]


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


def test_check_fails_if_there_is_a_hit(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    expression = next(iter(read_list(LIST.read_text("utf-8")).instead)).strip("\\b")
    monkeypatch.setattr(check_words, "tracked_texts", lambda: iter([("a.md", f"{expression}\n")]))
    assert check_words.main() == 1
    assert capsys.readouterr().out.startswith(f"a.md:1: “{expression}”: write ")
    monkeypatch.setattr(check_words, "tracked_texts", lambda: iter([("a.md", "again\n")]))
    assert check_words.main() == 0
    assert capsys.readouterr().out == ""
