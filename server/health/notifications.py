"""Notifications to superusers about the disk and the message broker."""

from __future__ import annotations

import datetime as dt
import logging
from typing import Final

from django.conf import settings
from django.core.cache import cache
from django.template.defaultfilters import filesizeformat
from django.urls import reverse
from django.utils.translation import gettext_lazy
from redis.exceptions import RedisError

from accounts.models import User
from accounts.notifications import kinds
from accounts.notifications import operations as notifications
from accounts.notifications.kinds import Channel, NotificationKind
from core.disk import disk_space
from server.health.readiness import redis_connection
from server.health.status import broker_restarts
from server.valkey import RESTARTS_KEY

log = logging.getLogger(__name__)

# Seconds between two warnings about the same disk.
WARNING_INTERVAL: Final = 24 * 3600
DISK_WARNED_KEY: Final = "warned/disk"
# Field of the hash `RESTARTS_KEY` in Redis: the number of broker restarts that was last reported.
NOTIFIED_FIELD: Final = "told"

DISK: Final = NotificationKind(
    key="site_disk",
    label=gettext_lazy("The site’s disk is nearly full"),
    text=gettext_lazy(
        "The site’s disk is nearly full: only %(free)s is free. When it is full, nothing "
        "can be saved and no corrida can be played."
    ),
    usual=frozenset({Channel.SITE, Channel.MAIL}),
    of_the_site=True,
)
BROKER: Final = NotificationKind(
    key="site_broker",
    label=gettext_lazy("The message broker had to be restarted"),
    text=gettext_lazy("The message broker had to be restarted, most recently on %(at)s."),
    usual=frozenset({Channel.SITE, Channel.MAIL}),
    times=("at",),
    of_the_site=True,
)


def register_notification_kinds() -> None:
    kinds.register_kinds(DISK, BROKER)


def notify_superusers(*, at: dt.datetime) -> None:
    _check_disk(at)
    _check_broker(at)


def _check_disk(at: dt.datetime) -> None:
    space = disk_space(settings.DATA_DIR)
    if not space.is_scarce:
        cache.delete(DISK_WARNED_KEY)
    elif cache.add(DISK_WARNED_KEY, 1, WARNING_INTERVAL):
        _notify(DISK, at, free=filesizeformat(space.free))


def _check_broker(at: dt.datetime) -> None:
    restarts = broker_restarts()
    if restarts is None:
        return
    try:
        notified = int(redis_connection().hget(RESTARTS_KEY, NOTIFIED_FIELD) or 0)
        if restarts.number > notified:
            redis_connection().hset(RESTARTS_KEY, NOTIFIED_FIELD, str(restarts.number))
            _notify(BROKER, at, at=restarts.at.isoformat())
    except RedisError as error:
        log.warning("The broker does not return which restarts were notified: %s", error)


def _notify(kind: NotificationKind, now: dt.datetime, **data: str) -> None:
    admins = User.objects.filter(is_superuser=True, is_active=True)
    numbers = admins.values_list("pk", flat=True)
    notifications.notify(numbers, kind, at=now, data=data, link=reverse("status"), once=True)
