"""Start the whole site: broker, database and rosters, workers, web; end it with Ctrl-C."""

import fcntl
import os
import shutil
import signal
import socket
import sys
from contextlib import ExitStack
from pathlib import Path
from typing import IO, Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from config.environment import SettingError
from config.processes import Child, ChildError, Stop, stop_together
from config.valkey import NoValkeyError, Valkey

MANAGE = [sys.executable, str(settings.BASE_DIR / "manage.py")]
CELERY = [sys.executable, "-m", "celery", "--app", "config", "--quiet"]
WORKER = "--loglevel WARNING --without-gossip --without-mingle"
MOST_THINKING = 4
"""Processes in which bots think at most."""
GIVING_WAY = ["nice", "-n", "5"] if shutil.which("nice") else []


class Command(BaseCommand):
    """Up: broker, tables and rosters, workers, web. Down: web, workers, broker last."""

    help = "Start the whole site on this machine. PORT and DATA choose port and data folder."
    requires_system_checks: list[str] = []

    def handle(self, *args: Any, **options: Any) -> None:
        """Run until told to stop, or until a process of the site ends by itself."""
        try:
            with Stop() as stop, ExitStack() as house:
                self._run(stop, house)
        except (NoValkeyError, ChildError, SettingError) as error:
            raise CommandError(str(error)) from error

    def _run(self, stop: Stop, house: ExitStack) -> None:
        house.enter_context(lock(settings.DATA_DIR))
        door = house.enter_context(bind(settings.HOST, settings.PORT))
        environment = self._environment(house)
        prepare = Child("preparation", [*MANAGE, "prepare"])
        house.callback(prepare.stop)
        prepare.start(environment)
        if not stop.wait_until(lambda: ended_well(prepare), lambda: None):
            return
        at_work, server = workers(), web(door)
        house.callback(stop_together, at_work)
        house.callback(server.stop)
        for child in (*at_work, server):
            child.start(environment)
        self._stand(stop, [*at_work, server])

    def _stand(self, stop: Stop, children: list[Child]) -> None:
        def check() -> None:
            for child in children:
                child.check()

        if stop.wait_until(lambda: answers(settings.HOST, settings.PORT), check):
            self.stdout.write(f"Temporada is at {address()} (Ctrl-C ends it)")
            if settings.LOCAL_CHAIR_REFUSED:
                self.stdout.write(f"Sign in to direct: {'; '.join(settings.LOCAL_CHAIR_REFUSED)}.")
            self.stdout.flush()
            stop.wait(check)
        self.stdout.write("Closing the gates ...")

    def _environment(self, house: ExitStack) -> dict[str, str]:
        """What the processes are told: the broker's address, and whether the chair is open."""
        environment = dict(os.environ, DATA=str(settings.DATA_DIR))
        if not settings.LOCAL_CHAIR_REFUSED:
            environment["TEMPORADA_LOCAL"] = "1"
        if not environment.get("REDIS_URL", "").strip():
            broker = Valkey(settings.DATA_DIR / "valkey")
            house.callback(broker.stop)
            broker.start()
            environment["REDIS_URL"] = broker.url
        return environment


def worker(name: str, *queues: str, concurrency: int = 1, beat: bool = False) -> Child:
    """A worker of some queues; told to stop, it puts back at once what it works on."""
    options = f"--queues {','.join(queues)} --concurrency {concurrency} --hostname {queues[0]}@%h"
    command = [*CELERY, "worker", *options.split(), *WORKER.split(), *(["--beat"] if beat else [])]
    return Child(name, command, signal.SIGQUIT, patience=15.0)


def workers() -> list[Child]:
    """One with the clock within, for corridas and sweeps; one for what is long; one for tables.

    A corrida finds a hand free while a sweep is at work. What is long gives way to the others
    where there are fewer cores than workers.
    """
    thinking = min(MOST_THINKING, max(1, (os.cpu_count() or 2) // 2))
    long = worker("worker of long runs", "long")
    long.command = [*GIVING_WAY, *long.command]
    return [
        worker("worker", "live", "celery", concurrency=2, beat=True),
        long,
        worker("tables' worker", "tables", concurrency=thinking),
    ]


def web(door: socket.socket) -> Child:
    """The web process at the door that is open already."""
    return Child("web server", [*MANAGE, "web", "--fd", str(door.fileno())], files=[door.fileno()])


def ended_well(child: Child) -> bool:
    """Whether a process that does one thing has done it. Raises ChildError when it failed."""
    assert child.process is not None
    if child.process.poll():
        child.check()
    return child.process.returncode == 0


def bind(host: str, port: int) -> socket.socket:
    """The site's door, taken before anything is started. Raises SettingError when it is taken."""
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    door = socket.socket(family)
    door.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
    try:
        door.bind((host.strip("[]"), port))
    except OSError as error:
        door.close()
        raise SettingError(
            f"Port {port} of {host} cannot be had ({error.strerror}): "
            f"choose another, for instance PORT={port + 1 if port < 65535 else 8000}."
        ) from error
    return door


def lock(data: Path) -> IO[str]:
    """The data folder for this site alone. Raises SettingError when another one runs in it."""
    data.mkdir(parents=True, exist_ok=True)
    file = (data / "up.lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError as error:
        file.close()
        raise SettingError(
            f"Another site runs in {data}: end it, or choose another folder with DATA=."
        ) from error
    return file


def answers(host: str, port: int) -> bool:
    """Whether somebody stands behind the door."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    try:
        with socket.create_connection((reachable.strip("[]"), port), timeout=1):
            return True
    except OSError:
        return False


def address() -> str:
    """Where a browser on this machine finds the site."""
    host = "localhost" if settings.HOST in {"127.0.0.1", "0.0.0.0"} else settings.HOST  # noqa: S104
    return f"http://{host}:{settings.PORT}/"
