"""Files that hold many records, as a season does: what each is known by, and who checks it.

A record is small and checked while somebody waits; such a file is not.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final

from actas.verification import Verdict

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

HEAD_BYTES: Final = 1000
"""Bytes of a file by which it is known."""


@dataclass(frozen=True, kw_only=True)
class Bundle:
    """One kind of such a file, from a game's `AppConfig.ready`.

    `recognises` is given the first `HEAD_BYTES` bytes, or fewer. `check` is given the file, which
    can seek, and never raises for what stands in it. `most`: bytes it may have. `elsewhere` says to
    people who brought it to the page of records where it is checked.
    """

    name: str
    recognises: Callable[[bytes], bool]
    check: Callable[[IO[bytes]], Verdict]
    most: int
    elsewhere: str | _StrPromise


_bundles: dict[str, Bundle] = {}


def register(bundle: Bundle) -> None:
    """Offer one; ValueError for one registered twice."""
    if _bundles.setdefault(bundle.name, bundle) is not bundle:
        raise ValueError(f"The bundle {bundle.name} is registered already.")


def find(head: bytes) -> Bundle | None:
    """The kind of file that begins so; None for one that may be a record."""
    return next((one for one in _bundles.values() if one.recognises(head[:HEAD_BYTES])), None)
