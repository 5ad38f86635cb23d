"""One lidia as people write it down: which it is, in which way, what was typed."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from django.http import QueryDict

from corridas.engine import BULLS, MARKS, MATADORS, STROKES
from leagues.forms.unsent import Unsent

CARDS, SHEET, SCORE = "cards", "sheet", "score"
WAYS: Final = (CARDS, SHEET, SCORE)
"""The cards in the order drawn, the scoresheet, or the result alone (Ruling I-18)."""
LONGEST: Final = 120
DIGITS: Final = 6

POINTS: Final = tuple(f"p-{tercio}-{side}" for tercio in range(3) for side in (0, 1))
KILL: Final = tuple(f"k-{stroke}" for stroke in range(STROKES))
HURT: Final = tuple(f"hurt-{place}" for place in range(MATADORS))
TYPED: Final = (
    *POINTS,
    *KILL,
    *HURT,
    *("marks", "avisos", "indulto", "number", "finished", "ending", "modified"),
)


@dataclass(slots=True)
class Writing(Unsent):
    """What a browser keeps: turn (0-5), way, and the fields of the form by name, as typed."""

    turn: int = 0
    way: str = ""
    typed: dict[str, str] = field(default_factory=dict)

    @property
    def fits(self) -> bool:
        """Whether lidia and way are such as there are."""
        return self.turn in range(BULLS) and self.way in ("", *WAYS)

    def open(self, turn: int, way: str = "") -> None:
        """Turn to another lidia, or to another way; what was typed of the one before is gone."""
        if turn != self.turn:
            self.typed = {}
        self.turn, self.way = turn, way

    def fill(self, sent: QueryDict) -> None:
        """Take over what a form sent."""
        turn = whole(sent.get("bull", ""))
        if turn is not None and 1 <= turn <= BULLS and turn - 1 != self.turn:
            self.open(turn - 1)
        if sent.get("way") in WAYS:
            self.way = str(sent["way"])
        if "form" in sent:
            self.typed = {name: str(sent.get(name, "")).strip()[:LONGEST] for name in TYPED}

    def lidia(self, starter: int, able: tuple[int, ...]) -> dict[str, Any]:
        """What was typed, as the referee reads it."""
        if self.way == SCORE:
            return {SCORE: self._people(starter, able) | self._score()}
        return {SHEET: self._sheet() | self._people(starter, able)}

    def _sheet(self) -> dict[str, Any]:
        points = [[points_of(self._of(f"p-{t}-{s}")) for s in (0, 1)] for t in range(3)]
        kill = [number_of_text(self._of(name)) for name in KILL]
        while kill and kill[-1] is None:
            kill.pop()
        marks = number_of_text(self._of("marks"))
        known = {} if marks is None else {"marks": [MARKS, marks, MARKS]}
        return known | {
            "tercios": points,
            "kill": kill,
            "avisos": number_of_text(self._of("avisos")),
            "indulto": number_of_text(self._of("indulto")),
            "number": number_of_text(self._of("number")),
        }

    def _score(self) -> dict[str, Any]:
        return {
            "ending": self._of("ending") or None,
            "modified": number_of_text(self._of("modified")),
            "avisos": number_of_text(self._of("avisos")),
        }

    def _people(self, starter: int, able: tuple[int, ...]) -> dict[str, Any]:
        """Who is hurt is hurt in the order in which they came onto the sand (Ruling I-16)."""
        order = (starter, *(place for place in able if place != starter))
        injured = [place for place in order if self._of(f"hurt-{place}")]
        finished = whole(self._of("finished"))
        people: dict[str, Any] = {"began": starter, "injured": injured}
        return people if finished is None else people | {"finished": finished}

    def _of(self, name: str) -> str:
        return self.typed.get(name, "")


def whole(text: str) -> int | None:
    """A whole number as people write it, with a sign or without; None for anything else."""
    clean = text.strip().replace("−", "-").replace("–", "-").removeprefix("+")
    digits = clean.removeprefix("-")
    if not (digits.isascii() and digits.isdecimal() and len(digits) <= DIGITS):
        return None
    return int(clean)


def number_of_text(text: str) -> int | str | None:
    """A number; what is none stays as it was typed, for the referee to name; None for nothing."""
    found = whole(text)
    return found if found is not None else text or None


def points_of(text: str) -> Any:
    """Points of a tercio: one figure is a sum, more are its entries; a B may stand before each."""
    parts = [part.lstrip("Bb") for part in text.replace(",", " ").split()]
    if not parts:
        return None
    numbers = [number_of_text(part) for part in parts]
    return numbers[0] if len(numbers) == 1 else {"entries": numbers}


def typed_of(lidia: Mapping[str, Any]) -> dict[str, str]:
    """The form that was filled in for a lidia that stands on the sheet."""
    sheet = lidia.get(SHEET) or lidia.get(SCORE)
    if not isinstance(sheet, Mapping):
        return {}
    found = {name: text_of(sheet.get(name)) for name in ("avisos", "indulto", "number")}
    found |= {name: text_of(sheet.get(name)) for name in ("finished", "ending", "modified")}
    for tercio, sides in enumerate(_listed(sheet.get("tercios"))[:3]):
        for side, points in enumerate(_listed(sides)[:2]):
            found[f"p-{tercio}-{side}"] = _points_text(points)
    marks = _listed(sheet.get("marks"))
    found["marks"] = text_of(marks[1]) if len(marks) > 1 else ""
    found |= dict(zip(KILL, map(text_of, _listed(sheet.get("kill"))), strict=False))
    return found | {f"hurt-{place}": "on" for place in _listed(sheet.get("injured"))}


def _listed(value: Any) -> list[Any]:
    return value if isinstance(value, list) else []


def _points_text(points: Any) -> str:
    if isinstance(points, Mapping):
        return " ".join(map(text_of, _listed(points.get("entries"))))
    return text_of(points)


def text_of(value: Any) -> str:
    """A figure as it was typed."""
    return "" if value is None else str(value)
