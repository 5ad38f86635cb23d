"""Reserved corridas of a season, and whom the site would have contracted for them."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable, Sequence

from corridas.models import Corrida, Reservation, Season
from corridas.simulation.rows import PendingCorrida, PlazaRow
from corridas.world.contracts import Engagement, OpenCorrida, contract
from corridas.world.gates import ReservedDay, Stage
from corridas.world.market import Market
from fairness import Chance, Seed


def contract_chance(season: Season, day: dt.date) -> Chance:
    """Return the random numbers with which the site contracts matadors for a day."""
    return Seed(bytes(season.seed)).chance(f"contracts/{day}")


class Reservations:
    """The reserved corridas of a season whose last gate has not been passed. Two queries at most.

    `rows` are by the key of the corrida, in the order of their dates.
    """

    def __init__(self, season: Season) -> None:
        rows = (
            Reservation.objects.filter(
                corrida__season=season.pk, corrida__state=Corrida.State.ANNOUNCED
            )
            .exclude(stage=Reservation.Stage.OVER)
            .select_related("corrida__plaza", "corrida__feria")
            .prefetch_related("corrida__commitments")
            .order_by("corrida__date", "corrida_id")
        )
        self.rows = {row.pk: row for row in rows}

    def days(self) -> list[ReservedDay]:
        return [
            ReservedDay(row.pk, row.corrida.date, row.closes_on, Stage(row.stage))
            for row in self.rows.values()
            if row.stage != Reservation.Stage.OVER
        ]

    def choose_trios(
        self, season: Season, day: dt.date, offers: Sequence[OpenCorrida], market: Market
    ) -> None:
        """Store whom the site would contract for the reserved corridas of a day, if unknown.

        `offers` are the other corridas of the day that need matadors. The trios are drawn with the
        same random numbers as the carteles of that day, as if nobody had been signed.
        """
        waiting = [
            row for row in self.rows.values() if row.corrida.date == day and row.trio is None
        ]
        if not waiting:
            return
        signed = {row.pk: signed_for(row) for row in waiting}
        for row in waiting:
            market.release(signed[row.pk], day)
        every = sorted([*offers, *(offer_of(row) for row in waiting)])
        agreed = contract(day, every, market.candidates(day), contract_chance(season, day))
        for row in waiting:
            market.book(signed[row.pk], engagement_of(row))
            row.trio = slugs_of(market, agreed[row.pk])
        Reservation.objects.bulk_update(waiting, ["trio"])


def slugs_of(market: Market, men: Iterable[int]) -> list[str]:
    """Return the slugs of matadors in the order of appearance (Ruling I-14)."""
    cards = sorted((market.cards[man].card for man in men), key=lambda card: card.appearance)
    return [card.key for card in cards]


def signed_for(row: Reservation) -> list[int]:
    """Return the matadors who are signed for a corrida and have not been released."""
    return [each.matador_id for each in row.corrida.commitments.all() if not each.released]


def pending(row: Reservation) -> PendingCorrida:
    corrida, plaza = row.corrida, row.corrida.plaza
    told = PlazaRow(plaza.slug, plaza.name, plaza.category, plaza.continent)
    return PendingCorrida(corrida.pk, corrida.date, corrida.feria_id, told, tuple(row.trio or ()))


def offer_of(row: Reservation, fixed: Iterable[int] = ()) -> OpenCorrida:
    plaza = row.corrida.plaza
    return OpenCorrida(
        row.pk, plaza.category, plaza.continent, row.corrida.feria_id, fixed=tuple(fixed)
    )


def engagement_of(row: Reservation) -> Engagement:
    corrida = row.corrida
    return Engagement(corrida.date, corrida.plaza.continent, corrida.feria_id)
