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
from tools.bench.chaos.site import Apart
from tools.bench.chaos.trial import Outcome, Trial
from tools.bench.scratch_site import CLEARED_VARIABLES

REPORT = Path(__file__).resolve().parents[1] / "chaos.json"


def main() -> int:
    parser = argparse.ArgumentParser(prog="tools.bench.chaos", description=__doc__)
    parser.add_argument("--seed", type=int, default=int.from_bytes(os.urandom(3), "big"))
    parser.add_argument(
        "--embedded", action="store_true", help="kill the processes of `manage.py up`"
    )
    parser.add_argument(
        "--full-disk", action="store_true", help="the same site, on a disk that is filled"
    )
    parser.add_argument("--corridas", type=int)
    parser.add_argument("--seconds", type=int)
    parser.add_argument("--every", type=float, help="seconds between two kills")
    args = parser.parse_args()
    signal.signal(signal.SIGTERM, interrupted)
    for variable in CLEARED_VARIABLES.split():
        os.environ.pop(variable, None)
    print(f"Killing by seed {args.seed} (--seed {args.seed} kills in the same order).")
    try:
        outcome = run(args)
    except NoDiskError as error:
        print(f"Skipped: no disk can be mounted here ({error}).")
        return 0
    print(*outcome.report(), sep="\n")
    REPORT.write_text(json.dumps(outcome.to_json() | {"seed": args.seed}, indent=2) + "\n")
    return 0 if outcome.well() else 1


def run(args: argparse.Namespace) -> Outcome:
    with ExitStack() as house:
        folder = Path(house.enter_context(tempfile.TemporaryDirectory(prefix="temporada-chaos-")))
        kill = chance(args.seed)
        if args.full_disk:
            disk = SmallDisk(folder)
            house.enter_context(disk)
            trial = FullDiskTrial(disk, args.corridas or 2400, kill, args.every or 1.0)
            return trial.run(args.seconds or 90)
        if args.embedded:
            site = house.enter_context(Embedded(folder))
            return Trial(site, args.corridas or 1200, kill, args.every or 2.0).run(
                args.seconds or 300
            )
        net = house.enter_context(network())
        print(net.said, flush=True)
        site = house.enter_context(Apart(folder, net))
        return Trial(site, args.corridas or 2000, kill, args.every or 1.0).run(args.seconds or 60)


def chance(seed: int) -> Chance:
    return Seed(sha256(str(seed).encode()).digest()).chance("chaos")


def interrupted(number: int, frame: FrameType | None) -> None:
    """Raise an exception for a signal to stop, so that what was begun is cleaned up."""
    raise KeyboardInterrupt


if __name__ == "__main__":
    sys.exit(main())
