"""ASGI application of the live feed alone, for a proxy that routes /live/ to another process."""

import os

import django

os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
django.setup()

from live.application import feed
from server.connections import ConcurrencyLimit
from server.health.liveness import answer_liveness

application = answer_liveness(ConcurrencyLimit(feed))
