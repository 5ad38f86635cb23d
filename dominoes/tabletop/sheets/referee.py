"""The referee of leagues: takes rules and sheet as JSON and returns a judgement."""

from __future__ import annotations

from typing import Any

from django.utils.translation import gettext as _

from dominoes import engine
from dominoes.engine import MatchReading, Rules
from dominoes.stage import sentences
from dominoes.tabletop.sheets.parser import JSON, read_sheet
from dominoes.tabletop.sheets.sentences import (
    line_sentence,
    objection_sentence,
    side_names,
)
from leagues import games


class DominoReferee(games.SheetReferee[Rules]):
    """Checks what a table recorded. The `Referee` of the game."""

    def read_rules(self, rules: JSON) -> Rules:
        return Rules.from_options(rules)

    def judge_sheet(self, rules: Rules, seats: int, sheet: JSON) -> games.Judgement:
        return _judgement(rules, seats, read_match(rules, seats, sheet))


referee = DominoReferee()


def read_match(rules: Rules, players: int, content: Any) -> MatchReading:
    sheet = read_sheet(content, players)
    if sheet.faults:
        return MatchReading(objections=sheet.faults)
    return engine.judge_match(rules, players, sheet.hands, sheet.totals, sheet.stopped)


def _judgement(rules: Rules, seats: int, reading: MatchReading) -> games.Judgement:
    names = games.seat_names(seats)
    return games.Judgement(
        points=reading.points or (0,) * seats,
        places=reading.places,
        over=reading.over and not reading.objections,
        evidence=reading.evidence,
        objections=tuple(
            games.Objection(
                path=found.path, sentence=objection_sentence(found, names), ruling=found.ruling
            )
            for found in reading.objections
        ),
        lines=tuple(_lines(rules, reading, names)),
        short=_summary(rules, reading),
    )


def _summary(rules: Rules, reading: MatchReading) -> str:
    if not reading.over or reading.objections or reading.winner is not None:
        return ""
    return _(
        "The match ended before anyone reached the target: %(points)s of %(target)s points."
    ) % {
        "points": max(reading.totals),
        "target": rules.target,
    }


def _lines(rules: Rules, reading: MatchReading, names: list[str]) -> list[str]:
    found: list[str] = []
    for hand in reading.hands:
        found += [line_sentence(line, names) for line in hand.lines]
        if hand.outcome is not None:
            found.append(sentences.winner_sentence(hand.outcome, side_names(rules, names)))
    return found
