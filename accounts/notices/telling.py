"""Telling people, in the transaction of what happened and at no risk to it."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Iterable, Mapping
from functools import partial
from typing import Final

from celery import current_app
from django.db import DatabaseError, transaction
from kombu.exceptions import OperationalError

from accounts.models import Notice
from accounts.notices.choices import ways_of
from accounts.notices.kinds import Kind, Way
from accounts.notices.reading import recount

log = logging.getLogger(__name__)

LETTERS: Final = "accounts.tasks.send_letters"
"""The task that sends letters; tasks stand above this room, so it is called by its name."""


def tell(
    users: Iterable[int],
    kind: Kind,
    *,
    at: dt.datetime,
    data: Mapping[str, str | int] | None = None,
    own: Mapping[int, Mapping[str, str | int]] | None = None,
    link: str = "",
    once: bool = False,
) -> int:
    """Tell users (by number) of something, each by the ways they chose; returns how many.

    Two queries however many they are. `own` is what the data says to one user (by number) alone.
    `link` is an address on this site. `once`: not those who have not read the same about the same
    address yet, for one query more. A letter goes out once all is committed. Whatever goes wrong
    is logged: what happened has happened all the same.
    """
    numbers = sorted(set(users))
    if not numbers:
        return 0
    try:
        with transaction.atomic():
            if once:
                numbers = _not_told(numbers, kind, link)
            told = {number: {**(data or {}), **(own or {}).get(number, {})} for number in numbers}
            return len(_write(told, kind, at, link))
    except DatabaseError:
        log.exception("Nobody was told of %s", kind.key)
        return 0


def _not_told(numbers: list[int], kind: Kind, link: str) -> list[int]:
    waiting = Notice.objects.filter(
        user__in=numbers, kind=kind.key, link=link, on_site=True, read_at=None
    )
    told = set(waiting.values_list("user", flat=True))
    return [number for number in numbers if number not in told]


def _write(
    told: Mapping[int, dict[str, str | int]], kind: Kind, at: dt.datetime, link: str
) -> list[Notice]:
    wanted = ways_of(list(told), kind)
    rows = [
        Notice(
            user_id=number,
            kind=kind.key,
            data=told[number],
            link=link,
            at=at,
            on_site=Way.SITE in ways,
            mail=Notice.Mail.DUE if Way.MAIL in ways else Notice.Mail.NONE,
        )
        for number, ways in wanted.items()
        if ways & {Way.SITE, Way.MAIL}
    ]
    if rows:
        made = Notice.objects.bulk_create(rows)
        transaction.on_commit(partial(_after, made), robust=True)
    return rows


def _after(made: list[Notice]) -> None:
    recount([notice.user_id for notice in made if notice.on_site])
    if any(notice.mail == Notice.Mail.DUE for notice in made):
        try:
            current_app.send_task(LETTERS, retry=False)
        except OperationalError as error:
            log.warning("The broker is away, letters wait for the sweep: %s", error)
