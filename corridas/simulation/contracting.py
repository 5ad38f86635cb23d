"""Carteles announced: matadors contracted, bulls picked, chance bound by a commitment."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Callable, Iterable, Sequence
from itertools import groupby
from operator import attrgetter

from django.db import transaction
from django.db.models import F

from corridas.engine import ENGINE_VERSION
from corridas.models import Bull, Cartel, Corrida, Ganaderia, Puesto, Season
from corridas.simulation.founding import stock
from corridas.simulation.market import Market
from corridas.simulation.records import Printed, latest_cards, stake
from corridas.world.contracts import OPEN, Bill, contract
from corridas.world.encierro import Herd as HerdOffer
from corridas.world.encierro import NewBull, choose_herd, draw_encierro
from fairness import Seed, commitment

Fresh = Callable[[], Seed]


@transaction.atomic
def announce(season: Season, *, until: dt.date, fresh: Fresh) -> int:
    """Contract every corrida up to a date that has no cartel yet; returns how many it could.

    Where fewer than three matadors are free the corrida stays without a cartel.
    """
    waiting = list(
        Corrida.objects.of_season(season)
        .filter(state=Corrida.State.ANNOUNCED, cartel=None, date__lte=until)
        .select_related("plaza")
    )
    if not waiting:
        return 0
    market = Market(season, waiting[0].date)
    herds = HerdBook(season)
    bills = _Bills(season, fresh)
    for day, corridas in groupby(waiting, key=attrgetter("date")):
        for corrida, cards in _contract_day(season, day, list(corridas), market):
            bills.print(corrida, cards, herds.encierro(corrida))
    bills.save()
    return len(bills.carteles)


def _contract_day(
    season: Season, day: dt.date, corridas: Sequence[Corrida], market: Market
) -> list[tuple[Corrida, list[Printed]]]:
    """The cards that come to each corrida of a day; those that stay open are left out."""
    offers = [
        Bill(corrida.pk, corrida.plaza.category, corrida.plaza.continent, corrida.feria_id)
        for corrida in corridas
    ]
    chance = Seed(bytes(season.seed)).chance(f"contracts/{day}")
    agreed = contract(day, offers, market.candidates(day), chance)
    contracted = []
    for corrida in corridas:
        keys = agreed[corrida.pk]
        if keys != OPEN:
            market.book(keys, corrida)
            contracted.append((corrida, [market.cards[key] for key in keys]))
    return contracted


class HerdBook:
    """Which herds have sent what this year, and what is left in their fields."""

    def __init__(self, season: Season) -> None:
        self._season = season
        self.herds = list(Ganaderia.objects.filter(circuit=season.circuit_id))
        self._by_key = {herd.pk: herd for herd in self.herds}
        self._sent: dict[int, int] = defaultdict(int)
        self._numbers: dict[int, set[int]] = defaultdict(set)
        bulls = Bull.objects.filter(ganaderia__circuit=season.circuit_id, year=season.year)
        for herd, number, place in bulls.values_list("ganaderia_id", "number", "place"):
            self._numbers[herd].add(number)
            self._sent[herd] += place == 0

    def encierro(
        self, corrida: Corrida, herd: Ganaderia | None = None
    ) -> tuple[Ganaderia, list[NewBull]]:
        """The herd of a corrida and its six bulls."""
        label = f"{corrida.date}/{corrida.plaza.slug}"
        seed = Seed(bytes(self._season.seed))
        herd = herd or self._choose(corrida, seed, label)
        used = self._numbers[herd.pk]
        bulls = draw_encierro(
            stock(), corrida.plaza.category, used, seed.chance(f"encierro/{label}")
        )
        used.update(bull.number for bull in bulls)
        self._sent[herd.pk] += 1
        return herd, bulls

    def _choose(self, corrida: Corrida, seed: Seed, label: str) -> Ganaderia:
        offers = [HerdOffer(herd.pk, herd.continent, self._sent[herd.pk]) for herd in self.herds]
        chance = seed.chance(f"herd/{label}")
        plaza = corrida.plaza
        return self._by_key[choose_herd(plaza.category, plaza.continent, offers, chance)]


class _Bills:
    """Carteles being written, saved together."""

    def __init__(self, season: Season, fresh: Fresh, *, set_by_hand: bool = False) -> None:
        self._season, self._fresh, self._set_by_hand = season, fresh, set_by_hand
        self._rules, self._deck = season.engine_rules(), season.circuit.deck
        self.carteles: list[Cartel] = []
        self.puestos: list[Puesto] = []
        self.bulls: list[Bull] = []

    def print(
        self,
        corrida: Corrida,
        cards: Sequence[Printed],
        encierro: tuple[Ganaderia, Sequence[NewBull]],
        instead: dict[int, int] | None = None,
    ) -> None:
        """Write one bill: matadors in order of appearance, bulls, seed and commitment.

        `instead` tells for a matador whom he replaces.
        """
        herd, new_bulls = encierro
        ordered = in_order(cards)
        bulls = [self._bull(herd, place, bull) for place, bull in enumerate(new_bulls)]
        self.carteles.append(self._bound(corrida, herd, ordered, bulls))
        self.puestos += place_matadors(corrida, ordered, instead or {})
        self.bulls += bulls

    def _bull(self, herd: Ganaderia, place: int, bull: NewBull) -> Bull:
        year = self._season.year
        return Bull(ganaderia=herd, year=year, place=place, **bull._asdict())

    def _bound(
        self,
        corrida: Corrida,
        herd: Ganaderia,
        ordered: Sequence[Printed],
        bulls: Sequence[Bull],
    ) -> Cartel:
        seed = self._fresh().value
        cards = [printed.card for printed in ordered]
        at_stake = stake(self._rules, self._deck.digest, corrida, cards, bulls)
        return Cartel(
            corrida=corrida,
            ganaderia=herd,
            deck=self._deck,
            seed=seed,
            commitment=commitment(seed, at_stake),
            engine_version=ENGINE_VERSION,
            set_by_hand=self._set_by_hand,
        )

    def save(self) -> None:
        """Write carteles, places and bulls."""
        Cartel.objects.bulk_create(self.carteles)
        Puesto.objects.bulk_create(self.puestos)
        for cartel, start in zip(self.carteles, range(0, len(self.bulls), 6), strict=True):
            for bull in self.bulls[start : start + 6]:
                bull.cartel = cartel
        Bull.objects.bulk_create(self.bulls)


def in_order(cards: Sequence[Printed]) -> list[Printed]:
    """Cards in the order of appearance (Ruling I-14)."""
    return sorted(cards, key=lambda printed: printed.card.appearance)


def place_matadors(
    corrida: Corrida, ordered: Sequence[Printed], instead: dict[int, int]
) -> list[Puesto]:
    """The three rows of a cartel, not yet saved."""
    return [
        Puesto(
            cartel_id=corrida.pk,
            order=order,
            matador_id=printed.matador_id,
            card_id=printed.pk,
            date=corrida.date,
            instead_of_id=instead.get(printed.matador_id),
        )
        for order, printed in enumerate(ordered)
    ]


@transaction.atomic
def replace_injured(season: Season, *, since: dt.date, fresh: Fresh) -> int:
    """Find others for those who are announced from `since` on and must rest; returns how many.

    The stake is another then, so seed and commitment are new. With nobody free the cartel is
    taken down, and contracted anew when its turn comes.
    """
    struck = _struck(season, since)
    if struck:
        market = Market(season, since)
        for corrida in struck:
            _replace(season, corrida, market, fresh)
    return len(struck)


def _struck(season: Season, since: dt.date) -> list[Corrida]:
    """Announced corridas with a matador who rests on their day."""
    announced = Corrida.objects.of_season(season).filter(
        state=Corrida.State.ANNOUNCED, date__gte=since
    )
    resting = announced.filter(
        cartel__puestos__matador__injuries__since__lte=F("date"),
        cartel__puestos__matador__injuries__until__gte=F("date"),
    )
    return list(resting.distinct().select_related("plaza", "cartel__deck", "season"))


def _replace(season: Season, corrida: Corrida, market: Market, fresh: Fresh) -> None:
    plaza = corrida.plaza
    announced = corrida.cartel.puestos.order_by("order").values_list("matador_id", flat=True)
    out = [matador for matador in announced if market.rests(matador, corrida.date)]
    fit = tuple(matador for matador in announced if matador not in out)
    market.release(announced, corrida)
    bill = Bill(corrida.pk, plaza.category, plaza.continent, corrida.feria_id, fixed=fit)
    chance = Seed(bytes(season.seed)).chance(f"substitute/{corrida.date}/{plaza.slug}")
    keys = contract(corrida.date, [bill], market.candidates(corrida.date), chance)[corrida.pk]
    if keys == OPEN:
        take_down(corrida)
        return
    market.book(keys, corrida)
    new = [key for key in keys if key not in fit]
    _reprint(corrida, [market.cards[key] for key in keys], dict(zip(new, out, strict=True)), fresh)


def _reprint(
    corrida: Corrida, cards: Sequence[Printed], instead: dict[int, int], fresh: Fresh
) -> None:
    """The same bulls, other men, another seed."""
    cartel, seed = corrida.cartel, fresh().value
    ordered = in_order(cards)
    bulls = list(cartel.bulls.order_by("place"))
    at_stake = stake(
        corrida.season.engine_rules(),
        cartel.deck.digest,
        corrida,
        [printed.card for printed in ordered],
        bulls,
    )
    cartel.puestos.all().delete()
    Puesto.objects.bulk_create(place_matadors(corrida, ordered, instead))
    cartel.seed, cartel.commitment = seed, commitment(seed, at_stake)
    cartel.save(update_fields=["seed", "commitment"])


def take_down(corrida: Corrida) -> None:
    """Take a bill off the walls: its bulls, who never came out, go with it."""
    Bull.objects.filter(cartel=corrida.pk).delete()
    Cartel.objects.filter(corrida=corrida).delete()


@transaction.atomic
def fill_by_hand(
    corrida: Corrida, matadors: Iterable[int], herd: Ganaderia, *, fresh: Fresh
) -> Cartel:
    """A director's own cartel, of matadors by their keys, in place of whatever was announced."""
    take_down(corrida)
    bills = _Bills(corrida.season, fresh, set_by_hand=True)
    cards = latest_cards(corrida.season.circuit_id)
    chosen = [cards[matador] for matador in matadors]
    bills.print(corrida, chosen, HerdBook(corrida.season).encierro(corrida, herd))
    bills.save()
    return bills.carteles[0]
