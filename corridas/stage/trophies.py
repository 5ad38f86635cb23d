"""What has been won so far: the six turns with their results, and who is ahead."""

from __future__ import annotations

from dataclasses import dataclass

from corridas.engine import BULLS, Ending, LidiaResult, Trophy
from corridas.stage.showing import Showing

TROPHY_BADGES = {Trophy.OREJA: "ear", Trophy.DOS_OREJAS: "two", Trophy.RABO: "tail"}


@dataclass(frozen=True, slots=True)
class Badge:
    """A result in a word of the stage's own (`ear`, `herida`, `pitos` ...) with a count."""

    name: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Turn:
    """A turn (1-6): who and which bull; `state` is `over`, `now` or `to_come`.

    `fighter` finished it where it is over, else is announced for it; `instead` tells that he is
    not the one announced.
    """

    turn: int
    fighter: str
    instead: bool
    bull: str
    state: str
    badges: tuple[Badge, ...]


@dataclass(frozen=True, slots=True)
class Tally:
    """A matador's afternoon so far."""

    name: str
    slug: str
    order: int
    bulls: int
    ears: int
    tails: int
    vueltas: int
    indultos: int
    hurt: bool

    @property
    def trophies(self) -> int:
        """Ears and tails together."""
        return self.ears + self.tails


def turns(showing: Showing, finished: int, on_sand: int) -> tuple[Turn, ...]:
    """The six turns when `finished` lidias are over and `on_sand` (0 for none) is fought."""
    return tuple(_turn(showing, turn, finished, on_sand) for turn in range(1, BULLS + 1))


def _turn(showing: Showing, turn: int, finished: int, on_sand: int) -> Turn:
    announced, bull = showing.announced(turn), showing.bull_of(turn).name
    if turn > finished:
        state = "now" if turn == on_sand else "to_come"
        return Turn(turn, announced.name, False, bull, state, ())
    result = showing.lidia(turn).result
    finisher = announced if result.finisher is None else showing.matadors[result.finisher]
    return Turn(turn, finisher.name, finisher != announced, bull, "over", badges(result))


def badges(result: LidiaResult) -> tuple[Badge, ...]:
    """A lidia's result, the loudest first."""
    found = [Badge(name) for name in _verdict(result)]
    if result.ending is Ending.SPARED:
        found.insert(0, Badge("indulto"))
    if result.vuelta:
        found.append(Badge("vuelta"))
    if result.avisos:
        found.append(Badge("aviso", result.avisos))
    if result.injured:
        found.append(Badge("herida"))
    return tuple(found)


def _verdict(result: LidiaResult) -> list[str]:
    if result.trophy in TROPHY_BADGES:
        return [TROPHY_BADGES[result.trophy]]
    return [result.crowd.name.lower()] if result.crowd else []


def ahead(showing: Showing, finished: int) -> tuple[Tally, ...]:
    """The three matadors by what they have won: ears, tails, indultos, vueltas, then in order."""
    results = [showing.lidia(turn).result for turn in range(1, finished + 1)]
    tallies = [_tally(showing, order, results) for order in range(len(showing.matadors))]
    return tuple(sorted(tallies, key=_rank))


def _rank(tally: Tally) -> tuple[int, ...]:
    return (-tally.ears, -tally.tails, -tally.indultos, -tally.vueltas, tally.order)


def _tally(showing: Showing, order: int, results: list[LidiaResult]) -> Tally:
    own = [result for result in results if result.finisher == order]
    person = showing.matadors[order]
    return Tally(
        name=person.name,
        slug=person.slug,
        order=order,
        bulls=len(own),
        ears=sum((result.trophy or Trophy.NONE).ears for result in own),
        tails=sum(result.trophy is Trophy.RABO for result in own),
        vueltas=sum(bool(result.vuelta) for result in own),
        indultos=sum(result.ending is Ending.SPARED for result in own),
        hurt=any(order in result.injured for result in results),
    )
