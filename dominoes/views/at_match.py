"""Who is at a match, what they may do with it, and the hand they are writing."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from django.http import Http404, HttpRequest

from dominoes.engine import Match as MatchFold
from dominoes.engine import MatchReading, Rules
from dominoes.forms import Writing
from dominoes.game import KEY
from dominoes.sheets import read_match, side_names
from leagues.models import Match, MatchSeat, Player
from leagues.rules import Action, allowed
from leagues.views.corrections import kept_under
from leagues.views.matches import match_of

HANDS: Final = "hands"
"""Where a sheet keeps its hands."""


@dataclass(slots=True)
class AtMatch:
    """A match with who looks at it.

    `seats` in their order; `may`: what the visitor may do. The sheet being written is the draft in
    the match, or, where one that was handed in is written anew, kept in the session.
    """

    request: HttpRequest
    match: Match
    rules: Rules
    seats: list[MatchSeat]
    player: Player | None
    may: frozenset[Action]

    @property
    def players(self) -> int:
        """How many sat there."""
        return len(self.seats)

    @property
    def names(self) -> list[str]:
        """The names by seat."""
        return [seat.player.name for seat in self.seats]

    @property
    def sides(self) -> list[str]:
        """The names by side."""
        return side_names(self.rules, self.names)

    @property
    def here(self) -> int | None:
        """The seat of who looks."""
        person = self.player.person_id if self.player else None
        found = (seat.number for seat in self.seats if seat.player.person_id == person)
        return next(found, None)

    @property
    def correcting(self) -> bool:
        """Whether a sheet that was handed in is being written anew in this browser."""
        return self.match.state != Match.State.DRAFT and isinstance(self.kept.get("sheet"), dict)

    @property
    def may_write(self) -> bool:
        """Whether the visitor may write a hand now."""
        if self.match.state == Match.State.DRAFT:
            return Action.WRITE in self.may
        return self.correcting and self.may_rewrite

    @property
    def may_rewrite(self) -> bool:
        """Whether the visitor may hand the sheet in anew, or correct it."""
        drafting = self.match.state == Match.State.DRAFT
        return not drafting and bool({Action.HAND_IN, Action.CORRECT} & self.may)

    @property
    def anew(self) -> bool:
        """Whether a corrected sheet is simply handed in again: nothing counts yet."""
        return Action.HAND_IN in self.may

    @property
    def content(self) -> dict[str, Any]:
        """The sheet being written: the draft, or the one that is being corrected."""
        found = self.kept["sheet"] if self.correcting else self.match.draft
        return found if isinstance(found, dict) else {}

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

    def with_hand(self, hand: Any, place: int) -> list[Any]:
        """The hands with one more, or with this one in the place of another."""
        if not 0 <= place < len(self.hands):
            return [*self.hands, hand]
        return [*self.hands[:place], hand, *self.hands[place + 1 :]]

    def fold(self, place: int = -1) -> MatchFold:
        """The hands so far, or those before one of them, folded: totals, leaders, winner."""
        fold = MatchFold(self.rules, self.players)
        hands = self.sheet.hands
        for hand in hands[: place if 0 <= place < len(hands) else None]:
            if hand.outcome is not None and fold.winner is None:
                fold.add(hand.outcome)
        return fold

    @property
    def kept(self) -> dict[str, Any]:
        """What this browser keeps of the match."""
        found = self.request.session.get(kept_under(self.match))
        return found if isinstance(found, dict) else {}

    @property
    def writing(self) -> Writing:
        """The hand being written."""
        return Writing.kept(self.kept.get("hand"))

    def keep(self, writing: Writing | None, **more: Any) -> None:
        """Keep the hand being written (None: a new one next time), and what else is given."""
        kept = {**self.kept, **more}
        way = self.writing.way
        hand = Writing(way=way) if writing is None else writing
        self.request.session[kept_under(self.match)] = {**kept, "hand": hand.to_keep()}

    def forget(self) -> None:
        """Keep nothing of the match any more."""
        self.request.session.pop(kept_under(self.match), None)


def at_match(request: HttpRequest, pk: int) -> AtMatch:
    """The match of this number with who looks at it; 404 for who may not see it."""
    match, player = match_of(request, pk)
    if match.game != KEY:
        raise Http404("another game")
    return of_match(request, match, player)


def of_match(request: HttpRequest, match: Match, player: Player | None) -> AtMatch:
    """A match that the visitor may see."""
    seats = list(match.seats.select_related("player__merged_into").order_by("number"))
    return AtMatch(
        request=request,
        match=match,
        rules=Rules.from_options(match.rules),
        seats=seats,
        player=player,
        may=allowed(player, match) if player else frozenset(),
    )
