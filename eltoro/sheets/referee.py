"""The referee that leagues ask: rules and sheet as JSON in, a judgement out."""

from __future__ import annotations

from typing import Final

from eltoro.engine import EngineError, Rules
from eltoro.sheets.arrivals import judge_arrivals
from eltoro.sheets.law import Law
from eltoro.sheets.places import Ending, ending, totals_of
from eltoro.sheets.points import judge_points
from eltoro.sheets.reading import JSON, read_sheet
from eltoro.sheets.replayed import judge_log
from eltoro.sheets.runners import against_gains, ways_to_score
from eltoro.sheets.sentences import lines, say, seat_names
from eltoro.sheets.written import DayReading, Objection, Reading, Way, Written
from leagues import games

EVIDENCE: Final = {Way.POINTS: "score", Way.ARRIVALS: "sheet", Way.LOG: "log"}
FEWEST, MOST = 2, 6


class SheetReferee:
    """Judges what a table wrote down; leagues know it as their `Referee`."""

    def judge(self, *, rules: JSON, seats: int, sheet: JSON) -> games.Judgement:
        """What follows from the sheet, or what contradicts it. Never raises for bad content."""
        try:
            options = Rules.from_options(rules)
        except (EngineError, TypeError, AttributeError) as error:
            return games.Judgement.refused(
                seats, games.Objection(path="rules", sentence=str(error))
            )
        return _judgement(options, seats, read_evening(options, seats, sheet))


referee = SheetReferee()


def read_evening(rules: Rules, players: int, content: JSON) -> Reading:
    """The answer to a sheet in JSON."""
    if not FEWEST <= players <= MOST:
        fault = Objection(path="players", code="players", params={"players": players})
        return Reading(way=Way.POINTS, objections=(fault,))
    written = read_sheet(content, players)
    if written.faults:
        return Reading(way=written.way, objections=written.faults)
    if written.way is Way.LOG:
        return judge_log(rules, players, written.seed, written.moves)
    return _of_days(Law.of(rules, players), written)


def _of_days(law: Law, written: Written) -> Reading:
    by_points = written.way is Way.POINTS
    days = judge_points(law, written.points) if by_points else judge_arrivals(law, written.days)
    found = [fault for day in days for fault in day.objections]
    if len(days) > law.days:
        found.append(Objection(path="days", code="too_many_days", params={"days": law.days}))
    if not any(not fault.missing for fault in found):
        found += _against_the_deck(law, days, by_points=by_points)
    if not days:
        found.append(Objection(path="days", code="nothing"))
    return Reading(
        way=written.way, days=days, objections=tuple(found), ending=_ending(law, days, found)
    )


def _against_the_deck(
    law: Law, days: tuple[DayReading, ...], *, by_points: bool
) -> list[Objection]:
    """Points of several days or players that runners and one deck cannot have brought together."""
    if not by_points:
        gains = zip(*(day.by_cards for day in days), strict=True)
        return against_gains(law, [{one} for one in gains])
    usable = law.deck.of_one_day(law.steps)
    ways = []
    for seat, points in enumerate(zip(*(day.points for day in days), strict=True)):
        right, own = ways_to_score(law, points, usable)
        if not own:
            params = {"day": right, "seat": seat, "points": points[right]}
            return [Objection(path=f"days/{right}/{seat}", code="points_none", params=params)]
        ways.append(own)
    return against_gains(law, ways)


def _ending(law: Law, days: tuple[DayReading, ...], found: list[Objection]) -> Ending | None:
    if found or len(days) != law.days:
        return None
    return ending([day.points for day in days])


def _judgement(rules: Rules, seats: int, reading: Reading) -> games.Judgement:
    names = seat_names(seats)
    days = [day.points for day in reading.days]
    return games.Judgement(
        points=totals_of(days) if days else (0,) * seats,
        places=reading.ending.places if reading.ending else (),
        over=reading.over,
        evidence=EVIDENCE[reading.way],
        objections=tuple(
            games.Objection(path=found.path, sentence=say(rules, found, names), ruling=found.ruling)
            for found in reading.objections
        ),
        lines=tuple(lines(reading, names)),
    )
