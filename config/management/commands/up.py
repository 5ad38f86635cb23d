"""Start the whole site: broker, database, rosters, workers and web server. Ctrl-C stops it."""

from __future__ import annotations

import gc
import os
import socket
import sys
from contextlib import ExitStack
from functools import partial

from django.conf import settings
from django.core.management import ManagementUtility
from django.core.management.base import BaseCommand, CommandError

from config.celery import app
from server import startup
from server.page_processes import import_before_fork, page_processes
from server.processes import Child, ChildError, stop_together
from server.startup import Startup
from server.workers import workers

MANAGE = [sys.executable, str(settings.BASE_DIR / "manage.py")]


class Command(BaseCommand):
    """Start the broker, prepare the database, then start web server and workers.

    When stopped, stop web server and workers, then the broker.
    """

    help = "Start the whole site on this machine. PORT and DATA choose port and data folder."
    requires_system_checks: list[str] = []

    def handle(self, *args: object, **options: object) -> None:
        """Run the site until it is stopped, or until one of its processes keeps failing."""
        if startup.site is None:
            raise CommandError("Start the site with manage.py up.")
        try:
            with ExitStack() as house:
                self._run_site(startup.site, house)
        except ChildError as error:
            raise CommandError(str(error)) from error

    def _run_site(self, site: Startup, house: ExitStack) -> None:
        prepare = Child(
            "preparation",
            [*MANAGE, "prepare"],
            run=partial(run_command, "prepare") if site.fork else None,
            files=[site.lock.fileno()],
        )
        house.callback(prepare.stop)
        prepare.start()
        site.write_lock([prepare])
        if site.fork:
            import_everything()
        gc.enable()
        if not site.stop.wait_until(lambda: ended_well(prepare), lambda: None):
            return
        number = min(settings.PAGE_PROCESSES, os.cpu_count() or 1)
        servers = page_processes(site.socket, number, fork=site.fork)
        at_work = workers(site.fork)
        children = [*servers, *at_work]
        house.callback(stop_together, children)
        for child in children:
            child.files = [*child.files, site.lock.fileno()]
            child.start()
        site.write_lock(children)
        self._supervise(site, children)

    def _supervise(self, site: Startup, children: list[Child]) -> None:
        """Wait until the site is reachable, then restart processes that end, until stopped."""

        def check() -> None:
            for child in children:
                child.check()

        def keep() -> None:
            revived = [child.revive() for child in children]
            if site.broker is not None:
                revived.append(site.broker.revive())
            if any(revived):
                site.write_lock(children)

        if site.stop.wait_until(lambda: is_listening(settings.HOST, settings.PORT), check):
            self.stdout.write(f"Temporada is at {site_address()} (Ctrl-C ends it)")
            if settings.LOCAL_CHAIR_REFUSED:
                self.stdout.write(f"Sign in to direct: {'; '.join(settings.LOCAL_CHAIR_REFUSED)}.")
            self.stdout.flush()
            site.stop.wait(keep)
        self.stdout.write("Closing the gates ...")


def import_everything() -> None:
    """Import the modules that web and worker processes need.

    Processes forked later share their memory.
    """
    app.loader.import_default_modules()
    app.finalize()
    import_before_fork(["celery.apps.beat", "celery.apps.worker"])


def run_command(*words: str) -> None:
    """Run a manage.py command in this process.

    An error is printed as a sentence, without a traceback.
    """
    ManagementUtility(["manage.py", *words]).execute()


def ended_well(child: Child) -> bool:
    """Return True if a process that does a single job has finished successfully.

    Raises SystemExit if it failed. The process has printed the reason.
    """
    assert child.process is not None
    if child.process.poll():
        raise SystemExit(1)
    return child.process.returncode == 0


def is_listening(host: str, port: int) -> bool:
    reachable = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(host, host)  # noqa: S104
    try:
        with socket.create_connection((reachable.strip("[]"), port), timeout=1):
            return True
    except OSError:
        return False


def site_address() -> str:
    host = "localhost" if settings.HOST in {"127.0.0.1", "0.0.0.0"} else settings.HOST  # noqa: S104
    return f"http://{host}:{settings.PORT}/"
