"""Replaces announced matadors who are injured."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence

from django.db import transaction

from corridas.models import Bull, Cartel, Corrida, Puesto, Season
from corridas.season.simulation.draw import (
    Fresh,
    PuestoRow,
    ceremonies,
    engagement_in,
    in_order,
    market_of,
    name_witnesses,
    place_matadors,
    take_down,
)
from corridas.season.simulation.insertion import insert, update
from corridas.season.simulation.rows import Branded, stake
from corridas.world.contracts import OPEN, Bill, contract
from corridas.world.market import Market
from fairness import Seed, commitment


def replace_injured(season: Season, *, since: dt.date, fresh: Fresh) -> int:
    """Return the number of corridas concerned, from `since` on."""
    return len(substitute(season, market_of(season, since), since=since, fresh=fresh))


@transaction.atomic
def substitute(season: Season, market: Market, *, since: dt.date, fresh: Fresh) -> list[int]:
    """Replace matadors who are injured according to the market. Returns the corridas concerned.

    The stake changes, so seed and commitment are new. If no matador is free, the cartel is deleted
    and drawn again when its turn comes.
    """
    struck = market.struck(since)
    if not struck:
        return []
    announced = Corrida.objects.of_season(season).filter(
        state=Corrida.State.ANNOUNCED, pk__in=struck
    )
    corridas = list(announced.select_related("plaza"))
    if corridas:
        substitutes = _Substitutes(season, market, [corrida.pk for corrida in corridas], fresh)
        for corrida in corridas:
            substitutes.replace(corrida)
        substitutes.save()
        if {corrida.date for corrida in corridas} & set(market.begins.values()):
            name_witnesses(held for held in ceremonies(season) if held.corrida in struck)
    return [corrida.pk for corrida in corridas]


class _Substitutes:
    def __init__(
        self, season: Season, market: Market, corridas: Sequence[int], fresh: Fresh
    ) -> None:
        self._season, self._fresh = season, fresh
        self._seed, self._rules = Seed(bytes(season.seed)), season.engine_rules()
        self._market = market
        self._decks = dict(Cartel.objects.filter(pk__in=corridas).values_list("pk", "deck__digest"))
        self._announced: dict[int, list[int]] = defaultdict(list)
        places = Puesto.objects.filter(cartel__in=corridas).order_by("cartel_id", "order")
        for cartel, matador in places.values_list("cartel_id", "matador_id"):
            self._announced[cartel].append(matador)
        self._bulls: dict[int, list[Branded]] = defaultdict(list)
        bulls = Bull.objects.filter(cartel__in=corridas).order_by("cartel_id", "place")
        for cartel, name, number in bulls.values_list("cartel_id", "name", "number"):
            self._bulls[cartel].append(Branded(name, number))
        self._carteles: list[tuple[bytes, bytes, int]] = []
        self._puestos: list[PuestoRow] = []

    def replace(self, corrida: Corrida) -> None:
        announced, market = self._announced[corrida.pk], self._market
        out = [matador for matador in announced if market.rests(matador, corrida.date)]
        fit = tuple(matador for matador in announced if matador not in out)
        market.release(announced, corrida.date)
        keys = self._contract(corrida, fit)
        if keys == OPEN:
            take_down(corrida)
            return
        market.book(keys, engagement_in(corrida), corrida=corrida.pk)
        new = [key for key in keys if key not in fit]
        self._reprint(corrida, keys, dict(zip(new, out, strict=False)))

    def _contract(self, corrida: Corrida, fit: tuple[int, ...]) -> tuple[int, ...]:
        plaza = corrida.plaza
        bill = Bill(corrida.pk, plaza.category, plaza.continent, corrida.feria_id, fixed=fit)
        chance = self._seed.chance(f"substitute/{corrida.date}/{plaza.slug}")
        candidates = self._market.candidates(corrida.date)
        return contract(corrida.date, [bill], candidates, chance)[corrida.pk]

    def _reprint(self, corrida: Corrida, keys: Sequence[int], instead: dict[int, int]) -> None:
        seed = self._fresh().value
        ordered = in_order([self._market.cards[key] for key in keys])
        cards = [printed.card for printed in ordered]
        deck, bulls = self._decks[corrida.pk], self._bulls[corrida.pk]
        bound = commitment(seed, stake(self._rules, deck, corrida, cards, bulls))
        self._carteles.append((seed, bound, corrida.pk))
        self._puestos += place_matadors(corrida, ordered, instead)

    def save(self) -> None:
        Puesto.objects.filter(cartel__in=[key for _, _, key in self._carteles]).delete()
        insert(Puesto, self._puestos)
        update(Cartel, ["seed", "commitment"], self._carteles, keys=["corrida_id"])
