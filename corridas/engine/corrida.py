"""The corrida: three matadors, six bulls, the lot, injuries and suspension (rulebook, Setup)."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from corridas.engine.deck import Deck
from corridas.engine.errors import CartelError, ImpossibleDraw
from corridas.engine.lidia import LidiaRecord, play_lidia
from corridas.engine.matador import MatadorCard, appearance
from corridas.engine.pile import Pile, RecordedPile, ShuffledPile
from corridas.engine.rules import Rules
from fairness import Seed

MATADORS = 3
BULLS = 6
PLAZA_RATINGS = (1, 2, 3)


@dataclass(frozen=True, slots=True, kw_only=True)
class CorridaSetup:
    """Everything a corrida is played from, chance apart.

    `plaza_rating` is 1-3; `matadors` are three different cards, in any order.
    Raises `CartelError` where they are not.
    """

    rules: Rules
    deck: Deck
    plaza_rating: int
    matadors: tuple[MatadorCard, ...]

    def __post_init__(self) -> None:
        if self.plaza_rating not in PLAZA_RATINGS:
            raise CartelError(f"A plaza is rated 1, 2 or 3, not {self.plaza_rating}.")
        names = [card.name for card in self.matadors]
        if len(names) != MATADORS:
            raise CartelError(f"A cartel has three matadors, this one {len(names)}.")
        for name in names:
            if names.count(name) > 1:
                raise CartelError(f"{name} stands on the cartel twice.")

    @property
    def order(self) -> tuple[MatadorCard, ...]:
        """The cards in the order of appearance (Ruling I-14)."""
        return tuple(sorted(self.matadors, key=appearance))


@dataclass(frozen=True, slots=True)
class CorridaRecord:
    """A played corrida: `sorteo[turn]` is the bull (0-5) of that turn; `suspended` where nobody
    was able to go on, with fewer lidias than six.
    """

    sorteo: tuple[int, ...]
    lidias: tuple[LidiaRecord, ...]
    suspended: bool


def play_corrida(setup: CorridaSetup, seed: Seed) -> CorridaRecord:
    """Play a corrida by chance: `sorteo`, and `lidia/1` to `lidia/6` or one `deck` (Ruling I-3)."""
    return _play(setup, draw_sorteo(seed), _shuffler(setup.rules, seed))


def draw_sorteo(seed: Seed) -> tuple[int, ...]:
    """The lot: one uniform permutation of the six bulls over the six turns (Ruling I-15)."""
    return tuple(seed.chance("sorteo").shuffled(range(BULLS)))


def replay_corrida(
    setup: CorridaSetup, sorteo: Sequence[int], draws: Sequence[bytes]
) -> CorridaRecord:
    """Play a corrida again from its record.

    Raises `ImpossibleDraw` at the first card that cannot be, `CartelError` for a lot that is no
    permutation of the six bulls.
    """
    if sorted(sorteo) != list(range(BULLS)):
        raise CartelError("The lot gives each of the six bulls once (Ruling I-15).")
    pile = RecordedPile()
    fresh = setup.rules.shuffle == "each_bull"

    def pile_of(turn: int) -> Pile:
        pile.finish()
        cards = draws[turn] if turn < len(draws) else b""
        pile.begin(turn, cards, fresh_deck=fresh)
        return pile

    record = _play(setup, tuple(sorteo), pile_of)
    pile.finish()
    if len(record.lidias) < len(draws):
        raise ImpossibleDraw(len(record.lidias), 0, "the corrida is over, and the record goes on.")
    return record


def _shuffler(rules: Rules, seed: Seed) -> Callable[[int], Pile]:
    if rules.shuffle == "each_bull":
        return lambda turn: ShuffledPile(seed.chance(f"lidia/{turn + 1}"))
    pile = ShuffledPile(seed.chance("deck"))

    def same_deck(turn: int) -> Pile:
        pile.drawn = bytearray()
        return pile

    return same_deck


def _play(
    setup: CorridaSetup, sorteo: tuple[int, ...], pile_of: Callable[[int], Pile]
) -> CorridaRecord:
    matadors = setup.order
    able = list(range(MATADORS))
    lidias: list[LidiaRecord] = []
    for turn in range(BULLS):
        if not able:
            break
        announced = turn % MATADORS
        starter = announced if announced in able else able[0]
        lidias.append(
            play_lidia(
                setup.rules,
                setup.deck,
                setup.plaza_rating,
                matadors,
                able,
                turn,
                starter,
                pile_of(turn),
            )
        )
    return CorridaRecord(sorteo, tuple(lidias), suspended=not able)
