"""Checks whether a deck can supply a sequence of draws: each card once between two shuffles.

Cards are bits of an integer. The bits of the second deck follow those of the first, and so on. A
draw is a phase of the lidia and the set of cards that it can have been.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, NamedTuple

from corridas.engine import DECK_SIZE

ALL_CARDS: Final = (1 << DECK_SIZE) - 1
# The phases in which cards are drawn, in order: three tercios, the check for the indulto, five
# cards of the kill (4 to 8), and the final number.
FIRST, SECOND, THIRD, INDULTO, KILL, FINAL = 0, 1, 2, 3, 4, 9
# Maximum number of shuffles within the second tercio that are considered. Beyond that, it is only
# checked whether a whole deck can be drawn in it.
MAX_SHUFFLES_IN_SECOND: Final = 3
# Maximum number of shuffles in a lidia: in addition one before the first card, and one after the
# second tercio.
MAX_SHUFFLES: Final = MAX_SHUFFLES_IN_SECOND + 2


class Draw(NamedTuple):
    phase: int
    cards: int


class Draws(NamedTuple):
    """The draws of a lidia.

    `due` were certainly drawn. `scores` were drawn too and `more` may have been; each can be any
    card, but their numbers must add up to at least `points`. `spare` may have been drawn before a
    shuffle. If the second tercio is `open`, any number of the cards `idle` may have been drawn in
    it in addition.
    """

    due: tuple[Draw, ...]
    scores: tuple[Draw, ...] = ()
    more: tuple[Draw, ...] = ()
    points: int = 0
    spare: tuple[Draw, ...] = ()
    open: bool = False
    idle: int = 0


class Pack(NamedTuple):
    """The deck at the beginning of a lidia.

    `numbers` are the cards by number. `left` are the cards still in the deck, None if unknown.
    """

    numbers: tuple[int, ...]
    left: int | None = ALL_CARDS


Shuffles = tuple[int, ...]


def can_supply(pack: Pack, draws: Draws, *, shuffled: bool) -> bool:
    """Return whether the deck can supply these draws (Ruling I-3).

    `shuffled` says whether the deck may be shuffled in between.
    """
    if not shuffled:
        return _fits(pack, draws, ())
    return any(_fits(pack, draws, shuffles) for shuffles in _ways_to_shuffle(pack, draws))


def _ways_to_shuffle(pack: Pack, draws: Draws) -> list[Shuffles]:
    """Return the phases in which the deck may have been shuffled, the fewest shuffles first.

    At most thirty cards come before the second tercio, and at most 44 after it.
    """
    phases = sorted({draw.phase for draw in (*draws.due, *draws.scores, *draws.spare)})
    early = [()] if pack.left == ALL_CARDS else [(), (FIRST,)]
    late = [(), *((phase,) for phase in phases if phase > SECOND)]
    within = range(MAX_SHUFFLES_IN_SECOND + 1) if SECOND in phases else range(1)
    ways = [(*one, *[SECOND] * two, *three) for one in early for two in within for three in late]
    return sorted(filter(None, ways), key=len)


def _fits(pack: Pack, draws: Draws, shuffles: Shuffles) -> bool:
    decks = _Decks(pack, shuffles)
    endless = shuffles.count(SECOND) == MAX_SHUFFLES_IN_SECOND
    if not endless and len(draws.due) + len(draws.scores) > decks.cards.bit_count():
        return False
    used_up = range(0 if pack.left is not None else 1, len(shuffles))
    if not decks.used_up(used_up, draws):
        return False
    matching = _Matching(decks.cards)
    counted = (draw for draw in draws.due if not endless or draw.phase != SECOND)
    if not all(matching.place(decks.of(draw)) for draw in counted):
        return False
    if endless and any(draw.phase == SECOND for draw in draws.scores):
        return True
    points = _most_points(matching, decks, (*draws.scores, *draws.more), len(draws.scores))
    return points is not None and points >= draws.points


class _Decks:
    """The decks used in a lidia. The lidia uses one deck more than it has shuffles."""

    def __init__(self, pack: Pack, shuffles: Shuffles) -> None:
        self.numbers = pack.numbers
        self.count = len(shuffles) + 1
        first = ALL_CARDS if pack.left is None else pack.left
        self.cards = first | _in_decks(ALL_CARDS, range(1, self.count))
        self._lying = [
            range(
                sum(shuffle < phase for shuffle in shuffles),
                sum(shuffle <= phase for shuffle in shuffles) + 1,
            )
            for phase in range(FINAL + 1)
        ]

    def of(self, draw: Draw) -> int:
        """Return the cards that a draw can have been, in each of the decks used in its phase."""
        return _in_decks(draw.cards, self._lying[draw.phase]) & self.cards

    def numbered(self, number: int) -> int:
        cards = sum(1 << card for card, one in enumerate(self.numbers) if one == number)
        return _in_decks(cards, range(self.count))

    def used_up(self, used: Iterable[int], draws: Draws) -> bool:
        """Return whether all cards of these decks can have been drawn before the next shuffle.

        If all cards can be matched with draws, and all `due` draws with cards, then a single
        matching does both (Mendelsohn–Dulmage theorem). Draws that are only possible may come from
        any deck.
        """
        cards = 0
        wanted: list[int] = []
        for deck in used:
            shift = deck * DECK_SIZE
            here = self.cards & (ALL_CARDS << shift)
            if draws.open and deck in self._lying[SECOND]:
                here &= ~(draws.idle << shift)
            cards |= here
            wanted += [
                (draw.cards << shift) & here
                for draw in (*draws.more, *draws.spare)
                if deck in self._lying[draw.phase]
            ]
        due = [self.of(draw) & cards for draw in (*draws.due, *draws.scores)]
        wanted = [one for one in (*due, *wanted) if one]
        matching, can_miss = _Matching(cards), len(wanted) - cards.bit_count()
        for one in wanted:
            if can_miss < 0:
                return False
            can_miss -= not matching.place(one)
        return not matching.free


def _in_decks(cards: int, decks: Iterable[int]) -> int:
    return sum(cards << (deck * DECK_SIZE) for deck in decks)


class _Matching:
    """A matching of draws with cards that grows draw by draw.

    `free` are the cards that no draw has.
    """

    def __init__(self, free: int) -> None:
        self.free = free
        self._holders: dict[int, int] = {}
        self._wanted: list[int] = []

    def place(self, wanted: int) -> bool:
        """Match one more draw with one of these cards, moving other draws if necessary.

        Return whether that was possible.
        """
        self._wanted.append(wanted)
        self._tried = 0
        return self._search(len(self._wanted) - 1)

    def spare(self, card: int) -> bool:
        """Remove a card for good, if the draw to which it is matched can take another card.

        Return whether that was possible.
        """
        if self.free & card:
            self.free ^= card
            return True
        holder = self._holders.get(card)
        self._tried = card
        if holder is None or not self._search(holder):
            return False
        del self._holders[card]
        return True

    def _search(self, draw: int) -> bool:
        wanted = self._wanted[draw]
        if lying := wanted & self.free:
            card = lying & -lying
            self.free ^= card
            self._holders[card] = draw
            return True
        while held := wanted & ~self._tried:
            card = held & -held
            self._tried |= card
            holder = self._holders.get(card)
            if holder is not None and self._search(holder):
                self._holders[card] = draw
                return True
        return False


def _most_points(
    matching: _Matching, decks: _Decks, scores: Sequence[Draw], least: int
) -> int | None:
    """Return the maximum points of these draws, while every other draw has a card too.

    Return None if fewer than `least` of them can get a card. It is optimal to take the highest card
    that the others can spare, again and again, because the sets of cards that can be spared form a
    matroid.
    """
    anywhere = 0
    for draw in scores:
        anywhere |= decks.of(draw)
    points, left = 0, len(scores)
    for number in range(9, -1, -1):
        lying = anywhere & decks.numbered(number)
        while lying and left:
            card = lying & -lying
            lying ^= card
            if matching.spare(card):
                points, left = points + number, left - 1
    return points if len(scores) - left >= least else None
