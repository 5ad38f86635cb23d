"""Exceptions of operations. Each has a message for the user."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

if TYPE_CHECKING:
    from django.utils.functional import _StrPromise

    from leagues.games import Judgement


class OperationError(Exception):
    """A request that was rejected without changes. `field` names the form field concerned."""

    def __init__(self, sentence: str | _StrPromise, field: str = "") -> None:
        self.field = field
        super().__init__(str(sentence))


class NotAllowed(OperationError):
    """The user has no permission."""


class FixtureGone(OperationError):
    """The draw of a fixture was undone. `league` is the address of its league, if it is known."""

    def __init__(self, league: str = "") -> None:
        self.league = league
        super().__init__(_("This fixture no longer exists, because its draw has been undone."))


class StaleMatch(OperationError):
    """The match was changed after the page was rendered."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "Someone has changed this match since you opened the page. Check it again "
                "before you continue."
            )
        )


class SheetRefused(OperationError):
    """The referee rejected the sheet. `judgement` lists the objections line by line."""

    def __init__(self, judgement: Judgement) -> None:
        self.judgement = judgement
        if judgement.objections:
            sentence = str(judgement.objections[0].sentence)
        else:
            sentence = str(_("According to this scoresheet, the match is not over yet."))
        super().__init__(sentence, "content")


def is_accepted(check: Callable[[], object]) -> bool:
    """Return whether a check of an operation raises no `OperationError`.

    Pages offer only what is accepted, with the checks of the operations themselves.
    """
    try:
        check()
    except OperationError:
        return False
    return True
