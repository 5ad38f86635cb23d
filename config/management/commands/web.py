"""Serve the pages and the live feed."""

from contextlib import ExitStack
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser

from server.environment import SettingError
from server.page_processes import APPLICATION, import_before_fork, page_processes
from server.processes import StopSignal, stop_together
from server.serving import serve
from server.startup import bind


class Command(BaseCommand):
    """Run the web process. It listens on the socket passed by `up`, or else on HOST and a port."""

    help = "Serve the site's pages and its feed."
    requires_system_checks: list[str] = []

    def add_arguments(self, parser: CommandParser) -> None:
        parser.add_argument("--port", type=int, default=8000)
        parser.add_argument("--fd", type=int, help="an open socket, handed over by its number")
        parser.add_argument("--processes", type=int, default=1, help="that share the port")

    def handle(self, *args: object, **options: Any) -> None:
        if options["processes"] > 1:
            serve_together(options["port"], options["processes"])
        else:
            serve(APPLICATION, port=options["port"], fd=options["fd"])


def serve_together(port: int, number: int) -> None:
    """Serve pages and the live feed with several processes. A process that ends is restarted."""
    with StopSignal() as stop, ExitStack() as house:
        try:
            bound = house.enter_context(bind(settings.HOST, port))
        except SettingError as error:
            raise CommandError(str(error)) from error
        import_before_fork()
        children = page_processes(bound, number, fork=True)
        house.callback(stop_together, children)
        for child in children:
            child.start()
        stop.wait(lambda: [child.revive() for child in children])
