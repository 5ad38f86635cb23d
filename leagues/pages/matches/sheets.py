"""Base class for the scoresheet forms of all games: access, drafts, buttons and submission.

Each game provides the form fields, the buttons and the messages of its referee.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar, Generic, NamedTuple, Self, TypeVar

from django.contrib import messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.utils.html import format_html
from django.utils.translation import gettext as _

from api.idempotency import ATTEMPT_HEADER
from api.types import JSON, JSONObject
from leagues.exceptions import NotAllowed, OperationError, StaleMatch
from leagues.games import games
from leagues.matches.operations import matches
from leagues.matches.operations.locking import check_changed, check_permitted
from leagues.members.marks import seat_marks
from leagues.models import Match, MatchSeat, Player, Sheet
from leagues.pages.access import add_refusal_message
from leagues.pages.forms import FormDraft
from leagues.pages.matches.corrections import correction_key, store_correction
from leagues.pages.matches.matches import (
    fixture_link,
    match_of,
    submitted_version,
    take_refused_reason,
    ticket_context,
)
from leagues.permissions import Action, allowed_actions, match_relation

Draft = TypeVar("Draft", bound=FormDraft)


class SheetTemplates(NamedTuple):
    form: str
    answer: str
    handed_in: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A button beside the scoresheet form that corrects an error: its action and its label."""

    do: str
    text: str


@dataclass(frozen=True, slots=True, kw_only=True)
class AnswerLine:
    """A message of the referee (the check against the rules) beside a scoresheet form.

    `state` is `good`, `bad` (with the `ruling`), or `asked` if something is missing or undecided.
    """

    state: str
    text: str
    ruling: str = ""
    fixes: tuple[Fix, ...] = ()


def not_ready_reason(wrong: int, missing: bool) -> str:
    if wrong == 1:
        return _("One line still needs to be corrected.")
    if wrong:
        return _("Some lines still need to be corrected.")
    return _("Some information is still missing.") if missing else ""


@dataclass(slots=True, kw_only=True)
class SheetView(Generic[Draft]):
    """View of the scoresheet form of a match.

    `seats` are in order, and `may` are the visitor's permitted actions. The scoresheet is the draft
    of the match. If an entered scoresheet is being changed, it is stored in the session.

    A game sets `game`, `draft_class` and `templates`, and implements `fill_draft` and `context`. A
    button with the value `do=name:argument` calls the method `do_name(draft, argument)`, which
    returns the response.
    """

    game: ClassVar[str]
    draft_class: ClassVar[type[Any]]
    templates: ClassVar[SheetTemplates]
    # Id of the element that htmx replaces after a button is pressed. Empty if buttons load a new
    # page.
    pressed_part: ClassVar[str] = ""

    request: HttpRequest
    match: Match
    seats: list[MatchSeat]
    player: Player | None
    may: frozenset[Action]

    @classmethod
    def find_view(cls, request: HttpRequest, pk: int) -> Self:
        """Return the view for a match and its visitor.

        Raises `Http404` if the visitor may not see it.
        """
        match, player = match_of(request, pk)
        if match.game != cls.game:
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
        """Return the primary keys of the players by seat, after merges."""
        return [seat.player.person_id for seat in self.seats]

    @property
    def own_seat(self) -> int | None:
        person = self.player.person_id if self.player else None
        numbers = (seat.number for seat in self.seats if seat.player.person_id == person)
        return next(numbers, None)

    @property
    def fixture_link(self) -> str:
        return fixture_link(self.match, self.player)

    @property
    def correcting(self) -> bool:
        return self.match.state != Match.State.DRAFT and isinstance(
            self.stored_form.get("sheet"), dict
        )

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
    def may_void_draft(self) -> bool:
        """Return whether the form offers to void the match.

        After a result has been entered, the page of the result offers this instead.
        """
        return self.match.state == Match.State.DRAFT and Action.VOID in self.may

    @property
    def refused_void(self) -> str | None:
        """If voiding the match was rejected: the reason that the visitor entered for it.

        It can be read only once.
        """
        return take_refused_reason(self.request, self.match).get("void")

    @property
    def may_enter_again(self) -> bool:
        """Return whether a changed scoresheet can simply be entered again, because no result
        counts yet.
        """
        return Action.HAND_IN in self.may

    @property
    def previewing(self) -> bool:
        """True if htmx only requests the referee's messages about the form, without pressing a
        button.

        This is decided by headers, because htmx always sends the focused button among the fields,
        even if it was not pressed.
        """
        headers = self.request.headers
        if ATTEMPT_HEADER in headers:
            return False
        pressed = self.pressed_part and headers.get("HX-Target") == self.pressed_part
        return "HX-Request" in headers and not pressed

    @property
    def content(self) -> JSONObject:
        stored = self.stored_form["sheet"] if self.correcting else self.match.draft
        return stored if isinstance(stored, dict) else {}

    @property
    def stored_form(self) -> JSONObject:
        stored = self.request.session.get(correction_key(self.match))
        return stored if isinstance(stored, dict) else {}

    @property
    def submitted(self) -> Sheet | None:
        return None if self.correcting else self.match.sheet

    @property
    def draft(self) -> Draft:
        form: Draft = self.draft_class.from_stored(self.stored_form.get("writing"))
        return form

    def new_draft(self) -> Draft:
        form: Draft = self.draft_class(way=self.draft.way)
        return form

    def fill_draft(self, draft: Draft) -> None:
        """Copy the submitted fields to the draft of the form."""
        raise NotImplementedError

    def context(self, draft: Draft) -> Mapping[str, object]:
        """Return the template context of the form with the referee's messages."""
        raise NotImplementedError

    def store_draft(self, draft: Draft | None, **more: JSON) -> None:
        """Store the draft of the form in the session, with further data.

        None stores an empty draft.
        """
        written = self.new_draft() if draft is None else draft
        kept = {**self.stored_form, **more, "writing": written.to_stored()}
        self.request.session[correction_key(self.match)] = kept

    def forget(self) -> None:
        self.request.session.pop(correction_key(self.match), None)

    def respond(self) -> HttpResponse:
        with seat_marks(self.people):
            if self.request.method == "POST":
                return self.perform_action() or self._render(self.templates.answer)
            if self.may_write:
                return self._render(self.templates.form)
            ticket = ticket_context(self.request, self.match, self.player)
            return render(self.request, self.templates.handed_in, {"at": self, **ticket})

    def _render(self, template: str) -> HttpResponse:
        return render(self.request, template, self.context(self.draft))

    def perform_action(self) -> HttpResponse | None:
        """Read the form and perform the action of the pressed button.

        Returns None if only the referee's messages are requested.
        """
        draft = self.draft
        pressed = "read" if self.previewing else self.request.POST.get("do", "read")
        name, _colon, argument = pressed.partition(":")
        action: Callable[[Draft, str], HttpResponse] = getattr(self, f"do_{name}", self.do_read)
        if not self.may_write and name != "rewrite":
            return self._refuse_writing()
        try:
            self.fill_draft(draft)
            if self.previewing:
                self.store_draft(draft)
                return None
            return action(draft, argument)
        except OperationError as error:
            add_refusal_message(self.request, error)
        if self.may_write:
            self.store_draft(draft)
        return self.redirect()

    def _refuse_writing(self) -> HttpResponse:
        """Reject a visitor who may not write, for example because the session has ended.

        Another player may also have entered or voided the match meanwhile. A request by htmx gets
        an error message instead of a redirect, because otherwise the visitor's input would be lost.
        """
        error: OperationError = StaleMatch()
        try:
            check_permitted(match_relation(self.player, self.match), Action.WRITE, self.match)
        except OperationError as refused:
            error = refused
        if "HX-Request" in self.request.headers:
            return HttpResponse(format_html('<p class="lede">{}</p>', str(error)), status=403)
        add_refusal_message(self.request, error)
        return self.redirect()

    def redirect(self, anchor: str = "") -> HttpResponse:
        return redirect(reverse(games[self.game].hand_in, args=[self.match.pk]) + anchor)

    def store_and_redirect(self, draft: Draft | None, anchor: str = "") -> HttpResponse:
        self.store_draft(draft)
        return self.redirect(anchor)

    def do_read(self, draft: Draft, _argument: str) -> HttpResponse:
        """Show the referee's messages. This is also the action of unknown buttons."""
        return self.store_and_redirect(draft, "#answer")

    def do_clear(self, _writing: Draft, _argument: str) -> HttpResponse:
        return self.store_and_redirect(None)

    def do_leave(self, _writing: Draft, _argument: str) -> HttpResponse:
        self.forget()
        return self.redirect()

    def sheet_to_rewrite(self) -> Sheet:
        if not self.may_rewrite or self.match.sheet is None:
            raise NotAllowed(_("Only an organiser of the league can correct a result."))
        return self.match.sheet

    def save(self, sheet: Mapping[str, JSON]) -> None:
        if self.correcting:
            self.store_draft(self.draft, sheet=dict(sheet))
            return
        matches.save_draft(
            match=self.match,
            version=submitted_version(self.request),
            content=dict(sheet),
            by=self._known_player(),
        )

    def hand_in(self, sheet: Mapping[str, JSON]) -> HttpResponse:
        """Enter the scoresheet. If a result counts already, show a preview of the correction."""
        check_changed(self.match, dict(sheet))
        if self.correcting and not self.may_enter_again:
            return store_correction(self.request, self.match, dict(sheet))
        matches.hand_in(
            match=self.match,
            version=submitted_version(self.request),
            by=self._known_player(),
            at=timezone.now(),
            content=dict(sheet),
        )
        self.forget()
        messages.success(
            self.request,
            _("The result has been submitted. The other side must now confirm it.")
            if len({seat.side for seat in self.seats}) < len(self.seats)
            else _(
                "The result has been submitted. Another player in this match must now confirm it."
            ),
        )
        return self.redirect()

    def _known_player(self) -> Player:
        if self.player is None:
            raise NotAllowed(_("First say who you are."))
        return self.player


def put_part(parts: Sequence[JSON], part: JSON, place: int) -> list[JSON]:
    if not 0 <= place < len(parts):
        return [*parts, part]
    return [*parts[:place], part, *parts[place + 1 :]]
