"""Whatever comes as a record is refused in a sentence or told to differ; nothing breaks."""

import json
import time
import tracemalloc
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

import actas
from actas.parsing import MAX_BYTES, MAX_DEPTH, MAX_TEXT_LENGTH, MAX_VALUES
from tests.actas import documents
from tests.actas.documents import Document, leaves, sealed_anew, with_value

TRUE: dict[str, Document] = {}
MAKERS: dict[str, Callable[[], Document]] = {
    "lidia": documents.lidia,
    "hand": documents.hand,
    "game": lambda: documents.town(days=1),
    "match": lambda: documents.match(target=40),
    "sheet": lambda: documents.sheet("dominoes", {"totals": [100, 58, 33]}),
}
SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.floats(),
    st.text(max_size=30),
    st.sampled_from(["", "1-100", "6|6", "draw", "-", "0" * 64, "\ud800", "\x00", 2**63, 10**400]),
)
ANYTHING = st.recursive(
    SCALARS,
    lambda inner: (
        st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=5), inner, max_size=4)
    ),
    max_leaves=12,
)


def true(kind: str) -> Document:
    """A true acta of the kind, made once."""
    if kind not in TRUE:
        TRUE[kind] = MAKERS[kind]()
    return TRUE[kind]


def same(one: Any, other: Any) -> bool:
    """Whether two documents are the same, types and all."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def is_printable(verdict: actas.VerificationResult) -> bool:
    """A verdict that says something, in lines that can be printed."""
    assert verdict.sentence
    for line in (verdict.refused, *verdict.lines):
        line.encode("utf-8", "backslashreplace")
    return not verdict.is_confirmed


@pytest.mark.parametrize("kind", MAKERS)
@given(data=st.data())
def test_any_leaf_or_branch_may_become_anything(kind: str, data: st.DataObject) -> None:
    document = true(kind)
    path = data.draw(st.sampled_from([way for way, _leaf in leaves(document)]))
    cut = data.draw(st.integers(1, path.count("/") + 1))
    changed = with_value(document, "/".join(path.split("/")[:cut]), data.draw(ANYTHING))
    assert is_printable(actas.check(changed)) or same(changed, document)


@pytest.mark.parametrize("kind", MAKERS)
@given(data=st.data())
def test_a_forger_who_makes_the_digest_anew_breaks_nothing(kind: str, data: st.DataObject) -> None:
    document = true(kind)
    path = data.draw(st.sampled_from([way for way, _leaf in leaves(document)]))
    value = data.draw(
        st.one_of(
            st.none(), st.booleans(), st.integers(-(10**6), 10**6), st.text("01aZ|>-", max_size=9)
        )
    )
    verdict = actas.check(sealed_anew(with_value(document, path, value)))
    assert isinstance(verdict.is_confirmed, bool)


@given(document=ANYTHING)
def test_anything_at_all_is_refused(document: Any) -> None:
    assert is_printable(actas.check(document))


@given(data=st.data())
def test_a_file_with_another_byte_is_told_or_says_the_same(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["lidia", "hand", "sheet"]))
    text = bytearray(actas.to_bytes(true(kind)))
    at = data.draw(st.integers(0, len(text) - 1))
    text[at] = data.draw(st.integers(0, 255))
    verdict = actas.check_file(bytes(text))
    assert is_printable(verdict) or same(actas.load(bytes(text)), true(kind))


@given(data=st.binary(max_size=200))
def test_any_bytes_are_refused(data: bytes) -> None:
    assert is_printable(actas.check_file(data))


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"", "The text is not valid JSON:"),
        (b"\xff\xfe", "The text is not valid JSON:"),
        (b"[" * 100_000, "The text is not valid JSON:"),
        (b'{"a": NaN}', "“NaN” is not a whole number"),
        (b'{"a": Infinity}', "” is not a whole number."),
        (b'{"a": 1e999}', "“1e999” is not a whole number"),
        (b'{"a": 1.0}', "“1.0” is not a whole number"),
        (b'{"a": ' + b"9" * 5000 + b"}", "longer than a record allows"),
        (b'{"a": 99999999999999999}', "too large"),
        (b'{"a": 1, "a": 2}', "” appears twice in the same object."),
        (b'{"a": "\\ud800"}', "The text is too long or contains invalid characters."),
        (b'{"\\ud800": 1}', "The text is too long or contains invalid characters."),
        (
            b"[" * (MAX_DEPTH + 2) + b"]" * (MAX_DEPTH + 2),
            "The data in the file is nested more deeply than a record allows.",
        ),
        (
            b"[" + b"0," * MAX_VALUES + b"0]",
            "The file contains more data than a record can hold.",
        ),
        (b'"' + b"a" * (MAX_TEXT_LENGTH + 1) + b'"', "too long"),
        (b" " * (MAX_BYTES + 1), "too long for a record, which can have at most"),
        (b'{"' + b"a" * 201 + b'": 1}', "A name is longer than a record allows."),
        (b"3", "This value must be an object with named members."),
        (b"{}", "format: This value is missing"),
    ],
)
def test_what_is_no_acta_is_refused_in_a_sentence(data: bytes, said: str) -> None:
    assert said in actas.check_file(data).sentence


@pytest.mark.parametrize("document", [{1: 2}, {"format": {1}}, {"format": b"x"}, [object()]])
def test_what_no_json_holds_is_refused_too(document: Any) -> None:
    assert is_printable(actas.check(document))


def deep_under_long_names(parts: int) -> bytes:
    """Many parts below names as long as may be: each way to one is longer than the part itself."""
    inside: Any = [0] * parts
    for _time in range(MAX_DEPTH - 1):
        inside = {"k" * 19_000: inside}
    return json.dumps(inside).encode()


def test_ways_to_many_parts_are_not_written_out() -> None:
    tracemalloc.start()
    try:
        assert is_printable(actas.check_file(deep_under_long_names(40_000)))
        assert tracemalloc.get_traced_memory()[1] < 64_000_000
    finally:
        tracemalloc.stop()


def test_the_name_that_stands_twice_is_found_among_many_at_once() -> None:
    names = [f'"{number}":0' for number in range(120_000)]
    data = ("{" + ",".join([*names, names[-1]]) + "}").encode()
    began = time.process_time()
    assert "“119999” appears twice" in actas.check_file(data).refused
    assert time.process_time() - began < 5


def test_a_long_name_that_stands_twice_is_not_said_whole() -> None:
    name = '"' + "a" * 900_000 + '":0'
    assert len(actas.check_file(f"{{{name},{name}}}".encode()).refused) < 400
