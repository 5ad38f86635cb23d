"""How full the plaza of each corrida is, and the mood of its town afterwards.

`Houses` keeps the towns of a season in memory. A house is calculated when a corrida begins, the
mood when its results are posted, both in the transaction that stores them.

A house also depends on things that later change or cannot be calculated again: the standings of the
day, the seats, the announced matadors. They are stored with it (`Turnout`), so `rebuild_houses` can
check every house.
"""

from __future__ import annotations

import datetime as dt
import json
from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Mapping, Sequence
from itertools import groupby
from operator import itemgetter
from typing import Any, NamedTuple, NotRequired, Protocol, TypedDict

from django.db.models import Case, Count, IntegerField, Q, Sum, Value, When

from corridas import sql
from corridas.bulk import bulk_update
from corridas.engine import Crowd, Trophy
from corridas.models import Corrida, Lidia, Plaza, Puesto, Season
from corridas.simulation.draw import ceremonies
from corridas.simulation.pars import first_market, pars_of, store_pars
from corridas.simulation.rows import places_of
from corridas.simulation.towns import Afternoon, Town, deeds, shown_by
from corridas.world.box_office import (
    ASKED,
    Harvest,
    Luck,
    Pars,
    Price,
    Ring,
    cartel_draw,
    draw,
    draw_harvest,
    draw_luck,
    fresh,
    house_of,
    missed,
    mood_after,
    mood_factor,
    price_factor,
    pull,
    season_tickets,
    standing,
    surprise,
    tables,
)
from corridas.world.contracts import standings
from corridas.world.deeds import PlayedCorrida
from corridas.world.form import value
from corridas.world.market import Market
from fairness import Seed


class Turnout(TypedDict):
    """What a house was calculated from, besides the results of earlier corridas.

    `standings` are those of the three matadors in the order of appearance, without the memory of
    the town. `missed` counts announced matadors who were replaced by smaller names. `tickets` is
    the number of season tickets of the feria. `chance` is in thousandths. `price` (in per cent of
    the normal price) and `harvest` (the value of `Harvest`) are missing at normal prices, for which
    the harvest does not matter.
    """

    category: int
    seats: int
    standings: list[int]
    missed: int
    tickets: int
    chance: int
    rain: bool
    price: NotRequired[int]
    harvest: NotRequired[int]


class House(NamedTuple):
    """A house in thousandths of the seats, and what it was calculated from."""

    share: int
    turnout: Turnout


class HouseRow(NamedTuple):
    """The columns of a posted corrida, in the order in which `write_houses` writes them."""

    house: int
    mood: int
    turnout: Turnout
    pk: int


class Opening(Protocol):
    """A corrida that begins; `plaza` and `feria` are slugs, `feria` is empty outside ferias."""

    @property
    def date(self) -> dt.date: ...
    @property
    def plaza(self) -> str: ...
    @property
    def feria(self) -> str: ...


class Place(Protocol):
    """A matador of the cartel, and the one whom he replaces, or None."""

    @property
    def matador_id(self) -> int: ...
    @property
    def instead_of(self) -> int | None: ...


# A day of a feria and its matadors, as on the poster.
Afternoons = tuple[dt.date, Sequence[int]]
# The factor of normal prices, which is the same in every harvest.
_NORMAL = price_factor(Price.NORMAL, Harvest.USUAL)


class Standings:
    """The standings of a season's matadors, with their forms in the market."""

    def __init__(self, market: Market) -> None:
        self._market = market
        self._by_rating: dict[tuple[int, ...], dict[int, int]] = {}
        self._by_day: dict[dt.date, dict[int, int]] = {}

    def of(self, man: int, day: dt.date) -> int | None:
        """Return a matador's standing on a day, or None if he cannot be contracted any more."""
        by_rating = self._by_day.get(day)
        if by_rating is None:
            by_rating = self._by_day[day] = self._rated(day)
        rated = by_rating.get(man)
        return None if rated is None else standing(rated, value(self._market.form(man)))

    def _rated(self, day: dt.date) -> dict[int, int]:
        market = self._market
        later = tuple([man for man, begins in market.begins.items() if day < begins])
        found = self._by_rating.get(later)
        if found is None:
            men = {man: each.card.rating for man, each in market.cards.items() if man not in later}
            ranks = standings(tuple(men.values()))
            found = self._by_rating[later] = dict(zip(men, ranks, strict=True))
        return found


def share_of(turnout: Turnout, corrida: Opening, men: Sequence[int], town: Town, par: Pars) -> int:
    """Return how full the plaza of a corrida is, in thousandths of the seats."""
    day = corrida.date
    ring = Ring(turnout["category"], turnout["seats"])
    left = town.freshness(men, day, corrida.feria)
    draws = [
        draw(stands + town.memory(man, day), freshness)
        for man, stands, freshness in zip(men, turnout["standings"], left, strict=True)
    ]
    house = house_of(
        ring,
        day,
        pull(cartel_draw(draws), par.draw),
        mood_factor(town.mood(day)),
        _factor_of_price(turnout),
        Luck(turnout["chance"], turnout["rain"]),
        turnout["tickets"],
    )
    return house.share(ring)


def _price_of(turnout: Turnout) -> Price:
    return Price(turnout.get("price", Price.NORMAL.value))


def _factor_of_price(turnout: Turnout) -> int:
    return price_factor(_price_of(turnout), Harvest(turnout.get("harvest", Harvest.USUAL.value)))


def posted_afternoon(
    played: PlayedCorrida, town: Town, turnout: Turnout | None, par: Pars | None
) -> Afternoon:
    """Return a posted corrida as its town will remember it, with the new mood.

    Without a house the mood is None.
    """
    mood = None
    if turnout is not None and par is not None:
        gained = surprise(shown_by(played.lidias), ASKED[_price_of(turnout)], par)
        mood = mood_after(town.mood(played.date), gained, turnout["missed"])
    men = played.matadors if played.feria else ()
    return Afternoon(played.date, played.feria, men, *deeds(played.lidias), mood)


class Houses:
    """The houses of a season while its corridas are played.

    `pars` are those of the season by category; without them there are no houses. `market` contains
    the forms, and the caller keeps it up to date. `plazas` are the slugs of the plazas for which
    rows are loaded; None stands for all. `without` are keys of corridas that are being posted.
    """

    def __init__(
        self,
        season: Season,
        pars: Mapping[int, Pars],
        market: Market,
        plazas: Collection[str] | None = None,
        without: Collection[int] = (),
    ) -> None:
        self._season = season
        self._pars = pars
        self._seed = Seed(bytes(season.seed))
        self._standings = Standings(market)
        self._towns: dict[str, Town] = defaultdict(Town)
        self._rings: dict[str, Ring] = {}
        # Ferias for which season tickets are sold, and the number of tickets, by plaza and feria.
        self._long_ferias: set[tuple[str, str]] = set()
        self._tickets: dict[tuple[str, str], int] = {}
        # Prices of reserved corridas, by plaza and day.
        self._prices: dict[tuple[str, dt.date], Price] = {}
        if self._pars:
            self._load(plazas, without)

    def begin(self, corrida: Opening, places: Sequence[Place]) -> House | None:
        """Return the `House` of a corrida that begins now, or None if it has none."""
        ring = self._rings.get(corrida.plaza)
        par = self._pars.get(ring.category) if ring else None
        if ring is None or par is None:
            return None
        day, town = corrida.date, self._towns[corrida.plaza]
        men = [place.matador_id for place in places]
        stands = [self._standings.of(man, day) for man in men]
        known = [each for each in stands if each is not None]
        if len(known) < len(men):
            return None
        luck = draw_luck(self._seed, day, corrida.plaza)
        turnout: Turnout = {
            "category": ring.category,
            "seats": ring.seats,
            "standings": known,
            "missed": self._missed(places, dict(zip(men, known, strict=True)), day, town),
            "tickets": self._season_tickets(corrida, ring, town, par),
            "chance": luck.chance,
            "rain": luck.rain,
        }
        price = self._prices.get((corrida.plaza, day), Price.NORMAL)
        if price is not Price.NORMAL:
            turnout["price"] = price.value
            turnout["harvest"] = draw_harvest(self._seed, corrida.plaza).value
        return House(share_of(turnout, corrida, men, town, par), turnout)

    def post(self, played: PlayedCorrida, house: House | None) -> HouseRow | None:
        """Let the town see a corrida. Return the columns to write, or None if it has no house."""
        town = self._towns[played.plaza]
        turnout = house.turnout if house else None
        par = self._pars.get(turnout["category"]) if turnout else None
        afternoon = posted_afternoon(played, town, turnout, par)
        town.add(afternoon)
        if house is None or afternoon.mood is None:
            return None
        return HouseRow(house.share, afternoon.mood, house.turnout, played.pk)

    def _missed(
        self, places: Iterable[Place], stands: Mapping[int, int], day: dt.date, town: Town
    ) -> int:
        replaced = [place for place in places if place.instead_of is not None]
        if not replaced:
            return 0
        announced, fought = {}, {}
        for place in replaced:
            assert place.instead_of is not None
            absent = self._standings.of(place.instead_of, day)
            if absent is not None:
                announced[str(place.instead_of)] = absent + town.memory(place.instead_of, day)
            man = place.matador_id
            fought[str(man)] = stands[man] + town.memory(man, day)
        return missed(announced, fought)

    def _season_tickets(self, corrida: Opening, ring: Ring, town: Town, par: Pars) -> int:
        """Return the season tickets of a feria.

        They are sold on the morning of the first afternoon that is played, by its carteles on that
        day. A day without a cartel draws like three open places.
        """
        feria = (corrida.plaza, corrida.feria)
        if feria not in self._long_ferias:
            return 0
        if feria not in self._tickets:
            rows = sql.poster(self._season.pk, corrida.feria)
            poster = [
                (day, [man for _, _, man in places if man is not None])
                for (_, day), places in groupby(rows, key=itemgetter(0, 1))
            ]
            pulls = self._pulls(poster, town, par, today=corrida.date)
            mood = mood_factor(town.mood(corrida.date))
            self._tickets[feria] = season_tickets(ring, pulls, mood, _NORMAL)
        return self._tickets[feria]

    def sell_season_tickets(
        self, plaza: str, feria: str, poster: Sequence[Afternoons], price: Price, closing: dt.date
    ) -> int:
        """Sell the season tickets of a reserved feria at its closing, and return their number.

        `poster` are the days of the feria with the matadors of each. The price also counts for the
        houses of these days.
        """
        for day, _ in poster:
            self._prices[plaza, day] = price
        ring, town = self._rings[plaza], self._towns[plaza]
        par = self._pars.get(ring.category)
        sold = 0
        if par is not None:
            tomorrow = closing + dt.timedelta(days=1)
            pulls = self._pulls(poster, town, par, today=tomorrow)
            factor = price_factor(price, draw_harvest(self._seed, plaza))
            sold = season_tickets(ring, pulls, mood_factor(town.mood(tomorrow)), factor)
        if feria:
            self._tickets[plaza, feria] = sold
        return sold

    def standing(self, man: int, day: dt.date) -> int | None:
        """Return a matador's standing on a day, or None if he cannot be contracted any more."""
        return self._standings.of(man, day)

    def ring(self, plaza: str) -> Ring:
        return self._rings[plaza]

    def _pulls(
        self, poster: Iterable[Afternoons], town: Town, par: Pars, *, today: dt.date
    ) -> list[int]:
        """Return the pulls of a feria's days. An open place draws like a little-known matador."""
        billed: Counter[int] = Counter()
        pulls = []
        for day, men in poster:
            draws = [draw(tables.OPEN_PLACE)] * (len(tables.BILL_WEIGHTS) - len(men))
            for man in men:
                stands = self._standings.of(man, day)
                here = None if stands is None else stands + town.memory(man, today)
                draws.append(
                    draw(tables.OPEN_PLACE) if here is None else draw(here, fresh(billed[man]))
                )
            pulls.append(pull(cartel_draw(draws), par.draw))
            billed.update(men)
        return pulls

    def _load(self, plazas: Collection[str] | None, without: Collection[int]) -> None:
        rows = Plaza.objects.filter(circuit=self._season.circuit_id)
        if plazas is not None:
            rows = rows.filter(slug__in=plazas)
        for slug, category, seats in rows.values_list("slug", "category", "seats"):
            self._rings[slug] = Ring.of(category, seats)
        for plaza, afternoon in remembered(self._season, plazas, without):
            self._towns[plaza].add(afternoon)
        self._load_calendar(plazas)

    def _load_calendar(self, plazas: Collection[str] | None) -> None:
        """Load prices, season tickets, and the ferias for which season tickets are sold."""
        calendar = Corrida.objects.filter(season=self._season)
        if plazas is not None:
            calendar = calendar.filter(plaza__slug__in=plazas)
        days: Counter[tuple[str, str]] = Counter()
        reserved = ("reservation__price", "reservation__tickets")
        held_by = calendar.order_by().values_list(
            "plaza__slug", "feria__slug", "date", "turnout", *reserved
        )
        for plaza, feria, day, turnout, price, tickets in held_by:
            if price is not None:
                self._prices[plaza, day] = Price(price)
            if feria is None:
                continue
            days[plaza, feria] += 1
            if turnout is not None:
                self._tickets[plaza, feria] = turnout["tickets"]
            elif tickets is not None:
                self._tickets[plaza, feria] = tickets
        self._long_ferias = {key for key, held in days.items() if held >= tables.TICKET_DAYS}


def house_on_air(season: Season, corrida: Opening, places: Sequence[Place]) -> House | None:
    """Return the `House` of a corrida that is about to be broadcast, or None if it has none.

    The season gets its pars if it has none. The caller has opened a transaction.
    """
    pars = store_pars(season)
    if not pars:
        return None
    market = first_market(season.circuit_id, ceremonies(season))
    return Houses(season, pars, market, [corrida.plaza]).begin(corrida, places)


def house_rows(season: Season, played: Sequence[PlayedCorrida]) -> list[HouseRow]:
    """Return the houses and moods of corridas that are being posted.

    A broadcast corrida has got its house when it began. A corrida of a real table gets it now.
    """
    pars = pars_of(season)
    if not pars:
        return []
    keys = [corrida.pk for corrida in played]
    rows = Corrida.objects.filter(pk__in=keys).values_list("pk", "on_air_at", "house", "turnout")
    stored = {pk: (on_air_at, house, turnout) for pk, on_air_at, house, turnout in rows}
    market = first_market(season.circuit_id, ceremonies(season))
    plazas = {corrida.plaza for corrida in played}
    houses = Houses(season, pars, market, plazas, without=keys)
    found = []
    for corrida in played:
        on_air_at, share, turnout = stored[corrida.pk]
        house = None if share is None or turnout is None else House(share, turnout)
        if house is None and on_air_at is None:
            house = houses.begin(corrida, places_of([corrida.pk])[corrida.pk])
        row = houses.post(corrida, house)
        if row is not None:
            found.append(row)
    return found


def write_houses(rows: Iterable[HouseRow]) -> None:
    columns = [(row.house, row.mood, json.dumps(row.turnout), row.pk) for row in rows]
    bulk_update(Corrida, ["house", "mood", "turnout"], columns)


_EARS = Sum(
    Case(
        *(When(trophy=trophy, then=Value(trophy.ears)) for trophy in Trophy if trophy),
        default=Value(0),
        output_field=IntegerField(),
    )
)
_FAILURES = Count("pk", filter=Q(ending=Lidia.Ending.THREE_AVISOS) | Q(crowd=Crowd.BRONCA.value))


def remembered(
    season: Season, plazas: Collection[str] | None, without: Collection[int]
) -> list[tuple[str, Afternoon]]:
    """Return the plazas and afternoons that the towns remember in a season. Three queries."""
    years = (season.year - tables.REMEMBERED_SEASONS, season.year)
    held = Corrida.objects.over().filter(
        season__circuit=season.circuit_id, season__year__range=years
    )
    if plazas is not None:
        held = held.filter(plaza__slug__in=plazas)
    if without:
        held = held.exclude(pk__in=without)
    keys = held.order_by().values("pk")
    triumphs: dict[int, list[int]] = defaultdict(list)
    failures: dict[int, list[int]] = defaultdict(list)
    lidias = Lidia.objects.filter(corrida__in=keys, finisher__isnull=False).order_by()
    told = lidias.values_list("corrida_id", "finisher_id").annotate(ears=_EARS, failed=_FAILURES)
    notable: Any = told.filter(Q(ears__gte=tables.TRIUMPH_EARS) | Q(failed__gt=0))
    for corrida, man, ears, failed in notable:
        if ears >= tables.TRIUMPH_EARS:
            triumphs[corrida].append(man)
        if failed:
            failures[corrida].append(man)
    men: dict[int, list[int]] = defaultdict(list)
    billed = Puesto.objects.filter(
        cartel__corrida__in=keys,
        cartel__corrida__season=season,
        cartel__corrida__feria__isnull=False,
    )
    for corrida, man in billed.order_by().values_list("cartel_id", "matador_id"):
        men[corrida].append(man)
    fields = ("pk", "plaza__slug", "date", "feria__slug", "mood")
    return [
        (
            plaza,
            Afternoon(date, feria or "", men[pk], triumphs[pk], failures[pk], mood),
        )
        for pk, plaza, date, feria, mood in held.order_by("date").values_list(*fields)
    ]
