"""The ten destination cards: points, and what the next day brings (Rulings E-7 and E-10)."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Final

from eltoro.engine.cards import count_of
from eltoro.engine.errors import DataError
from eltoro.engine.lines import Line, read_lines

DESTINATION_CARDS: Final = 10
COLUMNS: Final = ("destination", "count", "points", "effect", "amount", "name", "name_es")


class Bonus(StrEnum):
    """What a destination brings on the next day, once, to each player who arrived (Ruling E-7)."""

    RUNNER = "runner"
    CARD = "card"
    BULL = "bull"
    FIRST = "first"
    DIE = "die"
    POINTS = "points"


COUNTED: Final = frozenset({Bonus.RUNNER, Bonus.CARD, Bonus.BULL, Bonus.POINTS})


@dataclass(frozen=True, slots=True)
class Destination:
    """A kind of destination card.

    `points`: for each runner that arrives. `effect`: what the next day brings, `amount` of it
    (runners, cards, bulls or points; below 0 as many less); `None` where it brings nothing.
    """

    key: str
    count: int
    points: int
    effect: Bonus | None
    amount: int
    name: str
    name_es: str


def read_destinations(text: str, source: str = "destinations") -> tuple[Destination, ...]:
    """The kinds of destinations in this text, as listed.

    Raises `DataError` with file, line and rule: an unknown effect, an amount missing, not ten.
    """
    found = tuple(map(_destination, read_lines(text, source, COLUMNS)))
    count = sum(destination.count for destination in found)
    if count != DESTINATION_CARDS:
        raise DataError("cards", source, 0, wanted=DESTINATION_CARDS, count=count)
    return found


def _destination(line: Line) -> Destination:
    if line["effect"] not in {"", *Bonus}:
        raise line.wrong("effect", effect=line["effect"])
    effect = Bonus(line["effect"]) if line["effect"] else None
    return Destination(
        key=line.key("destination"),
        count=count_of(line),
        points=line.whole("points"),
        effect=effect,
        amount=_amount(line, effect),
        name=line["name"],
        name_es=line["name_es"],
    )


def _amount(line: Line, effect: Bonus | None) -> int:
    if effect not in COUNTED:
        if line["amount"]:
            raise line.wrong("no_amount", effect=line["effect"])
        return 0
    least = 1 if effect is Bonus.BULL else -9  # no bull is taken out of the box's six
    if not line["amount"] or not line.whole("amount") or line.whole("amount") < least:
        raise line.wrong("amount", effect=line["effect"], least=least)
    return line.whole("amount")
