"""Requests for a season file, and imports of one."""

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

# Bytes of an uploaded file. A season of 450 corridas takes 2 MB.
MAX_BYTES: Final = 16 * 1024 * 1024


def request_file(*, season: Season, by: User, at: dt.datetime) -> Bundle:
    """Request the file of a season, unless a current one exists. Everyone who sees the season may.

    Raises `OperationError` before its winter is over. The file leaves out the promises of the
    matadors.
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
    except IntegrityError:  # somebody asked at the same moment
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
    """Import a season into a new circuit of the user, or as the next one of `circuit`.

    Raises `OperationError` for a file that is too large, for one circuit or season too many, and
    while another import of the user is under way. Raises `PermissionDenied` for a circuit of
    someone else.
    """
    if size > MAX_BYTES:
        said = _("The file is larger than %(most)s MB.") % {"most": MAX_BYTES >> 20}
        raise OperationError(said, "file")
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
