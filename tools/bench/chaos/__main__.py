"""Kill a process every second for a minute, let the site recover, and check the results.

    python -m tools.bench.chaos [--seed N] [--corridas 2000] [--seconds 60] [--every 1]
    python -m tools.bench.chaos --embedded [--corridas 1200] [--seconds 300] [--every 2]
    python -m tools.bench.chaos --full-disk [--corridas 2400] [--seconds 90]

The second command kills the processes of `manage.py up` on SQLite, and `up` itself. It also checks
that rate limits held meanwhile, and that no process is left when the site has ended. The third
command fills the disk of such a site three times. It checks that pages are served, that writes fail
with the reason, and that the work continues when there is space. It is skipped if no disk can be
mounted.

The exit status is 1 if a corrida was not played exactly once, a counter differs from a recount, or
a client of a stream missed an event. Results are written to `tools/bench/chaos.json`.
"""

import argparse
import json
import os
import signal
import sys
import tempfile
from contextlib import ExitStack
from hashlib import sha256
from pathlib import Path
from types import FrameType

from fairness import Chance, Seed
from tools.bench.chaos.embedded import Embedded
from tools.bench.chaos.full_disk import FullDiskTrial, NoDiskError, SmallDisk
from tools.bench.chaos.network import network
from tools.bench.chaos.site import Site
from tools.bench.chaos.trial import Trial
from tools.bench.scratch_site import CLEARED_VARIABLES

APART = {"corridas": 2000, "seconds": 60, "every": 1.0}
EMBEDDED = {"corridas": 1200, "seconds": 300, "every": 2.0}
FULL_DISK = {"corridas": 2400, "seconds": 90, "every": 1.0}
REPORT = Path(__file__).resolve().parents[1] / "chaos.json"


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.bench.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    parser.add_argument("--embedded", action="store_true", help="what `manage.py up` runs")
    parser.add_argument("--full-disk", action="store_true", help="the same, its disk filled")
    parser.add_argument("--corridas", type=int)
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--every", type=float, help="seconds between two kills")
    args = parser.parse_args()
    usual = FULL_DISK if args.full_disk else EMBEDDED if args.embedded else APART
    for name, value in usual.items():
        if getattr(args, name) is None:
            setattr(args, name, value)
    signal.signal(signal.SIGTERM, interrupted)
    for variable in CLEARED_VARIABLES.split():
        os.environ.pop(variable, None)
    print(f"Killing by seed {args.seed} (--seed {args.seed} kills in the same order).")
    try:
        with ExitStack() as house:
            outcome = trial(house, args).run(args.seconds)
    except NoDiskError as error:
        print(f"Skipped: no disk can be mounted here ({error}).")
        return 0
    for line in outcome.report():
        print(line)
    REPORT.write_text(json.dumps(outcome.to_json() | {"seed": args.seed}, indent=2) + "\n")
    return 0 if outcome.well() else 1


def trial(house: ExitStack, args: argparse.Namespace) -> Trial:
    folder = Path(house.enter_context(tempfile.TemporaryDirectory(prefix="temporada-chaos-")))
    arguments = args.corridas, chance(args.seed), args.every
    if args.full_disk:
        return FullDiskTrial(house.enter_context(SmallDisk(folder)), *arguments)
    if args.embedded:
        return Trial(house.enter_context(Embedded(folder)), *arguments)
    net = house.enter_context(network())
    print(net.said, flush=True)
    return Trial(house.enter_context(Site(net, folder)), *arguments)


def chance(seed: int) -> Chance:
    return Seed(sha256(str(seed).encode()).digest()).chance("chaos")


def interrupted(number: int, frame: FrameType | None) -> None:
    """Raise an exception for a signal to stop, so that what was begun is cleaned up."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
