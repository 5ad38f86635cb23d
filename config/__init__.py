"""The house: settings, addresses, the two doors (WSGI and ASGI) and the job queue."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
