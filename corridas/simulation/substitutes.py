"""Replaces injured matadors in announced corridas."""

from __future__ import annotations

import datetime as dt
from collections import defaultdict
from collections.abc import Sequence

from django.db import transaction

from corridas import sql
from corridas.bulk import bulk_insert, bulk_update
from corridas.models import Cartel, Puesto, Season
from corridas.simulation.draw import (
    PuestoRow,
    SeedFactory,
    ceremonies,
    delete_cartel,
    engagement_in,
    in_order,
    market_of,
    name_witnesses,
    place_matadors,
)
from corridas.simulation.rows import (
    BrandedBull,
    NewCartel,
    PendingCorrida,
    PuestoCard,
    pending_corridas,
    stake,
)
from corridas.world.contracts import OPEN, OpenCorrida, contract
from corridas.world.market import Market
from fairness import Seed, commitment


def replace_injured(season: Season, *, since: dt.date, fresh: SeedFactory) -> int:
    """Replace injured matadors in corridas from `since` on.

    Return the number of changed corridas.
    """
    return len(substitute(season, market_of(season, since), since=since, fresh=fresh))


@transaction.atomic(savepoint=False)
def substitute(
    season: Season, market: Market, *, since: dt.date, fresh: SeedFactory
) -> dict[int, NewCartel | None]:
    """Replace matadors who are injured according to the market. Return the changed corridas.

    Changed corridas get a new seed and a new commitment, because the committed data has changed. If
    no substitute is free, the cartel (bill) is deleted, to be drawn again later, and the corrida's
    value is None.
    """
    struck = market.struck_off(since)
    corridas = pending_corridas(season.pk, struck)
    if not corridas:
        return {}
    substitutes = Substitutes(season, market, [corrida.pk for corrida in corridas], fresh)
    carteles = {corrida.pk: substitutes.replace(corrida) for corrida in corridas}
    substitutes.save()
    if {corrida.date for corrida in corridas} & set(market.begins.values()):
        name_witnesses(held for held in ceremonies(season) if held.corrida in struck)
    return carteles


class Substitutes:
    def __init__(
        self, season: Season, market: Market, corridas: Sequence[int], fresh: SeedFactory
    ) -> None:
        self._season, self._fresh = season, fresh
        self._seed, self._rules = Seed(bytes(season.seed)), season.engine_rules()
        self._market = market
        self._decks = {corrida: deck for corrida, _seed, deck in sql.seeds(corridas)}
        self._announced: dict[int, list[int]] = defaultdict(list)
        self._replaced: dict[int, dict[int, int]] = defaultdict(dict)
        for cartel, matador, _card, replaced in sql.places(corridas):
            self._announced[cartel].append(matador)
            if replaced is not None:
                self._replaced[cartel][matador] = replaced
        self._bulls: dict[int, list[BrandedBull]] = defaultdict(list)
        for cartel, name, number in sql.brands(corridas):
            self._bulls[cartel].append(BrandedBull(name, number))
        self._carteles: list[tuple[bytes, bytes, int]] = []
        self._puestos: list[PuestoRow] = []

    def replace(self, corrida: PendingCorrida, chosen: Sequence[int] = ()) -> NewCartel | None:
        """Replace the injured matadors of a corrida, first by the chosen ones, who are booked.

        Returns None, and deletes the cartel, if too few matadors are free.
        """
        announced, market = self._announced[corrida.pk], self._market
        out = [matador for matador in announced if market.is_resting(matador, corrida.date)]
        fit = tuple(matador for matador in announced if matador not in out)
        market.release((*announced, *chosen), corrida.date)
        keys = self._contract(corrida, (*fit, *chosen))
        if keys == OPEN:
            delete_cartel(self._season.circuit_id, corrida.pk)
            return None
        market.book(keys, engagement_in(corrida), corrida=corrida.pk)
        new = [key for key in keys if key not in fit]
        # Substitutes from an earlier change still replace the same matadors.
        instead = self._replaced[corrida.pk] | dict(zip(new, out, strict=False))
        return self._reprint(corrida, keys, instead)

    def _contract(self, corrida: PendingCorrida, fit: tuple[int, ...]) -> tuple[int, ...]:
        plaza = corrida.plaza
        bill = OpenCorrida(corrida.pk, plaza.category, plaza.continent, corrida.feria_id, fixed=fit)
        chance = self._seed.chance(f"substitute/{corrida.date}/{plaza.slug}")
        candidates = self._market.candidates(corrida.date)
        return contract(corrida.date, [bill], candidates, chance)[corrida.pk]

    def _reprint(
        self, corrida: PendingCorrida, keys: Sequence[int], instead: dict[int, int]
    ) -> NewCartel:
        seed = self._fresh().value
        ordered = in_order([self._market.cards[key] for key in keys])
        cards = [printed.card for printed in ordered]
        deck, bulls = self._decks[corrida.pk], self._bulls[corrida.pk]
        bound = commitment(seed, stake(self._rules, deck, corrida, cards, bulls, corrida.bar))
        self._carteles.append((seed, bound, corrida.pk))
        self._puestos += place_matadors(corrida, ordered, instead)
        return NewCartel(
            seed,
            [
                PuestoCard(printed.matador_id, printed.card, instead.get(printed.matador_id))
                for printed in ordered
            ],
        )

    def save(self) -> None:
        sql.delete_places([key for _, _, key in self._carteles])
        bulk_insert(Puesto, self._puestos)
        bulk_update(Cartel, ["seed", "commitment"], self._carteles, keys=["corrida_id"])
