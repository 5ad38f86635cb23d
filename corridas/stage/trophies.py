"""Trophies of a corrida so far: the six fights with their results, and a ranking of the
matadors.
"""

from __future__ import annotations

from dataclasses import dataclass

from corridas.engine import BULLS, Ending, LidiaResult, Tally, Trophy
from corridas.stage.showing import Showing

TROPHY_BADGES = {Trophy.OREJA: "ear", Trophy.DOS_OREJAS: "two", Trophy.RABO: "tail"}


@dataclass(frozen=True, slots=True)
class Badge:
    name: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Turn:
    """One of the six fights: its turn (1-6), matador and bull.

    `state` is `over`, `now` or `to_come`. `fighter` is the matador who finished the bull, or before
    that the announced one. `instead` is true if he is not the announced one.
    """

    turn: int
    fighter: str
    instead: bool
    bull: str
    state: str
    badges: tuple[Badge, ...]


@dataclass(frozen=True, slots=True)
class TrophyShare:
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
        return self.ears + self.tails


def turns(showing: Showing, finished: int, on_sand: int) -> tuple[Turn, ...]:
    """Return the six fights of a corrida.

    `finished` is how many are over, and `on_sand` is the turn of the current one (0 for none).
    """
    return tuple(_turn(showing, turn, finished, on_sand) for turn in range(1, BULLS + 1))


def _turn(showing: Showing, turn: int, finished: int, on_sand: int) -> Turn:
    announced, bull = showing.announced(turn), showing.bull_of(turn).name
    if turn > finished:
        state = "now" if turn == on_sand else "to_come"
        return Turn(turn, announced.short, False, bull, state, ())
    result = showing.lidia(turn).result
    finisher = announced if result.finisher is None else showing.matadors[result.finisher]
    return Turn(turn, finisher.short, finisher != announced, bull, "over", badges(result))


def badges(result: LidiaResult) -> tuple[Badge, ...]:
    badges = [Badge(name) for name in _verdict(result)]
    if result.ending is Ending.SPARED:
        badges.insert(0, Badge("indulto"))
    if result.vuelta:
        badges.append(Badge("vuelta"))
    if result.avisos:
        badges.append(Badge("aviso", result.avisos))
    if result.injured:
        badges.append(Badge("herida"))
    return tuple(badges)


def _verdict(result: LidiaResult) -> list[str]:
    if result.trophy in TROPHY_BADGES:
        return [TROPHY_BADGES[result.trophy]]
    return [result.crowd.name.lower()] if result.crowd else []


def ahead(showing: Showing, finished: int) -> tuple[TrophyShare, ...]:
    """Rank the three matadors by ears, tails, spared bulls and laps of honour.

    Ties are broken by the order of appearance.
    """
    results = [showing.lidia(turn).result for turn in range(1, finished + 1)]
    shares = [_share(showing, order, results) for order in range(len(showing.matadors))]
    return tuple(sorted(shares, key=_rank))


def _rank(share: TrophyShare) -> tuple[int, ...]:
    return (-share.ears, -share.tails, -share.indultos, -share.vueltas, share.order)


def _share(showing: Showing, order: int, results: list[LidiaResult]) -> TrophyShare:
    tally = Tally()
    for result in results:
        if result.finisher == order:
            tally.add(result)
    person = showing.matadors[order]
    return TrophyShare(
        name=person.name,
        slug=person.slug,
        order=order,
        bulls=tally["bulls"],
        ears=tally["ears"],
        tails=tally["tails"],
        vueltas=tally["vueltas"],
        indultos=tally["indultos"],
        hurt=any(order in result.injured for result in results),
    )
