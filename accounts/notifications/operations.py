"""Send notifications, mark them as read and choose their channels."""

from __future__ import annotations

import datetime as dt
import logging
from collections.abc import Collection, Iterable, Mapping
from functools import partial
from typing import Final

from django.db import DatabaseError, transaction
from django.db.models import Count, IntegerField, OuterRef, Subquery
from django.db.models.functions import Coalesce

from accounts.models import Choice, Notice, User
from accounts.notifications.kinds import Channel, NotificationKind, registered_kinds
from accounts.notifications.queries import channels_by_kind, channels_of_users, notifications_of
from core.jobs import enqueue


@transaction.atomic
def set_channels(user: User, chosen: dict[str, Collection[Channel]]) -> None:
    """Save the channels that a user has chosen, by kind of notification.

    Channels that the site does not offer stay unchanged.
    """
    before = dict(Choice.objects.filter(user=user).values_list("kind", "ways"))
    for key, ways in chosen.items():
        kind = registered_kinds[key]
        stays = set(before.get(key, kind.usual)) - set(kind.ways)
        kept = sorted({str(way) for way in ways if way in kind.ways} | {str(way) for way in stays})
        Choice.objects.update_or_create(user=user, kind=key, defaults={"ways": kept})


def disable_channel(user: User, key: str, way: Channel) -> None:
    """Turn off one channel for one kind of notification, or for all kinds if `key` is empty."""
    every = channels_by_kind(user)
    named = [key] if key in every else list(every)
    set_channels(user, {name: every[name] - {way} for name in named})


MAX_PER_USER: Final = 500
RETENTION: Final = dt.timedelta(days=180)


def open_notification(user: User, number: int, *, at: dt.datetime) -> str | None:
    """Mark a notification as read and return its link.

    Returns None if the user has no notification with this number.
    """
    row = notifications_of(user).filter(pk=number).first()
    if row is None:
        return None
    if notifications_of(user).filter(pk=number, read_at=None).update(read_at=at):
        recount_unread([user.pk])
    return row.link


def mark_all_read(user: User, *, at: dt.datetime) -> None:
    """Mark all notifications of the user as read."""
    notifications_of(user).filter(read_at=None).update(read_at=at)
    recount_unread([user.pk])


def recount_unread(users: Iterable[int]) -> None:
    """Update the cached number of unread notifications of these users.

    Each user has a transaction of their own, so that concurrent updates cannot deadlock. The user's
    row is locked before counting. Otherwise a transaction that waits for the lock would store an
    outdated count.
    """
    waiting = (
        Notice.objects.filter(user=OuterRef("pk"), on_site=True, read_at=None)
        .order_by()
        .values("user")
        .annotate(many=Count("*"))
        .values("many")
    )
    many = Coalesce(Subquery(waiting, output_field=IntegerField()), 0)
    for user in sorted(set(users)):
        with transaction.atomic():
            User.objects.select_for_update(no_key=True).filter(pk=user).first()
            User.objects.filter(pk=user).update(unread=many)


def delete_old_notifications(*, at: dt.datetime) -> int:
    """Delete notifications older than half a year or beyond the newest five hundred per user."""
    gone, _rows = Notice.objects.filter(at__lt=at - RETENTION).delete()
    crowded = Notice.objects.order_by().values("user").annotate(many=Count("*"))
    users = set()
    for user in crowded.filter(many__gt=MAX_PER_USER).values_list("user", flat=True):
        rows = Notice.objects.filter(user=user).order_by("-pk")
        last = rows.values_list("pk", flat=True)[MAX_PER_USER - 1]
        gone += rows.filter(pk__lt=last).delete()[0]
        users.add(user)
    recount_unread(users | set(_users_with_wrong_count()))
    return gone


def _users_with_wrong_count() -> Iterable[int]:
    """Return users whose cached number of unread notifications is wrong.

    This happens if a process dies before it updates the number.
    """
    unread = Notice.objects.filter(on_site=True, read_at=None).order_by().values("user")
    real = dict(unread.annotate(many=Count("*")).values_list("user", "many"))
    counters = dict(User.objects.filter(unread__gt=0).values_list("pk", "unread"))
    return (user for user in real.keys() | counters.keys() if real.get(user) != counters.get(user))


log = logging.getLogger(__name__)


def notify(
    users: Iterable[int],
    kind: NotificationKind,
    *,
    at: dt.datetime,
    data: Mapping[str, str | int] | None = None,
    own: Mapping[int, Mapping[str, str | int]] | None = None,
    link: str = "",
    once: bool = False,
) -> int:
    """Notify users (by primary key) and return how many were notified.

    Each user is notified through the channels that they have chosen. This takes two queries for any
    number of users. `data` fills in the text for all users, and `own` adds values for single users.
    `link` is a path on this site. `once` skips users who have an unread notification of the same
    kind and link, which takes another query. Emails are sent after the commit. Database errors are
    only logged, so that the event itself never fails.
    """
    numbers = sorted(set(users))
    if not numbers:
        return 0
    try:
        with transaction.atomic():
            if once:
                numbers = _without_unread(numbers, kind, link)
            data_by_user = {
                number: {**(data or {}), **(own or {}).get(number, {})} for number in numbers
            }
            return len(_create_notices(data_by_user, kind, at, link))
    except DatabaseError:
        log.exception("No notification of the kind %s could be stored", kind.key)
        return 0


def _without_unread(numbers: list[int], kind: NotificationKind, link: str) -> list[int]:
    waiting = Notice.objects.filter(
        user__in=numbers, kind=kind.key, link=link, on_site=True, read_at=None
    )
    users_with_unread = set(waiting.values_list("user", flat=True))
    return [number for number in numbers if number not in users_with_unread]


def _create_notices(
    data_by_user: Mapping[int, dict[str, str | int]],
    kind: NotificationKind,
    at: dt.datetime,
    link: str,
) -> list[Notice]:
    wanted = channels_of_users(list(data_by_user), kind)
    rows = [
        Notice(
            user_id=number,
            kind=kind.key,
            data=data_by_user[number],
            link=link,
            at=at,
            on_site=Channel.SITE in ways,
            mail=Notice.Mail.DUE if Channel.MAIL in ways else Notice.Mail.NONE,
        )
        for number, ways in wanted.items()
        if ways & {Channel.SITE, Channel.MAIL}
    ]
    if rows:
        made = Notice.objects.bulk_create(rows)
        transaction.on_commit(partial(_after_commit, made), robust=True)
    return rows


def _after_commit(made: list[Notice]) -> None:
    recount_unread([notice.user_id for notice in made if notice.on_site])
    if any(notice.mail == Notice.Mail.DUE for notice in made):
        enqueue("accounts.tasks.send_letters")
