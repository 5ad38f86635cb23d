"""Operations that request a season file, or upload one to be imported."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from core.jobs import enqueue
from corridas import archive
from corridas.archive import jobs
from corridas.archive.queries import latest_file
from corridas.circuits.operations import check_directs
from corridas.errors import OperationError
from corridas.models import Bundle, Circuit, Season

if TYPE_CHECKING:
    from accounts.models import User

# Maximum number of bytes of an uploaded file. A season of 450 corridas takes 2 MB.
MAX_BYTES: Final = 16 * 1024 * 1024


def request_file(*, season: Season, by: User, at: dt.datetime) -> Bundle:
    """Request the file of a season and return its row. An up-to-date file is used again.

    Everyone who may see the season may request the file. Raise `OperationError` before its winter
    is over. The file does not contain the potential of matadors, which is confidential.
    """
    if not archive.is_over(season):
        raise OperationError(
            _("%s has not ended. The season file will be available after the winter.") % season
        )
    existing = latest_file(season)
    if existing is not None and (existing.active or existing.edition == season.posted_version):
        return existing
    try:
        with transaction.atomic():
            bundle = Bundle.objects.create(
                way=Bundle.Way.OUT, season=season, asked_by=by, asked_at=at
            )
    except IntegrityError:  # somebody else has requested the file at the same time
        return Bundle.objects.filter(season=season, state__in=Bundle.ACTIVE).latest("pk")
    enqueue("corridas.tasks.make_bundle", bundle.pk, on_commit=True)
    return bundle


def import_file(
    *,
    pieces: Iterable[bytes],
    size: int,
    by: User,
    at: dt.datetime,
    circuit: Circuit | None = None,
) -> Bundle:
    """Upload a season file, to be imported into a new circuit or into `circuit`.

    Raise `OperationError` if the file is too large, if the circuit has the maximum number of
    seasons or the user that of circuits, and while another import of the user is running. Raise
    `PermissionDenied` for a circuit that the user does not direct.
    """
    if size > MAX_BYTES:
        message = _("The file is larger than %(most)s MB.") % {"most": MAX_BYTES >> 20}
        raise OperationError(message, "file")
    try:
        with transaction.atomic():
            if circuit is not None:
                check_directs(by, circuit)
            jobs.check_room(by, circuit)
            bundle = Bundle.objects.create(
                way=Bundle.Way.IN, asked_by=by, asked_at=at, circuit=circuit, size=size
            )
            jobs.store_file(bundle, pieces)
            enqueue("corridas.tasks.bring_bundle", bundle.pk, on_commit=True)
    except IntegrityError as error:
        raise OperationError(
            _("One of your seasons is being checked. Wait until it has been imported.")
        ) from error
    return bundle
