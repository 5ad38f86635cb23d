"""Requests for a season file, and uploads of one."""

from __future__ import annotations

import datetime as dt
from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

from django.db import IntegrityError, transaction
from django.utils.translation import gettext as _

from corridas import archive, tasks
from corridas.archive import jobs
from corridas.archive.queries import made
from corridas.circuits.operations import check_circuits, check_directs, check_seasons
from corridas.errors import OperationError
from corridas.models import Bundle, Circuit, Season

if TYPE_CHECKING:
    from accounts.models import User

MAX_BYTES: Final = 16 * 1024 * 1024
"""Of a file brought by a page; a season of 450 corridas has 2 MB."""


def request_file(*, season: Season, by: User, at: dt.datetime) -> Bundle:
    """Have the file of a season made, where there is none as it stands; who sees it may ask.

    Raises `OperationError` before its winter is over. The file tells no man's promise.
    """
    if not archive.is_over(season):
        raise OperationError(
            _("%s has not ended. Its file will be available after its winter.") % season
        )
    found = made(season)
    if found is not None and (found.active or found.edition == season.posted_version):
        return found
    try:
        with transaction.atomic():
            bundle = Bundle.objects.create(
                way=Bundle.Way.OUT, season=season, asked_by=by, asked_at=at
            )
    except IntegrityError:  # somebody asked at the same moment
        return Bundle.objects.filter(season=season, state__in=Bundle.ACTIVE).latest("pk")
    tasks.tell(tasks.make_bundle, bundle.pk, within=True)
    return bundle


def import_file(
    *,
    pieces: Iterable[bytes],
    size: int,
    by: User,
    at: dt.datetime,
    circuit: Circuit | None = None,
) -> Bundle:
    """Have a season looked at and taken in: into a new circuit of the user's, or on in one.

    Raises `OperationError` for a file that is too large, one circuit or season too many, and while
    another of the user's is looked at; `PermissionDenied` where the circuit is another's.
    """
    if size > MAX_BYTES:
        said = _("The file is larger than %(most)s MB.") % {"most": MAX_BYTES >> 20}
        raise OperationError(said, "file")
    try:
        with transaction.atomic():
            _check_room(by, circuit)
            bundle = Bundle.objects.create(
                way=Bundle.Way.IN, asked_by=by, asked_at=at, circuit=circuit, size=size
            )
            jobs.store_file(bundle, pieces)
            tasks.tell(tasks.bring_bundle, bundle.pk, within=True)
    except IntegrityError as error:
        raise OperationError(
            _("One of your seasons is being checked. Wait until it has been imported.")
        ) from error
    return bundle


def _check_room(by: User, circuit: Circuit | None) -> None:
    """Whether there may be one more: a circuit of theirs, or a season in one."""
    if circuit is None:
        check_circuits(by)
        return
    check_directs(by, circuit)
    check_seasons(circuit)
