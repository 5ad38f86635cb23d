"""The file of a season: a zip with one line per entry. Each line contains the hash of the last.

Files are read within limits, because they may come from anybody.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from hashlib import sha256
from typing import IO, Final, NamedTuple

from django.utils.translation import gettext as _

import actas
from actas import DocumentPart, Malformed
from actas.envelope import SITE, SITE_VERSION
from api.types import JSONObject
from core.spreadsheets.kinds import LABELS, UploadKind, kind_of
from corridas.engine import ENGINE_VERSION
from fairness import canonical

# Maximum number of bytes of an uploaded file. A season of 450 corridas takes 2 MB.
FILE_BYTES: Final = 64 * 1024 * 1024
UNPACKED_BYTES: Final = 256 * 1024 * 1024
# Maximum compression ratio. A season usually compresses to a fifteenth.
RATIO: Final = 200
# Maximum number of bytes of a line, enough for the longest record of a corrida.
LINE_BYTES: Final = 2_000_000
LINES: Final = 5_000
# Maximum number of entries of one kind, except corridas. Fifty entries hold ten thousand matadors,
# which is more than any circuit has.
ENTRIES: Final = 50
# Maximum number of rows (matadors, plazas, herds or records) in one entry.
ROWS_A_LINE: Final = 200
# Maximum number of differences reported for a file.
FINDINGS: Final = 100
YEARS: Final = (1900, 2500)


class Refused(ValueError):
    """The file cannot be read as a season file.

    `place` is the line number, or empty, and `sentence` the reason.
    """

    def __init__(self, place: str, sentence: str) -> None:
        self.place, self.sentence = place, sentence
        super().__init__(f"{place}: {sentence}" if place else sentence)


class Finding(NamedTuple):
    place: str
    name: str
    claimed: str
    found: str

    def __str__(self) -> str:
        return f"{self.place}, {self.name}: {self.claimed} is said, {self.found} follows"


def parted(
    kind: str, rows: Iterable[Mapping[str, object]], most: int = ROWS_A_LINE
) -> Iterator[JSONObject]:
    held: list[Mapping[str, object]] = []
    for row in rows:
        if len(held) == most:
            yield {"kind": kind, kind: held}
            held = []
        held.append(row)
    yield {"kind": kind, kind: held}


MEMBER: Final = "season.jsonl"
SUFFIX: Final = ".temporada.zip"
_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
_MAGIC: Final = b"PK\x03\x04"
# Position of the name of the first member in a zip file.
_NAME_AT: Final = 30
_UNIX: Final = 3
_READABLE: Final = 0o644 << 16
_ENCRYPTED: Final = 0x1
_PACKINGS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_PIECE: Final = 64 * 1024


@contextmanager
def packing(out: IO[bytes]) -> Iterator[IO[bytes]]:
    """Yield a stream that compresses what is written to it into `out`.

    `out` need not support seeking.
    """
    member = zipfile.ZipInfo(MEMBER, _LONG_AGO)
    member.create_system, member.external_attr = _UNIX, _READABLE
    member.compress_type = zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(out, "w") as packed, packed.open(member, "w") as inside:
        yield inside


def lines(file: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a season file without line ends.

    Raise `Refused` if it is not a season file. The file must support seeking. Only one line is in
    memory at a time.
    """
    size = file.seek(0, 2)
    if size > FILE_BYTES:
        raise Refused("", _("The file is larger than %(most)s MB.") % {"most": FILE_BYTES >> 20})
    file.seek(0)
    packed = is_packed(file.read(len(_MAGIC)))
    file.seek(0)
    kind = kind_of(file)
    if kind is not None and kind is not UploadKind.ZIP:
        words = {"kind": _(LABELS[kind])}
        raise Refused("", _("This file is %(kind)s. Season files end in .temporada.zip.") % words)
    if not packed:
        yield from _parted(file)
        return
    try:
        with zipfile.ZipFile(file) as holder, holder.open(_only(holder)) as inside:
            yield from _parted(inside)
    except Refused:
        raise
    except Exception as error:  # a damaged file raises various errors of zipfile, zlib and struct
        raise Refused("", _("The file is damaged: it cannot be unpacked.")) from error


def is_packed(head: bytes) -> bool:
    return head.startswith(_MAGIC)


def is_packed_season(head: bytes) -> bool:
    """Return whether a file that begins with these bytes is a compressed season file.

    Workbooks and other zip files are not.
    """
    name = head[_NAME_AT : _NAME_AT + len(MEMBER)]
    return is_packed(head) and name == MEMBER.encode()


def _only(holder: zipfile.ZipFile) -> zipfile.ZipInfo:
    members = holder.infolist()
    if len(members) != 1 or members[0].filename != MEMBER:
        message = _("A season bundle must contain only the file %(name)s.")
        raise Refused("", message % {"name": MEMBER})
    member = members[0]
    if member.flag_bits & _ENCRYPTED:
        raise Refused("", _("The file is protected by a password."))
    if member.compress_type not in _PACKINGS:
        raise Refused("", _("The file is compressed in a way that is not supported here."))
    if member.file_size > UNPACKED_BYTES or member.file_size > RATIO * (member.compress_size + 1):
        raise Refused("", _("The unpacked file is far larger than a season file can be."))
    return member


def _parted(inside: IO[bytes]) -> Iterator[bytes]:
    """Yield the lines of a stream. Their length and their number are limited.

    Raise `Refused` if the last line has no line end.
    """
    held, number, taken = b"", 0, 0
    while piece := inside.read(_PIECE):
        taken += len(piece)
        if taken > UNPACKED_BYTES:
            words = {"most": UNPACKED_BYTES >> 20}
            raise Refused("", _("The file is larger than %(most)s MB.") % words)
        *whole, held = (held + piece).split(b"\n")
        for line in whole:
            number += 1
            _check(number, line)
            yield line
        if held:
            _check(number + 1, held)
    if held or not number:
        raise Refused(f"{number + 1}", _("The file is incomplete: its last line is cut off."))


def _check(number: int, line: bytes) -> None:
    if len(line) > LINE_BYTES or number > LINES:
        raise Refused(
            f"{number}", _("The file has more lines, or longer lines, than a season file can have.")
        )


FORMAT: Final = "temporada/season"
VERSION: Final = 1
HEADER, SEAL, PROMISES = "header", "seal", "promises"
# Kinds of lines that are not linked to the previous line by a hash.
OPEN: Final = frozenset({PROMISES})

Entry = Mapping[str, object]


def header(name: str) -> JSONObject:
    site = {"name": SITE, "version": SITE_VERSION, "engine": ENGINE_VERSION}
    names = {"kind": HEADER, "format": FORMAT, "version": VERSION, "site": site}
    return names | {"circuit": name}


def write_chain(out: IO[bytes], name: str, entries: Iterable[Entry]) -> str:
    """Write the header, the entries and the seal of a season file.

    Return the hash of the last entry.
    """
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
    """A season file while it is read: its header, and the position in its chain of hashes.

    `sealed` is true once the last line, the seal, has been read.
    """

    lines: Iterator[bytes]
    name: str = ""
    site: dict[str, str] = field(default_factory=dict)
    head: str = ""
    number: int = 0
    sealed: bool = False

    def entries(self) -> Iterator[DocumentPart]:
        """Yield the entries of a season file in order, then the lines outside of the chain.

        Raise `Refused` if a hash is wrong. The number and the link of each entry are checked before
        it is yielded. The seal comes last, so a caller that reads to the end has verified the whole
        chain.
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

    def _read_header(self, part: DocumentPart) -> None:
        header = part.mapping()
        if header.get("format") != FORMAT or header.get("kind") != HEADER:
            raise Refused("1", _("This is not a season file from Temporada."))
        version = header.get("version")
        if isinstance(version, bool) or version != VERSION:
            words = {"version": str(version)[:20], "ours": VERSION}
            message = _(
                "The season file uses version %(version)s, but this site only supports version "
                "%(ours)s."
            )
            raise Refused("1", message % words)
        self.name = part["circuit"].text(60)
        site = part["site"]
        self.site = {name: site[name].text(100) for name in ("name", "version", "engine")}

    def _follow(self, part: DocumentPart, line: bytes) -> None:
        number, before = part["n"].whole_number(0, 2**31), part["before"].text(64)
        if number != self.number or before != self.head:
            raise part["before"].malformed(
                _("The chain is broken: this line does not follow from the one before it.")
            )
        self.head, self.number = sha256(line).hexdigest(), number + 1

    def _check_seal(self, part: DocumentPart, first: bytes) -> None:
        expected = {
            "kind": SEAL,
            "head": self.head,
            "header": sha256(first).hexdigest(),
            "entries": self.number,
        }
        if part.mapping() != expected or isinstance(part["entries"].value, bool):
            raise part.malformed(
                _("The seal does not match these lines, so something has been changed.")
            )
        self.sealed = True


def _part(line: bytes, at: int) -> DocumentPart:
    part = DocumentPart(actas.load(line), f"{at}")
    if canonical(part.value) != line:
        raise Malformed(f"{at}", _("The line is not written in canonical form."))
    return part
