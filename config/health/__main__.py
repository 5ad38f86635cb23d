"""Whether a process of this machine is well, for whoever restarts those that are not.

    python -m config.health pages|feed|clock|QUEUE      status 0 where it is well, else 1

`pages` and `feed` are asked at PORT; a QUEUE stands for the worker of this host that serves it.
"""

from __future__ import annotations

import os
import socket
import sys
from typing import Final
from urllib.request import urlopen

PORTS: Final = {"pages": "8000", "feed": "8001"}
TIMEOUT: Final = 4.0
"""Seconds in which it must answer."""


def is_healthy(process: str) -> bool:
    """Whether it answers; raises OSError and the like where nobody is there."""
    if process in PORTS:
        port = os.environ.get("PORT", PORTS[process])
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=TIMEOUT) as answer:
            return bool(answer.status == 200)
    return beat_is_running() if process == "clock" else worker_answers(process)


def beat_is_running() -> bool:
    """Whether some clock leads: this one, or another that it stands by for."""
    from redis import Redis

    with Redis.from_url(os.environ["REDIS_URL"], socket_timeout=TIMEOUT) as client:
        return bool(client.exists("temporada:beat:leader"))


def worker_answers(queue: str) -> bool:
    """Whether the worker of this host that serves the queue answers."""
    from config.celery import app

    return bool(app.control.ping([f"{queue}@{socket.gethostname()}"], timeout=TIMEOUT))


def main() -> int:
    """The exit status; a reason goes to the log of whoever asked."""
    try:
        return 0 if is_healthy(sys.argv[1]) else 1
    except Exception as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
