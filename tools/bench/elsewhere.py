"""Call a function of the benchmarks in a process of its own, with other settings.

    python -m tools.bench.elsewhere MODULE FUNCTION ARGUMENTS

A process uses the database that its environment names from its start to its end, so using another
database takes another process. Arguments and results are JSON.
"""

import json
import os
import subprocess
import sys
from importlib import import_module
from pathlib import Path
from typing import Any

ROOT = Path(__file__).resolve().parents[2]


def command(function: str, *arguments: object) -> list[str]:
    """Return the command that calls `module.function` of this package."""
    module, _, name = function.rpartition(".")
    words = [f"{__package__}.{module}", name, json.dumps(arguments)]
    return [sys.executable, "-m", __spec__.name, *words]


def call(function: str, *arguments: object, **variables: str) -> Any:
    """Call a function with these environment variables and return its result."""
    done = subprocess.run(
        command(function, *arguments),
        cwd=ROOT,
        env=os.environ | variables,
        check=True,
        stdout=subprocess.PIPE,
    )
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    import django

    django.setup()
    module, name, arguments = sys.argv[1:]
    print(json.dumps(getattr(import_module(module), name)(*json.loads(arguments))))


if __name__ == "__main__":
    main()
