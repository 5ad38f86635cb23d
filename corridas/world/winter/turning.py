"""The winter: from the past year to the matadors, cards and herds of the next."""

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
    Printed,
    Retired,
    Returned,
)
from corridas.world.winter.year import Career, HerdYear, Year
from fairness import Seed

# Per cent of the novilleros who are ready after so many seasons; after more, all are.
WAITS = {1: 30, 2: 55}
# With this rating a novillero is ready at once.
EVER_READY = 62
# The padrino is one of this many most senior matadors, more often a famous one.
SENIORS = 6
# By version 1, alternativas take place on the first days of the season, before any other corrida.
FIRST_DAYS = 3
# From version 2 on, in the first quarter of the coming calendar, or at least its first ...
EARLY_PART = 4
# ... so many corridas, counting only those in plazas of the best category there is.
EARLY = 24
# Nobody stands by at two alternativas within this many days, in case an ocean lies between them.
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
    """Draw the ceremony in the first days of the year; None with fewer than two active matadors.

    `men` are the active matadors, the most senior first; `plazas` are in a fixed order.
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
    """Return the key of seniority: seasons fought here, then the day of the alternativa."""
    return (-seasons, alternativa or dt.date.max, slug)


def by_seniority(men: Sequence[Career]) -> list[Career]:
    return sorted(men, key=_seniority)


def _seniority(man: Career) -> Seniority:
    return seniority(man.seasons, man.card.alternativa, man.slug)


class _Carteles:
    """The alternativas of a winter by version 2: each takes a date that nobody else has taken.

    `ratings` are those of the coming season, by slug, `men` its active matadors. A novillero takes
    it in his own country where there is an early corrida. Who is rated above him appears before
    him, so that he comes third on the cartel where two such men can be found.
    """

    def __init__(self, year: Year, men: Sequence[Career], ratings: Mapping[str, int]) -> None:
        self.men, self.ratings = by_seniority(men), ratings
        best = min((place.category for place in year.calendar), default=0)
        suitable = sorted(place for place in year.calendar if place.category == best)
        self.free = suitable[: max(EARLY, len(suitable) // EARLY_PART)]
        self.busy: dict[str, list[dt.date]] = {}

    def alternativa(self, novillero: Career, seed: Seed) -> Alternativa | None:
        """Return the ceremony, or None where no date has two older matadors for it."""
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
        """Return who can stand by on a day, the most senior first."""
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


# A herd is pushed by at most this many ranks. As others are too, it moves by at most twice that.
PLACES = 2
# A herd with fewer bulls in the year is not judged.
ENOUGH_BULLS = 12


def moves(herds: Collection[HerdYear]) -> tuple[HerdMove, ...]:
    """Return the herds whose rank changes; afterwards the ranks of all are 0, 1, 2 ..."""
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
    """Return the results of a herd's bulls, in thousandths per bull."""
    brought = herd.ears + herd.vueltas + 4 * herd.indultos - 2 * herd.three_avisos
    return 1000 * brought // herd.bulls


def _pushes(worth: dict[str, int]) -> dict[str, int]:
    """Return the ranks gained by each herd: the best quarter and the best eighth of the
    year rise.
    """
    ranked = sorted(worth, key=lambda slug: (worth[slug], slug))
    count = len(ranked)
    return {slug: _push(8 * place // count) for place, slug in enumerate(ranked)}


def _push(eighth: int) -> int:
    if eighth in (0, 7):
        return PLACES if eighth else -PLACES
    return (eighth == 6) - (eighth == 1)


# The final scores of the shipped deck, one for every twentieth of all lidias of a season.
SCORES = (
    *(-51, -41, -36, -31, -28, -25, -22, -20, -18, -16),
    *(-14, -13, -11, -10, -8, -7, -5, -3, 0, 5),
)
WORTH = {Trophy.NONE: 0, Trophy.OREJA: 2, Trophy.DOS_OREJAS: 4, Trophy.RABO: 6}
# Every final number, and its frequency with these scores (Ruling I-13).
_FINAL = tuple(
    Counter(
        max(1, min(100, number + score)) for score in SCORES for number in range(1, 101)
    ).items()
)
# A matador is compared with this many rated above and below him.
NEAR = 8
# The standard deviation of the result of one bull, in thousandths.
SPREAD = 1390
# With this many bulls half of a surplus counts; with many more, nearly all.
KNOWN = 24
MOST = 300


def merits(careers: Sequence[Career]) -> dict[str, int]:
    """Return each man's merit, in hundredths: 0 as expected, 100 uncommonly good, 300 at most."""
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
    """Return the results above the card's expectation, in thousandths."""
    return 1000 * deeds(career) - career.count("bulls") * expected(career.card)


def _usual(surplus: Sequence[int], bulls: Sequence[int], place: int) -> int:
    near = slice(max(0, place - NEAR), place + NEAR + 1)
    fought = sum(bulls[near])
    return sum(surplus[near]) * bulls[place] // fought if fought else 0


def _merit(surplus: int, bulls: int) -> int:
    """Return a surplus in thousandths relative to the effect of chance over so many bulls."""
    if not bulls:
        return 0
    common = SPREAD * isqrt(10_000 * bulls) // 100
    known = isqrt(10_000 * bulls // (bulls + KNOWN))
    return max(-MOST, min(MOST, surplus * known // common))


# A circuit supports one matador per this many places on its carteles a year ...
PLACES_A_MAN = 27
# ... and at least this many.
FEWEST = 24
# A full circuit has this many novilleros.
IN_TRAINING = 8
MOST_DEBUTS = 8
# With fewer, there is a debut in any case.
FEWEST_NOVILLEROS = 3


def winter(year: Year, seed: Seed, lore: Lore | None = None) -> Outcome:
    """Return the changes between the past year and the next; deterministic.

    Every event draws from a label of its own (Ruling F-1), so that the order of the input does not
    matter. `lore` has names, places and masters, by default the shipped ones. Raise `NamesError`
    where no unused name is left.
    """
    return _Winter(year, seed, lore or load_lore()).outcome()


class _Winter:
    """The computation of a winter; matadors are by slug."""

    def __init__(self, year: Year, seed: Seed, lore: Lore) -> None:
        self.year, self.seed, self.lore = year, seed, lore
        careers = sorted(year.careers, key=lambda career: career.slug)
        self.active = [career for career in careers if career.state == "active"]
        self.novilleros = [career for career in careers if career.state == "novillero"]
        self.gone = [career for career in careers if career.state == "retired"]

    def outcome(self) -> Outcome:
        """Return everything, in the order of dependency."""
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
    ) -> tuple[Printed, ...]:
        days = {news.slug: news.date for news in alternativas}
        printed = []
        for man in sorted([*men, *self.novilleros], key=lambda man: man.slug):
            card = replace(
                moved(man.card, ratings[man.slug], version=self.year.version),
                alternativa=days.get(man.slug, man.card.alternativa),
            )
            if card != man.card:
                printed.append(Printed(slug=man.slug, card=card, before=man.card.rating))
        return tuple(printed)

    def _debuts(self, men: int, novilleros: int) -> tuple[Debut, ...]:
        """Draw as many debuts as a circuit of this size lacks, plus or minus one."""
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
        """Return the number of matadors that the circuit supports; without corridas the present
        one.
        """
        places = sum(man.count("corridas") for man in self.year.careers)
        return max(FEWEST, places // PLACES_A_MAN) if places else len(self.active)
