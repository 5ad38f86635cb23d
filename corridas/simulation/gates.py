"""What happens to reserved corridas when one of their gates is passed."""

from __future__ import annotations

import datetime as dt
from collections.abc import Sequence
from itertools import groupby

from django.db import transaction

from corridas import sql
from corridas.engine import MATADORS
from corridas.models import Commitment, Reservation, Season
from corridas.simulation.draw import CartelPrinter, ContractContext, SeedFactory
from corridas.simulation.emit import emit_announced
from corridas.simulation.houses import Houses
from corridas.simulation.pars import store_pars
from corridas.simulation.reservations import (
    Reservations,
    engagement_of,
    offer_of,
    pending,
    signed_for,
    slugs_of,
)
from corridas.simulation.rows import PendingCorrida
from corridas.simulation.substitutes import Substitutes
from corridas.world.box_office import Price, Window, fee
from corridas.world.contracts import OPEN, AvailableMatador, Engagement, contract
from corridas.world.gates import DueGate, Gate, due_gate
from fairness import Seed


class GateKeeper:
    """Passes the gates of a season's reserved corridas.

    `contracts` and `houses` are those of the caller and are kept up to date. New carteles get seeds
    from `fresh`, and their announcement the time `at`.
    """

    def __init__(
        self,
        season: Season,
        contracts: ContractContext,
        houses: Houses,
        *,
        fresh: SeedFactory,
        at: dt.datetime,
    ) -> None:
        self._season, self._contracts, self._houses = season, contracts, houses
        self._market, self._fresh, self._at = contracts.market, fresh, at

    def pass_gate(self, due: DueGate) -> None:
        """Do what the site does when nobody has decided. The caller has opened a transaction."""
        rows = [self._contracts.reservations.rows[key] for key in due.corridas]
        match due.gate:
            case Gate.WINTER:
                for row in rows:
                    row.stage = Reservation.Stage.SEASON
            case Gate.CLOSING:
                self._close(rows)
            case Gate.EVE:
                for row in rows:
                    self._end_eve(row)
        for row in rows:
            row.asked = ""
        Reservation.objects.bulk_update(rows, ["stage", "asked", "tickets", "trio"])

    def _close(self, rows: Sequence[Reservation]) -> None:
        """Release the injured, fill the places, sell the season tickets and print the carteles."""
        printer = CartelPrinter(self._season, self._fresh)
        printed: list[PendingCorrida] = []
        for row in rows:
            day, fit = row.corrida.date, self._release_injured(row)
            self._contracts.reservations.choose_trios(self._season, day, [], self._market)
            places = MATADORS - len(fit) - row.keeps_open
            new = self._contract(row, fit, places, "closing")
            self._sign(row, new, Window.SEASON, row.closes_on)
            self._book(row, [*fit, *new], printer, printed)
            row.stage = Reservation.Stage.CLOSED
        self._save(printer, printed)
        of_feria = [(row.corrida.plaza.slug, row.corrida.feria_id) for row in rows]
        for _, days in groupby(sorted(zip(of_feria, rows, strict=True), key=_by_feria), _by_feria):
            self._sell_season_tickets([row for _, row in days])

    def _sell_season_tickets(self, rows: Sequence[Reservation]) -> None:
        first = rows[0]
        feria = first.corrida.feria
        poster = [(row.corrida.date, signed_for(row)) for row in rows]
        sold = self._houses.sell_season_tickets(
            first.corrida.plaza.slug,
            feria.slug if feria else "",
            poster,
            Price(first.price),
            first.closes_on,
        )
        for row in rows:
            row.tickets = sold

    def _end_eve(self, row: Reservation) -> None:
        """Replace the injured, and fill what is open."""
        row.stage = Reservation.Stage.OVER
        on_cartel = [matador for _, matador, _, _ in sql.places([row.pk])]
        signed = self._release_injured(row)
        other_trio = self._replace_in_trio(row)
        if not on_cartel:
            printer = CartelPrinter(self._season, self._fresh)
            printed: list[PendingCorrida] = []
            new = self._contract(row, signed, MATADORS - len(signed), "eve")
            self._sign(row, new, Window.EVE, row.corrida.date)
            self._book(row, [*signed, *new], printer, printed)
            self._save(printer, printed)
        elif other_trio or any(self._market.is_resting(man, row.corrida.date) for man in on_cartel):
            chosen = [man for man in signed if man not in on_cartel]
            self._replace(row, chosen, signed)

    def _replace_in_trio(self, row: Reservation) -> bool:
        """Replace the injured of the site's own three matadors, and return whether any are.

        The others of the trio, and the matadors of the corrida itself, are free for it.
        """
        day, market = row.corrida.date, self._market
        by_slug = {printed.card.key: man for man, printed in market.cards.items()}
        trio = [by_slug[slug] for slug in row.trio or () if slug in by_slug]
        fit = [man for man in trio if not market.is_resting(man, day)]
        if not row.trio or len(fit) == len(row.trio):
            return False
        here = {*fit, *signed_for(row)}
        candidates = [
            each._replace(last=None) if each.key in here and _is_on(each.last, day) else each
            for each in market.candidates(day)
        ]
        agreed = self._draw(row, fit, candidates, "bar")
        if agreed != OPEN:
            row.trio = slugs_of(market, agreed)
        return agreed != OPEN

    def _draw(
        self,
        row: Reservation,
        fixed: Sequence[int],
        candidates: Sequence[AvailableMatador],
        label: str,
    ) -> tuple[int, ...]:
        day, plaza = row.corrida.date, row.corrida.plaza.slug
        chance = Seed(bytes(self._season.seed)).chance(f"{label}/{day}/{plaza}")
        return contract(day, [offer_of(row, fixed)], candidates, chance)[row.pk]

    def _replace(self, row: Reservation, chosen: Sequence[int], signed: Sequence[int]) -> None:
        substitutes = Substitutes(self._season, self._market, [row.pk], self._fresh)
        cartel = substitutes.replace(pending(row), chosen)
        substitutes.save()
        if cartel is not None:
            new = [place.matador_id for place in cartel.places if place.matador_id not in signed]
            self._sign(row, new, Window.EVE, row.corrida.date)

    def _release_injured(self, row: Reservation) -> list[int]:
        """Release the injured, and return the others who are signed."""
        day = row.corrida.date
        gone = [
            each
            for each in row.corrida.commitments.all()
            if not each.released and self._market.is_resting(each.matador_id, day)
        ]
        for each in gone:
            each.released = True
        Commitment.objects.filter(pk__in=[each.pk for each in gone]).update(released=True)
        return signed_for(row)

    def _contract(
        self, row: Reservation, signed: Sequence[int], places: int, label: str
    ) -> list[int]:
        """Contract matadors for the open places. Returns none if too few are free."""
        if places <= 0:
            return []
        market, day = self._market, row.corrida.date
        market.release(signed, day)
        agreed = self._draw(row, signed, market.candidates(day), label)
        market.book(signed, engagement_of(row))
        return [] if agreed == OPEN else [man for man in agreed if man not in signed][:places]

    def _sign(self, row: Reservation, men: Sequence[int], window: Window, day: dt.date) -> None:
        ring = self._houses.ring(row.corrida.plaza.slug)
        signatures = [
            Commitment(
                corrida=row.corrida,
                matador_id=man,
                signed_on=day,
                fee=fee(ring, self._houses.standing(man, day) or 0, window),
                window=window.name.lower(),
                by_market=True,
            )
            for man in men
        ]
        Commitment.objects.bulk_create(signatures)
        self._market.book(men, engagement_of(row))
        _forget(row)

    def _book(
        self,
        row: Reservation,
        men: Sequence[int],
        printer: CartelPrinter,
        printed: list[PendingCorrida],
    ) -> None:
        """Print the cartel if it is complete, and book its matadors for the corrida."""
        if len(men) < MATADORS:
            return
        corrida, market = pending(row), self._market
        market.release(men, corrida.date)
        market.book(men, engagement_of(row), corrida=row.pk)
        herd, bulls = self._contracts.herds.encierro(corrida)
        fathers = self._contracts.herds.fathers(corrida, herd)
        printer.print(corrida, [market.cards[man] for man in men], (herd, bulls, fathers))
        printed.append(corrida)

    def _save(self, printer: CartelPrinter, printed: Sequence[PendingCorrida]) -> None:
        if printed:
            printer.save()
            emit_announced(self._season, printed, at=self._at)


def _by_feria(each: tuple[tuple[str, int | None], Reservation]) -> tuple[str, int]:
    (plaza, feria), _ = each
    return plaza, feria or 0


def _is_on(engagement: Engagement | None, day: dt.date) -> bool:
    return engagement is not None and engagement.date == day


def _forget(row: Reservation) -> None:
    """Forget the signatures that were loaded with a row, because there are new ones."""
    getattr(row.corrida, "_prefetched_objects_cache", {}).clear()


def asks(row: Reservation, gate: Gate, contracts: ContractContext) -> bool:
    """Return whether somebody should decide before this gate is passed."""
    if row.autopilot:
        return False
    if gate is not Gate.EVE:
        return True
    signed = signed_for(row)
    day = row.corrida.date
    return len(signed) < MATADORS or any(contracts.market.is_resting(man, day) for man in signed)


@transaction.atomic
def pass_gates(season: Season, day: dt.date, fresh: SeedFactory, *, at: dt.datetime) -> None:
    """Pass all gates before a day, without asking anybody. One query if there are none."""
    reservations = Reservations(season)
    if due_gate(day, reservations.days()) is None:
        return
    contracts = ContractContext(season, day)
    houses = Houses(season, store_pars(season), contracts.market)
    keeper = GateKeeper(season, contracts, houses, fresh=fresh, at=at)
    while (due := due_gate(day, contracts.reservations.days())) is not None:
        keeper.pass_gate(due)
