"""Entry form for a game of El Toro that was played with real cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar, TypedDict

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from api.idempotency import attempt_once
from eltoro.pages.tabletop.forms import (
    ARRIVALS,
    INPUT_MODES,
    POINTS,
    EveningForm,
    cards_of,
    form_of_day,
    number_of_card,
)
from eltoro.pages.tabletop.match_sheet import (
    DAYS_KEY,
    MatchSheet,
    RefereeAnswer,
    answer_form,
    arrivals_sheet,
)
from eltoro.stage import sentences
from eltoro.tabletop.sheets import (
    Morning,
    ScoresheetReading,
    SheetKind,
    SheetRules,
    objection_sentence,
    tomorrow_lines,
    write_day,
)
from leagues.exceptions import OperationError
from leagues.models import MatchSeat
from leagues.pages.forms import parse_number
from leagues.pages.matches.sheets import SheetTemplates, put_part

# The seat of a player, and the value that was typed for this player.
TypedBySeat = tuple[MatchSeat, str]


@dataclass(frozen=True, slots=True, kw_only=True)
class CardField:
    """Form context of a destination card: whether the card is ticked, and how many runners of each
    player arrived there.

    `again`: True for a second card of the same destination.
    """

    card: str
    name: str
    again: bool
    brings: str
    points: int
    checked: bool
    arrived: tuple[TypedBySeat, ...]


class EntryContext(TypedDict):
    """Template context of the form with the referee's answer.

    `complete`: True if all days have been entered by arrivals. Before that, `answer` is set, and so
    are the fields of the day being entered: `cards`, `mornings`, `promised` (yesterday's effects)
    and `dice` (the player, the number of the die and the typed face). `day` counts from 1.
    """

    at: MatchSheet
    draft: EveningForm
    reading: ScoresheetReading
    objected: list[str]
    day: int
    days: range
    complete: bool
    answer: RefereeAnswer | None
    cards: list[CardField]
    mornings: list[tuple[MatchSeat, Morning]]
    promised: list[str]
    dice: list[tuple[MatchSeat, int, str]]
    gained: list[TypedBySeat]
    grid: list[tuple[MatchSeat, list[str]]]
    law: SheetRules


class EveningEntry(MatchSheet):
    """Entry form for a game. Each `do_…` method handles one of its buttons."""

    templates: ClassVar[SheetTemplates] = SheetTemplates(
        form="eltoro/hand_in.html",
        answer="eltoro/hand_in.html#answer",
        handed_in="eltoro/handed_in.html",
    )

    def fill_draft(self, draft: EveningForm) -> None:
        draft.apply_fields(self.request.POST, self.law, self.mornings_before(self.number(draft)))

    def do_input_mode(self, draft: EveningForm, argument: str) -> HttpResponse:
        if argument in INPUT_MODES:
            draft.way = argument
        return self.store_and_redirect(draft)

    def do_send(self, draft: EveningForm, _argument: str) -> HttpResponse:
        answer = answer_form(self, draft)
        if not answer.ready:
            return self.do_read(draft, "")
        if draft.way == POINTS:
            return self.do_points(draft, "")
        if self.number(draft) >= self.law.days:
            raise OperationError(_("All days of this evening have already been entered."))
        days = put_part(self.days, write_day(draft.day(self.law)), draft.place)
        if answer.last and not self.read(days).objections:
            return self.hand_in(arrivals_sheet(days))
        self.save(arrivals_sheet(days))
        self.store_draft(None)
        messages.success(self.request, _("The day has been saved."))
        return self.redirect()

    def do_points(self, draft: EveningForm, _argument: str) -> HttpResponse:
        if draft.way != POINTS or not answer_form(self, draft).ready:
            return self.do_read(draft, "")
        return self.hand_in({"kind": SheetKind.POINTS.value, DAYS_KEY: draft.points(self.law)})

    def do_finish(self, draft: EveningForm, _argument: str) -> HttpResponse:
        days = self.days
        if 0 <= draft.place < len(days):
            # The submitted form contained no fields for a day, so there is nothing to store.
            if not answer_form(self, draft).ready:
                raise OperationError(
                    _(
                        "The day in the form is not saved yet, and it is incomplete or contains "
                        "errors. Correct it or discard it before you submit the evening."
                    )
                )
            days = put_part(days, write_day(draft.day(self.law)), draft.place)
        faults = self.read(days).objections
        if faults:
            raise OperationError(objection_sentence(self.rules, faults[0], self.names))
        return self.hand_in(arrivals_sheet(days))

    def do_edit(self, _writing: EveningForm, argument: str) -> HttpResponse:
        place = parse_number(argument)
        if place is None or not 0 <= place < len(self.days):
            raise OperationError(_("The scoresheet does not contain this day."))
        self.store_draft(form_of_day(self.days[place], place))
        return self.redirect("#day")

    def do_rewrite(self, _writing: EveningForm, _argument: str) -> HttpResponse:
        content = self.sheet_to_rewrite().content
        reading = self.sheet_reading
        if reading.way is SheetKind.ARRIVALS:
            self.store_draft(EveningForm(way=ARRIVALS), sheet=arrivals_sheet(content[DAYS_KEY]))
            return self.redirect()
        grid = [[str(points) for points in day.points] for day in reading.days]
        self.store_draft(EveningForm(way=POINTS, grid=grid), sheet={"kind": SheetKind.POINTS.value})
        return self.redirect()

    def context(self, draft: EveningForm) -> EntryContext:
        number, law = self.number(draft), self.law
        by_arrivals = draft.way == ARRIVALS
        complete = by_arrivals and number >= law.days
        day_due = by_arrivals and not complete
        began = self.mornings_before(number)
        return {
            "at": self,
            "draft": draft,
            "reading": self.reading,
            "objected": [
                objection_sentence(self.rules, fault, self.names)
                for fault in self.reading.objections
            ],
            "day": number + 1,
            "days": range(1, law.days + 1),
            "complete": complete,
            "answer": None if complete else answer_form(self, draft),
            "cards": self._card_fields(draft) if day_due else [],
            "mornings": list(zip(self.seats, began, strict=True)) if day_due else [],
            "promised": tomorrow_lines(law, began, self.names) if day_due and number else [],
            "dice": self._due_dice(draft, began) if day_due else [],
            "gained": self._by_seat(draft.gained),
            "grid": self._points_grid(draft),
            "law": law,
        }

    def _card_fields(self, draft: EveningForm) -> list[CardField]:
        fields = []
        for card, kind in cards_of(self.law).items():
            name, number = sentences.destination_name(kind.destination), number_of_card(card)
            fields.append(
                CardField(
                    card=card,
                    name=f"{name} ({number + 1})" if number else name,
                    again=number > 0,
                    brings=sentences.destination_sentence(kind.destination),
                    points=kind.points,
                    checked=card in draft.laid,
                    arrived=tuple(self._by_seat(draft.arrived.get(card, []))),
                )
            )
        return fields

    def _by_seat(self, typed: list[str]) -> list[TypedBySeat]:
        """Return values with their seats. Missing values are empty strings."""
        texts = [*typed, *[""] * self.players][: self.players]
        return list(zip(self.seats, texts, strict=True))

    def _due_dice(
        self, draft: EveningForm, began: Sequence[Morning]
    ) -> list[tuple[MatchSeat, int, str]]:
        dice = []
        for seat, morning in zip(self.seats, began, strict=True):
            typed = draft.dice[seat.number] if seat.number < len(draft.dice) else []
            faces = [*typed, *[""] * morning.dice][: morning.dice]
            dice += [(seat, die, face) for die, face in enumerate(faces)]
        return dice

    def _points_grid(self, draft: EveningForm) -> list[tuple[MatchSeat, list[str]]]:
        days = range(self.law.days)
        return [
            (seat, [draft.typed_points(day, seat.number) for day in days]) for seat in self.seats
        ]


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
@attempt_once
def entry_page(request: HttpRequest, pk: int) -> HttpResponse:
    return EveningEntry.find_view(request, pk).respond()
