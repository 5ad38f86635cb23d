"""Operations on rosters: print the next card, archive plazas and herds, retire matadors."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.db import transaction
from django.db.models import Max
from django.utils.translation import gettext as _

from corridas.errors import OperationError
from corridas.models import Circuit, Ganaderia, Matador, MatadorCard, Plaza, Season
from corridas.roster.history import columns, record_change
from corridas.roster.queries import open_cards

if TYPE_CHECKING:
    from accounts.models import User


@transaction.atomic
def print_next_card(
    *, matador: Matador, by: User | None = None, at: dt.datetime | None = None
) -> MatadorCard:
    """Create the next printing of a matador's card with the same values, to be edited.

    New contracts use it. With `at` the change is recorded in the history. Raise `OperationError` if
    there is no card, or if the newest card has not been announced yet, because it can still be
    edited.
    """
    Circuit.objects.select_for_update().get(pk=matador.circuit_id)
    newest = matador.cards.order_by("-printing").first()
    if newest is None:
        raise OperationError(_("%s has no card yet. Add one.") % matador)
    if open_cards().filter(pk=newest.pk).exists():
        raise OperationError(
            _("Printing %(printing)s of %(matador)s can still be edited. Edit that printing.")
            % {"printing": newest.printing, "matador": matador}
        )
    newest.pk, newest.printing, newest.since = None, newest.printing + 1, None
    newest.save(force_insert=True)
    if at is not None:
        record_change(row=newest, before=None, by=by, at=at)
    return newest


Place = Plaza | Ganaderia


@transaction.atomic
def archive_place(*, place: Place, by: User | None, at: dt.datetime) -> None:
    """Archive a plaza or a herd.

    Corridas that are already announced there still take place, but no new ones follow. Raise
    `OperationError` if it is already archived.
    """
    _lock(place)
    if place.archived_at is not None:
        raise OperationError(_("%s is already archived.") % place)
    _move(place, at, by, at)


@transaction.atomic
def restore_place(*, place: Place, by: User | None, at: dt.datetime) -> None:
    """Restore an archived plaza or herd.

    Raise `OperationError` if it is not archived.
    """
    _lock(place)
    if place.archived_at is None:
        raise OperationError(_("%s is not archived.") % place)
    _move(place, None, by, at)


@transaction.atomic
def retire_matador(*, matador: Matador, by: User | None, at: dt.datetime) -> None:
    """Retire a matador.

    Corridas for which he is already announced still take place, but no new contracts follow. Raise
    `OperationError` if he has already retired.
    """
    _lock(matador)
    if matador.state == Matador.State.RETIRED:
        raise OperationError(_("%s has already retired.") % matador)
    _turn(matador, Matador.State.RETIRED, by, at)


@transaction.atomic
def bring_back_matador(*, matador: Matador, by: User | None, at: dt.datetime) -> None:
    """Let a retired matador return. Raise `OperationError` if he has not retired."""
    _lock(matador)
    if matador.state != Matador.State.RETIRED:
        raise OperationError(_("%s has not retired.") % matador)
    _turn(matador, Matador.State.ACTIVE, by, at)


def _lock(row: Matador | Place) -> None:
    """Lock the circuit of the row for this transaction, and reload the row."""
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
