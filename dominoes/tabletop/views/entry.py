"""The entry form for a hand from a real table."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, ClassVar

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from dominoes.tabletop.forms import (
    BLOCKED,
    INPUT_MODES,
    LEFT,
    MAX_MOVES,
    MOVES,
    SCORE,
    HandForm,
    form_of_hand,
)
from dominoes.tabletop.sheets import objection_sentence, read_match, write_hand
from dominoes.tabletop.views.match_sheet import (
    HANDS_KEY,
    Answer,
    MatchSheet,
    answer_hand,
    answer_score,
)
from dominoes.tabletop.views.pickers import build_picker, course_of, only_move, train_context
from leagues.exceptions import OperationError
from leagues.forms import parse_number
from leagues.matches.views.sheets import SheetTemplates, put_part


class HandEntry(MatchSheet):
    """The form for a hand. The methods `do_…` are its buttons."""

    templates: ClassVar[SheetTemplates] = SheetTemplates(
        form="dominoes/hand_in.html",
        answer="dominoes/hand_in.html#answer",
        handed_in="dominoes/handed_in.html",
    )

    def fill(self, writing: HandForm) -> None:
        writing.fill(self.request.POST, self.players)

    def do_mend(self, writing: HandForm, rest: str) -> HttpResponse:
        """Assign a tile to one of the seats said to hold it."""
        tile, _colon, seat = rest.partition(":")
        owner = parse_number(seat)
        if owner is not None:
            writing.give(tile, owner)
        return self.keep_and_redirect(writing, "#answer")

    def do_way(self, writing: HandForm, rest: str) -> HttpResponse:
        if rest in INPUT_MODES:
            writing.way = rest
            writing.out = "" if rest == MOVES else writing.out
        return self.keep_and_redirect(writing)

    def do_tile(self, writing: HandForm, rest: str) -> HttpResponse:
        """Lay the tapped tile, or ask at which end and how."""
        course = course_of(self, writing)
        move = only_move(course, rest) if course is not None else ""
        if move:
            return self.do_move(writing, move)
        writing.tile = rest[:8]
        return self.keep_and_redirect(writing, "#train")

    def do_move(self, writing: HandForm, rest: str) -> HttpResponse:
        """Add a move, or show why it is impossible."""
        course = course_of(self, writing)
        if course is None:
            raise OperationError(_("First say who laid the first tile."))
        fault = course.add(rest)
        if fault is not None:
            raise OperationError(objection_sentence(fault, self.names))
        writing.moves = [*writing.moves, rest][:MAX_MOVES]
        writing.tile = ""
        return self.keep_and_redirect(writing, "#train")

    def do_back(self, writing: HandForm, _rest: str) -> HttpResponse:
        writing.moves, writing.tile, writing.out = writing.moves[:-1], "", ""
        return self.keep_and_redirect(writing, "#train")

    def do_stuck(self, writing: HandForm, _rest: str) -> HttpResponse:
        """Mark the hand as blocked: nobody could ever play again."""
        writing.out = BLOCKED
        return self.keep_and_redirect(writing, "#left")

    def do_send(self, writing: HandForm, _rest: str) -> HttpResponse:
        """Add the hand to the sheet. Submit the sheet if the match is won."""
        answer = answer_hand(self, writing)
        if not answer.ready:
            return self.keep_and_redirect(writing, "#answer")
        hands = put_part(self.hands, write_hand(writing.written(self.players)), writing.place)
        content = {**self.content, HANDS_KEY: hands}
        content.pop("totals", None)
        if answer.wins and writing.place < 0:
            return self._hand_in_known(content)
        self.save(content)
        self.keep(None)
        messages.success(self.request, _("The hand has been saved."))
        return self.redirect()

    def _hand_in_known(self, content: Mapping[str, Any]) -> HttpResponse:
        """Submit the sheet without empty values."""
        said = {name: value for name, value in content.items() if value not in (None, False)}
        return self.hand_in(said)

    def do_finish(self, _writing: HandForm, rest: str) -> HttpResponse:
        """Submit the sheet because the match is won or the table has stopped."""
        content = {HANDS_KEY: self.hands, "stopped": rest == "stopped"}
        return self._hand_in_known(content)

    def do_score(self, writing: HandForm, _rest: str) -> HttpResponse:
        answer = answer_score(self, writing)
        if not answer.ready:
            return self.keep_and_redirect(writing, "#answer")
        totals, _why = writing.read_totals()
        stopped = bool(self.request.POST.get("stopped"))
        content = {"totals": totals, "stopped": stopped}
        reading = read_match(self.rules, self.players, content)
        if not reading.over:
            raise OperationError(
                _(
                    "No player has %(target)s points yet. Tick the box to say that you stopped "
                    "there, or play on."
                )
                % {"target": self.rules.target}
            )
        return self._hand_in_known(content)

    def do_undo(self, _writing: HandForm, _rest: str) -> HttpResponse:
        """Move the last hand back into the form."""
        if not self.hands:
            raise OperationError(_("There is no hand to undo."))
        last = self.hands[-1]
        self.save({**self.content, HANDS_KEY: self.hands[:-1]})
        self.keep(form_of_hand(last, -1))
        return self.redirect()

    def do_edit(self, _writing: HandForm, rest: str) -> HttpResponse:
        """Load a hand into the form to correct it."""
        place = parse_number(rest)
        if place is None or not 0 <= place < len(self.hands):
            raise OperationError(_("That hand is not on the scoresheet."))
        self.keep(form_of_hand(self.hands[place], place))
        return self.redirect()

    def do_rewrite(self, _writing: HandForm, _rest: str) -> HttpResponse:
        """Load a submitted sheet to correct it."""
        content = self.sheet_to_rewrite().content
        sheet = content if isinstance(content, dict) else {}
        hands = sheet.get(HANDS_KEY) or []
        totals = [str(total) for total in sheet.get("totals") or []]
        way = SCORE if totals and not hands else LEFT
        self.keep(HandForm(way=way, totals=totals), sheet={HANDS_KEY: hands})
        return self.redirect()

    def context(self, writing: HandForm) -> dict[str, Any]:
        course = course_of(self, writing) if writing.way == MOVES else None
        sheet, seats = self.sheet, self._missing_seats(writing)
        held = {seat: writing.tiles.get(str(seat), []) for seat in seats}
        played = course.played if course is not None else 0
        pickers = [
            build_picker(self.rules, seat, held, writing.pips.get(str(seat), ""), played)
            for seat in self._shown_seats(writing, seats)
        ]
        seat_shown = parse_number(writing.who)
        return {
            "at": self,
            "writing": writing,
            "answer": self._answer_for(writing),
            "pickers": pickers,
            "shown": seat_shown if seat_shown in seats else next(iter(seats), None),
            "out": writing.out_seat,
            "sheet": sheet,
            "hands": list(zip(sheet.hands, sheet.before, strict=True)),
            "number": (writing.place if writing.place >= 0 else len(self.hands)) + 1,
            "train": train_context(self, writing) if writing.way == MOVES else None,
            "ended": course is not None and course.over is not None,
            "totals": writing.totals or [""] * self.players,
            "may_stop": any(sheet.totals) and not sheet.objections and sheet.winner is None,
        }

    def _shown_seats(self, writing: HandForm, seats: list[int]) -> list[int]:
        """Return the seats whose tiles are shown, with who went out, which may be corrected."""
        return list(range(self.players)) if writing.way == LEFT else seats

    def _answer_for(self, writing: HandForm) -> Answer:
        return answer_score(self, writing) if writing.way == SCORE else answer_hand(self, writing)

    def _missing_seats(self, writing: HandForm) -> list[int]:
        """Return the seats whose tiles are still needed."""
        if writing.way == SCORE:
            return []
        out = writing.out_seat
        if writing.way == MOVES:
            course = course_of(self, writing)
            out = None if course is None else course.out
            if course is None or (course.over is None and writing.out != BLOCKED):
                return []
        return [seat for seat in range(self.players) if seat != out]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entry_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form for the next hand, or the confirmation of a submitted match."""
    return HandEntry.find(request, pk).respond()
