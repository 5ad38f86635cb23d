"""Plays a corrida: three matadors fight six bulls, which are assigned by the sorteo (lot).

This includes injuries, substitutions and the suspension of the corrida (rulebook, Setup).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from operator import attrgetter

from corridas.engine.deck import Deck
from corridas.engine.errors import CartelError, ImpossibleDraw
from corridas.engine.events import Ending
from corridas.engine.lidia import LidiaRecord, play_lidia
from corridas.engine.matador import MatadorCard
from corridas.engine.pile import Pile, RecordedDeck, ShuffledPile, check_used_up
from corridas.engine.rules import Rules
from corridas.engine.sand import Sand
from fairness import Seed

MATADORS = 3
BULLS = 6
PLAZA_RATINGS = (1, 2, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorridaSetup:
    """All input of a corrida except randomness.

    `plaza_rating` is 1-3. `matadors` are the cards of three different matadors in any order; if two
    have the same name, their cards need different keys (Ruling I-14). Raises `CartelError` for
    invalid input.
    """

    rules: Rules
    deck: Deck
    plaza_rating: int
    matadors: tuple[MatadorCard, ...]

    def __post_init__(self) -> None:
        if self.plaza_rating not in PLAZA_RATINGS:
            raise CartelError(f"A plaza is rated 1, 2 or 3, not {self.plaza_rating} (Ruling I-12).")
        men = [card.identity for card in self.matadors]
        if len(men) != MATADORS:
            raise CartelError(f"A cartel has three matadors, this one {len(men)} (Setup).")
        for man in men:
            if men.count(man) > 1:
                raise CartelError(f"{man[0]} is on the cartel twice (Setup).")

    @property
    def order(self) -> tuple[MatadorCard, ...]:
        """The matadors' cards in the order of appearance (Ruling I-14)."""
        return tuple(sorted(self.matadors, key=attrgetter("appearance")))


@dataclass(frozen=True, slots=True)
class CorridaRecord:
    """A played corrida. `sorteo[turn]` is the number (0-5) of the bull fought in that turn.

    `suspended` is true if no matador was able to continue. There are fewer than six lidias (fights)
    then, or the last one was broken off.
    """

    sorteo: tuple[int, ...]
    lidias: tuple[LidiaRecord, ...]
    suspended: bool


def play_corrida(setup: CorridaSetup, seed: Seed) -> CorridaRecord:
    """Play a corrida with random numbers derived from a seed.

    The random streams have the labels `sorteo`, and `lidia/1` to `lidia/6` or only `deck`,
    depending on the shuffle option (Ruling I-3).
    """
    return _record(draw_sorteo(seed), list(_play(setup, shuffler(setup.rules, seed))))


def draw_sorteo(seed: Seed) -> tuple[int, ...]:
    """Assign the six bulls to the six turns by a random permutation (Ruling I-15)."""
    return tuple(seed.chance("sorteo").shuffled(range(BULLS)))


def replay_corrida(
    setup: CorridaSetup, sorteo: Sequence[int], draws: Sequence[bytes]
) -> CorridaRecord:
    """Replay a corrida from its recorded cards.

    Raises `ImpossibleDraw` at the first card that cannot have been drawn, and `CartelError` if
    `sorteo` is not a permutation of the six bulls.
    """
    if sorted(sorteo) != list(range(BULLS)):
        raise CartelError("The lot gives each of the six bulls once (Ruling I-15).")
    deck = RecordedDeck()

    def pile_of(turn: int) -> Pile:
        if setup.rules.shuffle == "each_bull":
            deck.shuffle()
        return deck.pile(turn, draws[turn] if turn < len(draws) else b"")

    lidias: list[LidiaRecord] = []
    for lidia in _play(setup, pile_of):
        check_used_up(lidia.turn, len(lidia.draws), draws[lidia.turn])
        lidias.append(lidia)
    if len(lidias) < len(draws):
        raise ImpossibleDraw(len(lidias), 0, "the corrida is over, and the record goes on.")
    return _record(sorteo, lidias)


def shuffler(rules: Rules, seed: Seed) -> Callable[[int], Pile]:
    """Return a function from the turn (0-5) to the shuffled deck of its fight (Ruling I-3)."""
    if rules.shuffle == "each_bull":
        return lambda turn: ShuffledPile(seed.chance(f"lidia/{turn + 1}"))
    pile = ShuffledPile(seed.chance("deck"))
    return lambda turn: pile


def _record(sorteo: Sequence[int], lidias: Sequence[LidiaRecord]) -> CorridaRecord:
    suspended = lidias[-1].result.ending is Ending.BROKEN_OFF or len(lidias) < BULLS
    return CorridaRecord(tuple(sorteo), tuple(lidias), suspended)


def _play(setup: CorridaSetup, pile_of: Callable[[int], Pile]) -> Iterator[LidiaRecord]:
    """Yield the six lidias (fights with one bull) in order.

    Stops early if no matador is able to continue (Ruling I-16).
    """
    sand = Sand(setup.rules, setup.deck, setup.plaza_rating, setup.order)
    for turn in range(BULLS):
        if not sand.able:
            return
        announced = turn % MATADORS
        starter = announced if announced in sand.able else sand.able[0]
        yield play_lidia(sand, turn, starter, pile_of(turn))
