"""The hash chain of a season file: links between lines, seal and size limits.

No season is needed.
"""

from __future__ import annotations

import io
import json
import zipfile
from collections.abc import Callable
from hashlib import sha256
from typing import Any

import pytest

from corridas.archive import bundle
from corridas.archive.bundle import MEMBER, Chain, header, lines, packing, write_chain
from fairness import canonical

ENTRIES: list[dict[str, Any]] = [
    {"kind": "season", "year": 2026},
    {"kind": "promises", "seed": "open"},
    {"kind": "corrida", "name": "<Ñ>"},
    {"kind": "end"},
]
# Indexes of the linked lines. Line 0 is the header, line 2 is not linked, line 5 is the seal.
IN_CHAIN = (1, 3, 4)


def chain_lines() -> list[bytes]:
    out = io.BytesIO()
    write_chain(out, "Campo", ENTRIES)
    return out.getvalue().split(b"\n")[:-1]


def read(told: list[bytes]) -> list[dict[str, Any]]:
    return [dict(part.mapping()) for part in Chain(iter(told)).entries()]


def test_written_lines_can_be_read_and_are_linked() -> None:
    out = io.BytesIO()
    head = write_chain(out, "Campo", ENTRIES)
    told = out.getvalue().split(b"\n")[:-1]
    chain = Chain(iter(told))
    found = [dict(part.mapping()) for part in chain.entries()]
    assert [one["kind"] for one in found] == [one["kind"] for one in ENTRIES]
    assert [one.get("n") for one in found] == [0, None, 1, 2]
    hashes = [sha256(told[at]).hexdigest() for at in IN_CHAIN]
    assert [one.get("before") for one in found] == ["", None, *hashes[:2]]
    assert (chain.name, chain.sealed, chain.number) == ("Campo", True, 3)
    assert chain.head == head == hashes[2]
    assert chain.site == header("Campo")["site"]
    assert json.loads(told[5]) == {
        "kind": "seal",
        "head": head,
        "header": sha256(told[0]).hexdigest(),
        "entries": 3,
    }


def test_only_the_unlinked_line_can_be_left_out() -> None:
    told = chain_lines()
    for at in range(len(told)):
        left = told[:at] + told[at + 1 :]
        if at == 2:
            assert len(read(left)) == 3
        else:
            with pytest.raises(ValueError, match=r".+"):
                read(left)


def changed(at: int, **words: Any) -> Callable[[list[bytes]], list[bytes]]:
    """Return a function that changes some values of one line and keeps its canonical form."""

    def change(told: list[bytes]) -> list[bytes]:
        line = canonical({**json.loads(told[at]), **words})
        return [*told[:at], line, *told[at + 1 :]]

    return change


BROKEN: dict[str, tuple[Callable[[list[bytes]], list[bytes]], str]] = {
    "nothing at all": (lambda told: [], "The text is not valid JSON:"),
    "a word of an entry": (changed(1, year=2027), "does not follow"),
    "a word of the last entry": (
        changed(4, more=1),
        "The seal does not match these lines, so something has been changed.",
    ),
    "the first number": (changed(1, n=1), "does not follow"),
    "a later number": (changed(3, n=2), "does not follow"),
    "a number that is none": (changed(3, n=True), "whole number"),
    "a first link": (changed(1, before="0" * 64), "does not follow"),
    "a later link": (changed(3, before=""), "does not follow"),
    "the name of the circuit": (
        changed(0, circuit="Otro"),
        "The seal does not match these lines, so something has been changed.",
    ),
    "the site": (
        changed(0, site={"name": "X", "version": "1", "engine": "1"}),
        "The seal does not match these lines",
    ),
    "the head in the seal": (
        changed(5, head="0" * 64),
        "The seal does not match these lines, so something has been changed.",
    ),
    "the header in the seal": (
        changed(5, header="0" * 64),
        "The seal does not match these lines, so something has been changed.",
    ),
    "the count in the seal": (
        changed(5, entries=2),
        "The seal does not match these lines, so something has been changed.",
    ),
    "a word more in the seal": (
        changed(5, more=1),
        "The seal does not match these lines, so something has been changed.",
    ),
    "no seal": (lambda told: told[:-1], "the seal at its end is missing"),
    "two seals": (lambda told: [*told, told[-1]], "after its seal"),
    "a line after the seal": (lambda told: [*told, told[2]], "after its seal"),
    "two headers": (lambda told: [told[0], *told], "missing"),
    "another format": (
        changed(0, format="temporada/acta"),
        "This is not a season file from Temporada.",
    ),
    "another kind of header": (
        changed(0, kind="season"),
        "This is not a season file from Temporada.",
    ),
    "a later version": (changed(0, version=2), "version 2"),
    "a version that is none": (changed(0, version=True), "version True"),
    "a long name": (changed(0, circuit="x" * 61), "at most 60"),
    "a site without an engine": (changed(0, site={"name": "X", "version": "1"}), "missing"),
    "a blank in a line": (
        lambda told: [*told[:1], told[1].replace(b":", b": ", 1), *told[2:]],
        "The line is not written in canonical form.",
    ),
    "names in another order": (
        lambda told: [*told[:1], json.dumps(json.loads(told[1])).encode(), *told[2:]],
        "The line is not written in canonical form.",
    ),
}


@pytest.mark.parametrize("case", BROKEN)
def test_every_change_of_a_line_is_rejected(case: str) -> None:
    change, said = BROKEN[case]
    with pytest.raises(ValueError, match=said):
        read(change(chain_lines()))


def test_a_circuit_name_may_be_as_long_as_its_limit() -> None:
    out = io.BytesIO()
    write_chain(out, "x" * 60, ENTRIES)
    assert len(read(out.getvalue().split(b"\n")[:-1])) == 4


def packed(text: bytes, name: str = MEMBER, kind: int = zipfile.ZIP_DEFLATED) -> io.BytesIO:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", kind) as holder:
        holder.writestr(name, text)
    return out


TEXT = b"one\n\ntwo \xc3\xb1\n"


def test_lines_can_be_read_from_packed_and_unpacked_files() -> None:
    out = io.BytesIO()
    with packing(out) as inside:
        inside.write(TEXT)
    for file in (out, packed(TEXT), packed(TEXT, kind=zipfile.ZIP_STORED), io.BytesIO(TEXT)):
        assert list(lines(file)) == [b"one", b"", b"two \xc3\xb1"]
    again = io.BytesIO()
    with packing(again) as inside:
        inside.write(TEXT)
    assert again.getvalue() == out.getvalue()


def test_an_incomplete_or_unreadable_file_is_rejected() -> None:
    for file, said in (
        (io.BytesIO(b""), "1: The file is incomplete"),
        (io.BytesIO(b"one"), "1: The file is incomplete"),
        (io.BytesIO(b"one\ntwo"), "2: The file is incomplete"),
        (packed(b"one\ntwo"), "2: The file is incomplete"),
        (packed(TEXT, "other.jsonl"), "must contain only the file"),
        (
            packed(TEXT, kind=zipfile.ZIP_BZIP2),
            "The file is compressed in a way that is not supported here.",
        ),
        (io.BytesIO(packed(TEXT).getvalue()[:-30]), "damaged"),
    ):
        with pytest.raises(ValueError, match=said):
            list(lines(file))


BOUNDS = [
    ("FILE_BYTES", len(TEXT), "larger than"),
    ("UNPACKED_BYTES", len(TEXT), "larger than|far larger"),
    ("LINE_BYTES", 6, "The file has more lines, or longer lines, than a season file can have."),
    ("LINES", 3, "The file has more lines, or longer lines, than a season file can have."),
]


@pytest.mark.parametrize(("bound", "most", "said"), BOUNDS)
def test_a_file_may_be_as_large_as_each_limit(
    monkeypatch: pytest.MonkeyPatch, bound: str, most: int, said: str
) -> None:
    files = [io.BytesIO(TEXT)] if bound == "FILE_BYTES" else [io.BytesIO(TEXT), packed(TEXT)]
    for file in files:
        monkeypatch.setattr(bundle, bound, most)
        assert len(list(lines(file))) == 3
        monkeypatch.setattr(bundle, bound, most - 1)
        with pytest.raises(ValueError, match=said):
            list(lines(file))


def test_lines_are_complete_although_the_file_is_read_in_pieces(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    for size in (1, 2, 3, 5, 100):
        monkeypatch.setattr(bundle, "_PIECE", size)
        assert list(lines(io.BytesIO(TEXT))) == [b"one", b"", b"two \xc3\xb1"]


def test_a_file_with_a_higher_compression_ratio_than_the_limit_is_rejected(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    file = packed(b"a" * 10_000 + b"\n")
    with zipfile.ZipFile(file) as holder:
        (member,) = holder.infolist()
    ratio = -(-member.file_size // (member.compress_size + 1))
    monkeypatch.setattr(bundle, "RATIO", ratio)
    assert len(list(lines(file))) == 1
    monkeypatch.setattr(bundle, "RATIO", ratio - 1)
    with pytest.raises(ValueError, match="The unpacked file is far larger than a season"):
        list(lines(file))


@pytest.mark.parametrize(
    ("numbers", "is_read"), [((0, 1, 2), True), ((1, 2, 3), False), ((0, 2, 3), False)]
)
def test_linked_entries_must_be_numbered_without_gaps(
    numbers: tuple[int, ...], is_read: bool
) -> None:
    told, head = [canonical(header("Campo"))], ""
    for number in numbers:
        told.append(canonical({"kind": "corrida", "n": number, "before": head}))
        head = sha256(told[-1]).hexdigest()
    first = sha256(told[0]).hexdigest()
    seal = {"kind": "seal", "head": head, "header": first, "entries": numbers[-1] + 1}
    told.append(canonical(seal))
    if is_read:
        assert len(read(told)) == 3
    else:
        with pytest.raises(ValueError, match="does not follow"):
            read(told)
