"""The story of a fight in plain words: one line per drawn card with its consequences.

The language may be a bloodless variant. Lines are derived from events, so the story only reveals
cards that are already visible.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from corridas.engine import (
    AvisoRead,
    BullRead,
    CardEntry,
    Digit,
    Ended,
    Ending,
    FinalVerdict,
    IndultoChecked,
    InjuryRead,
    Kind,
    Move,
    Scored,
    Settled,
    Side,
    Stroke,
    Substituted,
    TercioEnded,
    Trophy,
)
from corridas.stage.beats import Beat
from corridas.stage.phrasebook import plain, say
from corridas.stage.showing import Showing, ShownMatador
from corridas.stage.table import MINUS, signed

ENTRY = {1: "1s", 2: "2s", 3: "3s"}
ROMAN = {1: "I", 2: "II", 3: "III"}


@dataclass(frozen=True, slots=True)
class StoryLine:
    """A line of the story of a fight.

    `act` is 1-3, 4 for the kill and for numbers, or 0 for lines without a card. `count` is the
    number of the move or kill card. `points` is the number written beside the line, and `side` says
    whose points they are. `ends` marks the last line of an act. `cards` is the number of visible
    cards after the line.
    """

    act: int
    count: int | None
    text: str
    points: str
    side: str
    ends: bool
    cards: int

    @property
    def roman(self) -> str:
        return ROMAN.get(self.act, "†" if self.act else "")

    @property
    def plain(self) -> str:
        return plain(self.text)


class Teller:
    def __init__(self, showing: Showing, turn: int, language: str) -> None:
        self.showing, self.turn, self.language = showing, turn, language
        self.bull = showing.bull_of(turn)
        self.count = 0
        self.pairs = 0

    def story_lines(self, beats: Sequence[Beat], last: int | None = None) -> list[StoryLine]:
        """Return the story of a fight: a line about the bull's entrance, then one line for each
        beat.

        A beat is a drawn card with the cards that follow from it. With `last`, only the lines of
        that many latest beats are returned.
        """
        first = 0 if last is None else max(0, len(beats) - last)
        self.pairs = sum(map(_places_pair, beats[:first]))
        lines = [self._line(beat) for beat in beats[first:]]
        return lines if first else [self._salida(), *lines]

    def _salida(self) -> StoryLine:
        place = self.showing.lidia(self.turn).result.starter
        names = self._names(self.showing.matadors[place])
        text = say("scene", "salida", self.turn, self.language, names)
        ceremony = self.showing.ceremony
        if ceremony and place == ceremony.novillero and self.turn <= len(self.showing.matadors):
            sworn = say("scene", "alternativa", 0, self.language, _ceremony_names(self.showing))
            text = f"{text} {sworn}"
        return aside(text)

    def _names(self, matador: ShownMatador, **more: object) -> dict[str, object]:
        bull = {"number": self.bull.number, "weight": self.bull.weight, "turn": self.turn}
        return {"m": matador.short, "b": self.bull.name, **bull, **more}

    def _line(self, beat: Beat) -> StoryLine:
        opening = beat.opening
        act = opening.tercio if isinstance(opening, Move) else 4
        self.count = opening.mark if isinstance(opening, Move) else 0
        count = self.count or (opening.stroke if isinstance(opening, Stroke) else None)
        sentences = [line for event in beat.events for line in self._tell(event, beat)]
        sentences += self._awaited(beat)
        points, side = _points(beat)
        ends = beat.find_event(TercioEnded) is not None
        cards = beat.ordinal + len(beat.cards)
        return StoryLine(act, count, " ".join(sentences), points, side, ends, cards)

    def _say(self, entry: str, reading: str, beat: Beat, **names: object) -> str:
        matador = self.showing.matadors[beat.matador]
        # Equal entries follow each other in the deck. Adding the card's place to its index varies
        # the phrases.
        turn = beat.ordinal + beat.cards[0].place
        return say(entry, reading, turn, self.language, self._names(matador, **names))

    def _then(self, key: str, beat: Beat, **names: object) -> str:
        return self._say("then", key, beat, **names)

    def _tell(self, event: object, beat: Beat) -> Iterator[str]:
        match event:
            case Move(reading=reading):
                yield from self._move(event, reading, beat)
            case BullRead(reading=reading):
                yield self._say("bull", str(reading), beat)
            case Scored(points=points):
                key = "number" if points else "nought"
                yield self._then(key, beat, number=abs(points))
            case InjuryRead(card=card, hurt=hurt):
                yield self._then("hurt" if hurt else "unhurt", beat, number=self._number(card))
            case Substituted(by=by):
                yield self._then("substituted", beat, other=self.showing.matadors[by].short)
            case TercioEnded(tercio=tercio):
                yield self._then(f"tercio_{tercio}", beat)
            case _:
                yield from self._tell_kill(event, beat)

    def _move(self, event: Move, reading: CardEntry, beat: Beat) -> Iterator[str]:
        if reading.kind is Kind.BULL:
            yield self._then("bull_reads", beat)
            return
        yield self._say(ENTRY[event.tercio], str(reading), beat)
        if reading.kind is Kind.CLAVAR:
            self.pairs += 1
            yield self._then(f"pair_{self.pairs}", beat)

    def _tell_kill(self, event: object, beat: Beat) -> Iterator[str]:
        match event:
            case Stroke(card=card):
                yield self._say("kill", self.showing.deck.cards[card].kill.name, beat)
            case AvisoRead(number=number, warned=warned, avisos=avisos):
                key = f"aviso_{avisos}" if warned else "no_aviso"
                yield self._then(key, beat, number=number)
            case Settled(final=final, score=score):
                key = "settled_whole" if self.showing.category == 1 else "settled"
                yield self._then(key, beat, final=signed(final), score=signed(score))
            case Digit(purpose=purpose, tens=True, card=card):
                yield self._then(f"{purpose.value}_asks", beat, number=self._number(card))
            case IndultoChecked(number=number, spared=spared):
                yield self._then("indulto_yes" if spared else "indulto_no", beat, number=number)
            case FinalVerdict():
                yield from self._verdict(event, beat)
            case Ended(ending=Ending.BROKEN_OFF):
                yield self._then("broken_off", beat)
            case _:
                return

    def _verdict(self, verdict: FinalVerdict, beat: Beat) -> Iterator[str]:
        # The score is not part of the verdict's own beat, so it is read from the result.
        score = self.showing.lidia(self.turn).result.score or 0
        key = "final" if score else "final_none"
        names = {"drawn": verdict.drawn, "number": verdict.number, "score": signed(score)}
        yield self._then(key, beat, **names)
        if verdict.trophy is not Trophy.NONE:
            yield self._then(verdict.trophy.name.lower(), beat)
        elif verdict.crowd:
            yield self._then(verdict.crowd.name.lower(), beat)
        if verdict.vuelta:
            yield self._then("vuelta", beat)

    def _number(self, card: int) -> int:
        return self.showing.deck.numbers[card]

    def _awaited(self, beat: Beat) -> Iterator[str]:
        event = beat.events[-1]
        match event:
            case Move(reading=reading) if reading.kind is Kind.BULL:
                yield self._then("bull_asks", beat)
            case Move(reading=reading) if reading.sign:
                yield self._then("scores" if reading.sign > 0 else "counts_against", beat)
            case BullRead(reading=reading) if reading.kind is Kind.HERIDA:
                yield self._then("herida", beat)
            case BullRead(reading=reading) if reading.sign:
                yield self._then("bull_scores" if reading.sign > 0 else "bull_counts_against", beat)
            case _:
                return


def _places_pair(beat: Beat) -> bool:
    return isinstance(beat.opening, Move) and beat.opening.reading.kind is Kind.CLAVAR


def _points(beat: Beat) -> tuple[str, str]:
    """Return the number written beside a line, and whose it is.

    The second value is `m` for the matador, `b` for the bull, or `k` for the kill.
    """
    scored = beat.find_event(Scored)
    if scored and scored.by is Side.BULL:
        return f"B{scored.points}".replace("-", MINUS), "b"
    if scored:
        return signed(scored.points), "m"
    stroke = beat.find_event(Stroke)
    return (signed(stroke.modifier), "k") if stroke and stroke.modifier else ("", "")


def aside(text: str) -> StoryLine:
    return StoryLine(0, None, text, "", "", False, 0)


def paseillo(showing: Showing, language: str) -> StoryLine:
    names = [person.name for person in showing.matadors]
    text = say(
        "scene", "paseillo", 0, language, dict(zip(("one", "two", "three"), names, strict=True))
    )
    if showing.ceremony:
        awaited = say("scene", "alternativa_awaits", 0, language, _ceremony_names(showing))
        text = f"{text} {awaited}"
    if showing.house:
        seats = say("scene", f"house_{showing.house}", 0, language)
        text = f"{text} {seats}"
    return aside(text)


def _ceremony_names(showing: Showing) -> dict[str, object]:
    """Return the names in an alternativa: `m` becomes a matador, `padrino` and `testigo` attend."""
    assert showing.ceremony is not None
    names = ("m", "padrino", "testigo")
    places = zip(names, showing.ceremony, strict=True)
    return {name: showing.matadors[place].short for name, place in places}


def finale(showing: Showing, language: str) -> StoryLine:
    key = "end_suspended" if showing.record.suspended else "end"
    return aside(say("scene", key, 0, language))
