"""Calculates trophy, vuelta and verdict of a lidia from its totals, its kill and its number."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, NamedTuple

from django.utils.translation import gettext as _

from api.types import JSON
from corridas.engine import (
    AVISO_POINTS,
    AVISOS_TO_STOP,
    CorridaSetup,
    Crowd,
    Ending,
    LidiaResult,
    Trophy,
    divide,
    final_score,
    modify,
)
from corridas.tabletop.sheets.notes import Notes
from corridas.tabletop.sheets.people import People


class LidiaFigures(NamedTuple):
    """The figures from which the result of a lidia follows.

    `drawn` is the final number as drawn.
    """

    people: People
    matador: int
    bull: int
    kill: int
    avisos: int
    spared: bool
    drawn: int | None


class Sums(NamedTuple):
    """The sums that lead to the result of a lidia (fight).

    `final` is the score before the division by the plaza's rating, `score` after it, and `modified`
    the number that is looked up on the matador's card.
    """

    final: int | None
    score: int | None
    modified: int | None


NO_SUMS = Sums(None, None, None)


def ending_of(figures: LidiaFigures) -> Ending:
    """Return how the lidia ended, such as with the death of the bull or its indulto.

    See Rulings I-9, I-10 and I-16.
    """
    if figures.people.finisher is None:
        return Ending.BROKEN_OFF
    if figures.spared:
        return Ending.SPARED
    return Ending.THREE_AVISOS if figures.avisos == AVISOS_TO_STOP else Ending.KILLED


def sums_of(setup: CorridaSetup, figures: LidiaFigures) -> Sums:
    """Return the score of a lidia and the number to look up on the card (Rulings I-11 to I-13)."""
    if figures.drawn is None:
        return NO_SUMS
    taken = figures.kill + AVISO_POINTS * min(figures.avisos, AVISOS_TO_STOP - 1)
    final = final_score(figures.matador, figures.bull, taken, setup.rules.bull_points)
    score = divide(final, setup.plaza_rating)
    return Sums(final, score, modify(figures.drawn, score))


def result_of(setup: CorridaSetup, figures: LidiaFigures, sums: Sums) -> LidiaResult:
    people, ending = figures.people, ending_of(figures)
    trophy, vuelta, crowd = card_outcome(setup, people.finisher, ending, sums.modified)
    return LidiaResult(
        ending=ending,
        starter=people.starter,
        finisher=people.finisher,
        injured=people.injured,
        matador_points=figures.matador,
        bull_points=figures.bull,
        kill_points=figures.kill,
        avisos=figures.avisos,
        score=sums.score,
        number=sums.modified,
        trophy=trophy,
        vuelta=vuelta,
        crowd=crowd,
    )


def card_outcome(
    setup: CorridaSetup, finisher: int | None, ending: Ending, modified: int | None
) -> tuple[Trophy | None, bool | None, Crowd | None]:
    """Return trophy, vuelta and verdict for this number on the finisher's card.

    See Rulings I-10, I-13 and I-16.
    """
    if ending is Ending.THREE_AVISOS:
        return Trophy.NONE, False, Crowd.BRONCA
    if finisher is None or modified is None:
        return None, None, None
    return setup.order[finisher].outcome(modified)


def settle_outcome(raw: Mapping[str, JSON], sums: Sums, result: LidiaResult, notes: Notes) -> None:
    totals = [result.matador_points, result.bull_points]
    followed: list[tuple[str, str, Any, str]] = [
        ("totals", _("totals for the matador and the bull"), totals, "I-5"),
        ("final", _("final score"), sums.final, "I-11"),
        ("score", _("score in this plaza"), sums.score, "I-12"),
        ("modified", _("number on the card"), sums.modified, "I-13"),
        ("trophy", _("trophy"), _plain(result.trophy), "I-13"),
        ("vuelta", _("vuelta"), result.vuelta, "I-13"),
        ("crowd", _("verdict"), _plain(result.crowd), "I-13"),
        ("ending", _("how it ended"), result.ending.value, "I-10"),
    ]
    for path, figure, derived, ruling in followed:
        claimed = raw.get(path)
        if claimed is not None or derived is not None:
            notes.add_derived(path, figure, claimed, derived, ruling)


def _plain(value: int | None) -> int | None:
    return None if value is None else int(value)
