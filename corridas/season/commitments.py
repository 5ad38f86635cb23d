"""Signing matadors one by one for reserved corridas, until their gates are passed.

This module knows nothing of money: the caller decides what a signature costs and whether it can be
paid.
"""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable

from django.db import transaction
from django.utils.translation import gettext as _

from corridas import sql
from corridas.circuits.operations import check_awake
from corridas.engine import MATADORS
from corridas.errors import OperationError
from corridas.models import (
    Circuit,
    Commitment,
    Corrida,
    Injury,
    Matador,
    Puesto,
    Reservation,
    Season,
)
from corridas.season.cartel_queries import refusals
from corridas.season.operations import check_season_not_run
from corridas.simulation.draw import ceremonies, delete_cartel
from corridas.world.gates import EVE, Gate

Stage, Window = Reservation.Stage, Commitment.Window


def reserve(
    corridas: Collection[Corrida], *, closes_on: dt.date, stage: Reservation.Stage
) -> list[Reservation]:
    """Reserve corridas of one feria that are announced, and return their reservations by date.

    Carteles that exist are withdrawn; their matadors are those whom the site would have contracted.
    A corrida with an alternativa keeps its cartel, because it was agreed in the winter.

    Raises `OperationError` if a corrida has begun or is reserved already.
    """
    with transaction.atomic():
        season = _lock_season(corridas)
        agreed = {held.corrida for held in ceremonies(season)}
        rows = []
        for corrida in sorted(corridas, key=lambda each: (each.date, each.pk)):
            corrida.refresh_from_db()
            if corrida.state != Corrida.State.ANNOUNCED:
                raise OperationError(_("%s has begun.") % corrida)
            if Reservation.objects.filter(pk=corrida.pk).exists():
                raise OperationError(_("%s is reserved already.") % corrida)
            billed = Puesto.objects.filter(cartel=corrida.pk).order_by("order")
            trio = list(billed.values_list("matador__slug", flat=True))
            fixed = corrida.pk in agreed
            if trio and not fixed:
                delete_cartel(season.circuit_id, corrida.pk)
            row = Reservation(
                corrida=corrida,
                closes_on=closes_on,
                stage=Stage.OVER if fixed else stage,
                trio=trio or None,
            )
            row.save()
            rows.append(row)
        return rows


def give_up(season: Season) -> None:
    """Leave all corridas that have not closed to the site again, without the signatures."""
    with transaction.atomic():
        sql.lock_season(season.pk)
        rows = Reservation.objects.filter(
            corrida__season=season, stage__in=(Stage.WINTER, Stage.SEASON)
        )
        Commitment.objects.filter(corrida__reservation__in=rows).delete()
        rows.delete()


def sign(
    *, corrida: Corrida, matador: Matador, fee: int, window: Commitment.Window, on: dt.date
) -> Commitment:
    """Sign a matador for a reserved corrida. `fee` is in duros, `on` a day of the season.

    Raises `OperationError` if he cannot come or is signed already, if no place is free, or if the
    window is not open.
    """
    with transaction.atomic():
        row = _locked(corrida)
        if open_window(row, on) != window:
            raise OperationError(_("Matadors can’t be signed for %s now.") % corrida, "matador")
        signed = [each.matador_id for each in row.corrida.commitments.all() if not each.released]
        if matador.pk in signed:
            words = {"matador": matador, "corrida": corrida}
            raise OperationError(_("%(matador)s is signed for %(corrida)s already.") % words)
        if len(_fit(signed, corrida.date)) >= MATADORS:
            raise OperationError(_("All places of %s are taken.") % corrida, "matador")
        _check_free(corrida, matador)
        # He was injured and released, and has recovered.
        Commitment.objects.filter(corrida=corrida, matador=matador, released=True).delete()
        return Commitment.objects.create(
            corrida=corrida, matador=matador, signed_on=on, fee=fee, window=window
        )


def take_back(commitment: Commitment, *, on: dt.date) -> None:
    """Cancel a signature. Raises `OperationError` if its window has ended."""
    with transaction.atomic():
        row = _locked(commitment.corrida)
        words = {"matador": commitment.matador, "corrida": row.corrida}
        if not row.corrida.commitments.filter(pk=commitment.pk).exists():
            raise OperationError(_("%(matador)s isn’t signed for %(corrida)s.") % words)
        if commitment.by_market or open_window(row, on) != commitment.window:
            sentence = _("%(matador)s is signed for %(corrida)s for good.")
            raise OperationError(sentence % words)
        commitment.delete()


def change_plan(
    corridas: Iterable[Corrida],
    *,
    price: Reservation.Price | None = None,
    keeps_open: bool | None = None,
    autopilot: bool | None = None,
) -> None:
    """Set the price of a feria, keep a place open, or let the site decide at the gates.

    None leaves a setting as it is. Raises `OperationError` for a price or an open place after the
    closing.
    """
    with transaction.atomic():
        for corrida in corridas:
            row = _locked(corrida)
            closed = row.stage not in (Stage.WINTER, Stage.SEASON)
            if closed and (price is not None or keeps_open is not None):
                raise OperationError(_("%s has closed.") % corrida)
            row.price = row.price if price is None else price
            row.keeps_open = row.keeps_open if keeps_open is None else keeps_open
            row.autopilot = row.autopilot if autopilot is None else autopilot
            row.save(update_fields=["price", "keeps_open", "autopilot"])


def open_window(row: Reservation, on: dt.date) -> Commitment.Window | None:
    """Return in which window matadors can be signed for a corrida on a day, or None."""
    match row.stage:
        case Stage.WINTER:
            return Window.WINTER
        case Stage.SEASON:
            return Window.SEASON
        case Stage.CLOSED if on >= row.corrida.date - EVE:
            return Window.EVE
        case _:
            return None


def asked_gate(row: Reservation) -> Gate | None:
    """Return the gate at which a run has stopped for a corrida."""
    return Gate(row.asked) if row.asked else None


def _fit(men: Collection[int], day: dt.date) -> list[int]:
    hurt = Injury.objects.filter(matador__in=men, since__lte=day, until__gte=day)
    resting = set(hurt.values_list("matador_id", flat=True))
    return [man for man in men if man not in resting]


def _check_free(corrida: Corrida, matador: Matador) -> None:
    if refusal := refusals(corrida, [matador]).get(matador.pk):
        raise OperationError(refusal.sentence, "matador")


def _lock_season(corridas: Collection[Corrida]) -> Season:
    season = next(iter(corridas)).season
    check_awake(Circuit.objects.select_for_update().get(pk=season.circuit_id))
    check_season_not_run(season)
    return season


def _locked(corrida: Corrida) -> Reservation:
    """Lock the circuit of a reserved corrida that has not begun, and return its reservation."""
    check_awake(Circuit.objects.select_for_update().get(seasons=corrida.season_id))
    check_season_not_run(corrida.season)
    row = (
        Reservation.objects.select_related("corrida__plaza")
        .prefetch_related("corrida__commitments")
        .filter(pk=corrida.pk, corrida__state=Corrida.State.ANNOUNCED)
        .first()
    )
    if row is None or row.stage == Stage.OVER:
        raise OperationError(_("Matadors can’t be signed for %s now.") % corrida)
    return row
