"""The state of a corrida's page at one moment of the corrida."""

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
    CardEntry,
    Digit,
    Ended,
    Ending,
    Event,
    FinalVerdict,
    IndultoChecked,
    InjuryRead,
    Kind,
    Move,
    Scored,
    Scoresheet,
    Settled,
    Stroke,
    TercioEnded,
    by_card,
    fill,
    first_cards,
    write_lidia,
)
from corridas.stage import paper, ring, trophies
from corridas.stage.beats import Beat, beats
from corridas.stage.phrasebook import say
from corridas.stage.showing import Showing, ShownMatador, Toro
from corridas.stage.story import StoryLine, Teller, aside, finale, paseillo
from corridas.stage.table import Face, faces
from corridas.world.broadcast import Address

PAIRS = 2
Next = tuple[str, dict[str, object]]


def hint(
    showing: Showing, turn: int, beats: Sequence[Beat], sheet: Scoresheet, language: str
) -> StoryLine:
    bull = {"b": showing.bull_of(turn).name}
    keys = _next(beats, sheet) if beats else [("first", {})]
    return aside(" ".join(say("next", key, 0, language, bull | names) for key, names in keys))


def _next(beats: Sequence[Beat], sheet: Scoresheet) -> Iterator[Next]:
    event = beats[-1].events[-1]
    match event:
        case Move() | BullRead() if _asks_for_answer(event.reading):
            yield "score", {}
        case TercioEnded(tercio=3):
            yield ("indulto" if sheet.bull_points > 0 else "kill"), {}
        case AvisoRead():
            left = STROKES - len(sheet.modifiers)
            yield ("strokes" if left > 1 else "stroke_last"), {"count": left}
        case _:
            key = _closing(event)
            yield from [(key, {})] if key else _marks(beats[-1], sheet)


def _closing(event: Event) -> str:
    match event:
        case Ended(ending=ending):
            return "" if ending is Ending.BROKEN_OFF else "next_bull"
        case Digit(tens=True):
            return "units"
        case Stroke():
            return "clock"
        case Settled() | FinalVerdict():
            return "final"
        case IndultoChecked():
            return "kill"
        case _:
            return ""


def _asks_for_answer(reading: CardEntry) -> bool:
    return bool(reading.sign) or reading.kind in (Kind.BULL, Kind.HERIDA)


def _marks(beat: Beat, sheet: Scoresheet) -> Iterator[Next]:
    opening = beat.opening
    if sheet.ending or not isinstance(opening, Move):
        return
    tercio = opening.tercio + (beat.find_event(TercioEnded) is not None)
    column = sheet.tercios[tercio - 1]
    if tercio == 2:
        yield f"pairs_{PAIRS - len(column.clavars)}", {}
        return
    left = MARKS - column.marks
    yield ("tercio" if left > 1 else "tercio_last"), {"count": left}
    if tercio == 3 and sheet.bull_points > 0:
        yield "indulto_open", {}


KILL = 4  # the act of a line about a stroke, a number or the verdict
# Number of story lines shown beside the ring.
LINES = 7


@dataclass(frozen=True, kw_only=True, eq=False)
class Scene:
    showing: Showing
    moment: int
    language: str

    @property
    def number(self) -> int:
        """Number of this moment (step of the broadcast) in the live feed, from 1."""
        return self.moment + 1

    @cached_property
    def address(self) -> Address:
        """The turn and number of cards of this moment.

        (0, 0) is the paseíllo (entry parade), and the turn after the last one is the end of the
        corrida.
        """
        return self.showing.timeline.address(self.moment)

    @cached_property
    def turn(self) -> int:
        """Number of the current bull, 1-6.

        It is 0 during the entry parade, and the last one at the end.
        """
        return min(self.address.turn, self.showing.timeline.lidias)

    @cached_property
    def phase(self) -> str:
        if not self.address.turn:
            return "paseillo"
        return "end" if self.address.turn > self.showing.timeline.lidias else "lidia"

    @cached_property
    def finished(self) -> int:
        return self.showing.timeline.position(self.moment).finished

    @property
    def done(self) -> bool:
        return self.turn > 0 and self.finished >= self.turn

    @property
    def suspended(self) -> bool:
        return self.phase == "end" and self.showing.record.suspended

    @cached_property
    def cards(self) -> int:
        return self.showing.timeline.position(self.moment).card

    @property
    def previous(self) -> Address | None:
        return self.showing.timeline.address(self.moment - 1) if self.moment else None

    @property
    def following(self) -> Address | None:
        """The address of the next moment, even if its time has not come, or None at the end.

        This reveals nothing: viewers can see which card of a fight is the last one.
        """
        if self.phase == "end":
            return None
        return self.showing.timeline.address(self.moment + 1)

    @cached_property
    def events(self) -> tuple[Event, ...]:
        return first_cards(self.showing.lidia(self.turn).events, self.cards) if self.turn else ()

    @cached_property
    def sheet(self) -> Scoresheet:
        return fill(self.events, self.showing.lidia(self.turn).result.starter if self.turn else 0)

    @cached_property
    def beats(self) -> list[Beat]:
        starter = self.showing.lidia(self.turn).result.starter if self.turn else 0
        return beats(self.events, starter)

    @property
    def matador(self) -> ShownMatador:
        return self.showing.matadors[self.sheet.matador]

    @property
    def injured(self) -> tuple[str, ...]:
        """Names of the matadors injured in this fight."""
        return tuple(self.showing.matadors[order].name for order in self.sheet.injured)

    @property
    def bull(self) -> Toro | None:
        return self.showing.bull_of(self.turn) if self.turn else None

    @cached_property
    def ring(self) -> ring.Ring:
        ends = {event.tercio for event in self.events if isinstance(event, TercioEnded)}
        ended = (1 in ends, 2 in ends, 3 in ends)
        return ring.draw(self.sheet, ended=ended, kill=3 in ends, over=self.done or not self.turn)

    @cached_property
    def paper(self) -> paper.Paper:
        newest = self.beats[-1] if self.beats else None
        return paper.write(self.sheet, newest, self.ring.tercio)

    @cached_property
    def faces(self) -> tuple[Face, ...]:
        if not self.beats or self.phase == "end":
            return ()
        return faces(self.showing.deck, self.beats[-1], self.language)

    @cached_property
    def whole_story(self) -> list[StoryLine]:
        if self.phase == "paseillo":
            return [paseillo(self.showing, self.language)]
        return self._tell()

    @property
    def story(self) -> list[StoryLine]:
        if self.phase == "paseillo":
            return self.whole_story
        return self._tell(LINES)[:LINES]

    @property
    def has_earlier_story(self) -> bool:
        return len(self.beats) + 1 + (self.phase == "end") > LINES

    def _tell(self, last: int | None = None) -> list[StoryLine]:
        lines = Teller(self.showing, self.turn, self.language).story_lines(self.beats, last)
        if self.phase == "end":
            lines.append(finale(self.showing, self.language))
        return lines[::-1]

    @property
    def highlights(self) -> list[StoryLine]:
        """Story lines with points, strokes of the sword or the verdict, in chronological order."""
        return [line for line in self.whole_story[::-1] if line.points or line.act == KILL]

    @property
    def hint(self) -> StoryLine:
        if self.phase != "lidia" or (self.done and self.turn == len(self.showing.bulls)):
            return aside("")
        return hint(self.showing, self.turn, self.beats, self.sheet, self.language)

    @property
    def on_sand(self) -> int:
        """Number of the bull in the ring, 1-6; 0 before the first bull and at the end."""
        return self.turn if self.phase == "lidia" else 0

    @property
    def turns(self) -> tuple[trophies.Turn, ...]:
        return trophies.turns(self.showing, self.finished, self.on_sand)

    @property
    def ahead(self) -> tuple[trophies.TrophyShare, ...]:
        return trophies.ahead(self.showing, self.finished)

    @property
    def badges(self) -> tuple[trophies.Badge, ...]:
        return trophies.badges(self.showing.lidia(self.turn).result) if self.done else ()

    @property
    def notation(self) -> str:
        return write_lidia(self.events)


def _is_result(event: Event) -> bool:
    match event:
        case Scored() | IndultoChecked() | FinalVerdict():
            return True
        case InjuryRead(hurt=hurt):
            return hurt
        case AvisoRead(warned=warned):
            return warned
        case _:
            return False


def scores(showing: Showing) -> list[int]:
    return [
        showing.timeline.moment((turn, position + 1))
        for turn, lidia in enumerate(showing.record.lidias, start=1)
        for position, event in by_card(lidia.events)
        if _is_result(event)
    ]


def next_score(showing: Showing, moment: int) -> int | None:
    moments = scores(showing)
    place = bisect_right(moments, moment)
    return moments[place] if place < len(moments) else None
