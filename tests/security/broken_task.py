"""A Celery task for tests that fails with an error message containing a secret URL."""

from __future__ import annotations

import logging

from celery import shared_task

log = logging.getLogger(__name__)


@shared_task(name="tests.broken")
def broken(address: str) -> None:
    """Write the URL to the log in every way that a task can, and fail with it."""
    print(f"printed {address}")  # noqa: T201
    log.warning("logged %s", address)
    raise RuntimeError(f"It broke at {address}")
