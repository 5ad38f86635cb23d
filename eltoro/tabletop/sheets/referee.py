"""The referee of leagues: takes rules and sheet as JSON and returns a judgement."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from eltoro.engine import Game, IllegalMove, Move, Rules
from eltoro.tabletop.sheets.days import against_gains, judge_arrivals, judge_points, ways_to_score
from eltoro.tabletop.sheets.parser import JSON, read_sheet
from eltoro.tabletop.sheets.reading import (
    DayReading,
    Ending,
    Objection,
    Param,
    Reading,
    Sheet,
    SheetKind,
    ending_of,
    totals_of,
)
from eltoro.tabletop.sheets.sentences import objection_sentence, reading_lines
from eltoro.tabletop.sheets.sheet_rules import SheetRules
from fairness import Seed
from leagues import games


def judge_log(rules: Rules, players: int, seed: str, moves: Sequence[str]) -> Reading:
    """Replay an evening up to the first illegal move."""
    read = read_seed(seed)
    if read is None:
        return _reading_with_fault(Objection(path="seed", code="no_seed"))
    game = Game.new(rules, players, read)
    for number, text in enumerate(moves):
        fault = _play_move(game, number, text)
        if fault is not None:
            return _reading_with_fault(fault)
    return _replayed(game, len(moves))


def read_seed(text: str) -> Seed | None:
    """Parse 32 bytes of hexadecimal digits. Returns None if they are invalid."""
    try:
        return Seed(bytes.fromhex(text))
    except ValueError:
        return None


def _play_move(game: Game, number: int, text: str) -> Objection | None:
    """Play one move and return an objection, if any."""
    path = f"moves/{number}"
    if game.over:
        return Objection(path=path, code="went_on", params={"number": number})
    try:
        game.play(Move.read(text))
    except IllegalMove as why:
        params: dict[str, Param] = {"number": number, "move": text, "why": why.code}
        params |= {f"why_{name}": str(value) for name, value in why.params.items()}
        return Objection(path=path, code="refused", params=params)
    except ValueError:
        return Objection(path=path, code="no_move", params={"number": number, "move": text})
    return None


def _reading_with_fault(fault: Objection) -> Reading:
    return Reading(way=SheetKind.LOG, objections=(fault,))


def _replayed(game: Game, moves: int) -> Reading:
    days = tuple(tuple(points) for points in game.day_points)
    return Reading(
        way=SheetKind.LOG,
        days=tuple(DayReading(points=points) for points in days),
        ending=ending_of(days) if game.over else None,
        moves=moves,
    )


EVIDENCE: Final = {SheetKind.POINTS: "score", SheetKind.ARRIVALS: "sheet", SheetKind.LOG: "log"}
MIN_PLAYERS, MAX_PLAYERS = 2, 6


class ElToroReferee(games.SheetReferee[Rules]):
    """Checks what a table recorded. The `Referee` of the game."""

    def read_rules(self, rules: JSON) -> Rules:
        return Rules.from_options(rules)

    def judge_sheet(self, rules: Rules, seats: int, sheet: JSON) -> games.Judgement:
        return _judgement(rules, seats, read_evening(rules, seats, sheet))


referee = ElToroReferee()


def read_evening(rules: Rules, players: int, content: JSON) -> Reading:
    if not MIN_PLAYERS <= players <= MAX_PLAYERS:
        fault = Objection(path="players", code="players", params={"players": players})
        return Reading(way=SheetKind.POINTS, objections=(fault,))
    written = read_sheet(content, players)
    if written.faults:
        return Reading(way=written.way, objections=written.faults)
    if written.way is SheetKind.LOG:
        return judge_log(rules, players, written.seed, written.moves)
    return _read_days(SheetRules.of(rules, players), written)


def _read_days(law: SheetRules, written: Sheet) -> Reading:
    by_points = written.way is SheetKind.POINTS
    days = judge_points(law, written.points) if by_points else judge_arrivals(law, written.days)
    found = [fault for day in days for fault in day.objections]
    if len(days) > law.days:
        found.append(Objection(path="days", code="too_many_days", params={"days": law.days}))
    if not any(not fault.missing for fault in found):
        found += _check_deck(law, days, by_points=by_points)
    if not days:
        found.append(Objection(path="days", code="nothing"))
    return Reading(
        way=written.way, days=days, objections=tuple(found), ending=_ending(law, days, found)
    )


def _check_deck(
    law: SheetRules, days: tuple[DayReading, ...], *, by_points: bool
) -> list[Objection]:
    """Object to points that runners and one deck cannot have brought together."""
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


def _ending(law: SheetRules, days: tuple[DayReading, ...], found: list[Objection]) -> Ending | None:
    if found or len(days) != law.days:
        return None
    return ending_of([day.points for day in days])


def _judgement(rules: Rules, seats: int, reading: Reading) -> games.Judgement:
    names = games.seat_names(seats)
    days = [day.points for day in reading.days]
    return games.Judgement(
        points=totals_of(days) if days else (0,) * seats,
        places=reading.ending.places if reading.ending else (),
        over=reading.over,
        evidence=EVIDENCE[reading.way],
        objections=tuple(
            games.Objection(
                path=found.path,
                sentence=objection_sentence(rules, found, names),
                ruling=found.ruling,
            )
            for found in reading.objections
        ),
        lines=tuple(reading_lines(reading, names)),
    )
