"""The chain: a line an entry, each holding the SHA-256 of the line before it.

    header   which format, by which site: not in the chain, so that another site can sign its own
    entries  numbered from 0; the first names no line before it
    open     what is bound by an entry already and may be left out
    seal     the head of the chain (SHA-256 of its last line) and that of the header

Every line is the canonical form of its JSON (sorted names, no blanks, UTF-8), so that two files
that say the same are the same byte by byte, and whoever changes one byte breaks the chain.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from hashlib import sha256
from typing import IO, Any, Final

from django.utils.translation import gettext as _

import actas
from actas import Malformed, Part
from actas.envelope import SITE, SITE_VERSION
from corridas.archive.faults import Refused
from corridas.engine import ENGINE_VERSION
from fairness import canonical

FORMAT: Final = "temporada/season"
VERSION: Final = 1
HEADER, SEAL, PROMISES = "header", "seal", "promises"
OPEN: Final = frozenset({PROMISES})
"""Kinds of lines beside the chain."""

Entry = Mapping[str, Any]


def header(name: str) -> dict[str, Any]:
    """The first line: the format, the site that writes it, what it calls the circuit."""
    site = {"name": SITE, "version": SITE_VERSION, "engine": ENGINE_VERSION}
    told = {"kind": HEADER, "format": FORMAT, "version": VERSION, "site": site}
    return told | {"circuit": name}


def write(out: IO[bytes], name: str, entries: Iterable[Entry]) -> str:
    """Write header, entries and seal; the head of the chain."""
    first = canonical(header(name))
    out.write(first + b"\n")
    head, number = "", 0
    for entry in entries:
        if entry["kind"] in OPEN:
            line = canonical(entry)
        else:
            line = canonical({**entry, "n": number, "before": head})
            head, number = sha256(line).hexdigest(), number + 1
        out.write(line + b"\n")
    seal = {"kind": SEAL, "head": head, "header": sha256(first).hexdigest(), "entries": number}
    out.write(canonical(seal) + b"\n")
    return head


@dataclass
class Chain:
    """A bundle being read: what its header said, how far the chain is, whether it was sealed."""

    lines: Iterator[bytes]
    name: str = ""
    site: dict[str, str] = field(default_factory=dict)
    head: str = ""
    number: int = 0
    sealed: bool = False

    def entries(self) -> Iterator[Part]:
        """The entries in order, and what stands open; `Refused` where the chain is broken.

        No entry is given before its own hash, its number and its link have been looked at; the
        seal comes last, so whoever has read to the end has seen all of it hold.
        """
        first = next(self.lines, b"")
        self._read_header(_part(first, 1))
        for at, line in enumerate(self.lines, 2):
            if self.sealed:
                raise Refused(f"{at}", _("The file continues after its seal."))
            part = _part(line, at)
            kind = part["kind"].text()
            if kind == SEAL:
                self._check_seal(part, first)
            elif kind in OPEN:
                yield part
            else:
                self._follow(part, line)
                yield part
        if not self.sealed:
            raise Refused("", _("The file is incomplete: the seal at its end is missing."))

    def _read_header(self, part: Part) -> None:
        told = part.mapping()
        if told.get("format") != FORMAT or told.get("kind") != HEADER:
            raise Refused("1", _("This is not a season file from Temporada."))
        version = told.get("version")
        if isinstance(version, bool) or version != VERSION:
            words = {"version": str(version)[:20], "ours": VERSION}
            said = _(
                "The season uses version %(version)s, but this site only supports version %(ours)s."
            )
            raise Refused("1", said % words)
        self.name = part["circuit"].text(60)
        site = part["site"]
        self.site = {name: site[name].text(100) for name in ("name", "version", "engine")}

    def _follow(self, part: Part, line: bytes) -> None:
        """Take the next link; `Refused` where it is not the one that follows."""
        number, before = part["n"].whole(0, 2**31), part["before"].text(64)
        if number != self.number or before != self.head:
            raise part["before"].wrong(
                _("The chain is broken: this line does not follow from the one before it.")
            )
        self.head, self.number = sha256(line).hexdigest(), number + 1

    def _check_seal(self, part: Part, first: bytes) -> None:
        found = {
            "kind": SEAL,
            "head": self.head,
            "header": sha256(first).hexdigest(),
            "entries": self.number,
        }
        if part.mapping() != found or isinstance(part["entries"].value, bool):
            raise part.wrong(
                _("The seal does not match these lines, so something has been changed.")
            )
        self.sealed = True


def _part(line: bytes, at: int) -> Part:
    """A line as a part of a document, bounded and in its canonical form."""
    part = Part(actas.load(line), f"{at}")
    if canonical(part.value) != line:
        raise Malformed(f"{at}", _("The line is not written in canonical form."))
    return part
