"""Fills in the rulebook's scoresheet from the events of a fight."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass, field

from corridas.engine.deck import Kind
from corridas.engine.events import (
    AvisoRead,
    Ended,
    Ending,
    Event,
    FinalVerdict,
    IndultoChecked,
    InjuryRead,
    Move,
    Scored,
    Settled,
    Side,
    Stroke,
    Substituted,
)


@dataclass(slots=True)
class TercioSheet:
    """The scoresheet of one act: number of moves, moves with CLAVAR, points of matador and bull."""

    marks: int = 0
    clavars: list[int] = field(default_factory=list)
    matador: list[int] = field(default_factory=list)
    bull: list[int] = field(default_factory=list)


@dataclass(slots=True)
class Scoresheet:
    """The scoresheet of a fight so far.

    `matador` is the place (0-2) of the matador in the ring in the order of appearance.
    """

    matador: int
    tercios: tuple[TercioSheet, TercioSheet, TercioSheet] = field(
        default_factory=lambda: (TercioSheet(), TercioSheet(), TercioSheet())
    )
    modifiers: list[int] = field(default_factory=list)
    avisos: int = 0
    injured: list[int] = field(default_factory=list)
    indulto: IndultoChecked | None = None
    settled: Settled | None = None
    verdict: FinalVerdict | None = None
    ending: Ending | None = None

    @property
    def matador_points(self) -> int:
        """Sum of the matador's points so far."""
        return sum(sum(tercio.matador) for tercio in self.tercios)

    @property
    def bull_points(self) -> int:
        """Sum of the bull's points so far."""
        return sum(sum(tercio.bull) for tercio in self.tercios)


def fill(events: Iterable[Event], starter: int) -> Scoresheet:
    """Return the scoresheet after these events. `starter` is the matador who began the fight."""
    sheet = Scoresheet(starter)
    for event in events:
        _write(sheet, event)
    return sheet


def _write(sheet: Scoresheet, event: Event) -> None:
    match event:
        case Move(tercio=tercio, mark=mark, reading=reading):
            column = sheet.tercios[tercio - 1]
            column.marks = mark
            if reading.kind is Kind.CLAVAR:
                column.clavars.append(mark)
        case Scored(by=by, tercio=tercio, points=points):
            column = sheet.tercios[tercio - 1]
            (column.matador if by is Side.MATADOR else column.bull).append(points)
        case Stroke(modifier=modifier):
            sheet.modifiers.append(modifier)
        case AvisoRead(avisos=avisos):
            sheet.avisos = avisos
        case _:
            _write_consequence(sheet, event)


def _write_consequence(sheet: Scoresheet, event: Event) -> None:
    match event:
        case InjuryRead(matador=matador, hurt=True):
            sheet.injured.append(matador)
        case Substituted(by=by):
            sheet.matador = by
        case IndultoChecked():
            sheet.indulto = event
        case Settled():
            sheet.settled = event
        case FinalVerdict():
            sheet.verdict = event
        case Ended(ending=ending):
            sheet.ending = ending
        case _:
            pass
