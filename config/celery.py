"""The job queue. Tasks live in each application's `tasks.py`."""

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

# A Redis whose disk is full answers MISCONF until there is space. Its client takes that for a fault
# of the question, of which workers end; so they wait for it as for one that is starting.
BaseParser.EXCEPTION_CLASSES["MISCONF"] = BusyLoadingError

# Processes of a pool are forked from this one.
_WORKER: Final = os.getpid()

app = Celery("temporada")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
# By default Celery opens a database connection for each task, which takes as long on PostgreSQL as
# the statements of a corrida.
app.conf["CELERY_DB_REUSE_MAX"] = sys.maxsize


@setup_logging.connect
def _keep_logging(**kwargs: object) -> None:
    """Log as settings.LOGGING says. Without this, --loglevel would take the place of LOG_LEVEL."""
    app.log.redirect_stdouts(app.conf.worker_redirect_stdouts_level)


@task_prerun.connect
@task_postrun.connect
def _close_old_connections(sender: Any, **kwargs: object) -> None:
    """Close connections that are broken or too old, as Django does before and after a request."""
    if not sender.request.is_eager:
        close_old_connections()


@worker_process_init.connect
@beat_embedded_init.connect
def _end_with_the_worker(**kwargs: object) -> None:
    """End started processes with a killed worker, where the system supports it."""
    if os.getpid() != _WORKER:  # `--pool solo` starts none
        die_with_parent(_WORKER)
