"""Other packages that are measured for comparison, each in an environment of its own.

One of them would hide our application of the same name. The environments are stored under `var/`,
so that only the first run installs the packages.
"""

import subprocess
import sys
import venv
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from tools.bench.timing import Spent

ROOT = Path(__file__).resolve().parents[2]
HOME = ROOT / "var" / f"bench-packages-{sys.version_info.major}.{sys.version_info.minor}"
PLAYER = ROOT / "tools" / "bench" / "rival_hands.py"
PATIENCE = 600  # seconds for an installation
LAST_LINES = 3


class NoRival(Exception):
    """A package could not be installed or started. The message says why."""


@dataclass
class Rival:
    """Another package, running in its own process, which plays hands on request."""

    name: str
    version: str
    process: subprocess.Popen[str]

    def play(self, hands: int) -> Spent:
        """Return the processor and wall seconds of so many random hands of the package."""
        cpu, wall = self._ask(str(hands)).split()
        return Spent(float(cpu), float(wall))

    def _ask(self, line: str) -> str:
        assert self.process.stdin is not None
        assert self.process.stdout is not None
        self.process.stdin.write(line + "\n")
        self.process.stdin.flush()
        answer = self.process.stdout.readline()
        if not answer:
            raise NoRival(f"{self.name} {self.version} stopped playing.")
        return answer


@contextmanager
def rival(package: str, game: str = "") -> Iterator[Rival]:
    """Install a package and yield it ready to play. Raises NoRival.

    `game` selects one of several games that it plays.
    """
    _install(package)
    played = f"{package}/{game}" if game else package
    command = [str(_python()), "-I", str(PLAYER), played]
    with subprocess.Popen(  # in a folder of its own: nothing of ours is found from there
        command, cwd=HOME, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        try:
            assert process.stdout is not None
            version = process.stdout.readline().strip()
            if not version:
                raise NoRival(f"{package} is installed, but cannot be imported.")
            yield Rival(package, version, process)
        finally:
            process.kill()


def _python() -> Path:
    return HOME / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def _install(package: str) -> None:
    try:
        if not _python().exists():
            venv.create(HOME, with_pip=True)
        if _has(package):
            return
        _pip("install", "--quiet", "--disable-pip-version-check", package)
    except (OSError, subprocess.SubprocessError) as error:
        raise NoRival(f"{package} cannot be installed here: {_last_lines(error)}") from error


def _has(package: str) -> bool:
    command = [str(_python()), "-I", "-m", "pip", "show", "--quiet", package]
    return subprocess.run(command, check=False, capture_output=True).returncode == 0


def _pip(*arguments: str) -> None:
    subprocess.run(
        [str(_python()), "-I", "-m", "pip", *arguments],
        check=True, capture_output=True, text=True, timeout=PATIENCE,
    )  # fmt: skip


def _last_lines(error: Exception) -> str:
    said = error.stderr if isinstance(error, subprocess.CalledProcessError) else str(error)
    lines = [line.strip() for line in str(said).splitlines() if line.strip()]
    return " ".join(lines[-LAST_LINES:]) or type(error).__name__
