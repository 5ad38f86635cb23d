"""Kill a process a second for a minute, leave the site alone, and count.

python -m bench.chaos [--seed N] [--corridas 2000] [--seconds 60]

Status 1 where a corrida was not played exactly once, a counter differs from a rebuild, or somebody
who followed missed an event. Writes `bench/chaos.json`.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from types import FrameType

from bench.chaos.network import network
from bench.chaos.site import Site
from bench.chaos.trial import Trial
from bench.ground import SETTABLE
from fairness import Chance, Seed

REPORT = Path(__file__).resolve().parents[1] / "chaos.json"


def main() -> int:
    """Run it; whatever happens, nothing of it stays."""
    parser = argparse.ArgumentParser(prog="bench.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    parser.add_argument("--corridas", type=int, default=2000)
    parser.add_argument("--seconds", type=int, default=60)
    asked = parser.parse_args()
    signal.signal(signal.SIGTERM, interrupted)
    for variable in SETTABLE.split():
        os.environ.pop(variable, None)
    print(f"Killing by seed {asked.seed} (--seed {asked.seed} kills in the same order).")
    with network() as net, tempfile.TemporaryDirectory(prefix="temporada-chaos-") as folder:
        print(net.said, flush=True)
        with Site(net, Path(folder)) as site:
            trial = Trial(site, asked.corridas, chance(asked.seed))
            found = trial.run(asked.seconds)
    for line in found.said():
        print(line)
    REPORT.write_text(json.dumps(found.kept() | {"seed": asked.seed}, indent=2) + "\n")
    return 0 if found.well() else 1


def chance(seed: int) -> Chance:
    """The chance by which processes are chosen."""
    return Seed(sha256(str(seed).encode()).digest()).chance("chaos")


def interrupted(number: int, frame: FrameType | None) -> None:
    """Being told to end is an error like any other: what was begun is cleared away."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
