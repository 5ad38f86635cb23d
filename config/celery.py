"""The Celery application. Tasks are in the `tasks.py` of each application."""

import os
import sys
from typing import Any, Final

from celery import Celery
from celery.signals import (
    beat_embedded_init,
    setup_logging,
    task_postrun,
    task_prerun,
    worker_process_init,
)
from django.db import close_old_connections
from redis._parsers import BaseParser
from redis.exceptions import BusyLoadingError

from server.processes import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# While Redis's disk is full, Redis responds with MISCONF. redis-py takes this for a wrong command,
# and the worker would exit. As a BusyLoadingError, which means that Redis is starting, workers wait
# instead.
BaseParser.EXCEPTION_CLASSES["MISCONF"] = BusyLoadingError

# Process id of the Celery worker from which the processes of its pool are forked.
_WORKER: Final = os.getpid()

app = Celery("temporada")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# Keep database connections between tasks. By default Celery opens one for each task. On PostgreSQL
# that takes as long as the statements that store a corrida.
app.conf["CELERY_DB_REUSE_MAX"] = sys.maxsize


@setup_logging.connect
def _keep_logging(**kwargs: object) -> None:
    """Log as `settings.LOGGING` says. Otherwise Celery's --loglevel would override LOG_LEVEL."""
    app.log.redirect_stdouts(app.conf.worker_redirect_stdouts_level)


@task_prerun.connect
@task_postrun.connect
def _close_old_connections(sender: Any, **kwargs: object) -> None:
    """Close broken or expired database connections, as Django does around a request."""
    if not sender.request.is_eager:
        close_old_connections()


@worker_process_init.connect
@beat_embedded_init.connect
def _end_with_the_worker(**kwargs: object) -> None:
    """Let the operating system end a worker's child processes if the worker is killed, where
    it supports this.
    """
    if os.getpid() != _WORKER:  # `--pool solo` has no child processes
        die_with_parent(_WORKER)
