"""Read notifications and the channels that users have chosen."""

from __future__ import annotations

import datetime as dt
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Final

from accounts.models import Choice, Notice, User
from accounts.notifications.kinds import (
    Channel,
    NotificationKind,
    notification_text,
    registered_kinds,
)

if TYPE_CHECKING:
    from django.db.models import QuerySet


def channels_of_users(
    users: Iterable[int], kind: NotificationKind
) -> dict[int, frozenset[Channel]]:
    """Return each user's channels for one kind of notification, with one query."""
    keys = list(users)
    rows = Choice.objects.filter(user__in=keys, kind=kind.key).values_list("user_id", "ways")
    chosen = {user: _available_channels(kind, ways) for user, ways in rows}
    usual = kind.usual & frozenset(kind.ways)
    return {user: chosen.get(user, usual) for user in keys}


def channels_by_kind(user: User) -> dict[str, frozenset[Channel]]:
    rows = dict(Choice.objects.filter(user=user).values_list("kind", "ways"))
    return {
        key: _available_channels(kind, rows[key])
        if key in rows
        else kind.usual & frozenset(kind.ways)
        for key, kind in registered_kinds.items()
    }


def _available_channels(kind: NotificationKind, ways: Collection[str]) -> frozenset[Channel]:
    return frozenset(way for way in kind.ways if way in ways)


# Maximum number of notifications on the page and in the feed.
PAGE_SIZE: Final = 100


@dataclass(frozen=True, kw_only=True)
class NotificationLine:
    """A notification for display, with its text in the active language."""

    number: int
    text: str
    link: str
    at: dt.datetime
    unread: bool


def latest(user: User, limit: int = PAGE_SIZE) -> list[NotificationLine]:
    return [line_for(row) for row in notifications_of(user).order_by("-pk")[:limit]]


def line_for(row: Notice) -> NotificationLine:
    return NotificationLine(
        number=row.pk,
        text=notification_text(row.kind, row.data),
        link=row.link,
        at=row.at,
        unread=row.read_at is None,
    )


def notifications_of(user: User) -> QuerySet[Notice]:
    return Notice.objects.filter(user=user, on_site=True)
