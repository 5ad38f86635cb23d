"""Run the benchmarks, print a table and write `latest.json`.

    python -m tools.bench [--only NAME | --long]

NAME is a benchmark or one of its figures. The exit status is 1 if a figure misses its target.
"""

import argparse
import sys
import time
import traceback

from tools.bench.figures import Figure, format_table, save_figures
from tools.bench.registry import BENCHES, Bench
from tools.bench.scratch_site import ScratchSite, scratch_site


def chosen(only: str | None, *, long: bool = False) -> list[Bench]:
    """Return the benchmarks to run, or exit with a list of all names if the name is unknown.

    Without a name, these are all except the long ones. With `long`, only the long ones.
    """
    if only is None:
        return [bench for bench in BENCHES if bench.long == long]
    matching = [bench for bench in BENCHES if only in {bench.name, *bench.figures}]
    if not matching:
        names = [name for bench in BENCHES for name in (bench.name, *bench.figures)]
        sys.exit(f"There is no bench {only!r}; there are {', '.join(dict.fromkeys(names))}.")
    return matching


def run(bench: Bench, where: ScratchSite) -> list[Figure]:
    """Run one benchmark and return its figures.

    If it fails, print the traceback and return no figures, so that the other benchmarks still run.
    """
    began = time.monotonic()
    print(f"{bench.name} ...", end="", flush=True, file=sys.stderr)
    try:
        figures = bench.measure(where)
    except Exception:
        traceback.print_exc()
        figures = []
    print(f" {time.monotonic() - began:.0f} s", file=sys.stderr)
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--only", metavar="NAME", help="one bench, or one figure")
    parser.add_argument("--long", action="store_true", help="those that take minutes, alone")
    args = parser.parse_args()
    only, benches = args.only, chosen(args.only, long=args.long)
    with scratch_site() as where:
        figures = [figure for bench in benches for figure in run(bench, where)]
    if only not in {None, *(bench.name for bench in benches)}:
        figures = [figure for figure in figures if figure.name == only]
    print(format_table(figures))
    save_figures(figures, among=only is not None or args.long)
    measured = {figure.name for figure in figures}
    broken = [bench.name for bench in benches if not measured & set(bench.figures)]
    if broken:
        print(f"Broke off: {', '.join(broken)}.", file=sys.stderr)
    return 0 if all(figure.ok for figure in figures) and not broken else 1


if __name__ == "__main__":
    sys.exit(main())
