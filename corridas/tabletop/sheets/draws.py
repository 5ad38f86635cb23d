"""The cards that the figures of a lidia need, and whether the deck has them (Ruling I-3).

Each figure stands for draws: an entry for the mark that scores and the card that gives its number,
an injury for a BULL, a HERIDA and a 0, a number for its two digits. Where the deck cannot have been
shuffled in between, all of them are different cards.

Every way is tried in which the figures can have come about. What is refused cannot be; what stands
may still be impossible for a reason that is not counted here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import product
from typing import Any, Final, NamedTuple

from corridas.engine import AVISOS_TO_STOP, DECK_SIZE, MARKS, Deck, Kind, Range, Rules
from corridas.tabletop.sheets.bounds import HUNDRED, hurting_tercios
from corridas.tabletop.sheets.supply import (
    ALL_CARDS,
    FINAL,
    INDULTO,
    KILL,
    MAX_SHUFFLES,
    SECOND,
    Draw,
    Draws,
    Pack,
    can_supply,
)

CLAVARS: Final = 2
HIGHEST_NUMBER: Final = 9
# Marks without an entry that are counted: with more of them the same decks can be used up.
MAX_OTHERS: Final = MAX_SHUFFLES * DECK_SIZE
# Ways to come to the figures that are tried. A sheet that needs more of them stands.
MAX_WAYS: Final = 400
Marks = tuple[int | None, int | None, int | None]


class Points(NamedTuple):
    """One side in one tercio: its sum, and its entries where they were entered."""

    total: int
    entries: tuple[int, ...] | None


Sides = tuple[Points, Points]
NO_POINTS: Final[Sides] = (Points(0, ()), Points(0, ()))
UNKNOWN_POINTS: Final[Sides] = (Points(0, None), Points(0, None))


@dataclass(frozen=True, slots=True)
class Written:
    """The figures of a lidia that say which cards were drawn.

    `tercios`: the points of matador and bull. `marks` by tercio, as far as they are known.
    `injuries`: their number. `broken`: the last of them broke the lidia off. `kill`: the modifier
    of each kill card, None for an unknown one; `avisos` of the finisher's range `aviso`, None for
    an unknown number of them. `indulto` and `number` as drawn, 0 for an unknown one and None where
    none was drawn.
    """

    tercios: tuple[Sides, Sides, Sides]
    marks: Marks = (None, None, None)
    injuries: int = 0
    broken: bool = False
    kill: tuple[int | None, ...] = ()
    avisos: int | None = None
    aviso: Range | None = None
    indulto: int | None = None
    number: int | None = None


class Faces(NamedTuple):
    """The cards with an entry. By sign: `scores[tercio - 1]`, `answers` and, of the cards that read
    BULL, `calls`. `bulls[tercio - 1]` read BULL, `clavars` CLAVAR, `herida` HERIDA.
    """

    numbers: tuple[int, ...]
    scores: tuple[dict[int, int], ...]
    bulls: tuple[int, ...]
    answers: dict[int, int]
    herida: int
    clavars: int
    kills: dict[int, int]


@lru_cache(maxsize=64)
def faces_of(deck: Deck) -> Faces:
    def cards(tests: Sequence[bool]) -> int:
        return sum(1 << card for card, passed in enumerate(tests) if passed)

    readings = [entries.readings for entries in deck.tercios]
    signs = (1, -1, 0)
    return Faces(
        numbers=tuple(
            cards([one == number for one in deck.numbers]) for number in range(HUNDRED // 10)
        ),
        scores=tuple(
            {sign: cards([one.sign == sign for one in column]) for sign in signs}
            for column in readings
        ),
        bulls=tuple(cards([one.kind is Kind.BULL for one in column]) for column in readings),
        answers={sign: cards([one.sign == sign for one in deck.bulls]) for sign in signs},
        herida=cards([one.kind is Kind.HERIDA for one in deck.bulls]),
        clavars=cards([one.kind is Kind.CLAVAR for one in readings[1]]),
        kills={kill: cards([one == kill for one in deck.kills]) for kill in set(deck.kills)},
    )


def can_be_drawn(rules: Rules, deck: Deck, left: int | None, written: Written) -> bool:
    """Return whether the deck has the cards of these figures.

    `left` are the cards in the deck before the lidia, None where that is not known.
    """
    pack, faces = Pack(deck.numbers, left), faces_of(deck)
    numbers = _numbers(faces, written)
    kill = _ways_to_kill(faces, written)
    unwarned = _ways_to_kill(faces, replace(written, avisos=None))[0]
    frames = list(_frames(rules, deck, written))
    for shuffled, frame in product((False, True), frames):
        # First only the draws that are certain. A sum may then take more entries than it needs.
        roughly = _with(_way(rules, faces, written, frame, NO_MORE, more=True), unwarned, numbers)
        if roughly is None or not can_supply(pack, roughly, shuffled=shuffled):
            continue
        tried = 0
        for counts in _further_entries(written):
            tercios = _way(rules, faces, written, frame, counts)
            for strokes in kill:
                tried += 1
                way = _with(tercios, strokes, numbers)
                if tried > MAX_WAYS or (way and can_supply(pack, way, shuffled=shuffled)):
                    return True
    return False


def _with(draws: Draws | None, *due: tuple[Draw, ...]) -> Draws | None:
    return draws and draws._replace(due=sum(due, draws.due))


def _numbers(faces: Faces, written: Written) -> tuple[Draw, ...]:
    """Return the cards of the number for the indulto and of the final one (Ruling I-2)."""
    draws = []
    for phase, number in ((INDULTO, written.indulto), (FINAL, written.number)):
        if number is None:
            continue
        digits = divmod(number % HUNDRED, 10)
        masks = [faces.numbers[digit] for digit in digits] if number else [ALL_CARDS] * 2
        draws += [Draw(phase, mask) for mask in masks]
    return tuple(draws)


def _ways_to_kill(faces: Faces, written: Written) -> list[tuple[Draw, ...]]:
    """Return the draws of the kill, by which of its cards brought a warning (Ruling I-10)."""
    count = len(written.kill)
    ways: Iterable[tuple[bool | None, ...]] = [(None,) * count]
    if written.aviso is not None and written.avisos is not None:
        ways = (
            warned
            for warned in product((False, True), repeat=count)
            if sum(warned) == written.avisos and (written.avisos < AVISOS_TO_STOP or warned[-1])
        )
    found = []
    for warned in ways:
        draws: list[Draw] = []
        for stroke, (modifier, warns) in enumerate(zip(written.kill, warned, strict=True)):
            cards = ALL_CARDS if modifier is None else faces.kills[modifier]
            if warns is None or written.aviso is None:
                masks = (cards, ALL_CARDS)
            else:
                masks = _stroke(faces, cards, written.aviso, warns)
            draws += [Draw(KILL + stroke, mask) for mask in masks]
        if all(draw.cards for draw in draws):
            found.append(tuple(draws))
    return found


def _stroke(faces: Faces, cards: int, aviso: Range, warns: bool) -> tuple[int, int]:
    """Return the kill cards and the cards after them that bring a warning, or none."""
    tens_cards = units_cards = 0
    for tens, tens_mask in enumerate(faces.numbers):
        if not tens_mask & cards:
            continue
        units = [unit for unit in range(10) if ((10 * tens + unit or HUNDRED) in aviso) == warns]
        if units:
            tens_cards |= tens_mask & cards
        for unit in units:
            units_cards |= faces.numbers[unit]
    return tens_cards, units_cards


# The points of all three tercios, matador and bull: entries beyond those that a sum needs.
Further = tuple[int, int, int, int, int, int]
NO_MORE: Final[Further] = (0, 0, 0, 0, 0, 0)


class _Frame(NamedTuple):
    """What figures leave open: marks by tercio, None for any number; the last tercio; injuries by
    tercio; the CLAVARs of the second, and how many of them score for, against and for nothing.

    `certain`: the marks of a last tercio that was broken off are known.
    """

    marks: Marks
    last: int
    certain: bool
    hurt: tuple[int, int, int]
    clavars: int
    scoring: tuple[int, int, int]


def _frames(rules: Rules, deck: Deck, written: Written) -> Iterator[_Frame]:
    hurting = hurting_tercios(rules, deck)
    for marks, last, certain in _shapes(written, hurting):
        for hurt in _spread(written.injuries, hurting, last):
            if written.broken and not hurt[last - 1]:
                continue
            for clavars in _clavars(written, last):
                for scoring in _scoring_clavars(written, clavars):
                    yield _Frame(marks, last, certain, hurt, clavars, scoring)


def _shapes(written: Written, hurting: Sequence[int]) -> Iterator[tuple[Marks, int, bool]]:
    """Yield marks, last tercio, and whether the marks of a broken one are certain."""
    if not written.broken:
        yield (MARKS, written.marks[1], MARKS), 3, True
    elif any(count is not None for count in written.marks):
        fought = [tercio for tercio, count in enumerate(written.marks, start=1) if count]
        if fought:
            yield written.marks, fought[-1], True
    else:
        for last in hurting:
            if not any(_scored(sides) for sides in written.tercios[last:]):
                yield (MARKS, None, MARKS), last, False


def _scored(sides: Sides) -> bool:
    return any(points.total or points.entries for points in sides)


def _spread(injuries: int, hurting: Sequence[int], last: int) -> Iterator[tuple[int, int, int]]:
    """Yield the ways to spread the injuries over the tercios in which there can be any."""
    most = [injuries if tercio in hurting and tercio <= last else 0 for tercio in (1, 2, 3)]
    for one, two, three in product(*(range(count + 1) for count in most)):
        if one + two + three == injuries:
            yield one, two, three


def _clavars(written: Written, last: int) -> Sequence[int]:
    """Return how many CLAVARs the second tercio can have had (Ruling I-8)."""
    if last == 1:
        return (0,)
    return (0, 1) if written.broken and last == SECOND + 1 else (CLAVARS,)


def _scoring_clavars(written: Written, clavars: int) -> Iterator[tuple[int, int, int]]:
    marks = _scoring_marks(written.tercios[SECOND][0], 0)
    for one, two, three in product(*(range(min(clavars, count) + 1) for count in marks)):
        if one + two + three <= clavars:
            yield one, two, three


def _scoring_marks(points: Points, further: int) -> tuple[int, int, int]:
    """Return the marks that score for, against and for nothing (a 0 of either sign)."""
    if points.entries is None:
        count = _fewest(points) + further
        return (count, 0, 0) if points.total > 0 else (0, count, 0)
    entries = points.entries
    return (
        sum(entry > 0 for entry in entries),
        sum(entry < 0 for entry in entries),
        entries.count(0),
    )


def _fewest(points: Points) -> int:
    """Return the fewest entries of a sum that was entered alone."""
    return -(-abs(points.total) // HIGHEST_NUMBER)


def _further_entries(written: Written) -> Iterator[Further]:
    """Yield ever more entries beyond the fewest."""
    sides = [points for pair in written.tercios for points in pair]
    most = [
        0 if points.entries is not None else abs(points.total) - _fewest(points) for points in sides
    ]
    for further in range(sum(most) + 1):
        yield from _shared_out(further, most)


def _shared_out(further: int, most: Sequence[int]) -> Iterator[Any]:
    if not most:
        if not further:
            yield ()
        return
    for here in range(min(further, most[0]) + 1):
        for rest in _shared_out(further - here, most[1:]):
            yield (here, *rest)


def _way(
    rules: Rules,
    faces: Faces,
    written: Written,
    frame: _Frame,
    further: Further,
    *,
    more: bool = False,
) -> Draws | None:
    """Return the draws of the tercios; None where their marks are too few.

    With `more`, entries beyond those that a sum needs may come in addition.
    """
    found = Draws(due=())
    for tercio in range(1, frame.last + 1):
        sides = written.tercios[tercio - 1]
        way = _Tercio(rules, faces, tercio, sides, further[2 * tercio - 2 : 2 * tercio])
        draws = way.draws(frame, partial=written.broken and tercio == frame.last, more=more)
        if draws is None:
            return None
        found = Draws(
            due=found.due + draws.due,
            scores=found.scores + draws.scores,
            more=found.more + draws.more,
            points=found.points + draws.points,
            spare=found.spare + draws.spare,
            open=found.open or draws.open,
            idle=found.idle | draws.idle,
        )
    return found


@dataclass(frozen=True, slots=True)
class _Tercio:
    """One tercio: its points, and the entries beyond those that sums need."""

    rules: Rules
    faces: Faces
    tercio: int
    sides: Sides
    further: Sequence[int]

    def draws(self, frame: _Frame, *, partial: bool, more: bool) -> Draws | None:
        """Return its draws; None where its marks are too few."""
        matador, bull = self.sides
        hurt, marks = frame.hurt[self.tercio - 1], frame.marks[self.tercio - 1]
        clavars, scoring = (frame.clavars, frame.scoring) if self.tercio == 2 else (0, (0, 0, 0))
        mine = _scoring_marks(matador, self.further[0])
        his = _scoring_marks(bull, self.further[1])
        used = sum(mine) + sum(his) + hurt + clavars - sum(scoring)
        if marks is not None and used > marks:
            return None
        left = None if marks is None else min(marks - used, MAX_OTHERS)
        idle = self._idle()
        due = [*self._matador_marks(mine, scoring, clavars), *self._bull_marks(his)]
        due += self._injuries(hurt)
        due += [self._draw(self.faces.numbers[abs(one)]) for one in self._entries()]
        others = [self._draw(idle)] * (left or 0)
        # Marks that are certain are due already, and would count twice among those that may be.
        known = frame.certain or not partial
        spare = self._spare(idle, DECK_SIZE if left is None else left)
        loose = [
            count
            for points, count in zip(self.sides, (sum(mine), sum(his)), strict=True)
            if points.entries is None
        ]
        further = sum(abs(one.total) - _fewest(one) for one in self.sides if one.entries is None)
        return Draws(
            due=(*due, *others) if known else tuple(due),
            scores=(self._draw(ALL_CARDS),) * sum(loose),
            more=(self._draw(ALL_CARDS),) * (min(further, DECK_SIZE if left is None else left))
            if more
            else (),
            points=sum(abs(points.total) for points in self.sides if points.entries is None),
            spare=(*spare, *(() if known else others)),
            open=left is None,
            idle=idle if left is None else 0,
        )

    def _entries(self) -> Iterator[int]:
        for points in self.sides:
            yield from points.entries or ()

    def _known(self, side: int) -> bool:
        return self.sides[side].entries is not None

    def _draw(self, cards: int) -> Draw:
        return Draw(self.tercio - 1, cards)

    def _matador_marks(
        self, marks: Sequence[int], scoring: Sequence[int], clavars: int
    ) -> Iterator[Draw]:
        scores = self.faces.scores[self.tercio - 1]
        # CLAVAR is printed under the second tercio alone.
        clavar = self.faces.clavars if self.tercio == 2 else 0
        for sign, count, with_clavar in zip((1, -1, 0), marks, scoring, strict=True):
            cards = scores[sign] if sign else scores[1] | scores[-1]
            yield from [self._draw(cards & clavar)] * with_clavar
            yield from [self._draw(cards & ~clavar)] * (count - with_clavar)
        quiet = clavar & scores[0] if self._known(0) else clavar
        yield from [self._draw(quiet)] * (clavars - sum(scoring))

    def _bull_marks(self, marks: Sequence[int]) -> Iterator[Draw]:
        asks, answers = self.faces.bulls[self.tercio - 1], self.faces.answers
        for sign, count in zip((1, -1, 0), marks, strict=True):
            cards = answers[sign] if sign else answers[1] | answers[-1]
            yield from self._asked(asks, cards, count)

    def _asked(self, asks: int, answers: int, count: int) -> Iterator[Draw]:
        """Yield the cards of a BULL and of its answer, which may be one card (Ruling I-6)."""
        if self.rules.bull_reading == "same_card":
            yield from [self._draw(asks & answers)] * count
        else:
            yield from [self._draw(asks), self._draw(answers)] * count

    def _injuries(self, hurt: int) -> Iterator[Draw]:
        """Yield BULL, HERIDA and the 0 of each injury (Ruling I-7)."""
        yield from self._asked(self.faces.bulls[self.tercio - 1], self.faces.herida, hurt)
        yield from [self._draw(self.faces.numbers[0])] * hurt

    def _idle(self) -> int:
        """Return the cards of a mark that leaves nothing on the sheet.

        Beside a sum alone that includes those that score, as entries may add up to nothing.
        """
        faces, asks = self.faces, self.faces.bulls[self.tercio - 1]
        cards = faces.scores[self.tercio - 1][0] if self._known(0) else ALL_CARDS
        if self._known(1) and self.rules.bull_reading == "same_card":
            cards &= ~(asks & ~faces.answers[0])
        elif self._known(1) and not faces.answers[0]:
            cards &= ~asks
        return cards & ~faces.clavars if self.tercio == 2 else cards

    def _spare(self, idle: int, marks: int) -> Iterator[Draw]:
        """Yield what such marks may have drawn besides: answers, numbers, injuries that were none.

        Each card is drawn once before a shuffle, so there are never more of them than cards.
        """
        faces = self.faces
        asks = idle & faces.bulls[self.tercio - 1]
        same = self.rules.bull_reading == "same_card"
        asked = min(marks, asks.bit_count())
        if not same:
            answers = faces.answers[0] if self._known(1) else ALL_CARDS
            yield from [self._draw(answers)] * asked
        heridas = asks & faces.herida if same else faces.herida
        not_hurt = ALL_CARDS & ~faces.numbers[0]
        yield from [self._draw(not_hurt)] * min(asked, heridas.bit_count())
        if not self._known(0):
            scoring = idle & ~faces.scores[self.tercio - 1][0]
            extra = CLAVARS if self.tercio == 2 else 0
            yield from [self._draw(ALL_CARDS)] * (min(marks, scoring.bit_count()) + extra)
        if not self._known(1):
            answers = asks & ~faces.answers[0] if same else ~faces.answers[0] & ALL_CARDS
            yield from [self._draw(ALL_CARDS)] * min(asked, answers.bit_count())
