"""The file of a bundle: a zip with one text in it, packed and unpacked piece by piece.

One member with a name of ours: nothing is ever written to a path, so none can lead astray. What
is bare text, a line an entry, is read as well, for who has unpacked it to look.
"""

from __future__ import annotations

import zipfile
from collections.abc import Iterator
from contextlib import contextmanager
from typing import IO, Final

from django.utils.translation import gettext as _

from corridas.archive.faults import Refused
from corridas.archive.limits import FILE_BYTES, LINE_BYTES, LINES, RATIO, UNPACKED_BYTES

MEMBER: Final = "season.jsonl"
SUFFIX: Final = ".temporada.zip"
_LONG_AGO: Final = (1980, 1, 1, 0, 0, 0)
_MAGIC: Final = b"PK\x03\x04"
_UNIX: Final = 3
_READABLE: Final = 0o644 << 16
_ENCRYPTED: Final = 0x1
_PACKINGS: Final = (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
_PIECE: Final = 64 * 1024


@contextmanager
def packing(out: IO[bytes]) -> Iterator[IO[bytes]]:
    """What is written goes, packed, to `out`, which need not be able to seek."""
    member = zipfile.ZipInfo(MEMBER, _LONG_AGO)
    member.create_system, member.external_attr = _UNIX, _READABLE
    member.compress_type = zipfile.ZIP_DEFLATED
    with zipfile.ZipFile(out, "w") as packed, packed.open(member, "w") as inside:
        yield inside


def lines(file: IO[bytes]) -> Iterator[bytes]:
    """The lines of a bundle without their ends, one at a time; `Refused` where it is none.

    The file must be able to seek. No more is held than a line.
    """
    size = file.seek(0, 2)
    if size > FILE_BYTES:
        raise Refused("", _("The file is larger than %(most)s MB.") % {"most": FILE_BYTES >> 20})
    file.seek(0)
    packed = is_packed(file.read(len(_MAGIC)))
    file.seek(0)
    if not packed:
        yield from _parted(file)
        return
    try:
        with zipfile.ZipFile(file) as holder, holder.open(_only(holder)) as inside:
            yield from _parted(inside)
    except Refused:
        raise
    except Exception as error:  # damage shows as any of the errors of zipfile, zlib and struct
        raise Refused("", _("The file is damaged: it cannot be unpacked.")) from error


def is_packed(head: bytes) -> bool:
    """Whether a file that begins so is a zip."""
    return head.startswith(_MAGIC)


def _only(holder: zipfile.ZipFile) -> zipfile.ZipInfo:
    """The one member, before anything of it is unpacked."""
    members = holder.infolist()
    if len(members) != 1 or members[0].filename != MEMBER:
        said = _("A season bundle must contain only the file %(name)s.")
        raise Refused("", said % {"name": MEMBER})
    member = members[0]
    if member.flag_bits & _ENCRYPTED:
        raise Refused("", _("The file is protected by a password."))
    if member.compress_type not in _PACKINGS:
        raise Refused("", _("The file is compressed in a way that is not supported here."))
    if member.file_size > UNPACKED_BYTES or member.file_size > RATIO * (member.compress_size + 1):
        raise Refused("", _("The unpacked file is far larger than a season file can be."))
    return member


def _parted(inside: IO[bytes]) -> Iterator[bytes]:
    """Lines of bounded length and number; the last one is ended too."""
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
        raise Refused(f"{number + 1}", _("The file is incomplete: its last line does not end."))


def _check(number: int, line: bytes) -> None:
    if len(line) > LINE_BYTES or number > LINES:
        raise Refused(
            f"{number}", _("The file has more lines, or longer ones, than a season file can have.")
        )
