"""One moment of a corrida as the page shows it."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property

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
    InjuryRead,
    Kind,
    Move,
    Reading,
    Scored,
    Scoresheet,
    Settled,
    Stroke,
    TercioEnded,
    Verdict,
    by_card,
    fill,
    first_cards,
    write_lidia,
)
from corridas.stage import paper, ring, trophies
from corridas.stage.beats import Beat, beats
from corridas.stage.phrasebook import Voice, say
from corridas.stage.showing import Person, Showing, Toro
from corridas.stage.story import Teller, Told, aside, finale, paseillo
from corridas.stage.table import Face, faces
from corridas.world.broadcast import Address

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


LINES = 7
"""Lines of the story beside the ring."""


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    """A showing at one of its moments (0 is the paseíllo), told in a voice."""

    showing: Showing
    moment: int
    voice: Voice

    @property
    def number(self) -> int:
        """The moment's number in the feed, from 1."""
        return self.moment + 1

    @cached_property
    def address(self) -> Address:
        """Turn and cards: (0, 0) the paseíllo, the turn after the last the end."""
        return self.showing.timeline.address(self.moment)

    @property
    def turn(self) -> int:
        """The lidia on the sand, 1-6; 0 in the paseíllo, the last one at the end."""
        return min(self.address.turn, self.showing.timeline.lidias)

    @property
    def phase(self) -> str:
        """`paseillo`, `lidia` or `end`."""
        if not self.address.turn:
            return "paseillo"
        return "end" if self.address.turn > self.showing.timeline.lidias else "lidia"

    @property
    def finished(self) -> int:
        """Lidias shown to their last card."""
        return self.showing.timeline.position(self.moment).finished

    @property
    def done(self) -> bool:
        """Whether the last card of the lidia lies open."""
        return self.turn > 0 and self.finished >= self.turn

    @property
    def suspended(self) -> bool:
        """Whether the corrida has been seen to break off."""
        return self.phase == "end" and self.showing.record.suspended

    @property
    def cards(self) -> int:
        """Cards of the lidia that lie open."""
        return self.showing.timeline.position(self.moment).card

    @property
    def previous(self) -> Address | None:
        """The address of the moment before."""
        return self.showing.timeline.address(self.moment - 1) if self.moment else None

    @property
    def following(self) -> Address | None:
        """The address of the moment after, which may not have been reached; None at the end.

        It tells nothing: the last card of a lidia is seen to be the last.
        """
        if self.phase == "end":
            return None
        return self.showing.timeline.address(self.moment + 1)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        """What the open cards have told."""
        return first_cards(self.showing.lidia(self.turn).events, self.cards) if self.turn else ()

    @cached_property
    def sheet(self) -> Scoresheet:
        """The scoresheet so far."""
        return fill(self.events, self.showing.lidia(self.turn).result.starter if self.turn else 0)

    @cached_property
    def beats(self) -> list[Beat]:
        """The beats so far."""
        starter = self.showing.lidia(self.turn).result.starter if self.turn else 0
        return beats(self.events, starter)

    @property
    def matador(self) -> Person:
        """Who is on the sand."""
        return self.showing.matadors[self.sheet.matador]

    @property
    def bull(self) -> Toro | None:
        """The bull on the sand, None in the paseíllo."""
        return self.showing.bull_of(self.turn) if self.turn else None

    @cached_property
    def ring(self) -> ring.Ring:
        """The ring."""
        ends = {event.tercio for event in self.events if isinstance(event, TercioEnded)}
        ended = (1 in ends, 2 in ends, 3 in ends)
        return ring.draw(self.sheet, ended=ended, kill=3 in ends, over=self.done or not self.turn)

    @cached_property
    def paper(self) -> paper.Paper:
        """The scoresheet as written."""
        newest = self.beats[-1] if self.beats else None
        return paper.write(self.sheet, newest, self.ring.tercio)

    @property
    def faces(self) -> tuple[Face, ...]:
        """The cards on the table; none before the first is drawn, and none at the end."""
        if not self.beats or self.phase == "end":
            return ()
        return faces(self.showing.deck, self.beats[-1], self.voice)

    @cached_property
    def told(self) -> list[Told]:
        """The whole story so far, the newest line first."""
        if self.phase == "paseillo":
            return [paseillo(self.showing, self.voice)]
        lines = Teller(self.showing, self.turn, self.voice).tell(self.beats)
        if self.phase == "end":
            lines.append(finale(self.showing, self.voice))
        return lines[::-1]

    @property
    def story(self) -> list[Told]:
        """The newest lines."""
        return self.told[:LINES]

    @property
    def hint(self) -> Told:
        """What comes next, as far as the table tells; without words where nothing does."""
        if self.phase != "lidia" or (self.done and self.turn == len(self.showing.bulls)):
            return aside("")
        return hint(self.showing, self.turn, self.beats, self.sheet, self.voice)

    @property
    def turns(self) -> tuple[trophies.Turn, ...]:
        """The six turns."""
        on_sand = self.turn if self.phase == "lidia" else 0
        return trophies.turns(self.showing, self.finished, on_sand)

    @property
    def ahead(self) -> tuple[trophies.Share, ...]:
        """Who has won what so far, the leader first."""
        return trophies.ahead(self.showing, self.finished)

    @property
    def badges(self) -> tuple[trophies.Badge, ...]:
        """The result of the lidia once it is done."""
        return trophies.badges(self.showing.lidia(self.turn).result) if self.done else ()

    @property
    def notation(self) -> str:
        """The lidia so far on one line."""
        return write_lidia(self.events)


def _tells(event: Event) -> bool:
    """Whether an event is one that a hurried viewer wants to see."""
    match event:
        case Scored() | IndultoChecked() | Verdict():
            return True
        case InjuryRead(hurt=hurt):
            return hurt
        case AvisoRead(warned=warned):
            return warned
        case _:
            return False


def scores(showing: Showing) -> list[int]:
    """The moments that change a score or bring a verdict, in order."""
    return [
        showing.timeline.moment((turn, position + 1))
        for turn, lidia in enumerate(showing.record.lidias, start=1)
        for position, event in by_card(lidia.events)
        if _tells(event)
    ]


def next_score(showing: Showing, moment: int) -> int | None:
    """The first such moment after another; None where there is none."""
    found = scores(showing)
    place = bisect_right(found, moment)
    return found[place] if place < len(found) else None
