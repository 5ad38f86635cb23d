"""Base of the games' sheet forms: access, drafts and submission.

The game provides form fields and messages of its referee.
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
    """A match and its visitor.

    `seats` are in order, `may` is what the visitor may do. The sheet is the draft of the match or,
    if an entered sheet is being changed, kept in the session.
    """

    # Id of the element that htmx replaces after a button press. Empty where a press loads a page.
    pressed_part: ClassVar[str] = ""

    request: HttpRequest
    match: Match
    seats: list[MatchSeat]
    player: Player | None
    may: frozenset[Action]

    @classmethod
    def find(cls, request: HttpRequest, pk: int, game: str) -> Self:
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
        return len(self.seats)

    @property
    def names(self) -> list[str]:
        return [seat.player.name for seat in self.seats]

    @property
    def people(self) -> list[int]:
        """Primary keys of the players by seat, after merges."""
        return [seat.player.person_id for seat in self.seats]

    @property
    def here(self) -> int | None:
        person = self.player.person_id if self.player else None
        found = (seat.number for seat in self.seats if seat.player.person_id == person)
        return next(found, None)

    @property
    def correcting(self) -> bool:
        return self.match.state != Match.State.DRAFT and isinstance(self.kept.get("sheet"), dict)

    @property
    def may_write(self) -> bool:
        if self.match.state == Match.State.DRAFT:
            return Action.WRITE in self.may
        return self.correcting and self.may_rewrite

    @property
    def may_rewrite(self) -> bool:
        drafting = self.match.state == Match.State.DRAFT
        return not drafting and bool({Action.HAND_IN, Action.CORRECT} & self.may)

    @property
    def anew(self) -> bool:
        """True if a corrected sheet is simply entered again, because nothing counts yet."""
        return Action.HAND_IN in self.may

    @property
    def previewing(self) -> bool:
        """True if htmx requests the referee's opinion of the form.

        This is decided by headers, because htmx always sends the focused button among the fields,
        even if it was not pressed.
        """
        headers = self.request.headers
        pressed = self.pressed_part and headers.get("HX-Target") == self.pressed_part
        return "HX-Request" in headers and not pressed

    @property
    def content(self) -> dict[str, Any]:
        found = self.kept["sheet"] if self.correcting else self.match.draft
        return found if isinstance(found, dict) else {}

    @property
    def kept(self) -> dict[str, Any]:
        found = self.request.session.get(correction_key(self.match))
        return found if isinstance(found, dict) else {}

    @property
    @abstractmethod
    def writing(self) -> Draft:
        """The unfinished form."""

    @abstractmethod
    def begin_anew(self) -> Draft:
        """Return an empty form with the same settings."""

    def keep(self, writing: Draft | None, **more: Any) -> None:
        """Store the form in the session (None for an empty one) with further data."""
        written = self.begin_anew() if writing is None else writing
        kept = {**self.kept, **more, "writing": written.to_keep()}
        self.request.session[correction_key(self.match)] = kept

    def forget(self) -> None:
        self.request.session.pop(correction_key(self.match), None)


AnySheetView = TypeVar("AnySheetView", bound=SheetView[Any])
# Action of a button: takes the match, the form, and the part after the colon of the button's name.
SheetAction = Callable[[AnySheetView, Draft, str], HttpResponse]


class SheetTemplates(NamedTuple):
    form: str
    answer: str
    handed_in: str


def show_form(
    at: AnySheetView,
    papers: SheetTemplates,
    act: Callable[[AnySheetView], HttpResponse | None],
    context: Callable[[AnySheetView, Any], dict[str, Any]],
) -> HttpResponse:
    """Render the form or the result of its buttons, or the ticket for other visitors."""
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
    """Perform the action of a button (`do`, with `name:rest`) after `fill` has read the form.

    Returns None if only the referee's opinion is requested.
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
    return redirect(reverse(games[at.match.game].hand_in, args=[at.match.pk]) + anchor)


def judge_sheet(at: SheetView[Draft], writing: Draft, _rest: str) -> HttpResponse:
    at.keep(writing)
    return redirect_to_form(at, "#answer")


def clear_sheet(at: SheetView[Draft], _writing: Draft, _rest: str) -> HttpResponse:
    at.keep(None)
    return redirect_to_form(at)


def leave_unchanged(at: SheetView[Draft], _writing: Draft, _rest: str) -> HttpResponse:
    at.forget()
    return redirect_to_form(at)


def put_part(parts: Sequence[Any], part: Any, place: int) -> list[Any]:
    if not 0 <= place < len(parts):
        return [*parts, part]
    return [*parts[:place], part, *parts[place + 1 :]]


def sheet_to_rewrite(at: SheetView[Any]) -> Sheet:
    if not at.may_rewrite or at.match.sheet is None:
        raise NotAllowed(_("Only an organiser of the league can correct a result."))
    return at.match.sheet


def save_sheet(at: SheetView[Any], sheet: Mapping[str, Any]) -> None:
    """Save the sheet in the match while it is a draft, in the session while it is a correction."""
    if at.correcting:
        at.keep(at.writing, sheet=dict(sheet))
        return
    matches.save_draft(
        match=at.match, version=submitted_version(at.request), content=dict(sheet), by=_player(at)
    )


def hand_in_sheet(at: SheetView[Any], sheet: Mapping[str, Any]) -> HttpResponse:
    """Enter the sheet. If a result counts already, preview the correction."""
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
