"""One lidia: a bull from the toril to its death, or to its indulto."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from corridas.engine.events import Ended, Ending, Event, record
from corridas.engine.kill import AVISOS_TO_STOP, NO_KILL, KillTally, play_kill
from corridas.engine.matador import Crowd, Trophy
from corridas.engine.pile import Pile
from corridas.engine.sand import NobodyAbleError, Sand
from corridas.engine.tercios import check_indulto, play_faena, play_first, play_second
from corridas.engine.verdict import give_verdict, settle


class LidiaResult(NamedTuple):
    """The result of a lidia. Matadors are places 0-2 in the order of appearance.

    `kill_points` is the sum of modifiers alone, 0 or less; `avisos` is 0-3. `score` is the final
    score after division and `number` the modified one, 1-100; both are None where the bullfight was
    stopped or broken off (Rulings I-10, I-16). `crowd` is None with a trophy. `finisher`, `trophy`
    and `vuelta` are None where it was broken off.
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
    """A played lidia: turn 0-5, the cards drawn as bytes (0-69), its events, its result."""

    turn: int
    draws: bytes
    events: tuple[Event, ...]
    result: LidiaResult


def play_lidia(sand: Sand, turn: int, starter: int, pile: Pile) -> LidiaRecord:
    """Play one bull with cards of `pile`; injured matadors are no longer able (Rulings I-4 to
    I-16).
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
    score = settle(sand, tally).score
    verdict = give_verdict(sand, score)
    ending = Ending.SPARED if spared else Ending.KILLED
    return _result(sand, starter, ending, sand.matador, tally, (score, *verdict[1:]))


def _break_off(sand: Sand, starter: int) -> LidiaResult:
    """End a lidia without able matadors: points and injuries stay, without result (Ruling I-16)."""
    return _result(sand, starter, Ending.BROKEN_OFF, None, NO_KILL, _NO_RESULT)


# score, number, trophy, vuelta, crowd
Outcome: TypeAlias = tuple[int | None, int | None, Trophy | None, bool | None, Crowd | None]
# after a third warning (Ruling I-10) and without a result
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
