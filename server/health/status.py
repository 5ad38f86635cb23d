"""State of the site, for the status page and for Prometheus."""

from __future__ import annotations

import datetime as dt
import logging
from dataclasses import dataclass, field
from pathlib import Path
from typing import Final, cast

from celery import current_app
from django.conf import settings
from django.core.cache import cache
from django.db import connection, models
from django.db.models import Count, Min
from django.utils import timezone
from kombu.exceptions import OperationalError
from redis.exceptions import RedisError

from actas.envelope import SITE_VERSION
from actas.models import Revalidation
from core.disk import DiskSpace, disk_space
from corridas.models import Corrida, Run
from leagues.models import Delivery
from live.stats import FeedStats, current_stats
from server.health.readiness import redis_connection
from server.valkey import RESTARTS_KEY

log = logging.getLogger(__name__)

QUEUES: Final = ("live", "celery", "tables", "long")
STATUS_KEY: Final = "site-status"
# Seconds for which the status of the site is cached.
TTL: Final = 5
# Seconds that the status page waits for workers to respond. Healthy workers respond in a hundredth
# of that time.
WORKER_TIMEOUT: Final = 0.5


@dataclass(frozen=True)
class BrokerRestarts:
    """Number of restarts of the embedded broker and the time of the last restart."""

    number: int
    at: dt.datetime


@dataclass(frozen=True)
class SiteStatus:
    """The status of the site at a given time. Values are None if their source is down.

    `queues`: waiting messages per queue. `workers`: names of the workers that respond. `feeds`:
    last report of each live feed process. `corridas`: number per state. `deliveries`: webhook
    deliveries per state. `queued_since`: when the oldest queued corrida was requested. `run_since`:
    the same for queued runs of seasons. `last_played`: start of the latest broadcast. `size`: size
    of the database in bytes. `restarts`: restarts of the embedded broker. `space`: free space on
    the disk with the data folder.
    """

    at: dt.datetime
    queues: dict[str, int] | None
    workers: list[str] | None
    feeds: dict[str, FeedStats] | None
    corridas: dict[str, int]
    deliveries: dict[str, int]
    queued_since: dt.datetime | None
    run_since: dt.datetime | None
    last_played: dt.datetime | None
    revalidation: Revalidation | None
    size: int
    restarts: BrokerRestarts | None = None
    space: DiskSpace | None = None
    version: str = SITE_VERSION
    engine: str = field(default_factory=lambda: connection.vendor)

    @property
    def clients(self) -> int | None:
        return None if self.feeds is None else sum(feed.clients for feed in self.feeds.values())

    @property
    def lag(self) -> dt.timedelta:
        return self.at - self.queued_since if self.queued_since else dt.timedelta()

    @property
    def on_air(self) -> int:
        return self.corridas.get(Corrida.State.ON_AIR, 0)


def site_status() -> SiteStatus:
    status: SiteStatus | None = cache.get(STATUS_KEY)
    if status is None:
        status = read_status()
        cache.set(STATUS_KEY, status, TTL)
    return status


def read_status() -> SiteStatus:
    at = timezone.now()
    feeds = _feeds(at)
    queued = Corrida.objects.filter(state=Corrida.State.QUEUED)
    played = Corrida.objects.exclude(on_air_at=None).order_by("-on_air_at")
    return SiteStatus(
        at=at,
        queues=_queues(),
        workers=None if feeds is None else _workers(),
        feeds=feeds,
        corridas=_by_state(Corrida),
        deliveries=_by_state(Delivery),
        queued_since=queued.aggregate(since=Min("queued_at"))["since"],
        run_since=Run.objects.filter(state=Run.State.QUEUED).aggregate(since=Min("asked_at"))[
            "since"
        ],
        last_played=played.values_list("on_air_at", flat=True).first(),
        revalidation=Revalidation.latest(),
        size=_database_size(),
        restarts=broker_restarts(),
        space=disk_space(settings.DATA_DIR),
    )


def _queues() -> dict[str, int] | None:
    try:
        with redis_connection().pipeline(transaction=False) as line:
            for name in QUEUES:
                line.llen(name)
            return dict(zip(QUEUES, line.execute(), strict=True))
    except RedisError as error:
        log.warning("The queues do not answer: %s", error)
        return None


def broker_restarts() -> BrokerRestarts | None:
    try:
        fields = cast("dict[bytes, bytes]", redis_connection().hgetall(RESTARTS_KEY))
    except RedisError:
        return None  # `_queues` has logged the outage
    if b"number" not in fields or b"at" not in fields:
        return None
    at = dt.datetime.fromtimestamp(float(fields[b"at"]), dt.UTC)
    return BrokerRestarts(int(fields[b"number"]), at)


def _feeds(at: dt.datetime) -> dict[str, FeedStats] | None:
    try:
        return current_stats(redis_connection(), at=at.timestamp())
    except (RedisError, ValueError, TypeError) as error:
        log.warning("The feeds are not heard: %s", error)
        return None


def _workers() -> list[str] | None:
    try:
        answers = current_app.control.ping(timeout=WORKER_TIMEOUT)
    except (OperationalError, OSError) as error:
        log.warning("The workers are not heard: %s", error)
        return None
    return sorted(name for answer in answers or [] for name in answer)


def _by_state(model: type[models.Model]) -> dict[str, int]:
    rows = model._default_manager.order_by().values_list("state").annotate(Count("pk"))
    return dict(cast("list[tuple[str, int]]", list(rows)))


def _database_size() -> int:
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("SELECT pg_database_size(current_database())")
            return int(cursor.fetchone()[0])
    file = Path(str(settings.DATABASES["default"]["NAME"]))
    parts = [file, *(file.with_name(f"{file.name}{end}") for end in ("-wal", "-shm"))]
    return sum(part.stat().st_size for part in parts if part.exists())
