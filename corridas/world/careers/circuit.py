"""A circuit in memory that is simulated for many seasons."""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from corridas.engine import MatadorCard, Rules, Tally
from corridas.world.afternoons import Afternoons, Mix, SeasonMatador, SimulatedCorrida
from corridas.world.calendar import dates
from corridas.world.careers.played import Farewell, Played
from corridas.world.encierro import Herd, choose_herd
from corridas.world.roster import Roster
from corridas.world.winter import (
    VERSION,
    Alternativa,
    Career,
    Debut,
    HerdYear,
    OpenDate,
    Outcome,
    State,
    Year,
    draw_beginning,
    standing_after,
    winter,
)
from fairness import Seed


@dataclass(slots=True)
class Life:
    """A matador of the simulated circuit.

    `counted_from` is his nominal year of birth, from which his age is calculated.
    """

    slug: str
    name: str
    country: str
    counted_from: int
    promise: int
    card: MatadorCard
    state: State = "active"
    seasons: int = 0
    retired_in: int | None = None
    rookie: bool = False
    letters: str = ""


@dataclass(slots=True)
class Brand:
    """A herd of the simulated circuit: its rank (0 is the most famous), and its bulls' counters
    this year.
    """

    slug: str
    country: str
    continent: str
    renown: int
    brought: Tally = field(default_factory=Tally)


def play_careers(
    roster: Roster,
    rules: Rules,
    seasons: int,
    first_year: int,
    seed: Seed,
    *,
    version: int = VERSION,
) -> Iterator[Played]:
    """Yield this many simulated seasons, each with the winter after it.

    `version` is that of the winter's rules; the roster needs the cards of the same version. The
    same arguments always give the same seasons. The results do not count (Ruling F-3).
    """
    circuit = Circuit(roster, rules, first_year, seed, version=version)
    for year in range(first_year, first_year + seasons):
        yield circuit.play(year)


class Circuit:
    def __init__(
        self, roster: Roster, rules: Rules, year: int, seed: Seed, *, version: int = VERSION
    ) -> None:
        self.roster, self.rules, self.seed, self.version = roster, rules, seed, version
        self.plazas = {plaza.slug: plaza for plaza in roster.plazas}
        self.alternativas: tuple[Alternativa, ...] = ()
        self.herds = [
            Brand(herd.slug, herd.country, herd.continent, place)
            for place, herd in enumerate(roster.herds)
        ]
        self.lives: dict[str, Life] = {}
        for man in roster.matadors:
            card = roster.cards[man.slug]
            age, promise = draw_beginning(man.slug, card.rating, seed)
            self.lives[man.slug] = Life(man.slug, man.name, man.country, year - age, promise, card)

    def play(self, year: int) -> Played:
        seed = Seed(hashlib.sha256(self.seed.value + str(year).encode()).digest())
        active = sorted(slug for slug, life in self.lives.items() if life.state == "active")
        men = [
            SeasonMatador(key, slug, self.lives[slug].card, letters=self.lives[slug].letters)
            for key, slug in enumerate(active)
        ]
        keys = {man.slug: man.key for man in men}
        promised = {
            (news.plaza, news.date): tuple(
                keys[slug] for slug in (news.slug, news.padrino, news.testigo)
            )
            for news in self.alternativas
        }
        run = Afternoons(self.roster, self.rules, seed, Mix.CONTRACTED, men, promised)
        for afternoon in run.play(year):
            self._send_bulls(afternoon, seed)
        for man in men:
            self.lives[man.slug].letters = run.market.form(man.key)
        outcome = winter(self._year(year, men), seed)
        played = self._summary(year, men, run.left_open, outcome)
        self._turn(year, outcome)
        return played

    def _send_bulls(self, afternoon: SimulatedCorrida, seed: Seed) -> None:
        offers = [
            Herd(place, herd.continent, herd.brought["encierros"])
            for place, herd in enumerate(self.herds)
        ]
        plaza, day = afternoon.plaza, afternoon.corrida.date.isoformat()
        chance = seed.chance(f"herd/{day}/{plaza.slug}")
        herd = self.herds[choose_herd(plaza.category, plaza.continent, offers, chance)]
        herd.brought["encierros"] += 1
        for result in afternoon.results:
            herd.brought.add(result)

    def _year(self, year: int, men: Sequence[SeasonMatador]) -> Year:
        by_slug = {man.slug: man for man in men}
        return Year(
            year=year,
            careers=[_career(life, year, by_slug.get(slug)) for slug, life in self.lives.items()],
            herds=[_herd_year(herd) for herd in self.herds],
            plazas=list(self.plazas),
            version=self.version,
            calendar=[
                OpenDate(held.date, held.plaza, plaza.category, plaza.country)
                for held in dates(self.roster.ferias, year + 1)
                for plaza in [self.plazas[held.plaza]]
            ],
        )

    def _summary(
        self, year: int, men: Sequence[SeasonMatador], left_open: int, outcome: Outcome
    ) -> Played:
        leader = max(men, key=lambda man: (man.counts["corridas"], man.slug))
        lives = [self.lives[man.slug] for man in men]
        gone = [self.lives[news.slug] for news in outcome.retired]
        return Played(
            year=year,
            ratings=tuple(sorted(man.card.rating for man in men)),
            bulls=sum(man.counts["bulls"] for man in men),
            ears=sum(man.counts["ears"] for man in men),
            left_open=left_open,
            leader=leader.slug,
            lead=leader.counts["corridas"],
            novilleros=sum(life.state == "novillero" for life in self.lives.values()),
            farewells=tuple(
                Farewell(year - life.counted_from, life.seasons + 1, life.rookie) for life in gone
            ),
            returned=len(outcome.returned),
            alternativas=len(outcome.alternativas),
            debuts=len(outcome.debuts),
            ages=tuple(sorted(year - life.counted_from for life in lives)),
            moves=tuple(news.card.rating - news.before for news in outcome.printed),
        )

    def _turn(self, year: int, outcome: Outcome) -> None:
        self.alternativas = outcome.alternativas
        retired = {news.slug for news in outcome.retired}
        returned = {news.slug for news in outcome.returned}
        promoted = {news.slug for news in outcome.alternativas}
        for slug, life in self.lives.items():
            career = _career(life, year, None)
            life.state, life.retired_in, life.seasons = standing_after(
                year,
                career.state,
                career.retired_for,
                career.seasons,
                retires=slug in retired,
                returns=slug in returned,
                alternativa=slug in promoted,
            )
            life.rookie = life.rookie or slug in promoted
        for printed in outcome.printed:
            self.lives[printed.slug].card = printed.card
        for debut in outcome.debuts:
            self.lives[debut.slug] = _begin(debut, year)
        self._turn_herds(outcome)

    def _turn_herds(self, outcome: Outcome) -> None:
        places = {move.slug: move.after for move in outcome.herds}
        for herd in self.herds:
            herd.renown = places.get(herd.slug, herd.renown)
            herd.brought.clear()
        self.herds.sort(key=lambda herd: herd.renown)


def _begin(debut: Debut, year: int) -> Life:
    return Life(
        debut.slug,
        debut.name,
        debut.country,
        year - debut.age,
        debut.promise,
        debut.card,
        state="novillero",
    )


def _career(life: Life, year: int, man: SeasonMatador | None) -> Career:
    return Career(
        slug=life.slug,
        name=life.name,
        country=life.country,
        age=year - life.counted_from,
        state=life.state,
        promise=life.promise,
        seasons=life.seasons + (life.state != "retired"),
        card=life.card,
        retired_for=0 if life.retired_in is None else year - life.retired_in,
        counts=man.counts if man else {},
        hurt_days=man.hurt_days if man else 0,
        form=life.letters,
    )


def _herd_year(herd: Brand) -> HerdYear:
    brought = herd.brought
    return HerdYear(
        slug=herd.slug,
        country=herd.country,
        continent=herd.continent,
        renown=herd.renown,
        bulls=brought["bulls"],
        ears=brought["ears"],
        indultos=brought["indultos"],
        vueltas=brought["vueltas"],
        three_avisos=brought["three_avisos"],
    )
