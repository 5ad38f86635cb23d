"""Health check of one process on this machine, for a process manager.

    python -m server.health pages|feed|clock|QUEUE      exit status 0 if healthy, else 1

`pages` and `feed` are checked by a request to PORT, and `clock` is the scheduler of periodic tasks.
QUEUE is the name of a queue that a worker on this host serves.
"""

from __future__ import annotations

import os
import socket
import sys
from typing import Final
from urllib.request import urlopen

PORTS: Final = {"pages": "8000", "feed": "8001"}
# Timeout for a response in seconds.
TIMEOUT: Final = 4.0


def is_healthy(process: str) -> bool:
    if process in PORTS:
        port = os.environ.get("PORT", PORTS[process])
        with urlopen(f"http://127.0.0.1:{port}/healthz", timeout=TIMEOUT) as answer:
            return bool(answer.status == 200)
    return beat_is_running() if process == "clock" else worker_answers(process)


def beat_is_running() -> bool:
    """Return True if any scheduler holds the lock: this one, or the one it would replace."""
    from redis import Redis

    with Redis.from_url(os.environ["REDIS_URL"], socket_timeout=TIMEOUT) as client:
        return bool(client.exists("temporada:beat:leader"))


def worker_answers(queue: str) -> bool:
    from celery.app.utils import find_app

    app = find_app("config")
    return bool(app.control.ping([f"{queue}@{socket.gethostname()}"], timeout=TIMEOUT))


def main() -> int:
    try:
        return 0 if is_healthy(sys.argv[1]) else 1
    except Exception as error:
        sys.stderr.write(f"{type(error).__name__}: {error}\n")
        return 1


if __name__ == "__main__":
    sys.exit(main())
