"""The yes: what was looked at is written, all of it or nothing, with its history."""

from __future__ import annotations

import datetime as dt
import secrets
from dataclasses import dataclass
from typing import TYPE_CHECKING

from django.core.cache import cache
from django.db import transaction
from django.utils.translation import gettext as _

from corridas.exchange import TABLES, Verdict
from corridas.models import Circuit, Run
from corridas.operations.errors import OperationError
from corridas.operations.exchange.looking import (
    KEPT_FOR,
    Kept,
    Look,
    Moved,
    check_may_exchange,
    of_the_office,
    place,
    study,
)
from corridas.operations.exchange.writing import Writing
from corridas.operations.history import record_changes

if TYPE_CHECKING:
    from accounts.models import User


@dataclass(frozen=True)
class BroughtIn:
    """What was done: how many rows of each verdict; `batch` names it in the history."""

    batch: str
    counts: dict[Verdict, int]


def bring_in(*, circuit: Circuit, token: str, by: User, at: dt.datetime) -> BroughtIn:
    """Do what the look with this token showed.

    Raises `OperationError` where the file waits no more or the season is being run on, `Moved`
    where the roster has changed so that something else would be done, `PermissionDenied` to who
    does not keep this roster (any more).
    """
    check_may_exchange(by, circuit)
    kept: Kept | None = cache.get(place(circuit, by, token))
    if kept is None:
        raise OperationError(
            _("The file was kept for only an hour, or has already been imported. Choose it again."),
            "file",
        )
    with transaction.atomic():
        row = Circuit.objects.select_for_update().get(pk=circuit.pk)
        _check_quiet(row)
        look = study(row, kept.tables, kept.name, archive=kept.archive, office=of_the_office(by))
        _check_unmoved(look, kept, place(circuit, by, token))
        done = _write(row, look, by, at)
    cache.delete(place(circuit, by, token))
    return done


def _check_quiet(circuit: Circuit) -> None:
    """Whoever runs a season contracts by what he knew when he began."""
    if Run.objects.filter(season__circuit=circuit, state__in=Run.ACTIVE).exists():
        raise OperationError(_("The season is being played. Stop it first."))


def _check_unmoved(look: Look, kept: Kept, waiting: str) -> None:
    """Nothing is done but what was shown."""
    if look.wrong or look.plan.empty:
        cache.delete(waiting)
        raise Moved(look)
    if look.plan.fingerprint != kept.fingerprint:
        again = kept._replace(fingerprint=look.plan.fingerprint)
        cache.set(waiting, again, KEPT_FOR)
        raise Moved(Look(look.name, look.plan, token=waiting.rpartition(":")[2]))


def _write(circuit: Circuit, look: Look, by: User, at: dt.datetime) -> BroughtIn:
    writing = Writing(circuit, at)
    for table in TABLES:
        writing.write(table, [step for step in look.plan.moving if step.table == table])
    writing.hang(look.plan.calendar)
    batch = secrets.token_hex(16)
    record_changes(edits=writing.finish(), by=by, at=at, batch=batch)
    counts = {
        verdict: sum(step.verdict is verdict for step in look.plan.steps) for verdict in Verdict
    }
    return BroughtIn(batch, counts)
