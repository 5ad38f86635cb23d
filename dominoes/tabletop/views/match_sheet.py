"""The match of a page with the visitor's permissions and the hand being entered."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any, Final

from django.http import HttpRequest

from dominoes.engine import Match as MatchFold
from dominoes.engine import MatchReading, Rules
from dominoes.game import KEY
from dominoes.tabletop.forms import HandForm
from dominoes.tabletop.sheets import read_match, side_names
from leagues.matches.views.sheets import SheetView

HANDS_KEY: Final = "hands"


@dataclass(slots=True, kw_only=True)
class MatchSheet(SheetView[HandForm]):
    """A match of dominoes with its visitor and rules."""

    rules: Rules = field(init=False)

    def __post_init__(self) -> None:
        self.rules = Rules.from_options(self.match.rules)

    @property
    def sides(self) -> list[str]:
        return side_names(self.rules, self.names)

    @property
    def shown_sheet(self) -> MatchReading:
        """Return the result of checking the current hands, or the submitted sheet."""
        if self.match.sheet is None or self.correcting:
            return self.sheet
        return read_match(self.rules, self.players, self.match.sheet.content)

    @property
    def hands(self) -> list[Any]:
        found = self.content.get(HANDS_KEY)
        return list(found) if isinstance(found, list) else []

    @property
    def sheet(self) -> MatchReading:
        return read_match(self.rules, self.players, {HANDS_KEY: self.hands})

    def fold(self, place: int = -1) -> MatchFold:
        """Return totals, leaders and winner after the hands so far, or before one of them."""
        fold = MatchFold(self.rules, self.players)
        hands = self.sheet.hands
        for hand in hands[: place if 0 <= place < len(hands) else None]:
            if hand.outcome is not None and fold.winner is None:
                fold.add(hand.outcome)
        return fold

    @property
    def writing(self) -> HandForm:
        return HandForm.kept(self.kept.get("writing"))

    def begin_anew(self) -> HandForm:
        """Return an empty form in the same input mode."""
        return HandForm(way=self.writing.way)


def get_match_sheet(request: HttpRequest, pk: int) -> MatchSheet:
    """Return the match with its visitor. Raises Http404 if they may not see it."""
    return MatchSheet.find(request, pk, KEY)
