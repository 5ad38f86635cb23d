"""The job queue. Tasks live in each application's `tasks.py`."""

import os
from typing import Final

from celery import Celery
from celery.signals import beat_embedded_init, worker_process_init
from redis._parsers import BaseParser
from redis.exceptions import BusyLoadingError

from config.processes import die_with_parent

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

# A Redis whose disk is full answers MISCONF until there is space. Its client takes that for a fault
# of the question, of which workers end; so they wait for it as for one that is starting.
BaseParser.EXCEPTION_CLASSES["MISCONF"] = BusyLoadingError

_WORKER: Final = os.getpid()
# Processes of a pool are forked from this one.

app = Celery("temporada")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()


@worker_process_init.connect
@beat_embedded_init.connect
def _end_with_the_worker(**kwargs: object) -> None:
    """End started processes with a killed worker, where the system supports it."""
    if os.getpid() != _WORKER:  # `--pool solo` starts none
        die_with_parent(_WORKER)
