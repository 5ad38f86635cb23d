"""The base class of errors that operations raise."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class RejectedOperation(Exception):
    """An operation was rejected, and nothing was changed. The message is for the user.

    Each application has its own subclass, because their APIs answer with different status codes.
    `field` is the name of the form field concerned, if any.
    """

    def __init__(self, sentence: str | _StrPromise, field: str = "") -> None:
        self.field = field
        super().__init__(str(sentence))
