"""Check that the events and the result of a lidia, as the engine returns them, are consistent."""

from __future__ import annotations

from corridas.engine import (
    AvisoRead,
    BullRead,
    Ended,
    FinalVerdict,
    IndultoChecked,
    InjuryRead,
    LidiaRecord,
    Move,
    Settled,
    Stroke,
    Substituted,
    by_card,
    fill,
)
from tests.corridas.oracle.paper import CardText, column


def stand_alone(lidia: LidiaRecord) -> list[str]:
    """Return descriptions of all contradictions in the events and the result of a lidia."""
    sheet = fill(lidia.events, lidia.result.starter)
    places = [position for position, _ in by_card(lidia.events)]
    ends = [event for event in lidia.events if isinstance(event, Ended)]
    claims = {
        "one Ended, and it comes last": ends == [lidia.events[-1]],
        "Ended says how": ends[0].ending is lidia.result.ending,
        "every card has an event": set(places) == set(range(len(lidia.draws))),
        "totals of the sheet": (sheet.matador_points, sheet.bull_points)
        == (lidia.result.matador_points, lidia.result.bull_points),
        "matador at the end": lidia.result.finisher in (sheet.matador, None),
        "injured": tuple(sheet.injured) == lidia.result.injured,
        "cards are those drawn": cards_are_those_drawn(lidia),
        "counters": counters_hold(lidia),
        "replacements": replacements_hold(lidia),
        "verdict": verdict_holds(lidia),
    }
    return [claim for claim, holds in claims.items() if not holds]


def cards_are_those_drawn(lidia: LidiaRecord) -> bool:
    """Return whether every event names the card that was drawn at its position."""
    return all(
        lidia.draws[position] == getattr(event, "card", lidia.draws[position])
        for position, event in by_card(lidia.events)
    )


def misread(lidia: LidiaRecord, pack: list[CardText]) -> list[Move | BullRead]:
    """Return the events whose text differs from the text on their card."""
    moves = [event for event in lidia.events if isinstance(event, Move)]
    answers = [event for event in lidia.events if isinstance(event, BullRead)]
    return [
        *[e for e in moves if str(e.reading) != column(pack[e.card], e.tercio)],
        *[e for e in answers if str(e.reading) != pack[e.card]["bull"]],
    ]


def counters_hold(lidia: LidiaRecord) -> bool:
    """Return whether marks, strokes and warnings are numbered from 1 without gaps (Rulings I-4,
    I-10).
    """
    marks = [(e.tercio, e.mark) for e in lidia.events if isinstance(e, Move)]
    by_tercio = [[mark for tercio, mark in marks if tercio == t] for t in (1, 2, 3)]
    strokes = [e.stroke for e in lidia.events if isinstance(e, Stroke)]
    avisos = [e for e in lidia.events if isinstance(e, AvisoRead)]
    counts = [sum(e.warned for e in avisos[: n + 1]) for n in range(len(avisos))]
    rows = [*by_tercio, strokes]
    return [e.avisos for e in avisos] == counts and all(
        row == list(range(1, len(row) + 1)) for row in rows
    )


def replacements_hold(lidia: LidiaRecord) -> bool:
    """Return whether each injured matador is replaced at the card that injures him (Ruling I-16).

    The last matador cannot be replaced.
    """
    hurt = [
        (n, e.matador) for n, e in by_card(lidia.events) if isinstance(e, InjuryRead) and e.hurt
    ]
    replaced = [(n, e.injured) for n, e in by_card(lidia.events) if isinstance(e, Substituted)]
    return replaced == (hurt if lidia.result.finisher is not None else hurt[:-1])


def verdict_holds(lidia: LidiaRecord) -> bool:
    """Return whether the events of the verdict agree with the result (Rulings I-11 to I-13)."""
    result = lidia.result
    verdicts = [event for event in lidia.events if isinstance(event, FinalVerdict)]
    settled = [event for event in lidia.events if isinstance(event, Settled)]
    checks = [event for event in lidia.events if isinstance(event, IndultoChecked)]
    decided = result.number is not None
    points = (result.matador_points, result.bull_points, result.kill_points, result.avisos)
    outcome = (result.number, result.trophy, result.vuelta, result.crowd)
    said = [(v.number, v.trophy, v.vuelta, v.crowd) for v in verdicts]
    return (
        repr(said) == repr([outcome] * decided)
        and [(s.points, s.bull, s.kill, s.avisos) for s in settled] == [points] * decided
        and all(s.score == result.score for s in settled)
        and any(check.spared for check in checks) == (result.ending.value == "spared")
    )
