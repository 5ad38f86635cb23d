"""`OperationError`: a refused request, with a message for the user."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise


class OperationError(Exception):
    """A refused request. Nothing was changed. `field` names the form field concerned."""

    def __init__(self, sentence: str | _StrPromise, field: str = "") -> None:
        self.field = field
        super().__init__(str(sentence))
