"""A match with its board and who looks at it."""

from __future__ import annotations

from dataclasses import dataclass, field

from django.http import HttpRequest, QueryDict

from eltoro.engine import Due, Kept
from eltoro.models import Keeping
from eltoro.queries import kept_board
from eltoro.stage.names import told_apart
from eltoro.views.at_match import AtMatch, at_match
from leagues.exceptions import OperationError
from leagues.models import Match
from leagues.permissions import Action


@dataclass(slots=True)
class AtBoard:
    """What the page of a kept board is about.

    `keeping`, `kept`: None before somebody begins. `given`: the fields of a form that was refused,
    with `refused`, so that nothing typed is lost.
    """

    at: AtMatch
    keeping: Keeping | None
    kept: Kept | None
    given: QueryDict = field(default_factory=lambda: QueryDict(""))
    refused: OperationError | None = None

    @property
    def match(self) -> Match:
        """The match that is played."""
        return self.at.match

    @property
    def names(self) -> list[str]:
        """The names by seat, no two alike."""
        return told_apart(self.at.names)

    @property
    def may_write(self) -> bool:
        """Whether the visitor may keep this board now."""
        return self.match.state == Match.State.DRAFT and Action.WRITE in self.at.may

    @property
    def due(self) -> Due | None:
        """What is asked for next, of who may answer."""
        return self.kept.due if self.kept and self.may_write else None


def at_board(request: HttpRequest, pk: int) -> AtBoard:
    """The board of the match with this number; 404 for who may not see the match."""
    at = at_match(request, pk)
    keeping = Keeping.objects.filter(match=at.match).first()
    if keeping is not None:
        keeping.match = at.match  # the one read already, with its league
    return AtBoard(at=at, keeping=keeping, kept=kept_board(keeping) if keeping else None)
