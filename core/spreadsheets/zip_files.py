"""Check untrusted zip files before unpacking them."""

from __future__ import annotations

import io
import zipfile
from typing import Final

from core.spreadsheets.errors import Refused
from core.spreadsheets.limits import Limits
from core.spreadsheets.messages import gettext_noop as _

ENCRYPTED: Final = 0x1


def check_zip(data: bytes, name: str, limits: Limits) -> list[zipfile.ZipInfo]:
    """Return the members of a zip file, whose declared sizes are within the limits.

    Raises `Refused` if the file cannot be unpacked safely. Unpacking a member never gives more
    bytes than declared, so the sum of the declared sizes is an upper bound.
    """
    try:
        with zipfile.ZipFile(io.BytesIO(data)) as packed:
            members = packed.infolist()
    except (zipfile.BadZipFile, ValueError, OSError, NotImplementedError):
        raise Refused(_("The file is damaged: it cannot be unpacked."), name) from None
    if len(members) > limits.members or sum(m.file_size for m in members) > limits.unpacked_bytes:
        megabytes = limits.unpacked_bytes // (1024 * 1024)
        raise Refused(_("The unpacked file is larger than %(most)s MB."), name, most=megabytes)
    if any(member.flag_bits & ENCRYPTED for member in members):
        raise Refused(_("The file is protected by a password."), name)
    return members
