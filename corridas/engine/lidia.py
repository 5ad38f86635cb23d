"""One lidia: a bull from the toril to the mules, or back to the field."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from corridas.engine.deck import Deck
from corridas.engine.events import Ended, Ending, Event
from corridas.engine.kill import KillTally, play_kill
from corridas.engine.matador import Crowd, MatadorCard, Trophy
from corridas.engine.pile import Pile
from corridas.engine.rules import Rules
from corridas.engine.sand import NobodyAble, Sand
from corridas.engine.tercios import check_indulto, play_faena, play_first, play_second
from corridas.engine.verdict import give_verdict, settle


@dataclass(frozen=True, slots=True, kw_only=True)
class LidiaResult:
    """What stands in the record of a lidia. Matadors are places 0-2 in the order of appearance.

    `kill_points` are the modifiers alone, 0 or less; `avisos` 0-3; `score` the final score after
    division and `number` the modified one, 1-100: both None where the bullfight was stopped or
    broken off (Rulings I-10, I-16). `crowd` is None with a trophy; `finisher`, `trophy` and
    `vuelta` are None where it was broken off.
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


@dataclass(frozen=True, slots=True)
class LidiaRecord:
    """A played lidia: turn 0-5, the cards drawn as bytes (0-69), its events, its result."""

    turn: int
    draws: bytes
    events: tuple[Event, ...]
    result: LidiaResult


def play_lidia(
    rules: Rules,
    deck: Deck,
    plaza_rating: int,
    matadors: Sequence[MatadorCard],
    able: list[int],
    turn: int,
    starter: int,
    pile: Pile,
) -> LidiaRecord:
    """Play one bull out of `pile`. Who is hurt is taken out of `able` (Rulings I-4 to I-16)."""
    sand = Sand(rules, deck, matadors, able, starter, pile)
    try:
        result = _play(sand, starter, plaza_rating)
    except NobodyAble:
        result = _break_off(sand, starter)
    sand.events.append(Ended(sand.position, result.ending))
    return LidiaRecord(turn, bytes(pile.drawn), tuple(sand.events), result)


def _play(sand: Sand, starter: int, plaza_rating: int) -> LidiaResult:
    play_first(sand)
    play_second(sand)
    play_faena(sand)
    spared = check_indulto(sand)
    tally = KillTally(0, 0) if spared else play_kill(sand)
    if tally.stopped:
        return _stop(sand, starter, tally)
    settled = settle(sand, tally, plaza_rating)
    verdict = give_verdict(sand, settled.score)
    return LidiaResult(
        ending=Ending.SPARED if spared else Ending.KILLED,
        starter=starter,
        finisher=sand.matador,
        injured=tuple(sand.injured),
        matador_points=sand.matador_points,
        bull_points=sand.bull_points,
        kill_points=tally.modifiers,
        avisos=tally.avisos,
        score=settled.score,
        number=verdict.number,
        trophy=verdict.trophy,
        vuelta=verdict.vuelta,
        crowd=verdict.crowd,
    )


def _stop(sand: Sand, starter: int, tally: KillTally) -> LidiaResult:
    """Three warnings: no score, no trophy, no vuelta, BRONCA (Ruling I-10)."""
    return LidiaResult(
        ending=Ending.THREE_AVISOS,
        starter=starter,
        finisher=sand.matador,
        injured=tuple(sand.injured),
        matador_points=sand.matador_points,
        bull_points=sand.bull_points,
        kill_points=tally.modifiers,
        avisos=tally.avisos,
        trophy=Trophy.NONE,
        vuelta=False,
        crowd=Crowd.BRONCA,
    )


def _break_off(sand: Sand, starter: int) -> LidiaResult:
    """Nobody is able: points and injuries stay, there is no result (Ruling I-16)."""
    return LidiaResult(
        ending=Ending.BROKEN_OFF,
        starter=starter,
        finisher=None,
        injured=tuple(sand.injured),
        matador_points=sand.matador_points,
        bull_points=sand.bull_points,
    )
