"""The exception `OperationError` for rejected operations, with a message for the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class OperationError(Exception):
    """An operation was rejected, and nothing was changed.

    `field` is the name of the form field concerned, if any.
    """

    def __init__(self, sentence: str | _StrPromise, field: str = "") -> None:
        self.field = field
        super().__init__(str(sentence))
