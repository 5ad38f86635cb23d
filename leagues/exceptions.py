"""Exceptions raised by operations. Each has a message for the user."""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING

from django.utils.translation import gettext_lazy as _

from core.errors import RejectedOperation

if TYPE_CHECKING:
    from leagues.games import Judgement


class OperationError(RejectedOperation):
    """An operation on leagues, matches or tables was rejected, and nothing was changed."""


class NotAllowed(OperationError):
    """The user does not have the permission for the operation."""


class FixtureGone(OperationError):
    """The fixture no longer exists because the draw was undone.

    `league` is the slug of its league, if it is known.
    """

    def __init__(self, league: str = "") -> None:
        self.league = league
        super().__init__(_("This fixture no longer exists, because its draw has been undone."))


class StaleMatch(OperationError):
    """The match was changed after the user loaded the page."""

    def __init__(self) -> None:
        super().__init__(
            _(
                "Someone has changed this match since you opened the page. Check it again "
                "before you continue."
            )
        )


class SheetRefused(OperationError):
    """The referee (the check against the rules of the game) rejected a scoresheet.

    `judgement` lists the errors line by line.
    """

    def __init__(self, judgement: Judgement) -> None:
        self.judgement = judgement
        if judgement.objections:
            sentence = str(judgement.objections[0].sentence)
        else:
            sentence = str(_("According to this scoresheet, the match is not over yet."))
        super().__init__(sentence, "content")


def is_accepted(check: Callable[[], object]) -> bool:
    """Return whether `check` raises no `OperationError`.

    Pages use this function to offer only actions that the operation itself would accept.
    """
    try:
        check()
    except OperationError:
        return False
    return True
