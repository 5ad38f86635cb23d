"""Metrics for Prometheus.

Each process counts the requests that it answered. If several processes serve one address, they add
up their counts in the folder PROMETHEUS_MULTIPROC_DIR, which must be empty at the start. All other
values come from the database and Redis, so they are the same in every process.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from functools import cache
from typing import Any, Final

from prometheus_client import CONTENT_TYPE_LATEST, REGISTRY, Counter, Histogram, generate_latest
from prometheus_client.core import CollectorRegistry, CounterMetricFamily, GaugeMetricFamily
from prometheus_client.multiprocess import MultiProcessCollector

from server.health.status import SiteStatus, site_status

CONTENT_TYPE: Final = CONTENT_TYPE_LATEST
METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
OTHER: Final = "other"

REQUESTS: Final = Counter("temporada_requests", "Requests answered.", ["view", "method", "status"])
SECONDS: Final = Histogram(
    "temporada_request_seconds",
    "Seconds until an answer was made.",
    ["view"],
    buckets=(0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0, 2.5, 10.0),
)


def count_request(view: str, method: str, status: int, seconds: float) -> None:
    """Count a response.

    Unknown HTTP methods count as `other`, because clients could invent any number of them.
    """
    requests, times = _counters(view, method if method in METHODS else OTHER, status)
    requests.inc()
    times.observe(seconds)


@cache  # one entry per combination of labels
def _counters(view: str, method: str, status: int) -> tuple[Counter, Histogram]:
    return REQUESTS.labels(view, method, str(status)), SECONDS.labels(view)


def render_metrics() -> bytes:
    site_registry = CollectorRegistry()
    site_registry.register(_SiteCollector(site_status()))
    return generate_latest(_request_registry()) + generate_latest(site_registry)


def _request_registry() -> CollectorRegistry:
    if "PROMETHEUS_MULTIPROC_DIR" not in os.environ:
        return REGISTRY
    together = CollectorRegistry()
    MultiProcessCollector(together)
    return together


class _SiteCollector:
    """Prometheus collector for the status of the site. Unavailable values are left out."""

    def __init__(self, site_status: SiteStatus) -> None:
        self._status = site_status

    def collect(self) -> Iterator[Any]:
        figures = self._status
        yield labelled_gauge("queue_length", "Messages waiting.", "queue", figures.queues)
        yield labelled_gauge("corridas", "Corridas by state.", "state", figures.corridas)
        yield labelled_gauge(
            "webhook_deliveries", "Deliveries by state.", "state", figures.deliveries
        )
        yield plain_gauge(
            "corrida_lag_seconds", "Age of the oldest queued.", figures.lag.total_seconds()
        )
        yield plain_gauge("database_bytes", "Size of the database.", figures.size)
        if figures.space is not None:
            yield plain_gauge("disk_free_bytes", "Where the data folder lies.", figures.space.free)
            yield plain_gauge("disk_bytes", "All of that disk.", figures.space.total)
        if figures.workers is not None:
            yield plain_gauge("workers", "Workers that answer.", len(figures.workers))
        if figures.restarts is not None:
            yield plain_gauge("broker_restarts", "Of the site's own.", figures.restarts.number)
        if figures.revalidation is not None:
            differing = figures.revalidation.broken
            yield plain_gauge("revalidation_differing", "Found by the last one.", differing)
        yield from self._feed()

    def _feed(self) -> Iterator[Any]:
        feeds = self._status.feeds or {}
        clients = {name: feed.clients for name, feed in feeds.items()}
        yield labelled_gauge("feed_clients", "Who watches now.", "process", clients)
        sent = CounterMetricFamily(
            "temporada_feed_messages", "Messages sent by the feed.", labels=["process"]
        )
        for name, feed in feeds.items():
            sent.add_metric([name], feed.sent)
        yield sent


def labelled_gauge(
    name: str, documentation: str, label: str, values: dict[str, int] | None
) -> GaugeMetricFamily:
    family = GaugeMetricFamily(f"temporada_{name}", documentation, labels=[label])
    for key, value in (values or {}).items():
        family.add_metric([key], value)
    return family


def plain_gauge(name: str, documentation: str, value: float) -> GaugeMetricFamily:
    return GaugeMetricFamily(f"temporada_{name}", documentation, value=value)
