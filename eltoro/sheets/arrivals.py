"""Where runners arrived, day by day: points, and with what everybody begins the next day."""

from __future__ import annotations

from collections.abc import Sequence

from eltoro.sheets.law import FACES, LAID, Kind, Law, Morning, of_die
from eltoro.sheets.written import Day, DayReading, Objection, Param


def judge_arrivals(law: Law, days: Sequence[Day]) -> tuple[DayReading, ...]:
    """Day by day what follows; a day that does not stand still says who begins the next how."""
    found: list[DayReading] = []
    began = tuple(law.morning() for _seat in range(law.players))
    for number, day in enumerate(days):
        found.append(judge_day(law, number, day, began))
        began = found[-1].tomorrow
    return tuple(found)


def judge_day(law: Law, number: int, day: Day, began: tuple[Morning, ...]) -> DayReading:
    """What follows from one day, with these mornings by seat (Rulings E-1, E-4, E-7)."""
    kinds = [law.kinds.get(key) for key in day.destinations]
    at_destinations = tuple(_at_destinations(kinds, row) for row in day.arrived)
    by_effects = tuple(
        morning.points + sum(of_die(face) for face in faces)
        for morning, faces in zip(began, day.dice, strict=True)
    )
    parts = zip(at_destinations, by_effects, day.gained, strict=True)
    return DayReading(
        points=tuple(sum(part) for part in parts),
        objections=tuple(_objections(law, number, day, began)),
        began=began,
        arrived=tuple(sum(row) for row in day.arrived),
        at_destinations=at_destinations,
        by_effects=by_effects,
        by_cards=day.gained,
        tomorrow=tuple(law.morning(_reached(kinds, row)) for row in day.arrived),
        aside=day.aside,
    )


def _at_destinations(kinds: Sequence[Kind | None], row: Sequence[int]) -> int:
    return sum(kind.points * n for kind, n in zip(kinds, row, strict=True) if kind is not None)


def _reached(kinds: Sequence[Kind | None], row: Sequence[int]) -> list[Kind]:
    """The cards that a player reached: each counts once, whatever arrived there (E-7)."""
    pairs = zip(kinds, row, strict=True)
    return [kind for kind, arrived in pairs if kind is not None and arrived > 0]


def _objections(law: Law, number: int, day: Day, began: Sequence[Morning]) -> list[Objection]:
    found = _laid_wrong(law, number, day)
    for seat, morning in enumerate(began):
        found += _arrived_wrong(number, seat, day.arrived[seat], morning)
        found += _gained_wrong(law, number, seat, day.gained[seat])
        found += _dice_wrong(number, seat, day.dice[seat], morning)
    return found


def _laid_wrong(law: Law, number: int, day: Day) -> list[Objection]:
    """Destinations that there are not, not so often, or not five."""
    path = f"days/{number}/destinations"
    found = []
    for at, key in enumerate(day.destinations):
        kind, times = law.kinds.get(key), day.destinations[: at + 1].count(key)
        if kind is None:
            params: dict[str, Param] = {"day": number, "key": key}
            found.append(Objection(path=f"{path}/{at}", code="no_destination", params=params))
        elif times == kind.count + 1:
            times = day.destinations.count(key)
            params = {"day": number, "key": key, "count": kind.count, "times": times}
            found.append(Objection(path=f"{path}/{at}", code="too_often", params=params))
    laid = len(day.destinations)
    if laid != LAID:
        code = "five" if laid < LAID else "too_many_laid"
        found.append(Objection(path=path, code=code, params={"day": number, "laid": laid}))
    return found


def _arrived_wrong(number: int, seat: int, row: Sequence[int], morning: Morning) -> list[Objection]:
    """Fewer than none, or more than ran."""
    path = f"days/{number}/arrived/{seat}"
    params = {"day": number, "seat": seat}
    found = [
        Objection(path=f"{path}/{at}", code="negative", params={**params, "given": arrived})
        for at, arrived in enumerate(row)
        if arrived < 0
    ]
    if sum(row) > morning.runners:
        params |= {"arrived": sum(row), "runners": morning.runners}
        found.append(Objection(path=path, code="runners", params=params))
    return found


def _gained_wrong(law: Law, number: int, seat: int, gained: int) -> list[Objection]:
    """Points by cards: never below nothing, no more than a card a step can bring."""
    path = f"days/{number}/gained/{seat}"
    params = {"day": number, "seat": seat, "given": gained, "most": law.most_by_cards}
    if gained < 0:
        return [Objection(path=path, code="negative", params=params)]
    if gained > law.most_by_cards:
        return [Objection(path=path, code="gained_high", params=params)]
    return []


def _dice_wrong(number: int, seat: int, faces: Sequence[int], morning: Morning) -> list[Objection]:
    """A die that was not rolled, that nobody had to roll, or that has no such face."""
    path, params = f"days/{number}/dice/{seat}", {"day": number, "seat": seat}
    found = [
        Objection(path=path, code="die_face", params={**params, "face": face})
        for face in faces
        if not 1 <= face <= FACES
    ]
    if len(faces) < morning.dice:
        found.append(Objection(path=path, code="die_missing", params=params))
    if len(faces) > morning.dice:
        found.append(Objection(path=path, code="die_undue", params=params))
    return found
