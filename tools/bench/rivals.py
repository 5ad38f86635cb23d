"""Other packages that are measured for comparison, each in an environment of its own.

One of them would hide our application of the same name. The environments are stored under `var/`,
so that only the first run installs the packages.
"""

import subprocess
import sys
import venv
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from statistics import median

from tools.bench.elsewhere import ROOT
from tools.bench.figures import Figure
from tools.bench.timing import Spent

HOME = ROOT / "var" / f"bench-packages-{sys.version_info.major}.{sys.version_info.minor}"
PLAYER = ROOT / "tools" / "bench" / "rival_hands.py"
PATIENCE = 600  # seconds for an installation
ROUNDS = 15


class NoRival(Exception):
    """A package could not be installed or started. The message says why."""


def against(
    name: str, ours: Callable[[], Spent], count: int, *, bar: float, package: str, games: int
) -> Figure:
    """Return how many times faster our `count` games are than `games` of a package, in turns.

    `package` may name one of its games: `open_spiel/maedn`.
    """
    ours()  # the first game fills tables
    try:
        with _rival(package) as (said, play):
            play(games)
            rounds = [(ours().cpu / count, play(games) / games) for _ in range(ROUNDS)]
    except NoRival as reason:
        return Figure(name, float("nan"), bar=bar, at_least=True, unit="x", note=str(reason))
    value = median(theirs / our for our, theirs in rounds)
    note = f"{said}; ours {1 / median(our for our, _ in rounds):,.0f} a second"
    return Figure(name, value, bar=bar, at_least=True, unit="x", note=note)


@contextmanager
def _rival(package: str) -> Iterator[tuple[str, Callable[[int], float]]]:
    """Install a package. Yield its name and version, and a function that plays so many games.

    The function returns the processor seconds. Raises NoRival.
    """
    _install(package.partition("/")[0])
    command = [str(_python()), "-I", str(PLAYER), package]
    with subprocess.Popen(  # in a folder of its own: nothing of ours is found from there
        command, cwd=HOME, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as process:
        given, told = process.stdin, process.stdout
        assert given is not None
        assert told is not None

        def play(games: int) -> float:
            print(games, file=given, flush=True)
            if not (line := told.readline()):
                raise NoRival(f"{package} stopped playing.")
            return float(line)

        try:
            version = told.readline().strip()
            if not version:
                raise NoRival(f"{package} is installed, but cannot be imported.")
            yield f"{package} {version}", play
        finally:
            process.kill()


def _python() -> Path:
    return HOME / ("Scripts" if sys.platform == "win32" else "bin") / "python"


def _install(package: str) -> None:
    pip = [str(_python()), "-I", "-m", "pip", "--quiet", "--disable-pip-version-check"]
    try:
        if not _python().exists():
            venv.create(HOME, with_pip=True)
        if subprocess.run([*pip, "show", package], check=False, capture_output=True).returncode:
            command = [*pip, "install", package]
            subprocess.run(command, check=True, capture_output=True, text=True, timeout=PATIENCE)
    except (OSError, subprocess.SubprocessError) as error:
        said = error.stderr if isinstance(error, subprocess.CalledProcessError) else str(error)
        lines = " ".join(str(said).split("\n")[-4:]).strip()
        raise NoRival(f"{package} cannot be installed here: {lines}") from error
