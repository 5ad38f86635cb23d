"""Types of bundles.

A bundle is a file with many records, such as those of a season, and is too large to check during a
request.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final

from actas.verification import VerificationResult

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# Number of bytes at the beginning of a file that are passed to `Bundle.recognises`.
HEAD_BYTES: Final = 1000

Progress = Callable[[int], object]


@dataclass(frozen=True, kw_only=True)
class Bundle:
    """A type of bundle (a file with many records), registered in `AppConfig.ready`.

    `recognises` gets the first bytes of a file, at most `HEAD_BYTES`, and says whether it is such a
    bundle. `check` gets a seekable file, and a function that it calls with the number of lines read
    so far. It never raises because of the content of the file. `most` is the maximum size in bytes.
    `elsewhere` is a message for visitors of the records page, which says where such a file can be
    checked.
    """

    name: str
    recognises: Callable[[bytes], bool]
    check: Callable[[IO[bytes], Progress], VerificationResult]
    most: int
    elsewhere: str | _StrPromise


_bundles: dict[str, Bundle] = {}


def register(bundle: Bundle) -> None:
    if _bundles.setdefault(bundle.name, bundle) is not bundle:
        raise ValueError(f"The bundle {bundle.name} is registered already.")


def find_bundle_type(head: bytes) -> Bundle | None:
    """Return the type of bundle whose files begin with these bytes.

    Returns None if no type matches. The file may then be a single record.
    """
    return next(
        (bundle for bundle in _bundles.values() if bundle.recognises(head[:HEAD_BYTES])), None
    )
