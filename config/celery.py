"""The job queue. Tasks live in each application's `tasks.py`."""

import os

from celery import Celery

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

app = Celery("temporada")
app.config_from_object("django.conf:settings", namespace="CELERY")
app.autodiscover_tasks()
