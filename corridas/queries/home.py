"""What the front page asks beside the calendar: form of the leaders, and the sand right now."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import datetime

from corridas.models import Corrida, Lidia, Matador
from corridas.queries.verdicts import LETTERS


def form(numbers: Iterable[int]) -> dict[int, list[str]]:
    """The stored form of these matadors as verdicts, the newest last; one query."""
    rows = Matador.objects.filter(pk__in=list(numbers)).values_list("pk", "form")
    return {pk: [LETTERS[letter] for letter in letters] for pk, letters in rows}


@dataclass(frozen=True, kw_only=True)
class Sand:
    """What stands on the sand at an instant: the turn, its bull, and the cards laid so far.

    `marks` counts the hash marks of the three tercios and the kill cards; `turn` is 0 before
    the first bull.
    """

    turn: int
    card: int
    bull: str
    weight: int
    coat: str
    marks: tuple[int, int, int, int] = (0, 0, 0, 0)


def sand(corrida: Corrida, at: datetime) -> Sand | None:
    """How far a corrida on air is at an instant; None before the paseíllo; one query."""
    rows = list(
        Lidia.objects.filter(corrida=corrida)
        .order_by("turn")
        .values_list("draws", "bull__name", "bull__weight", "bull__coat")
    )
    if not rows or corrida.on_air_at is None:
        return None
    timeline = corrida.timeline([len(draws) for draws, *_bull in rows])
    place = timeline.shown_after(at - corrida.on_air_at)
    if place.turn < 1:
        return None
    _draws, name, weight, coat = rows[place.turn - 1]
    return Sand(turn=place.turn, card=place.card, bull=name, weight=weight, coat=coat)
