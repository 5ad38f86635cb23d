"""The entry form for an evening from a real table."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Any, Final

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.utils.translation import gettext as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods

from eltoro.stage import sentences
from eltoro.tabletop.forms import (
    ARRIVALS,
    INPUT_MODES,
    POINTS,
    EveningForm,
    cards_of,
    form_of_day,
    number_of_card,
)
from eltoro.tabletop.sheets import SheetKind, objection_sentence, tomorrow_lines, write_day
from eltoro.tabletop.views.answer import answer_form
from eltoro.tabletop.views.match_sheet import DAYS_KEY, MatchSheet, arrivals_sheet, get_match_sheet
from leagues.exceptions import OperationError
from leagues.forms import parse_number
from leagues.matches.views.sheets import (
    SheetTemplates,
    clear_sheet,
    hand_in_sheet,
    judge_sheet,
    leave_unchanged,
    perform_action,
    put_part,
    redirect_to_form,
    save_sheet,
    sheet_to_rewrite,
    show_form,
)
from leagues.models import MatchSeat


def perform(at: MatchSheet) -> HttpResponse | None:
    """Perform the action of a button. Returns None if only the referee's fragment is requested."""
    writing = at.writing

    def fill() -> None:
        writing.fill(at.request.POST, at.law, at.began(at.number(writing)))

    return perform_action(at, writing, ACTIONS, fill)


def _change_input_mode(at: MatchSheet, writing: EveningForm, rest: str) -> HttpResponse:
    if rest in INPUT_MODES:
        writing.way = rest
    at.keep(writing)
    return redirect_to_form(at)


def _save_day(at: MatchSheet, writing: EveningForm, _rest: str) -> HttpResponse:
    """Add the day to the sheet. Submit the sheet after the last day."""
    found = answer_form(at, writing)
    if not found.ready:
        return judge_sheet(at, writing, "")
    if writing.way == POINTS:
        return _hand_in_points(at, writing, "")
    if at.number(writing) >= at.law.days:
        raise OperationError(_("All days of the evening have been entered."))
    days = put_part(at.days, write_day(writing.day(at.law)), writing.place)
    if found.last and not at.read(days).objections:
        return hand_in_sheet(at, arrivals_sheet(days))
    save_sheet(at, arrivals_sheet(days))
    at.keep(None)
    messages.success(at.request, _("The day has been saved."))
    return redirect_to_form(at)


def _hand_in_points(at: MatchSheet, writing: EveningForm, _rest: str) -> HttpResponse:
    if writing.way != POINTS or not answer_form(at, writing).ready:
        return judge_sheet(at, writing, "")
    return hand_in_sheet(at, {"kind": SheetKind.POINTS.value, DAYS_KEY: writing.points(at.law)})


def _finish_evening(at: MatchSheet, _writing: EveningForm, _rest: str) -> HttpResponse:
    faults = at.reading.objections
    if faults:
        raise OperationError(objection_sentence(at.rules, faults[0], at.names))
    return hand_in_sheet(at, arrivals_sheet(at.days))


def _edit_day(at: MatchSheet, _writing: EveningForm, rest: str) -> HttpResponse:
    """Load a day into the form to correct it."""
    place = parse_number(rest)
    if place is None or not 0 <= place < len(at.days):
        raise OperationError(_("That day is not on the scoresheet."))
    at.keep(form_of_day(at.days[place], place))
    return redirect_to_form(at, "#day")


def _rewrite_sheet(at: MatchSheet, _writing: EveningForm, _rest: str) -> HttpResponse:
    """Load a submitted sheet to correct it."""
    content = sheet_to_rewrite(at).content
    shown = at.shown
    if shown.way is SheetKind.ARRIVALS:
        at.keep(EveningForm(way=ARRIVALS), sheet=arrivals_sheet(content[DAYS_KEY]))
        return redirect_to_form(at)
    grid = [[str(points) for points in day.points] for day in shown.days]
    at.keep(EveningForm(way=POINTS, grid=grid), sheet={"kind": SheetKind.POINTS.value})
    return redirect_to_form(at)


ACTIONS: Final[Mapping[str, Callable[[MatchSheet, EveningForm, str], HttpResponse]]] = {
    "read": judge_sheet,
    "way": _change_input_mode,
    "send": _save_day,
    "points": _hand_in_points,
    "finish": _finish_evening,
    "edit": _edit_day,
    "clear": clear_sheet,
    "rewrite": _rewrite_sheet,
    "leave": leave_unchanged,
}
# By the value of a button.

TypedBySeat = tuple[MatchSeat, str]
# A player and the value typed for them.


@dataclass(frozen=True, slots=True, kw_only=True)
class CardField:
    """A destination card in the form: whether it is ticked, and the arrivals there.

    `again`: it is not the first of its kind.
    """

    card: str
    name: str
    again: bool
    brings: str
    points: int
    checked: bool
    arrived: tuple[TypedBySeat, ...]


PAPERS: Final = SheetTemplates(
    form="eltoro/hand_in.html",
    answer="eltoro/hand_in.html#answer",
    handed_in="eltoro/handed_in.html",
)


@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def entry_page(request: HttpRequest, pk: int) -> HttpResponse:
    """Show the form for the evening, or the confirmation of a submitted match."""
    return show_form(get_match_sheet(request, pk), PAPERS, perform, form_context)


def form_context(at: MatchSheet, writing: EveningForm) -> dict[str, Any]:
    number, law = at.number(writing), at.law
    asked = writing.way == ARRIVALS and number < law.days
    return {
        "at": at,
        "writing": writing,
        "reading": at.reading,
        "objected": [
            objection_sentence(at.rules, fault, at.names) for fault in at.reading.objections
        ],
        "day": number + 1,
        "days": range(1, law.days + 1),
        "asked": asked or writing.way != ARRIVALS,
        "answer": answer_form(at, writing) if asked or writing.way != ARRIVALS else None,
        "cards": list(_card_fields(at, writing)) if asked else [],
        "mornings": list(zip(at.seats, at.began(number), strict=True)) if asked else [],
        "promised": tomorrow_lines(law, at.began(number), at.names) if asked and number else [],
        "dice": _due_dice(at, writing, number) if asked else [],
        "gained": _by_seat(at, writing.gained),
        "grid": _points_grid(at, writing),
        "law": law,
    }


def _card_fields(at: MatchSheet, writing: EveningForm) -> list[CardField]:
    return [
        CardField(
            card=card,
            name=_numbered_name(sentences.destination_name(kind.destination), number_of_card(card)),
            again=number_of_card(card) > 0,
            brings=sentences.destination_sentence(kind.destination),
            points=kind.points,
            checked=card in writing.laid,
            arrived=tuple(_by_seat(at, writing.arrived.get(card, []))),
        )
        for card, kind in cards_of(at.law).items()
    ]


def _numbered_name(name: str, number: int) -> str:
    """Return a card's name, with a number unless it is the first of its kind."""
    return f"{name} ({number + 1})" if number else name


def _by_seat(at: MatchSheet, typed: list[str]) -> list[TypedBySeat]:
    """Pair values with their seats, with empty strings for missing values."""
    texts = [*typed, *[""] * at.players][: at.players]
    return list(zip(at.seats, texts, strict=True))


def _due_dice(
    at: MatchSheet, writing: EveningForm, number: int
) -> list[tuple[MatchSeat, int, str]]:
    """Return every die due this morning: its player, its index and the value typed."""
    found = []
    for seat, morning in zip(at.seats, at.began(number), strict=True):
        typed = writing.dice[seat.number] if seat.number < len(writing.dice) else []
        faces = [*typed, *[""] * morning.dice][: morning.dice]
        found += [(seat, one, face) for one, face in enumerate(faces)]
    return found


def _points_grid(at: MatchSheet, writing: EveningForm) -> list[tuple[MatchSeat, list[str]]]:
    days = range(at.law.days)
    return [(seat, [writing.typed_points(day, seat.number) for day in days]) for seat in at.seats]
