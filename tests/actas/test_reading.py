"""Limits of records from outside: valid and invalid values at both ends of every limit."""

from __future__ import annotations

import json
from typing import Any

import pytest

from actas import (
    Malformed,
    differences,
    digest,
    load,
    make_document,
    parsing,
    to_bytes,
    without_digest,
)
from actas.parsing import (
    MAX_DEPTH,
    MAX_NAME_LENGTH,
    MAX_TEXT_LENGTH,
    MAX_VALUES,
    NUMBER_LIMIT,
    DocumentPart,
    check_bounds,
)
from fairness import ABSENT, canonical


def nested(levels: int) -> Any:
    """Return a number nested in this many lists."""
    document: Any = 1
    for _level in range(levels):
        document = [document]
    return document


ALLOWED = {
    "a list of the most parts": [0] * (MAX_VALUES - 1),
    "the most parts, nested": [[0] * (MAX_VALUES - 2)],
    "the deepest": nested(MAX_DEPTH + 1),
    "the longest text": {"a": "x" * MAX_TEXT_LENGTH},
    "the longest name": {"n" * MAX_NAME_LENGTH: 1},
    "the largest number": [NUMBER_LIMIT - 1, 1 - NUMBER_LIMIT],
    "yes, no and nothing": [True, False, None],
}
REFUSED: dict[str, tuple[Any, str]] = {
    "one part more": ([0] * MAX_VALUES, ""),
    "one part more, nested": ([[0] * (MAX_VALUES - 1)], ""),
    "one level more": (nested(MAX_DEPTH + 2), "/".join("0" * (MAX_DEPTH + 1))),
    "a longer text": ({"a": {"b": "x" * (MAX_TEXT_LENGTH + 1)}}, "a/b"),
    "half a sign": ({"a": ["", "\ud800"]}, "a/1"),
    "a longer name": ({"a": {"n" * (MAX_NAME_LENGTH + 1): 1}}, "a"),
    "half a sign in a name": ({"a": {"\ud800": 1}}, "a"),
    "a larger number": ({"a": [NUMBER_LIMIT]}, "a/0"),
    "a smaller number": ({"a": [-NUMBER_LIMIT]}, "a/0"),
    "a fraction": ({"a": 1.0}, "a"),
    "a name that is none": ({"a": {1: 1}}, "a"),
}


@pytest.mark.slow
@pytest.mark.parametrize("case", ALLOWED)
def test_document_at_its_limits_is_accepted(case: str) -> None:
    check_bounds(ALLOWED[case])


@pytest.mark.parametrize("case", REFUSED)
def test_document_beyond_a_limit_is_rejected_with_the_path_of_the_error(case: str) -> None:
    document, path = REFUSED[case]
    with pytest.raises(Malformed) as caught:
        check_bounds(document)
    assert caught.value.path == path


@pytest.mark.parametrize(
    ("data", "document"),
    [
        (b'{"a":[1,-1,true,null,"x"]}', {"a": [1, -1, True, None, "x"]}),
        (b'\xef\xbb\xbf {"a": 1}\n', {"a": 1}),
        (b"1" + b"0" * 15, 10**15),
    ],
)
def test_json_of_a_record_is_parsed(data: bytes, document: Any) -> None:
    assert load(data) == document


@pytest.mark.parametrize(
    "data",
    [
        *(b"", b"{", b'{"a":1}x', b"1.0", b"1e3", b"NaN", b"-Infinity", b"\xff", b"[" * 9000),
        *(b"1" + b"0" * 17, b'{"a":1,"a":1}', b'[{"a":{"b":1,"c":2,"b":1}}]', b'"\\ud800"'),
    ],
)
def test_json_that_records_do_not_allow_is_rejected(data: bytes) -> None:
    with pytest.raises(Malformed):
        load(data)


def test_record_file_longer_than_the_limit_is_rejected(monkeypatch: pytest.MonkeyPatch) -> None:
    data = b'{"a": 1}'
    monkeypatch.setattr(parsing, "MAX_BYTES", len(data))
    assert load(data) == {"a": 1}
    with pytest.raises(Malformed):
        load(data + b" ")


DOCUMENT = {
    "low": 1,
    "high": 6,
    "yes": True,
    "text": "x" * 200,
    "list": [0, 1],
    "map": {"a": {"b": None}},
    "hex": "00ff",
}


def call_part(name: str, question: str, *args: int) -> Any:
    return getattr(DocumentPart(DOCUMENT)[name], question)(*args)


@pytest.mark.parametrize(
    ("name", "question", "args", "answer"),
    [
        ("low", "whole_number", (1, 6), 1),
        ("high", "whole_number", (1, 6), 6),
        ("high", "whole_number", (6, 6), 6),
        ("text", "text", (), "x" * 200),
        ("text", "text", (200,), "x" * 200),
        ("hex", "digits", (2,), b"\x00\xff"),
        ("map", "mapping", (), {"a": {"b": None}}),
    ],
)
def test_part_of_a_record_returns_values_within_limits(
    name: str, question: str, args: tuple[int, ...], answer: object
) -> None:
    assert call_part(name, question, *args) == answer


@pytest.mark.parametrize(
    ("name", "question", "args"),
    [
        ("low", "whole_number", (2, 6)),
        ("high", "whole_number", (1, 5)),
        ("yes", "whole_number", (0, 1)),
        ("text", "whole_number", (0, 1)),
        ("text", "text", (199,)),
        ("low", "text", ()),
        ("hex", "digits", (1,)),
        ("hex", "digits", (3,)),
        ("low", "digits", (1,)),
        ("text", "digits", (100,)),
        ("list", "items", (1,)),
        ("list", "items", (3, 3)),
        ("map", "items", (9,)),
        ("list", "mapping", ()),
        ("map", "options", ()),
    ],
)
def test_part_of_a_record_rejects_other_values_and_names_its_path(
    name: str, question: str, args: tuple[int, ...]
) -> None:
    with pytest.raises(Malformed) as caught:
        call_part(name, question, *args)
    assert caught.value.path == ("map/a" if question == "options" else name)
    assert str(caught.value) == f"{caught.value.path}: {caught.value.sentence}"


@pytest.mark.parametrize("text", ["00FF", "0 ff", "00f\n", "٠٠ff", "0x00"])
def test_hexadecimal_digits_must_be_lowercase_ascii(text: str) -> None:
    with pytest.raises(Malformed):
        DocumentPart(text).digits(2)


def test_parts_of_a_record_know_their_paths() -> None:
    whole = DocumentPart(DOCUMENT)
    assert [one.path for one in whole["list"].items(2, 2)] == ["list/0", "list/1"]
    assert whole["map"]["a"]["b"].path == "map/a/b"
    for part, path in ((whole, "none"), (whole["map"], "map/none")):
        with pytest.raises(Malformed) as caught:
            part["none"]
        assert caught.value.path == path
    assert DocumentPart({"a": 1, "b": "x", "c": True}).options() == {"a": 1, "b": "x", "c": True}


@pytest.mark.parametrize(
    ("claimed", "found", "told"),
    [
        ({"a": 1}, {"a": 1}, []),
        ({"a": 1}, {"a": 2}, [("a", 1, 2)]),
        ({"a": 1}, {"a": True}, [("a", 1, True)]),
        ({"a": 1}, {"a": "1"}, [("a", 1, "1")]),
        ({"a": 0}, {"a": None}, [("a", 0, None)]),
        ({"a": None}, {}, [("a", None, ABSENT)]),
        ({}, {"a": None}, [("a", ABSENT, None)]),
        ([1, 2], [1], [("/1", 2, ABSENT)]),
        ([1], [1, 2], [("/1", ABSENT, 2)]),
        ({"a": []}, {"a": {}}, [("a", [], {})]),
        (
            {"b": [{"c": 1}], "a": 1},
            {"a": 2, "b": [{"c": 2}], "d": 3},
            [("b/0/c", 1, 2), ("a", 1, 2), ("d", ABSENT, 3)],
        ),
    ],
)
def test_differences_between_two_documents_are_listed_in_order(
    claimed: Any, found: Any, told: list[tuple[str, Any, Any]]
) -> None:
    assert list(differences(claimed, found)) == told


def test_digest_is_the_last_member_and_covers_all_others_in_any_order() -> None:
    document = make_document(
        game="g", kind="k", engine="1", of={"a": 1}, content={"rules": {"b": "<"}}
    )
    assert list(document)[-1] == "digest"
    assert document["of"] == {"a": 1}
    assert digest(document) == document["digest"] == digest(without_digest(document))
    assert digest(dict(reversed(document.items()))) == document["digest"]
    assert "digest" not in without_digest(document)
    for name in without_digest(document):
        assert digest(document | {name: "other"}) != document["digest"], name


@pytest.mark.parametrize(
    "document",
    [
        {"a": [], "b": {}, "c": [[1, 2], ["x" * 81]], "d": {"e": {"f": "ñ<&"}}},
        {"a": ["x" * 40, "y" * 40], "b": ["x" * 41, "y" * 40]},
        [],
        7,
    ],
)
def test_indented_record_file_contains_the_same_data(document: Any) -> None:
    data = to_bytes(document)
    assert data.endswith(b"\n")
    assert canonical(json.loads(data)) == canonical(document)


def test_short_lists_of_a_record_file_are_written_on_one_line() -> None:
    assert to_bytes({"a": ["x" * 40, "y" * 40]}).count(b"\n") == 3
    assert to_bytes({"a": ["x" * 41, "y" * 40]}).count(b"\n") == 6
    assert b"\xc3\xb1" in to_bytes({"a": "ñ"})
    with pytest.raises(ValueError, match="not JSON compliant"):
        to_bytes({"a": float("nan")})
