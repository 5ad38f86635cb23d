"""Exceptions of operations, each with a sentence for the person who asked."""

from __future__ import annotations

from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from leagues.games import Judgement


class OperationError(Exception):
    """A request refused; nothing was changed. `field` names the form field it belongs to."""

    def __init__(self, sentence: str | _StrPromise, field: str = "") -> None:
        self.field = field
        super().__init__(str(sentence))


class NotAllowed(OperationError):  # noqa: N818  a refusal, told politely
    """Refused because of who asked, not because of what was asked."""


class StaleMatch(OperationError):  # noqa: N818
    """Somebody else has changed the match since the page was drawn."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "Someone has changed this match since you opened the page. Check it again "
                "before you continue."
            )
        )


class SheetRefused(OperationError):  # noqa: N818
    """The referee objects: `judgement` says line by line to what."""

    def __init__(self, judgement: Judgement) -> None:
        self.judgement = judgement
        if judgement.objections:
            sentence = str(judgement.objections[0].sentence)
        else:
            sentence = str(_("According to this scoresheet, the match is not over yet."))
        super().__init__(sentence, "content")
