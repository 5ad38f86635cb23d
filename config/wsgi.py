"""The door for pages."""

import os

from django.core.wsgi import get_wsgi_application

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")

application = get_wsgi_application()

from disk import keep_open  # noqa: E402

_kept_open = keep_open()
