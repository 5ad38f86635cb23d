"""Operations that print cards, archive plazas and herds, and retire matadors."""

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
    """Print a matador's next card with the values of the newest, open for editing.

    New contracts use it. With `at` it is recorded in the history. Raise `OperationError` where the
    newest card has not been announced yet, as it can still be edited, or where there is no card.
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
    """Archive a plaza or a herd: announced corridas stay, new ones do without it.

    Raise `OperationError` where it is already archived.
    """
    _lock(place)
    if place.archived_at is not None:
        raise OperationError(_("%s is already archived.") % place)
    _move(place, at, by, at)


@transaction.atomic
def restore_place(*, place: Place, by: User | None, at: dt.datetime) -> None:
    """Restore a plaza or a herd from the archive. Raise `OperationError` where it is
    not archived.
    """
    _lock(place)
    if place.archived_at is None:
        raise OperationError(_("%s is not archived.") % place)
    _move(place, None, by, at)


@transaction.atomic
def retire_matador(*, matador: Matador, by: User | None, at: dt.datetime) -> None:
    """End a career: announced corridas stay, no new contracts follow.

    Raise `OperationError` for a matador who has already retired.
    """
    _lock(matador)
    if matador.state == Matador.State.RETIRED:
        raise OperationError(_("%s has already retired.") % matador)
    _turn(matador, Matador.State.RETIRED, by, at)


@transaction.atomic
def bring_back_matador(*, matador: Matador, by: User | None, at: dt.datetime) -> None:
    """Let a retired matador return. Raise `OperationError` for one who has not retired."""
    _lock(matador)
    if matador.state != Matador.State.RETIRED:
        raise OperationError(_("%s has not retired.") % matador)
    _turn(matador, Matador.State.ACTIVE, by, at)


def _lock(row: Matador | Place) -> None:
    """Lock the circuit for this transaction and reload the row."""
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
