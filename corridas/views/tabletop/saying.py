"""What the pad says: what is drawn next, what the last card brought, how a lidia ended."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from django.utils.translation import gettext as _

from corridas.engine import (
    MARKS,
    STROKES,
    AvisoRead,
    BullRead,
    Digit,
    Event,
    IndultoChecked,
    InjuryRead,
    Kind,
    LidiaResult,
    Move,
    Scored,
    Side,
    Stroke,
    Substituted,
)
from corridas.queries.verdicts import NAMES, verdict
from corridas.sheets import Awaits, Pad, Use
from corridas.stage.table import signed

TERCIOS: Final = {1: "1s", 2: "2s", 3: "3s"}


def asked(pad: Pad, names: Sequence[str]) -> str:
    """What the next card is drawn for."""
    awaits = pad.awaits
    if awaits is None:
        return ""
    if awaits.use in _FIXED:
        return _fixed(awaits)
    if awaits.use is Use.MARK:
        return _mark(awaits, pad)
    if awaits.use is Use.INJURY:
        words = {"name": names[pad.on_the_sand]}
        return _("Herida: draw one more card. If it is a 0, %(name)s is out.") % words
    return _("Kill, card %(stroke)s of %(of)s: read its KILL line.") % {
        "stroke": awaits.mark,
        "of": STROKES,
    }


_FIXED: Final = (
    Use.SCORE,
    Use.BULL_SCORE,
    Use.ANSWER,
    Use.AVISO,
    Use.INDULTO,
    Use.FINAL,
)


def _fixed(awaits: Awaits) -> str:
    if awaits.use is Use.INDULTO:
        tens = _("Check for an indulto: draw the first of two cards, for the tens.")
        return (
            tens if awaits.tens else _("Check for an indulto: draw the second card, for the units.")
        )
    if awaits.use is Use.FINAL:
        tens = _("Final number: draw the first of two cards, for the tens.")
        return tens if awaits.tens else _("Final number: draw the second card, for the units.")
    return {
        Use.SCORE: _("The matador scores: draw another card for the number of points."),
        Use.BULL_SCORE: _("The bull scores: draw another card for the number of points."),
        Use.ANSWER: _("The bull answers: draw another card and read its BULL line."),
        Use.AVISO: _("Draw another card to check for a warning."),
    }[awaits.use]


def _mark(awaits: Awaits, pad: Pad) -> str:
    words: dict[str, int]
    if awaits.tercio == 2:
        pairs = len(pad.scoresheet.tercios[1].clavars)
        words = {"mark": awaits.mark, "pairs": pairs}
        return (
            _(
                "Second tercio, mark %(mark)s: draw a card and read its 2s line. CLAVAR "
                "%(pairs)s of 2."
            )
            % words
        )
    words = {"mark": awaits.mark, "of": MARKS}
    if awaits.tercio == 1:
        return _("First tercio, mark %(mark)s of %(of)s: draw a card and read its 1s line.") % words
    return _("Faena, mark %(mark)s of %(of)s: draw a card and read its 3s line.") % words


def told(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    """What the last card brought, in a few words each."""
    return [said for event in events if (said := _told(event, names))]


def _told(event: Event, names: Sequence[str]) -> str:
    match event:
        case Move(tercio=tercio, reading=reading):
            return f"{TERCIOS[tercio]} {reading}".replace("-", "−")
        case Scored(by=by, points=points):
            gained = _("matador") if by is Side.MATADOR else _("bull")
            return f"{gained} {signed(points)}"
        case BullRead(reading=reading):
            return f"BULL {reading}".replace("-", "−")
        case Stroke(modifier=modifier):
            return f"KILL {signed(modifier)}"
        case _:
            return _told_besides(event, names)


def _told_besides(event: Event, names: Sequence[str]) -> str:
    match event:
        case InjuryRead(matador=matador, hurt=hurt):
            words = {"name": names[matador]}
            return (_("%(name)s is injured") if hurt else _("%(name)s can continue")) % words
        case Substituted(by=by):
            return _("%(name)s takes over and finishes the lidia") % {"name": names[by]}
        case AvisoRead(number=number, warned=warned, avisos=avisos):
            figures = {"number": number, "avisos": avisos}
            if warned:
                return _("%(number)s: warning no. %(avisos)s") % figures
            return _("%(number)s: no warning") % figures
        case IndultoChecked(number=number, spared=spared):
            said = _("%(number)s: the bull is spared") if spared else _("%(number)s: no indulto")
            return said % {"number": number}
        case Digit(tens=True):
            return _("tens")
        case _:
            return ""


def is_special(text: str) -> bool:
    """Whether a reading asks for more than its mark: it is told apart on the pad."""
    kinds = {Kind.BULL.name, Kind.CLAVAR.name, Kind.HERIDA.name}
    return text[-1:] in "+-−" or text.rstrip("+-−").strip() in kinds


def outcome_of(result: LidiaResult) -> dict[str, object]:
    """A result as its line shows it: verdict, vuelta, avisos, number."""
    crowd = int(result.crowd) if result.crowd is not None else None
    name = verdict(int(result.trophy or 0), crowd)
    return {
        "verdict": NAMES[name] if name else "",
        "trophy": bool(result.trophy),
        "spared": result.ending.value == "spared",
        "broken": result.ending.value == "broken_off",
        "stopped": result.ending.value == "three_avisos",
        "vuelta": bool(result.vuelta),
        "avisos": result.avisos,
        "number": result.number,
        "score": None if result.score is None else signed(result.score),
    }
