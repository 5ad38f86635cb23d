#!/usr/bin/env python
"""Command-line entry point of the site. `python manage.py up` starts the whole site."""

import gc
import os
import sys
from collections.abc import Iterator
from contextlib import contextmanager, nullcontext


def main() -> None:
    """Run the management command named on the command line."""
    os.environ.setdefault("DJANGO_SETTINGS_MODULE", "config.settings")
    from django.core.management import execute_from_command_line

    from server.environment import EarlySettings, Environment, SettingError, create_data_folder

    try:
        if begins_site("".join(sys.argv[1:2])):
            create_data_folder(EarlySettings.from_environment(Environment(os.environ)).data_dir)
        starts = sys.argv[1:2] == ["up"] and not {"-h", "--help"} & set(sys.argv)
        with starting_site() if starts else nullcontext():
            execute_from_command_line(sys.argv)
    except SettingError as error:
        sys.exit(str(error))


def begins_site(command: str) -> bool:
    """Return True if the command may create the data folder.

    Only `prepare` may create the default folder. Some other commands may create the folder named by
    DATA.
    """
    named = bool(os.environ.get("DATA"))
    return command == "prepare" or (named and command in {"collectstatic", "migrate", "restore"})


@contextmanager
def starting_site() -> Iterator[None]:
    """Start the embedded broker before the settings are read.

    Garbage collection is off during imports.
    """
    gc.disable()
    from server import startup

    with startup.started() as startup.site:
        yield


if __name__ == "__main__":
    main()
