"""Old names of commands, which work until 0.3.0."""

from __future__ import annotations

from typing import Any, ClassVar

from django.core.management import call_command
from django.core.management.base import BaseCommand


class OldName(BaseCommand):
    """A command under its old name. It prints the new name and runs the new command.

    `new` is the new name with the arguments that do what the old command did. If `shown` is set,
    the message contains it instead of `new`.
    """

    new: ClassVar[str]
    shown: ClassVar[str] = ""
    requires_system_checks = []

    def handle(self, *args: object, **options: Any) -> None:
        self.announce()
        options |= {"stdout": self.stdout, "stderr": self.stderr}
        options.pop("skip_checks", None)
        call_command(*self.new.split(), *args, **options)

    def announce(self) -> None:
        old = type(self).__module__.rpartition(".")[2]
        new = self.shown or self.new
        # `str` prints the line without the colour of errors.
        self.stderr.write(f"{old} is now called {new}. The old name works until 0.3.0.", str)
