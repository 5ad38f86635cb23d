"""Checks whether the deck has the cards that the figures of a lidia require (Ruling I-3).

Each figure requires certain draws. An entry requires a card that scores and a card with its number.
An injury requires a BULL, a HERIDA and a 0. A number requires two cards for its digits. If the deck
cannot have been shuffled in between, these must all be different cards.

Every way is tried in which the figures can have come about. So a rejected lidia is impossible, but
an accepted lidia may still be impossible for a reason that is not checked here.
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
# Maximum number of hash marks without an entry that are considered. More marks use up no more
# decks.
MAX_OTHERS: Final = MAX_SHUFFLES * DECK_SIZE
# Maximum number of combinations of draws that are tried. A sheet that would need more is accepted
# without a full check.
MAX_WAYS: Final = 400
Marks = tuple[int | None, int | None, int | None]


class Points(NamedTuple):
    """The points of one side (matador or bull) in one tercio: their sum, and the single
    entries if known.
    """

    total: int
    entries: tuple[int, ...] | None


Sides = tuple[Points, Points]
NO_POINTS: Final[Sides] = (Points(0, ()), Points(0, ()))
UNKNOWN_POINTS: Final[Sides] = (Points(0, None), Points(0, None))


@dataclass(frozen=True, slots=True)
class Written:
    """The figures of a lidia that say which cards were drawn.

    `tercios` are the points of matador and bull. `marks` are the hash marks by tercio, None if
    unknown. `injuries` is their number, and `broken` is true if the last one ended the lidia.
    `kill` is the modifier of each kill card, None if unknown. `avisos` is the number of avisos
    (warnings), None if unknown, and `aviso` the range on the finisher's card that causes them.
    `indulto` and `number` are two-card numbers as drawn, 0 if unknown and None if none was drawn.
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
    """The cards of a deck, as bit sets, by what they show.

    `numbers` are the cards by number. `scores[tercio - 1]` are the cards by the sign of the
    tercio's entry. `bulls[tercio - 1]` are the cards that read BULL in the tercio, and `answers`
    the cards by the sign of the bull's answer. `clavars` and `herida` are the cards that read
    CLAVAR and HERIDA, and `kills` the cards by kill modifier.
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
    """Return whether the deck can have produced these figures.

    `left` are the cards in the deck before the lidia, None if unknown.
    """
    pack, faces = Pack(deck.numbers, left), faces_of(deck)
    numbers = _numbers(faces, written)
    kill = _ways_to_kill(faces, written)
    unwarned = _ways_to_kill(faces, replace(written, avisos=None))[0]
    frames = list(_frames(rules, deck, written))
    for shuffled, frame in product((False, True), frames):
        # First check only the draws that are certain. A sum may have more entries than the minimum.
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
    """Return the draws of the number that decides an indulto, and of the final number.

    See Ruling I-2.
    """
    draws = []
    for phase, number in ((INDULTO, written.indulto), (FINAL, written.number)):
        if number is None:
            continue
        digits = divmod(number % HUNDRED, 10)
        masks = [faces.numbers[digit] for digit in digits] if number else [ALL_CARDS] * 2
        draws += [Draw(phase, mask) for mask in masks]
    return tuple(draws)


def _ways_to_kill(faces: Faces, written: Written) -> list[tuple[Draw, ...]]:
    """Return the possible draws of the kill, one for each choice of cards that caused an aviso.

    See Ruling I-10.
    """
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
    """Return the kill cards and the second cards that together cause an aviso, or cause none.

    Both are bit sets. `warns` says which is wanted.
    """
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


# How many more entries than the minimum a sum of points has, for matador and bull in all three
# tercios (acts).
Further = tuple[int, int, int, int, int, int]
NO_MORE: Final[Further] = (0, 0, 0, 0, 0, 0)


class _Frame(NamedTuple):
    """One way to complete the figures of a lidia.

    `marks` are the hash marks by tercio, None for any number. `last` is the last tercio that was
    fought, and `certain` is true if its marks are known although it was broken off. `hurt` are the
    injuries by tercio. `clavars` is the number of CLAVARs in the second tercio. `scoring` has three
    numbers: how many of them score for the matador, how many against him, and how many 0.
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
    """Yield the hash marks by tercio, the last tercio, and whether its marks are certain."""
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
    """Yield all ways to distribute the injuries over the tercios in which they are possible."""
    most = [injuries if tercio in hurting and tercio <= last else 0 for tercio in (1, 2, 3)]
    for one, two, three in product(*(range(count + 1) for count in most)):
        if one + two + three == injuries:
            yield one, two, three


def _clavars(written: Written, last: int) -> Sequence[int]:
    """Return the possible numbers of CLAVARs in the second tercio (Ruling I-8)."""
    if last == 1:
        return (0,)
    return (0, 1) if written.broken and last == SECOND + 1 else (CLAVARS,)


def _scoring_clavars(written: Written, clavars: int) -> Iterator[tuple[int, int, int]]:
    marks = _scoring_marks(written.tercios[SECOND][0], 0)
    for one, two, three in product(*(range(min(clavars, count) + 1) for count in marks)):
        if one + two + three <= clavars:
            yield one, two, three


def _scoring_marks(points: Points, further: int) -> tuple[int, int, int]:
    """Return the numbers of hash marks that score positive, negative and zero points."""
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
    """Return the minimum number of entries that can give this sum."""
    return -(-abs(points.total) // HIGHEST_NUMBER)


def _further_entries(written: Written) -> Iterator[Further]:
    """Yield how many more entries than the minimum a sum of points may have, for matador and
    bull in each tercio. The smallest numbers come first.
    """
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
    """Return the draws of all tercios for one way to complete the figures.

    Return None if a tercio has too few hash marks. With `more`, sums may also have further entries.
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
    """One tercio: its points, and the number of entries beyond the minimum that its sums need."""

    rules: Rules
    faces: Faces
    tercio: int
    sides: Sides
    further: Sequence[int]

    def draws(self, frame: _Frame, *, partial: bool, more: bool) -> Draws | None:
        """Return the draws of the tercio, or None if it has too few hash marks."""
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
        # Hash marks that are certain are already in `due`, so they must not be counted as possible
        # draws again.
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
        # The entry CLAVAR only exists in the second tercio.
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
        """Yield the draws that a BULL entry requires: the card itself and the card with the bull's
        answer.

        Both may be the same card (Ruling I-6).
        """
        if self.rules.bull_reading == "same_card":
            yield from [self._draw(asks & answers)] * count
        else:
            yield from [self._draw(asks), self._draw(answers)] * count

    def _injuries(self, hurt: int) -> Iterator[Draw]:
        """Yield the draws of each injury: a BULL, a HERIDA and a 0 (Ruling I-7)."""
        yield from self._asked(self.faces.bulls[self.tercio - 1], self.faces.herida, hurt)
        yield from [self._draw(self.faces.numbers[0])] * hurt

    def _idle(self) -> int:
        """Return the cards, as a bit set, that can be drawn for a hash mark without changing the
        sheet.

        If only the sum of the points is known, cards that score are included, because entries may
        add up to zero.
        """
        faces, asks = self.faces, self.faces.bulls[self.tercio - 1]
        cards = faces.scores[self.tercio - 1][0] if self._known(0) else ALL_CARDS
        if self._known(1) and self.rules.bull_reading == "same_card":
            cards &= ~(asks & ~faces.answers[0])
        elif self._known(1) and not faces.answers[0]:
            cards &= ~asks
        return cards & ~faces.clavars if self.tercio == 2 else cards

    def _spare(self, idle: int, marks: int) -> Iterator[Draw]:
        """Yield further draws that marks without an entry may have caused.

        These are answers, numbers and failed injuries. Each card comes once before a shuffle, so
        there are at most as many draws as such cards.
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
