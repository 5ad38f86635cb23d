"""Printing a matador's cards: what has been announced stays as it is, the next one may differ."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING

from django.db import transaction
from django.utils.translation import gettext as _

from corridas.models import Circuit, Matador, MatadorCard
from corridas.operations.errors import OperationError
from corridas.operations.history import record_change
from corridas.queries.printed import open_cards

if TYPE_CHECKING:
    from accounts.models import User


@transaction.atomic
def print_next_card(
    *, matador: Matador, by: User | None = None, at: dt.datetime | None = None
) -> MatadorCard:
    """The next printing of a matador's card, with the values of the newest, open for editing.

    Contracts are made with it from now on; with `at` it stands in the history. Raises
    `OperationError` where the newest printing has not been announced yet, so that it can be edited
    itself, or where there is no card at all.
    """
    Circuit.objects.select_for_update().get(pk=matador.circuit_id)
    newest = matador.cards.order_by("-printing").first()
    if newest is None:
        raise OperationError(_("%s has no card yet. Add one.") % matador)
    if open_cards().filter(pk=newest.pk).exists():
        raise OperationError(
            _("Printing %(printing)s of %(matador)s can still be edited. Edit that one.")
            % {"printing": newest.printing, "matador": matador}
        )
    newest.pk, newest.printing, newest.since = None, newest.printing + 1, None
    newest.save(force_insert=True)
    if at is not None:
        record_change(row=newest, before=None, by=by, at=at)
    return newest
