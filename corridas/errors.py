"""`OperationError`: why a request was refused, in a sentence for the person."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class OperationError(Exception):
    """A request refused; nothing was changed. `field` names the form field it belongs to."""

    def __init__(self, sentence: str | _StrPromise, field: str = "") -> None:
        self.field = field
        super().__init__(str(sentence))
