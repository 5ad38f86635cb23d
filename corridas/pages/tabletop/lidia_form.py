"""The form to enter one fight (lidia) of a corrida at a real table, with the referee's comments.

The referee is the code that checks entered results against the rules.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, TypedDict

from django.utils.translation import gettext as _

from accounts.wording import active_language
from api.types import JSONObject
from corridas.engine import (
    BULLS,
    MARKS,
    MATADORS,
    RANGES,
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
    Scoresheet,
    Side,
    Stroke,
    Substituted,
)
from corridas.pages.tabletop.entry import (
    CARDS,
    KILL,
    SHEET,
    AtCorrida,
    Writing,
    people_of,
    reading_of,
    typed_lidia,
)
from corridas.results import NAMES, verdict
from corridas.stage import beats, paper
from corridas.stage.paper import Paper
from corridas.stage.table import kill_label, signed
from corridas.tabletop.sheets import (
    Awaits,
    LidiaReading,
    Offer,
    Pad,
    ScoresheetLine,
    SheetReading,
    State,
    Use,
)

TERCIOS: Final = {1: "1s", 2: "2s", 3: "3s"}


def question(pad: Pad, names: Sequence[str]) -> str:
    awaits = pad.awaits
    if awaits is None:
        return ""
    if awaits.use in _FIXED:
        return _fixed(awaits)
    if awaits.use is Use.MARK:
        return _mark(awaits, pad)
    if awaits.use is Use.INJURY:
        words = {"name": names[pad.on_the_sand]}
        return (
            _("Herida: draw one more card. If it is a 0, %(name)s is out of the corrida.") % words
        )
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
        Use.AVISO: _("Draw another card to check for an aviso."),
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


def event_texts(events: Sequence[Event], names: Sequence[str]) -> list[str]:
    return [text for event in events if (text := _event_text(event, names))]


def _event_text(event: Event, names: Sequence[str]) -> str:
    match event:
        case Move(tercio=tercio, reading=reading):
            return f"{TERCIOS[tercio]} {reading}".replace("-", "−")
        case Scored(by=by, points=points):
            gained = _("matador") if by is Side.MATADOR else _("bull")
            return f"{gained} {signed(points)}"
        case BullRead(reading=reading):
            return f"BULL {reading}".replace("-", "−")
        case Stroke(modifier=modifier):
            return f"{kill_label(active_language())} {signed(modifier)}"
        case _:
            return _other_event_text(event, names)


def _other_event_text(event: Event, names: Sequence[str]) -> str:
    match event:
        case InjuryRead(matador=matador, hurt=hurt):
            words = {"name": names[matador]}
            return (
                _("%(name)s is injured") if hurt else _("%(name)s can continue the lidia")
            ) % words
        case Substituted(by=by):
            return _("%(name)s takes over and finishes the lidia") % {"name": names[by]}
        case AvisoRead(number=number, warned=warned, avisos=avisos):
            figures = {"number": number, "avisos": avisos}
            if warned:
                return _("%(number)s: aviso no. %(avisos)s") % figures
            return _("%(number)s: no aviso") % figures
        case IndultoChecked(number=number, spared=spared):
            message = _("%(number)s: the bull is spared") if spared else _("%(number)s: no indulto")
            return message % {"number": number}
        case Digit(tens=True):
            return _("tens")
        case _:
            return ""


def is_special(text: str) -> bool:
    """Return whether the text of a card should be emphasised on the pad (the form for entering
    cards).

    Such a text scores or has another effect besides the hash mark that it leaves.
    """
    kinds = {Kind.BULL.name, Kind.CLAVAR.name, Kind.HERIDA.name}
    return text[-1:] in "+-−" or text.rstrip("+-−").strip() in kinds


class Outcome(TypedDict):
    """The result of a lidia (fight) for display. `verdict` is empty if there is no result yet."""

    verdict: str
    trophy: bool
    spared: bool
    broken: bool
    stopped: bool
    vuelta: bool
    avisos: int
    number: int | None
    score: str | None


def outcome_of(result: LidiaResult) -> Outcome:
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


# Order in which the form shows the referee's comments. Comments that require a correction come
# first.
FIRST: Final = (State.CONTRADICTED, State.MISSING, State.ON_TRUST, State.AGREED, State.DERIVED)


@dataclass(frozen=True, slots=True, kw_only=True)
class Tab:
    """The tab of one of the six lidias of a corrida: matador, bull and progress.

    `turn` counts from 1. `state` is `stands` (complete), `bad`, `begun`, `to_come`, or `none` if
    the corrida ended before this lidia.
    """

    turn: int
    matador: str
    bull: str
    state: str
    outcome: Outcome | None
    evidence: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Key:
    """A digit on the pad (the form for entering cards), and the cards with that number that may
    come next.
    """

    digit: int
    offers: tuple[CandidateCard, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class CandidateCard:
    """A card that may be drawn next.

    `reading` is the entry of the card that would count. `beside` are its other entries, which
    distinguish it from similar cards.
    """

    card: int
    reading: str
    beside: str
    special: bool


def bulls_of(sheet: JSONObject) -> list[str]:
    names = [str((bull or {}).get("name", "")) for bull in list(sheet.get("bulls") or [])[:BULLS]]
    return names + [""] * (BULLS - len(names))


def tabs(sheet: JSONObject, reading: SheetReading, names: Sequence[str]) -> list[Tab]:
    bulls = bulls_of(sheet)
    return [_tab(turn, names, bulls, reading) for turn in range(BULLS)]


def _tab(turn: int, names: Sequence[str], bulls: Sequence[str], reading: SheetReading) -> Tab:
    read_lidia = reading_of(reading, turn)
    result = read_lidia.result if read_lidia else None
    fighter = turn % MATADORS if result is None or result.finisher is None else result.finisher
    return Tab(
        turn=turn + 1,
        matador=names[fighter] if fighter < len(names) else "",
        bull=bulls[turn],
        state=_state(read_lidia),
        outcome=outcome_of(result) if result else None,
        evidence=read_lidia.evidence.value if read_lidia and read_lidia.evidence else "",
    )


def _state(lidia_reading: LidiaReading | None) -> str:
    if lidia_reading is None:
        return "none"
    if lidia_reading.stands:
        return "stands"
    if any(line.state is State.CONTRADICTED for line in lidia_reading.lines):
        return "bad"
    return "begun" if lidia_reading.evidence else "to_come"


class LidiaContext(TypedDict):
    """Template context of the form of one lidia.

    `turn` and `next` (the next incomplete lidia) count from 1. `stored` is the judgement of the
    saved corrida, and `lidia_reading` that of this lidia as typed. `ready` is true if it can be
    saved. `able` are the matadors not injured, by place of appearance. `ranges` are those on the
    card of the matador in the ring.
    """

    at: AtCorrida
    writing: Writing
    turn: int
    tabs: list[Tab]
    names: list[str]
    bull: str
    starter: int
    able: list[tuple[int, str]]
    ranges: list[tuple[str, str]]
    pad: Pad | None
    pad_context: PadContext | None
    paper: Paper
    kill: list[tuple[str, str]]
    lines: list[ScoresheetLine]
    lidia_reading: LidiaReading | None
    outcome: Outcome | None
    ready: bool
    saved: bool
    stored: SheetReading
    all_stand: bool
    next: int | None


def form_context(at: AtCorrida, writing: Writing) -> LidiaContext:
    content = at.content
    pad = at.pad(writing.turn)
    if writing.way == CARDS and pad is None:
        writing.way = SHEET
    stored = at.judged(content)
    starter, able = people_of(stored, writing.turn)
    names = at.billings()
    typed = {} if writing.way == CARDS else typed_lidia(at, writing, pad, stored)
    by_cards = writing.way == CARDS
    reading = stored if by_cards else at.judged(at.with_lidia(writing.turn, typed))
    read_lidia = reading_of(reading, writing.turn)
    return {
        "at": at,
        "writing": writing,
        "turn": writing.turn + 1,
        "tabs": tabs(content, stored, names),
        "names": names,
        "bull": bulls_of(content)[writing.turn],
        "starter": starter,
        "able": [(place, names[place]) for place in able if place < len(names)],
        "ranges": _ranges(at, starter, read_lidia),
        "pad": pad,
        "pad_context": pad_context(pad, names) if pad and by_cards else None,
        "paper": _paper(pad) if pad and by_cards else paper.write(Scoresheet(0), None, 0),
        "kill": [(name, writing.typed.get(name, "")) for name in KILL],
        "lines": lines_of(read_lidia, reading),
        "lidia_reading": read_lidia,
        "outcome": outcome_of(read_lidia.result) if read_lidia and read_lidia.result else None,
        "ready": bool(read_lidia and read_lidia.stands),
        "saved": by_cards or typed == at.lidias[writing.turn],
        "stored": stored,
        "all_stand": stored.stands,
        "next": _next(stored, writing.turn),
    }


def _ranges(
    at: AtCorrida, starter: int, lidia_reading: LidiaReading | None
) -> list[tuple[str, str]]:
    cartel = at.content.get("cartel") or []
    place = starter
    if lidia_reading and lidia_reading.result and lidia_reading.result.finisher is not None:
        place = lidia_reading.result.finisher
    if lidia_reading and lidia_reading.scoresheet:
        place = lidia_reading.scoresheet.matador
    if place >= len(cartel):
        return []
    ranges = dict(cartel[place].get("ranges") or {})
    return [(name, ranges.get(name, "-")) for name in RANGES if name in ("aviso", "indulto")]


def _next(stored: SheetReading, turn: int) -> int | None:
    waiting = [lidia.turn + 1 for lidia in stored.lidias if not lidia.stands]
    later = [number for number in waiting if number > turn + 1]
    return next(iter([*later, *(number for number in waiting if number != turn + 1)]), None)


class PadContext(TypedDict):
    """Template context of the pad, the form for entering cards one by one.

    It contains the keys, the card to draw next, and the last card's effects.
    """

    question: str
    keys: list[Key]
    drawn: int
    events: list[str]
    last: int | None
    number: int | None


def pad_context(pad: Pad, names: Sequence[str]) -> PadContext:
    return {
        "question": question(pad, names),
        "keys": [
            Key(
                digit=digit,
                offers=tuple(_candidate(offer, pad) for offer in pad.with_number(digit)),
            )
            for digit in range(10)
        ],
        "drawn": len(pad.cards),
        "events": event_texts(pad.last, names),
        "last": pad.cards[-1] if pad.cards else None,
        "number": pad.number,
    }


def _candidate(offer: Offer, pad: Pad) -> CandidateCard:
    entry = pad.awaits.entry if pad.awaits else "number"
    reading = offer.readings[0] if entry == "number" else offer.reading
    others = [other_reading for other_reading in offer.readings if other_reading != reading]
    return CandidateCard(
        card=offer.card,
        reading=reading.replace("-", "−"),
        beside=" · ".join(others[:2]).replace("-", "−"),
        special=entry != "number" and entry != "kill" and is_special(offer.reading),
    )


def _paper(pad: Pad) -> Paper:
    drawn = beats.beats(pad.events, pad.starter)
    return paper.write(pad.scoresheet, drawn[-1] if drawn else None, _act(pad))


def _act(pad: Pad) -> int:
    """Return the number of the current act of a lidia: tercio 1-3, 4 for the kill, 0 for none."""
    if pad.awaits is None:
        return 0
    return 4 if pad.awaits.use.value in ("stroke", "aviso") else pad.awaits.tercio


def lines_of(lidia_reading: LidiaReading | None, reading: SheetReading) -> list[ScoresheetLine]:
    own = list(lidia_reading.lines) if lidia_reading else []
    lines = [line for line in reading.lines if line.refuses] + own
    return sorted(lines, key=lambda line: FIRST.index(line.state))
