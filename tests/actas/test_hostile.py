"""Hostile records: any input is rejected with a message or reported as different, without
a crash.
"""

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
    """Return a valid record of this kind, which is made once."""
    if kind not in TRUE:
        TRUE[kind] = MAKERS[kind]()
    return TRUE[kind]


def same(one: Any, other: Any) -> bool:
    """Return whether two documents are equal, including the types of their values."""
    return json.dumps(one, sort_keys=True) == json.dumps(other, sort_keys=True)


def is_printable(verdict: actas.VerificationResult) -> bool:
    """Return whether a verdict reports a problem. Its texts must be encodable."""
    assert verdict.sentence
    for line in (verdict.refused, *verdict.lines):
        line.encode("utf-8", "backslashreplace")
    return not verdict.is_confirmed


@pytest.mark.parametrize("kind", MAKERS)
@given(data=st.data())
def test_replacing_any_part_of_a_record_is_reported(kind: str, data: st.DataObject) -> None:
    document = true(kind)
    path = data.draw(st.sampled_from([way for way, _leaf in leaves(document)]))
    cut = data.draw(st.integers(1, path.count("/") + 1))
    changed = with_value(document, "/".join(path.split("/")[:cut]), data.draw(ANYTHING))
    assert is_printable(actas.check(changed)) or same(changed, document)


@pytest.mark.parametrize("kind", MAKERS)
@given(data=st.data())
def test_any_changed_value_with_a_new_digest_causes_no_crash(
    kind: str, data: st.DataObject
) -> None:
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
def test_arbitrary_documents_are_rejected_as_records(document: Any) -> None:
    assert is_printable(actas.check(document))


@given(data=st.data())
def test_changing_any_byte_of_a_record_file_is_reported_or_harmless(data: st.DataObject) -> None:
    kind = data.draw(st.sampled_from(["lidia", "hand", "sheet"]))
    text = bytearray(actas.to_bytes(true(kind)))
    at = data.draw(st.integers(0, len(text) - 1))
    text[at] = data.draw(st.integers(0, 255))
    verdict = actas.check_file(bytes(text))
    assert is_printable(verdict) or same(actas.load(bytes(text)), true(kind))


@given(data=st.binary(max_size=200))
def test_arbitrary_bytes_are_rejected_as_records(data: bytes) -> None:
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
def test_invalid_record_file_is_rejected_with_a_message(data: bytes, said: str) -> None:
    assert said in actas.check_file(data).sentence


@pytest.mark.parametrize("document", [{1: 2}, {"format": {1}}, {"format": b"x"}, [object()]])
def test_values_that_json_cannot_represent_are_rejected(document: Any) -> None:
    assert is_printable(actas.check(document))


def deep_under_long_names(parts: int) -> bytes:
    """Return JSON with many parts below the longest possible names.

    The path of each part is longer than the part itself.
    """
    inside: Any = [0] * parts
    for _time in range(MAX_DEPTH - 1):
        inside = {"k" * 19_000: inside}
    return json.dumps(inside).encode()


def test_long_paths_to_many_parts_are_not_all_stored_in_memory() -> None:
    tracemalloc.start()
    try:
        assert is_printable(actas.check_file(deep_under_long_names(40_000)))
        assert tracemalloc.get_traced_memory()[1] < 64_000_000
    finally:
        tracemalloc.stop()


def test_repeated_name_is_found_quickly_among_many_names() -> None:
    names = [f'"{number}":0' for number in range(120_000)]
    data = ("{" + ",".join([*names, names[-1]]) + "}").encode()
    began = time.process_time()
    assert "“119999” appears twice" in actas.check_file(data).refused
    assert time.process_time() - began < 5


def test_error_message_shortens_a_long_repeated_name() -> None:
    name = '"' + "a" * 900_000 + '":0'
    assert len(actas.check_file(f"{{{name},{name}}}".encode()).refused) < 400
