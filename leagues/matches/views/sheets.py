"""The base of the games' sheet forms: access, drafts, handing in.

The fields of a form and the messages of its referee belong to the game.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext as _

from leagues.exceptions import NotAllowed, OperationError
from leagues.forms import FormDraft
from leagues.games import games
from leagues.league.access import add_refusal_message
from leagues.matches.operations import matches
from leagues.matches.views.corrections import correction_key, store_correction
from leagues.matches.views.matches import match_of, submitted_version, ticket_context
from leagues.members.marks import seat_marks
from leagues.models import Match, MatchSeat, Player, Sheet
from leagues.permissions import Action, allowed_actions

Draft = TypeVar("Draft", bound=FormDraft)


@dataclass(slots=True, kw_only=True)
class SheetView(ABC, Generic[Draft]):
    """A match with who looks at it.

    `seats` in their order; `may`: what the visitor may do. The sheet being written is the draft in
    the match, or, where one that was handed in is written anew, kept in the session.
    """

    pressed_part: ClassVar[str] = ""
    """The id of what htmx replaces after a press of a button; none where a press loads a page."""

    request: HttpRequest
    match: Match
    seats: list[MatchSeat]
    player: Player | None
    may: frozenset[Action]

    @classmethod
    def find(cls, request: HttpRequest, pk: int, game: str) -> Self:
        """The match of this number; 404 for who may not see it, and for another game's."""
        match, player = match_of(request, pk)
        if match.game != game:
            raise Http404("another game")
        return cls(
            request=request,
            match=match,
            seats=list(match.seats.select_related("player__merged_into").order_by("number")),
            player=player,
            may=allowed_actions(player, match) if player else frozenset(),
        )

    @property
    def players(self) -> int:
        """How many sat there."""
        return len(self.seats)

    @property
    def names(self) -> list[str]:
        """The names by seat."""
        return [seat.player.name for seat in self.seats]

    @property
    def people(self) -> list[int]:
        """The primary keys of who answers for them, by seat."""
        return [seat.player.person_id for seat in self.seats]

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
        """Whether the visitor may write now."""
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
    def previewing(self) -> bool:
        """Whether htmx asks what the referee says to the form so far.

        Headers tell it, never fields: htmx sends the button that has the focus along with them,
        whether somebody pressed it or only came to it by Tab.
        """
        headers = self.request.headers
        pressed = self.pressed_part and headers.get("HX-Target") == self.pressed_part
        return "HX-Request" in headers and not pressed

    @property
    def content(self) -> dict[str, Any]:
        """The sheet being written: the draft, or the one that is being corrected."""
        found = self.kept["sheet"] if self.correcting else self.match.draft
        return found if isinstance(found, dict) else {}

    @property
    def kept(self) -> dict[str, Any]:
        """What this browser keeps of the match."""
        found = self.request.session.get(correction_key(self.match))
        return found if isinstance(found, dict) else {}

    @property
    @abstractmethod
    def writing(self) -> Draft:
        """What is being written."""

    @abstractmethod
    def begin_anew(self) -> Draft:
        """An empty form, in the way of the one before."""

    def keep(self, writing: Draft | None, **more: Any) -> None:
        """Keep what is being written (None: an empty form next time), and what else is given."""
        written = self.begin_anew() if writing is None else writing
        kept = {**self.kept, **more, "writing": written.to_keep()}
        self.request.session[correction_key(self.match)] = kept

    def forget(self) -> None:
        """Keep nothing of the match any more."""
        self.request.session.pop(correction_key(self.match), None)


AnySheetView = TypeVar("AnySheetView", bound=SheetView[Any])
SheetAction = Callable[[AnySheetView, Draft, str], HttpResponse]
"""What a button does: the match, the form as sent, and what stands behind the button's colon."""


class SheetTemplates(NamedTuple):
    """The templates of a game: its form, the referee's answer as a fragment, what is handed in."""

    form: str
    answer: str
    handed_in: str


def show_form(
    at: AnySheetView,
    papers: SheetTemplates,
    act: Callable[[AnySheetView], HttpResponse | None],
    context: Callable[[AnySheetView, Any], dict[str, Any]],
) -> HttpResponse:
    """The form, or what a press of its buttons brings; the ticket for who may not write."""
    with seat_marks(at.people):
        if at.request.method == "POST":
            return act(at) or render(at.request, papers.answer, context(at, at.writing))
        if not at.may_write:
            ticket = ticket_context(at.request, at.match, at.player)
            return render(at.request, papers.handed_in, {"at": at, **ticket})
        return render(at.request, papers.form, context(at, at.writing))


def perform_action(
    at: AnySheetView,
    writing: Draft,
    deeds: Mapping[str, SheetAction[AnySheetView, Draft]],
    fill: Callable[[], None],
) -> HttpResponse | None:
    """One press of a button (`do`, its `name:rest`), the form taken over by `fill` first.

    None: only the referee's answer is asked for, as a fragment, and nothing is pressed.
    """
    pressed = "read" if at.previewing else at.request.POST.get("do", "read")
    name, _colon, rest = pressed.partition(":")
    try:
        if not at.may_write and name != "rewrite":
            raise NotAllowed(
                _("Only a player of this match or a scorer of the league can enter the result.")
            )
        fill()
        if at.previewing:
            at.keep(writing)
            return None
        return deeds.get(name, judge_sheet)(at, writing, rest)
    except OperationError as error:
        add_refusal_message(at.request, error)
    if at.may_write:
        at.keep(writing)
    return redirect_to_form(at)


def redirect_to_form(at: SheetView[Any], anchor: str = "") -> HttpResponse:
    """Back to the form, at a part of it."""
    return redirect(reverse(games[at.match.game].hand_in, args=[at.match.pk]) + anchor)


def judge_sheet(at: SheetView[Draft], writing: Draft, _rest: str) -> HttpResponse:
    """Let the referee answer."""
    at.keep(writing)
    return redirect_to_form(at, "#answer")


def clear_sheet(at: SheetView[Draft], _writing: Draft, _rest: str) -> HttpResponse:
    """Begin the form anew."""
    at.keep(None)
    return redirect_to_form(at)


def leave_unchanged(at: SheetView[Draft], _writing: Draft, _rest: str) -> HttpResponse:
    """Leave a sheet as it was handed in."""
    at.forget()
    return redirect_to_form(at)


def put_part(parts: Sequence[Any], part: Any, place: int) -> list[Any]:
    """The parts of a sheet with one more, or with this one in the place of another."""
    if not 0 <= place < len(parts):
        return [*parts, part]
    return [*parts[:place], part, *parts[place + 1 :]]


def sheet_to_rewrite(at: SheetView[Any]) -> Sheet:
    """The sheet that was handed in. Raises `NotAllowed` for who may not write it anew."""
    if not at.may_rewrite or at.match.sheet is None:
        raise NotAllowed(_("Only an organiser of the league can correct a result."))
    return at.match.sheet


def save_sheet(at: SheetView[Any], sheet: Mapping[str, Any]) -> None:
    """Keep the sheet: in the match while it is a draft, in this browser while it is corrected."""
    if at.correcting:
        at.keep(at.writing, sheet=dict(sheet))
        return
    matches.save_draft(
        match=at.match, version=submitted_version(at.request), content=dict(sheet), by=_player(at)
    )


def hand_in_sheet(at: SheetView[Any], sheet: Mapping[str, Any]) -> HttpResponse:
    """Hand the sheet in; a result that counts already is corrected, its consequences first."""
    if at.correcting and not at.anew:
        return store_correction(at.request, at.match, dict(sheet))
    matches.hand_in(
        match=at.match,
        version=submitted_version(at.request),
        by=_player(at),
        at=timezone.now(),
        content=dict(sheet),
    )
    at.forget()
    messages.success(
        at.request,
        _("The result has been submitted. Another player in this match must now confirm it."),
    )
    return redirect_to_form(at)


def _player(at: SheetView[Any]) -> Player:
    if at.player is None:
        raise NotAllowed(_("First say who you are."))
    return at.player
