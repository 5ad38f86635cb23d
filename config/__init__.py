"""The Django project: settings, URLs, the WSGI and ASGI applications, and Celery."""

from config.celery import app as celery_app

__all__ = ["celery_app"]
