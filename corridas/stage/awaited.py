"""What is to be drawn next and what for, as far as the cards on the table tell."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from corridas.engine import (
    MARKS,
    STROKES,
    AvisoRead,
    BullRead,
    Digit,
    Ended,
    Ending,
    Event,
    IndultoChecked,
    Kind,
    Move,
    Reading,
    Scoresheet,
    Settled,
    Stroke,
    TercioEnded,
    Verdict,
)
from corridas.phrasebook import Voice, say
from corridas.stage.beats import Beat
from corridas.stage.showing import Showing
from corridas.story import Told, aside

PAIRS = 2
Next = tuple[str, dict[str, object]]


def hint(
    showing: Showing, turn: int, beats: Sequence[Beat], sheet: Scoresheet, voice: Voice
) -> Told:
    """One or two sentences; without words where nothing is to come."""
    bull = {"b": showing.bull_of(turn).name}
    keys = _next(beats, sheet) if beats else [("first", {})]
    return aside(" ".join(say("next", key, 0, voice, bull | names) for key, names in keys))


def _next(beats: Sequence[Beat], sheet: Scoresheet) -> Iterator[Next]:
    event = beats[-1].events[-1]
    match event:
        case Move() | BullRead() if _asks(event.reading):
            yield "score", {}
        case TercioEnded(tercio=3):
            yield ("indulto" if sheet.bull_points > 0 else "kill"), {}
        case AvisoRead():
            yield from _steel(STROKES - len(sheet.modifiers))
        case _:
            key = _closing(event)
            yield from [(key, {})] if key else _marks(beats[-1], sheet)


def _closing(event: Event) -> str:
    """The key of a hint that depends on the last event alone; empty within a tercio."""
    match event:
        case Ended(ending=ending):
            return "" if ending is Ending.BROKEN_OFF else "next_bull"
        case Digit(tens=True):
            return "units"
        case Stroke():
            return "clock"
        case Settled() | Verdict():
            return "final"
        case IndultoChecked():
            return "kill"
        case _:
            return ""


def _asks(reading: Reading) -> bool:
    """Whether a reading asks for one card more, where it is the last thing seen."""
    return bool(reading.sign) or reading.kind in (Kind.BULL, Kind.HERIDA)


def _steel(left: int) -> Iterator[Next]:
    yield ("strokes" if left > 1 else "stroke_last"), {"count": left}


def _marks(beat: Beat, sheet: Scoresheet) -> Iterator[Next]:
    opening = beat.opening
    if sheet.ending or not isinstance(opening, Move):
        return
    tercio = opening.tercio + (beat.find(TercioEnded) is not None)
    column = sheet.tercios[tercio - 1]
    if tercio == 2:
        yield f"pairs_{PAIRS - len(column.clavars)}", {}
        return
    left = MARKS - column.marks
    yield ("tercio" if left > 1 else "tercio_last"), {"count": left}
    if tercio == 3 and sheet.bull_points > 0:
        yield "indulto_open", {}
