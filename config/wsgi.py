"""The WSGI application for pages."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from disk import hold_database_open

_database_file = hold_database_open()
