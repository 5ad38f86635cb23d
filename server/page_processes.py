"""The processes that serve pages on one socket, for `manage.py up` and `manage.py web`."""

from __future__ import annotations

import gc
import socket
import sys
from collections.abc import Sequence
from functools import partial
from importlib import import_module
from typing import Final

from django.conf import settings
from django.db import connections

from server.accepting import FairAcceptor, connection_counts
from server.processes import Child
from server.serving import serve

APPLICATION: Final = "config.asgi:application"


def page_processes(bound: socket.socket, number: int, *, fork: bool) -> list[Child]:
    """Return processes that serve pages on a socket.

    With `fork` they are forked from this process. Otherwise each is started by a command.
    """
    counts = connection_counts(number)
    command = [sys.executable, str(settings.BASE_DIR / "manage.py"), "web"]
    children = []
    for place in range(number):
        acceptor = FairAcceptor(bound, counts, place) if fork and number > 1 else None
        children.append(
            Child(
                f"web server {place + 1}" if place else "web server",
                [*command, "--fd", str(bound.fileno())],
                run=partial(serve, APPLICATION, fd=bound.fileno(), acceptor=acceptor)
                if fork
                else None,
                files=[bound.fileno()],
            )
        )
    return children


def import_before_fork(modules: Sequence[str] = ()) -> None:
    """Import the modules that the forked processes need, so that they share memory."""
    for name in (settings.ROOT_URLCONF, *modules):
        import_module(name)
    connections.close_all()
    gc.freeze()
