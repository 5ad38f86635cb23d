"""What those who run the site are told of it, before visitors notice."""

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

from accounts import notices
from accounts.models import User
from accounts.notices import Kind, Way
from config.health.readiness import client
from config.health.standing import restarts
from config.valkey import RESTARTS
from disk import space

log = logging.getLogger(__name__)

AGAIN_AFTER: Final = 24 * 3600
"""Seconds after which a disk that is still nearly full is told of again."""
WARNED: Final = "warned/disk"
TOLD: Final = "told"
"""Beside the restarts of the broker: those of which somebody was told."""

DISK: Final = Kind(
    key="site_disk",
    label=gettext_lazy("The site’s disk is nearly full"),
    text=gettext_lazy(
        "The site’s disk is nearly full: only %(free)s are left. When it is full, nothing can be "
        "saved and no corrida can be played."
    ),
    usual=frozenset({Way.SITE, Way.MAIL}),
    of_the_site=True,
)
BROKER: Final = Kind(
    key="site_broker",
    label=gettext_lazy("The message broker had to be restarted"),
    text=gettext_lazy("The message broker had to be restarted, most recently on %(at)s."),
    usual=frozenset({Way.SITE, Way.MAIL}),
    times=("at",),
    of_the_site=True,
)


def offer() -> None:
    """Declare them."""
    notices.register(DISK, BROKER)


def tell(*, at: dt.datetime) -> None:
    """Tell admins of what has come up since the last time."""
    _tell_of_disk(at)
    _tell_of_broker(at)


def _tell_of_disk(at: dt.datetime) -> None:
    found = space(settings.DATA_DIR)
    if not found.is_scarce:
        cache.delete(WARNED)
    elif cache.add(WARNED, 1, AGAIN_AFTER):
        _tell(DISK, at, free=filesizeformat(found.free))


def _tell_of_broker(at: dt.datetime) -> None:
    found = restarts()
    if found is None:
        return
    try:
        told = int(client().hget(RESTARTS, TOLD) or 0)
        if found.number > told:
            client().hset(RESTARTS, TOLD, str(found.number))
            _tell(BROKER, at, at=found.at.isoformat())
    except RedisError as error:
        log.warning("The broker does not say of what was told: %s", error)


def _tell(kind: Kind, now: dt.datetime, **data: str) -> None:
    admins = User.objects.filter(is_superuser=True, is_active=True)
    numbers = admins.values_list("pk", flat=True)
    notices.tell(numbers, kind, at=now, data=data, link=reverse("status"), once=True)
