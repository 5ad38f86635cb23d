"""Draft of a game with real cards: points in a grid, or runners that arrived on each day."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.http import QueryDict
from django.utils.translation import gettext as _

from eltoro.tabletop.sheets import DestinationKind, Morning, RecordedDay, SheetRules
from leagues.pages.forms import FormDraft, parse_number, typed_text

POINTS, ARRIVALS = "points", "arrivals"
# The input modes: only the points of each day, or also the runners that arrived.
INPUT_MODES: Final = (POINTS, ARRIVALS)
MAX_CARDS: Final = 12


@dataclass(slots=True)
class EveningForm(FormDraft):
    """A partly entered game of El Toro. All values are stored as typed.

    `way`: the input mode. `grid`: points by day and by seat. The other fields belong to the day
    being entered. `laid`: the ticked destination cards (`bank.0`). `arrived`: runners by card and
    seat. `gained`: points from cards by seat. `dice`: faces by seat. `aside`: runners that a card
    moved within their row, which only the tracked board fills in. `place`: the number of the saved
    day that this day replaces, -1 for the next day.
    """

    way: str = POINTS
    grid: list[list[str]] = field(default_factory=list)
    laid: list[str] = field(default_factory=list)
    arrived: dict[str, list[str]] = field(default_factory=dict)
    gained: list[str] = field(default_factory=list)
    dice: list[list[str]] = field(default_factory=list)
    aside: list[str] = field(default_factory=list)
    place: int = -1

    def apply_fields(self, sent: QueryDict, law: SheetRules, began: Iterable[Morning]) -> None:
        """Apply the submitted fields of the form. Missing fields stay unchanged."""
        if "points-0-0" in sent:
            self.grid = [
                [typed_text(sent, f"points-{day}-{seat}") for seat in range(law.players)]
                for day in range(law.days)
            ]
        # Unticked checkboxes send nothing. The field `gained-0` shows that the form contained a
        # day.
        if "gained-0" in sent:
            self._fill_day(sent, law, began)

    def _fill_day(self, sent: QueryDict, law: SheetRules, began: Iterable[Morning]) -> None:
        seats = range(law.players)
        self.laid = [str(card)[:40] for card in sent.getlist("laid")][:MAX_CARDS]
        self.arrived = {
            card: [typed_text(sent, f"n-{card}-{seat}") for seat in seats] for card in cards_of(law)
        }
        self.gained = [typed_text(sent, f"gained-{seat}") for seat in seats]
        self.dice = [
            [typed_text(sent, f"die-{seat}-{number}") for number in range(morning.dice)]
            for seat, morning in enumerate(began)
        ]

    def day(self, law: SheetRules) -> RecordedDay:
        """Return the day for the referee.

        Invalid numbers count as 0, and invalid faces of dice as missing. `misread` returns messages
        about them.
        """
        laid = [card for card in cards_of(law) if card in self.laid]
        seats = range(law.players)
        return RecordedDay(
            destinations=tuple(key_of(card) for card in laid),
            arrived=tuple(
                tuple(_whole_number(_text_at(self.arrived.get(card, []), seat)) for card in laid)
                for seat in seats
            ),
            gained=tuple(_whole_number(_text_at(self.gained, seat)) for seat in seats),
            dice=tuple(self._faces(seat) for seat in seats),
            aside=tuple(self.aside),
        )

    def _faces(self, seat: int) -> tuple[int, ...]:
        typed = self.dice[seat] if seat < len(self.dice) else []
        return tuple(face for face in map(parse_number, typed) if face is not None)

    def misread(self, law: SheetRules) -> list[str]:
        cards = [card for card in cards_of(law) if card in self.laid]
        typed = [text for card in cards for text in self.arrived.get(card, [])]
        typed += [*self.gained, *(face for faces in self.dice for face in faces)]
        return [number_error(text) for text in typed if text and parse_number(text) is None]

    def points(self, law: SheetRules) -> list[list[int | None]]:
        """Return the points by day and by seat. Invalid or missing numbers are None."""
        return [
            [parse_number(self.typed_points(day, seat)) for seat in range(law.players)]
            for day in range(law.days)
        ]

    def typed_points(self, day: int, seat: int) -> str:
        return _text_at(self.grid[day], seat) if day < len(self.grid) else ""


def number_error(text: str) -> str:
    return _("“%(text)s” is not a whole number.") % {"text": text}


def _text_at(texts: list[str], seat: int) -> str:
    return texts[seat] if seat < len(texts) else ""


def _whole_number(text: str) -> int:
    return parse_number(text) or 0


def cards_of(law: SheetRules) -> dict[str, DestinationKind]:
    """Return the kind of every destination card by the card's name in the form.

    The names are a key and a number, such as `bookstore.0` and `bookstore.1`.
    """
    return {
        f"{key}.{number}": kind for key, kind in law.kinds.items() for number in range(kind.count)
    }


def key_of(card: str) -> str:
    return card.partition(".")[0]


def number_of_card(card: str) -> int:
    return int(card.rpartition(".")[2])


def form_of_day(day: Mapping[str, Any], place: int) -> EveningForm:
    evening_form = EveningForm(way=ARRIVALS, place=place)
    keys = list(day.get("destinations") or [])
    evening_form.laid = [f"{key}.{keys[:at].count(key)}" for at, key in enumerate(keys)]
    rows = list(day.get("arrived") or [])
    for at, card in enumerate(evening_form.laid):
        evening_form.arrived[card] = [str(row[at] or "") for row in rows]
    evening_form.gained = [str(gained or "") for gained in day.get("gained") or []]
    evening_form.dice = [_written_dice(face) for face in day.get("dice") or []]
    evening_form.aside = list(day.get("aside") or [])
    return evening_form


def _written_dice(face: object) -> list[str]:
    if face is None:
        return []
    return [str(number) for number in face] if isinstance(face, list) else [str(face)]
