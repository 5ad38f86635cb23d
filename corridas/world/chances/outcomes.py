"""Calculates the share of each outcome of a fight from a matador's card and the score counts."""

from __future__ import annotations

from dataclasses import dataclass, fields
from itertools import groupby
from operator import mul
from typing import Final

from corridas.engine import (
    AVISO_POINTS,
    AVISOS_TO_STOP,
    CROWD_RANGES,
    HIGHEST,
    LOWEST,
    TROPHY_RANGES,
    CartelError,
    Crowd,
    MatadorCard,
    Trophy,
    divide,
)
from corridas.world.chances.numbers import UP_TO, hits, in_range
from corridas.world.chances.scores import ScoreCounts

CATEGORIES = (1, 2, 3)
# A higher or lower score always leads to the number 100 or 1 (Ruling I-13).
_MOST = HIGHEST - LOWEST
# Probability that the drawn number plus a score is at most x, for the scores from -99 to 99 one by
# one: a slice of this table that begins at index 99 - x.
_AT_MOST: Final = tuple(UP_TO[max(0, min(HIGHEST, at))] for at in range(2 * _MOST, -2 * _MOST, -1))


@dataclass(frozen=True, slots=True, kw_only=True)
class Outcomes:
    """Share of fights with each outcome, from 0 to 1.

    The trophies, the crowd's verdicts and `three_avisos` add up to 1; each fight has one of them.
    `bronca` is without the fights stopped by the third aviso (time warning). The others can occur
    in addition: `vuelta` (lap of honour) with or without a trophy, `vuelta_without_ear`, `aviso`
    for one or more, and `indulto` (bull spared).
    """

    oreja: float
    dos_orejas: float
    rabo: float
    bronca: float
    pitos: float
    silencio: float
    division: float
    aplausos: float
    ovacion: float
    three_avisos: float
    vuelta: float
    vuelta_without_ear: float
    aviso: float
    indulto: float


# Outcomes of which each fight has exactly one.
RESULTS = (*TROPHY_RANGES, *CROWD_RANGES, "three_avisos")


@dataclass(frozen=True, slots=True, kw_only=True)
class Chances:
    """Chances that pages show.

    `ear` and `two_ears` are the shares of fights with at least one and at least two ears, and `lap`
    that with a lap of honour, with or without a trophy. `ears` is the mean number of ears per bull;
    a tail counts as two (Ruling I-17).
    """

    ear: float
    two_ears: float
    lap: float
    ears: float

    @classmethod
    def of(cls, shares: Outcomes) -> Chances:
        two_ears = shares.dos_orejas + shares.rabo
        ear = shares.oreja + two_ears
        return cls(ear=ear, two_ears=two_ears, lap=shares.vuelta, ears=ear + two_ears)


def chances(card: MatadorCard, category: int, counts: ScoreCounts) -> Chances:
    """Return the chances of a card in a plaza of this category (1 to 3).

    Raises `CartelError` for another category.
    """
    return Chances.of(outcomes(card, category, counts))


def outcomes(card: MatadorCard, category: int, counts: ScoreCounts) -> Outcomes:
    """Return the share of each outcome of a card in a plaza of this category (1 to 3).

    Injuries are left out. Raises `CartelError` for another category.
    """
    _check(category)
    indulto = counts.sparable * in_range(card.indulto)
    warnings = hits(card.aviso)[:AVISOS_TO_STOP]
    scores = _scores(category, counts, indulto, warnings)
    shares = dict.fromkeys((field.name for field in fields(Outcomes)), 0.0)
    below = 0.0
    for (trophy, vuelta, crowd), numbers in groupby(range(LOWEST, HIGHEST + 1), card.outcome):
        *_, last = numbers
        at_most = _at_most(last, scores)
        share, below = at_most - below, at_most
        shares[CROWD_RANGES[crowd - 1] if crowd else TROPHY_RANGES[trophy - 1]] += share
        if vuelta:
            shares["vuelta"] += share
            shares["vuelta_without_ear"] += 0.0 if trophy else share
    shares["three_avisos"] = (1 - indulto) * max(0.0, 1 - sum(warnings))
    shares["aviso"] = (1 - indulto) * (1 - warnings[0])
    shares["indulto"] = indulto
    return Outcomes(**shares)


@dataclass(frozen=True, slots=True)
class ResultShare:
    """Share of fights, from 0 to 1, with this verdict on a bull that was killed or spared."""

    trophy: Trophy
    vuelta: bool
    crowd: Crowd | None
    spared: bool
    share: float


def result_shares(card: MatadorCard, category: int, counts: ScoreCounts) -> list[ResultShare]:
    """Return the share of every verdict of a card, for killed and spared bulls on their own.

    With the fights that are stopped by the third aviso, `Outcomes.three_avisos`, they add up to 1.
    Injuries are left out. Raises `CartelError` for another category than 1 to 3.
    """
    _check(category)
    indulto = counts.sparable * in_range(card.indulto)
    killed, spared = ([0.0] * (2 * _MOST + 1) for _ in range(2))
    _add_killed(killed, category, counts, indulto, hits(card.aviso)[:AVISOS_TO_STOP])
    _add_spared(spared, category, counts, indulto)
    shares: list[ResultShare] = []
    for is_spared, scores in ((False, killed), (True, spared))[: 2 if indulto else 1]:
        below = 0.0
        for verdict, numbers in groupby(range(LOWEST, HIGHEST + 1), card.outcome):
            *_, last = numbers
            at_most = _at_most(last, scores)
            shares.append(ResultShare(*verdict, is_spared, at_most - below))
            below = at_most
    return shares


def _check(category: int) -> None:
    if category not in CATEGORIES:
        raise CartelError(f"A plaza is rated 1, 2 or 3, not {category} (Ruling I-12).")


def _scores(
    category: int, counts: ScoreCounts, indulto: float, warnings: tuple[float, ...]
) -> list[float]:
    """Return the share of each score after division, from -99 to 99.

    `warnings` are the probabilities of no, one and two avisos (time warnings). Fights stopped by
    the third aviso have no score.
    """
    scores = [0.0] * (2 * _MOST + 1)
    _add_killed(scores, category, counts, indulto, warnings)
    _add_spared(scores, category, counts, indulto)
    return scores


def _add_killed(
    scores: list[float],
    category: int,
    counts: ScoreCounts,
    indulto: float,
    warnings: tuple[float, ...],
) -> None:
    for avisos, chance in enumerate(warnings):
        weight = (1 - indulto) * chance / counts.killed.total
        for score, fights in counts.killed.items():
            divided = divide(score + AVISO_POINTS * avisos, category)
            scores[max(-_MOST, min(_MOST, divided)) + _MOST] += weight * fights


def _add_spared(scores: list[float], category: int, counts: ScoreCounts, indulto: float) -> None:
    if indulto:
        weight = indulto / counts.spared.total
        for score, fights in counts.spared.items():
            divided = divide(score, category)
            scores[max(-_MOST, min(_MOST, divided)) + _MOST] += weight * fights


def _at_most(number: int, scores: list[float]) -> float:
    """Return the share of fights whose modified number is at most `number` (Ruling I-13)."""
    if number >= HIGHEST:
        return sum(scores)
    first = _MOST - number
    share: float = sum(map(mul, scores, _AT_MOST[first : first + len(scores)]))
    return share
