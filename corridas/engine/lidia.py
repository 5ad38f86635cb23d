"""Plays a lidia: the fight with one bull, until it is killed or spared."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from corridas.engine.events import Ended, Ending, Event, record
from corridas.engine.kill import AVISOS_TO_STOP, NO_KILL, KillTally, play_kill
from corridas.engine.matador import Crowd, Trophy
from corridas.engine.pile import Pile
from corridas.engine.sand import NobodyAbleError, Sand
from corridas.engine.tercios import check_indulto, play_faena, play_first, play_second
from corridas.engine.verdict import give_verdict, settle_score


class LidiaResult(NamedTuple):
    """The result of a lidia (the fight with one bull).

    `starter`, `finisher` and `injured` are places in the order of appearance (0-2). `kill_points`
    is the sum of the kill cards' penalties alone, 0 or less. `avisos` (time warnings) is 0-3.
    `score` is the final score after division and `number` the final number, 1-100; both are None if
    the fight was stopped or broken off (Rulings I-10, I-16). `crowd` is None if there is a trophy.
    `finisher`, `trophy` and `vuelta` (lap of honour) are None if the fight was broken off.
    """

    ending: Ending
    starter: int
    finisher: int | None
    injured: tuple[int, ...]
    matador_points: int
    bull_points: int
    kill_points: int = 0
    avisos: int = 0
    score: int | None = None
    number: int | None = None
    trophy: Trophy | None = None
    vuelta: bool | None = None
    crowd: Crowd | None = None


class LidiaRecord(NamedTuple):
    """A played fight: its turn (0-5), the drawn cards as bytes (0-69), its events and its
    result.
    """

    turn: int
    draws: bytes
    events: tuple[Event, ...]
    result: LidiaResult


def play_lidia(sand: Sand, turn: int, starter: int, pile: Pile) -> LidiaRecord:
    """Play the fight with one bull, drawing cards from `pile` (Rulings I-4 to I-16).

    Injured matadors are removed from `sand.able`.
    """
    sand.let_out(starter, pile.draw)
    try:
        result = _play(sand, starter)
    except NobodyAbleError:
        result = _break_off(sand, starter)
    sand.events.append(Ended(result.ending))
    return LidiaRecord(turn, pile.taken(), tuple(sand.events), result)


def _play(sand: Sand, starter: int) -> LidiaResult:
    play_first(sand)
    play_second(sand)
    play_faena(sand)
    spared = check_indulto(sand)
    tally = NO_KILL if spared else play_kill(sand)
    if tally.avisos == AVISOS_TO_STOP:
        return _result(sand, starter, Ending.THREE_AVISOS, sand.matador, tally, _STOPPED)
    score = settle_score(sand, tally).score
    verdict = give_verdict(sand, score)
    ending = Ending.SPARED if spared else Ending.KILLED
    return _result(sand, starter, ending, sand.matador, tally, (score, *verdict[1:]))


def _break_off(sand: Sand, starter: int) -> LidiaResult:
    """Return the result of a fight that no matador is able to finish (Ruling I-16).

    Points and injuries remain, but there is no score and no trophy.
    """
    return _result(sand, starter, Ending.BROKEN_OFF, None, NO_KILL, _NO_RESULT)


# Score, number, trophy, lap of honour and crowd's verdict of a fight.
Outcome: TypeAlias = tuple[int | None, int | None, Trophy | None, bool | None, Crowd | None]
# Outcomes of a fight stopped by the third time warning (Ruling I-10), and of one that was broken
# off.
_STOPPED: Outcome = (None, None, Trophy.NONE, False, Crowd.BRONCA)
_NO_RESULT: Outcome = (None, None, None, None, None)


def _result(
    sand: Sand,
    starter: int,
    ending: Ending,
    finisher: int | None,
    tally: KillTally,
    outcome: Outcome,
) -> LidiaResult:
    points = (sand.matador_points, sand.bull_points, tally.modifiers, tally.avisos)
    figures = (ending, starter, finisher, tuple(sand.injured), *points, *outcome)
    return record(LidiaResult, figures)
