"""Bundles: files with many records, such as a season. They are too large to check in a request."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import IO, TYPE_CHECKING, Final

from actas.verification import Verdict

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

# Bytes from which the type of a bundle is recognised.
HEAD_BYTES: Final = 1000


@dataclass(frozen=True, kw_only=True)
class Bundle:
    """A type of bundle, registered in `AppConfig.ready`.

    `recognises` gets at most the first `HEAD_BYTES` bytes. `check` gets a seekable file and
    never raises because of its content. `most` is the maximum size in bytes. `elsewhere`
    tells visitors of the page of records where to check such a file.
    """

    name: str
    recognises: Callable[[bytes], bool]
    check: Callable[[IO[bytes]], Verdict]
    most: int
    elsewhere: str | _StrPromise


_bundles: dict[str, Bundle] = {}


def register(bundle: Bundle) -> None:
    if _bundles.setdefault(bundle.name, bundle) is not bundle:
        raise ValueError(f"The bundle {bundle.name} is registered already.")


def find(head: bytes) -> Bundle | None:
    """Return the type of bundle that begins like this, or None if it may be a record."""
    return next(
        (bundle for bundle in _bundles.values() if bundle.recognises(head[:HEAD_BYTES])), None
    )
