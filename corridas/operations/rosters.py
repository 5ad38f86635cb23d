"""Rows of the rosters that have a history: put away instead of deleted, and brought back."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from corridas.models import Circuit, Ganaderia, Matador, Plaza, Season
from corridas.operations.errors import OperationError
from corridas.operations.history import columns, record_change

if TYPE_CHECKING:
    from accounts.models import User

Place = Plaza | Ganaderia


@transaction.atomic
def archive_place(*, place: Place, by: User | None, at: dt.datetime) -> None:
    """Put a plaza or a herd away: what hangs stays, new seasons and carteles do without it.

    Raises `OperationError` where it is put away already.
    """
    _hold(place)
    if place.archived_at is not None:
        raise OperationError(_("%s is already archived.") % place)
    _move(place, at, by, at)


@transaction.atomic
def restore_place(*, place: Place, by: User | None, at: dt.datetime) -> None:
    """Take a plaza or a herd out of the archive. Raises `OperationError` where it is not there."""
    _hold(place)
    if place.archived_at is None:
        raise OperationError(_("%s is not archived.") % place)
    _move(place, None, by, at)


@transaction.atomic
def retire_matador(*, matador: Matador, by: User | None, at: dt.datetime) -> None:
    """End a career: carteles that hang stay, nobody contracts him any more.

    Raises `OperationError` for one who has retired already.
    """
    _hold(matador)
    if matador.state == Matador.State.RETIRED:
        raise OperationError(_("%s has already retired.") % matador)
    _turn(matador, Matador.State.RETIRED, by, at)


@transaction.atomic
def bring_back_matador(*, matador: Matador, by: User | None, at: dt.datetime) -> None:
    """Let a retired matador return to the ring. Raises `OperationError` for one who is not."""
    _hold(matador)
    if matador.state != Matador.State.RETIRED:
        raise OperationError(_("%s has not retired.") % matador)
    _turn(matador, Matador.State.ACTIVE, by, at)


def _hold(row: Matador | Place) -> None:
    """Hold the circuit for this transaction, and read the row as it stands."""
    Circuit.objects.select_for_update().get(pk=row.circuit_id)
    row.refresh_from_db()


def _move(place: Place, archived_at: dt.datetime | None, by: User | None, at: dt.datetime) -> None:
    before = columns(place)
    place.archived_at = archived_at
    place.save(update_fields=["archived_at"])
    record_change(row=place, before=before, by=by, at=at)


def _turn(matador: Matador, state: str, by: User | None, at: dt.datetime) -> None:
    before = columns(matador)
    year = Season.objects.filter(circuit=matador.circuit_id).aggregate(year=Max("year"))["year"]
    matador.state, matador.retired_in = state, year if state == Matador.State.RETIRED else None
    matador.save(update_fields=["state", "retired_in"])
    record_change(row=matador, before=before, by=by, at=at)
