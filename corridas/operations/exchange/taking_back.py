"""An import is taken back whole, as long as nothing rests on it."""

from __future__ import annotations

import datetime as dt
from typing import TYPE_CHECKING, NamedTuple

from django.utils.translation import gettext as _

from corridas.models import Change, Circuit
from corridas.operations.errors import OperationError
from corridas.operations.exchange.looking import check_may_exchange
from corridas.operations.history import undo_batch

if TYPE_CHECKING:
    from accounts.models import User


class Together(NamedTuple):
    """Rows of a circuit that were changed together: how many, when, and by whom."""

    batch: str
    rows: int
    at: dt.datetime
    by: str


def last_together(circuit: Circuit) -> Together | None:
    """The last that was changed together and still stands; two queries."""
    stands = Change.objects.filter(circuit=circuit, undone_by=None, undoes=None).exclude(batch="")
    last = stands.select_related("by").first()
    if last is None:
        return None
    rows = Change.objects.filter(batch=last.batch, undone_by=None).count()
    return Together(last.batch, rows, last.at, str(last.by or ""))


def take_back(*, circuit: Circuit, batch: str, by: User, at: dt.datetime) -> int:
    """Undo all that was changed together; how many rows that were.

    Raises `PermissionDenied` to who does not keep this roster, `OperationError` where it is not the
    last of this circuit, or a row was changed since or is bound by a cartel.
    """
    check_may_exchange(by, circuit)
    last = last_together(circuit)
    elsewhere = Change.objects.filter(batch=batch).exclude(circuit=circuit).exclude(circuit=None)
    if last is None or last.batch != batch or elsewhere.exists():
        raise OperationError(_("You can only undo the latest group of changes here."))
    return len(undo_batch(batch=batch, by=by, at=at))
