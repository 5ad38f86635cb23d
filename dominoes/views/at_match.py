"""Who is at a match, what they may do with it, and the hand they are writing."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from django.http import HttpRequest

from dominoes.engine import Match as MatchFold
from dominoes.engine import MatchReading, Rules
from dominoes.forms import Writing
from dominoes.game import KEY
from dominoes.sheets import read_match, side_names
from leagues.matches.views.sheets import SheetView

HANDS: Final = "hands"
"""Where a sheet keeps its hands."""


@dataclass(slots=True, kw_only=True)
class AtMatch(SheetView[Writing]):
    """A match of this game with who looks at it, and the rules it is played by."""

    rules: Rules = field(init=False)

    def __post_init__(self) -> None:
        self.rules = Rules.from_options(self.match.rules)

    @property
    def sides(self) -> list[str]:
        """The names by side."""
        return side_names(self.rules, self.names)

    @property
    def shown_sheet(self) -> MatchReading:
        """The referee's answer to what stands: the hands being written, or the sheet handed in."""
        if self.match.sheet is None or self.correcting:
            return self.sheet
        return read_match(self.rules, self.players, self.match.sheet.content)

    @property
    def hands(self) -> list[Any]:
        """The hands so far, as the sheet has them."""
        found = self.content.get(HANDS)
        return list(found) if isinstance(found, list) else []

    @property
    def sheet(self) -> MatchReading:
        """The referee's answer to the hands so far."""
        return read_match(self.rules, self.players, {HANDS: self.hands})

    def fold(self, place: int = -1) -> MatchFold:
        """The hands so far, or those before one of them, folded: totals, leaders, winner."""
        fold = MatchFold(self.rules, self.players)
        hands = self.sheet.hands
        for hand in hands[: place if 0 <= place < len(hands) else None]:
            if hand.outcome is not None and fold.winner is None:
                fold.add(hand.outcome)
        return fold

    @property
    def writing(self) -> Writing:
        """The hand being written."""
        return Writing.kept(self.kept.get("writing"))

    def begin_anew(self) -> Writing:
        """An empty form, in the way of the one before."""
        return Writing(way=self.writing.way)


def at_match(request: HttpRequest, pk: int) -> AtMatch:
    """The match of this number with who looks at it; 404 for who may not see it."""
    return AtMatch.find(request, pk, KEY)
