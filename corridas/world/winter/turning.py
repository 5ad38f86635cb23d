"""Calculates a winter: the matadors, cards and herds of the next season from the past year."""

from __future__ import annotations

import datetime as dt
from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace
from functools import lru_cache
from math import isqrt

from corridas.engine import MatadorCard, Trophy
from corridas.world.winter import leaving
from corridas.world.winter.cards import moved
from corridas.world.winter.debuts import debut
from corridas.world.winter.form import next_rating
from corridas.world.winter.lore import Lore, keys, load_lore
from corridas.world.winter.outcome import (
    Alternativa,
    Debut,
    HerdMove,
    Outcome,
    PrintedCard,
    Retired,
    Returned,
)
from corridas.world.winter.year import Career, HerdYear, Year
from fairness import Seed

# Percentage of novilleros (apprentices) who are ready after one and after two seasons. After that,
# all are ready.
WAITS = {1: 30, 2: 55}
# A novillero with at least this rating is always ready.
EVER_READY = 62
# The padrino, who leads the ceremony, is drawn from this many most senior matadors. Higher ratings
# are more likely.
SENIORS = 6
# In version 1, alternativas take place on the first days of the year, before any corrida.
FIRST_DAYS = 3
# Since version 2, alternativas take place in the first part of the calendar: one in this many of
# its corridas, but at least `EARLY`. Only plazas of the best category count.
EARLY_PART = 4
# Minimum number of corridas from which those for alternativas are drawn.
EARLY = 24
# A matador attends no two alternativas within this many days, because they may be on different
# continents.
DAYS_APART = 3
LEAST_AGE = 18


def is_ready(career: Career, seed: Seed) -> bool:
    if career.age < LEAST_AGE - 1:
        return False
    chance = seed.chance(f"winter/alternativa/{career.slug}")
    patient = chance.below(100) >= WAITS.get(max(1, career.seasons), 100)
    return not patient or career.card.rating >= EVER_READY


def alternativa(
    slug: str, year: int, men: Sequence[Career], plazas: Sequence[str], seed: Seed
) -> Alternativa | None:
    """Draw a ceremony for version 1; None if there are fewer than two active matadors.

    `men` are the active matadors, the most senior first. `plazas` must be in a fixed order.
    """
    if len(men) < 2:
        return None
    chance = seed.chance(f"winter/padrinos/{slug}")
    padrino = chance.weighted(_fame(men[:-1][:SENIORS]))
    juniors = men[padrino + 1 :]
    testigo = juniors[chance.weighted(_fame(juniors))]
    return Alternativa(
        slug=slug,
        padrino=men[padrino].slug,
        testigo=testigo.slug,
        plaza=chance.pick(plazas) if plazas else "",
        date=dt.date(year, 1, 1 + chance.below(FIRST_DAYS)),
    )


def _fame(men: Sequence[Career]) -> list[int]:
    return [max(1, man.card.rating) for man in men]


Seniority = tuple[int, dt.date, str]


def seniority(seasons: int, alternativa: dt.date | None, slug: str) -> Seniority:
    """Return the sort key for seniority: most seasons in this circuit, then earliest
    alternativa.
    """
    return (-seasons, alternativa or dt.date.max, slug)


def by_seniority(men: Sequence[Career]) -> list[Career]:
    return sorted(men, key=_seniority)


def _seniority(man: Career) -> Seniority:
    return seniority(man.seasons, man.card.alternativa, man.slug)


class _Carteles:
    """Assigns the alternativas of a winter to dates of the coming calendar (version 2).

    Each ceremony takes a corrida of its own, in the novillero's country if possible. `ratings` are
    those of the coming season by slug, and `men` its active matadors. The two matadors who attend
    have a higher rating than the novillero if there are two such matadors, so that he appears
    third.
    """

    def __init__(self, year: Year, men: Sequence[Career], ratings: Mapping[str, int]) -> None:
        self.men, self.ratings = by_seniority(men), ratings
        best = min((place.category for place in year.calendar), default=0)
        suitable = sorted(place for place in year.calendar if place.category == best)
        self.free = suitable[: max(EARLY, len(suitable) // EARLY_PART)]
        self.busy: dict[str, list[dt.date]] = {}

    def alternativa(self, novillero: Career, seed: Seed) -> Alternativa | None:
        """Draw a ceremony for a novillero; None if no date has two more senior matadors free."""
        chance = seed.chance(f"winter/cartel/{novillero.slug}")
        at_home = [ring for ring in self.free if ring.country == novillero.country]
        abroad = [ring for ring in self.free if ring.country != novillero.country]
        for ring in (*chance.shuffled(at_home), *chance.shuffled(abroad)):
            pool = self._pool(novillero, ring.date)
            if len(pool) < 2:
                continue
            padrino = chance.weighted(_fame(pool[:-1][:SENIORS]))
            juniors = pool[padrino + 1 :]
            testigo = juniors[chance.weighted(_fame(juniors))]
            self.free.remove(ring)
            for man in (pool[padrino], testigo):
                self.busy.setdefault(man.slug, []).append(ring.date)
            return Alternativa(
                slug=novillero.slug,
                padrino=pool[padrino].slug,
                testigo=testigo.slug,
                plaza=ring.plaza,
                date=ring.date,
            )
        return None

    def _pool(self, novillero: Career, day: dt.date) -> list[Career]:
        """Return the matadors who can attend a ceremony on a day, the most senior first."""
        his = seniority(0, day, novillero.slug)
        older = [
            man
            for man in self.men
            if _seniority(man) < his
            and all(abs((day - other).days) > DAYS_APART for other in self.busy.get(man.slug, ()))
        ]
        rating = self.ratings[novillero.slug]
        above = [man for man in older if self.ratings[man.slug] > rating]
        return above if len(above) > 1 else older


# A herd's results move it by at most this many ranks. Because other herds move too, its rank
# changes by at most twice as many.
PLACES = 2
# A herd with fewer bulls in the year keeps its place.
ENOUGH_BULLS = 12


def moves(herds: Collection[HerdYear]) -> tuple[HerdMove, ...]:
    """Return the herds whose rank of renown changes. Afterwards the ranks are 0, 1, 2 ..."""
    before = sorted(herds, key=lambda herd: (herd.renown, herd.slug))
    worth = {herd.slug: _worth(herd) for herd in before if herd.bulls >= ENOUGH_BULLS}
    places = {herd.slug: 2 * place for place, herd in enumerate(before)}
    for slug, push in _pushes(worth).items():
        places[slug] -= 2 * push + (push > 0) - (push < 0)
    after = sorted(before, key=lambda herd: places[herd.slug])
    return tuple(
        HerdMove(slug=herd.slug, before=herd.renown, after=place)
        for place, herd in enumerate(after)
        if herd.renown != place
    )


def _worth(herd: HerdYear) -> int:
    """Return the value of the results of a herd per bull, in thousandths."""
    brought = herd.ears + herd.vueltas + 4 * herd.indultos - 2 * herd.three_avisos
    return 1000 * brought // herd.bulls


def _pushes(worth: dict[str, int]) -> dict[str, int]:
    """Return how many ranks each herd gains or loses through its results.

    The best eighth of the herds gains two ranks, the next eighth one. The worst eighth loses two,
    the next one.
    """
    ranked = sorted(worth, key=lambda slug: (worth[slug], slug))
    count = len(ranked)
    return {slug: _push(8 * place // count) for place, slug in enumerate(ranked)}


def _push(eighth: int) -> int:
    if eighth in (0, 7):
        return PLACES if eighth else -PLACES
    return (eighth == 6) - (eighth == 1)


# Typical final scores with the bundled deck: each stands for one twentieth of all fights in a
# season.
SCORES = (
    *(-51, -41, -36, -31, -28, -25, -22, -20, -18, -16),
    *(-14, -13, -11, -10, -8, -7, -5, -3, 0, 5),
)
WORTH = {Trophy.NONE: 0, Trophy.OREJA: 2, Trophy.DOS_OREJAS: 4, Trophy.RABO: 6}
# Every number that decides a fight, and its frequency with these scores (Ruling I-13).
_FINAL = tuple(
    Counter(
        max(1, min(100, number + score)) for score in SCORES for number in range(1, 101)
    ).items()
)
# A matador is compared with this many matadors rated above him, and as many below him.
NEAR = 8
# Standard deviation of the result of one bull, in thousandths.
SPREAD = 1390
# Reduces merits that are based on few bulls: with this many bulls the factor is √½, with more it
# approaches 1.
KNOWN = 24
MOST = 300


def merits(careers: Sequence[Career]) -> dict[str, int]:
    """Return the merit of each matador's season, in hundredths.

    0 is as expected, 100 is unusually good, and the limits are -300 and 300.
    """
    ranked = sorted(careers, key=lambda career: (career.card.rating, career.slug))
    surplus = [_surplus(career) for career in ranked]
    bulls = [career.count("bulls") for career in ranked]
    return {
        career.slug: _merit(surplus[place] - _usual(surplus, bulls, place), bulls[place])
        for place, career in enumerate(ranked)
    }


def deeds(career: Career) -> int:
    dear = career.count("ears") + career.count("tails") + career.count("indultos")
    return 2 * dear + career.count("vueltas")


@lru_cache(maxsize=1024)
def expected(card: MatadorCard) -> int:
    """Return the expected result of a card per bull, in thousandths."""
    total = 0
    for number, often in _FINAL:
        trophy, vuelta, _ = card.outcome(number)
        total += often * (WORTH[trophy] + vuelta)
    return 1000 * total // (100 * len(SCORES))


def _surplus(career: Career) -> int:
    """Return by how much a matador's results exceed the results expected of his card, in
    thousandths.
    """
    return 1000 * deeds(career) - career.count("bulls") * expected(career.card)


def _usual(surplus: Sequence[int], bulls: Sequence[int], place: int) -> int:
    near = slice(max(0, place - NEAR), place + NEAR + 1)
    fought = sum(bulls[near])
    return sum(surplus[near]) * bulls[place] // fought if fought else 0


def _merit(surplus: int, bulls: int) -> int:
    """Return the merit for a surplus (in thousandths) over this many bulls.

    The surplus is divided by its standard deviation, because few bulls prove little.
    """
    if not bulls:
        return 0
    common = SPREAD * isqrt(10_000 * bulls) // 100
    known = isqrt(10_000 * bulls // (bulls + KNOWN))
    return max(-MOST, min(MOST, surplus * known // common))


# A circuit supports one matador for this many appearances a year.
PLACES_A_MAN = 27
# Minimum number of matadors that a circuit supports.
FEWEST = 24
# Number of novilleros (apprentices) in a full circuit.
IN_TRAINING = 8
MOST_DEBUTS = 8
# If there are fewer novilleros than this, new ones begin in any case.
FEWEST_NOVILLEROS = 3


def winter(year: Year, seed: Seed, lore: Lore | None = None) -> Outcome:
    """Return all changes of the winter between the past year and the next.

    Every random event has its own label (Ruling F-1), so the result is deterministic and does not
    depend on the order of the input. `lore` contains names, places and existing cards, by default
    the bundled ones. Raises `NamesError` if no unused name is left.
    """
    return _Winter(year, seed, lore or load_lore(version=year.version)).outcome()


class _Winter:
    """The calculation of one winter."""

    def __init__(self, year: Year, seed: Seed, lore: Lore) -> None:
        self.year, self.seed, self.lore = year, seed, lore
        careers = sorted(year.careers, key=lambda career: career.slug)
        self.active = [career for career in careers if career.state == "active"]
        self.novilleros = [career for career in careers if career.state == "novillero"]
        self.gone = [career for career in careers if career.state == "retired"]

    def outcome(self) -> Outcome:
        """Return all changes. Later steps use the results of earlier ones."""
        retired = self._retired()
        left = {news.slug for news in retired}
        returned = tuple(man for man in self.gone if leaving.comes_back(man, self.seed))
        staying = [man for man in self.active if man.slug not in left]
        ratings = self._ratings([*staying, *returned, *self.novilleros])
        alternativas = self._alternativas([*staying, *returned], ratings)
        return Outcome(
            printed=self._printed([*staying, *returned], ratings, alternativas),
            retired=retired,
            returned=tuple(Returned(slug=man.slug) for man in returned),
            alternativas=alternativas,
            debuts=self._debuts(
                len(staying) + len(returned) + len(self.novilleros),
                len(self.novilleros) - len(alternativas),
            ),
            herds=moves(self.year.herds),
        )

    def _retired(self) -> tuple[Retired, ...]:
        corridas = {man.slug: man.count("corridas") for man in self.active}
        usual = leaving.usual_corridas(corridas)
        answers = [(man.slug, leaving.leaves(man, usual, self.seed)) for man in self.active]
        return tuple(Retired(slug=slug, why=why) for slug, why in answers if why)

    def _ratings(self, men: Collection[Career]) -> dict[str, int]:
        worth = merits(self.active)
        return {man.slug: next_rating(man, worth.get(man.slug, 0), self.seed) for man in men}

    def _alternativas(
        self, men: Sequence[Career], ratings: Mapping[str, int]
    ) -> tuple[Alternativa, ...]:
        ready = [man for man in self.novilleros if is_ready(man, self.seed)]
        ceremonies: list[Alternativa | None]
        if self.year.version > 1:
            carteles = _Carteles(self.year, men, ratings)
            ceremonies = [carteles.alternativa(man, self.seed) for man in ready]
        else:
            seniors, plazas = by_seniority(men), sorted(self.year.plazas)
            following = self.year.year + 1
            ceremonies = [
                alternativa(man.slug, following, seniors, plazas, self.seed) for man in ready
            ]
        return tuple(ceremony for ceremony in ceremonies if ceremony)

    def _printed(
        self,
        men: Sequence[Career],
        ratings: Mapping[str, int],
        alternativas: Collection[Alternativa],
    ) -> tuple[PrintedCard, ...]:
        days = {news.slug: news.date for news in alternativas}
        printed = []
        for man in sorted([*men, *self.novilleros], key=lambda man: man.slug):
            card = replace(
                moved(man.card, ratings[man.slug], version=self.year.version),
                alternativa=days.get(man.slug, man.card.alternativa),
            )
            if card != man.card:
                printed.append(PrintedCard(slug=man.slug, card=card, before=man.card.rating))
        return tuple(printed)

    def _debuts(self, men: int, novilleros: int) -> tuple[Debut, ...]:
        """Create as many novilleros as the circuit lacks, plus or minus one."""
        chance = self.seed.chance("winter/debuts")
        lacking = self._wanted() + IN_TRAINING - men + chance.below(3) - 1
        hoped = max(lacking, FEWEST_NOVILLEROS - novilleros)
        taken = keys(self.year.taken) | {
            name for man in self.year.careers for name in keys([man.slug, man.name])
        }
        return tuple(
            debut(
                *(ordinal, self.year.year, taken, self.lore, self.seed), version=self.year.version
            )
            for ordinal in range(1, min(MOST_DEBUTS, hoped) + 1)
        )

    def _wanted(self) -> int:
        """Return the number of matadors that the circuit supports.

        If no corridas were fought, it is the present number.
        """
        places = sum(man.count("corridas") for man in self.year.careers)
        return max(FEWEST, places // PLACES_A_MAN) if places else len(self.active)
