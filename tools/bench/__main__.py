"""Run the benchmarks, print a table and write `latest.json`.

    python -m tools.bench [--only NAME | --long]

NAME is a benchmark or one of its figures. The exit status is 1 if a figure misses its bar, or if a
benchmark did not yield all its figures.
"""

import argparse
import sys
import time
import traceback

from tools.bench.figures import Figure, format_table, save_figures
from tools.bench.registry import BENCHES, LONG, measure
from tools.bench.scratch_site import ScratchSite, scratch_site


def chosen(only: str | None, *, long: bool = False) -> list[str]:
    """Return the benchmarks to run, or exit with a list of all names if the name is unknown.

    Without a name, these are all except the long ones. With `long`, only the long ones.
    """
    if only is None:
        return [bench for bench in BENCHES if (bench in LONG) == long]
    matching = [bench for bench, names in BENCHES.items() if only in {bench, *names.split()}]
    if not matching:
        names = " ".join(f"{bench} {figures}" for bench, figures in BENCHES.items()).split()
        sys.exit(
            f"There is no benchmark {only!r}. Choose one of: {', '.join(dict.fromkeys(names))}."
        )
    return matching


def run(bench: str, site: ScratchSite) -> list[Figure]:
    """Run one benchmark and return its figures.

    If it fails, print the traceback and return the figures so far, so that the others still run.
    """
    figures: list[Figure] = []
    began = time.monotonic()
    print(f"{bench} ...", end="", flush=True, file=sys.stderr)
    try:
        figures.extend(measure(bench, site))
    except Exception:
        traceback.print_exc()
    print(f" {time.monotonic() - began:.0f} s", file=sys.stderr)
    return figures


def main() -> int:
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--only", metavar="NAME", help="a benchmark or a figure")
    parser.add_argument("--long", action="store_true", help="only benchmarks that take minutes")
    args = parser.parse_args()
    benches = chosen(args.only, long=args.long)
    with scratch_site() as site:
        figures = [figure for bench in benches for figure in run(bench, site)]
    missing = {name for bench in benches for name in BENCHES[bench].split()}
    missing -= {figure.name for figure in figures}
    if args.only and args.only not in BENCHES:
        figures = [figure for figure in figures if figure.name == args.only]
    print(format_table(figures))
    save_figures(figures, among=args.only is not None or args.long)
    if missing:
        print(f"Not measured: {', '.join(sorted(missing))}.", file=sys.stderr)
    return 0 if all(figure.ok for figure in figures) and not missing else 1


if __name__ == "__main__":
    sys.exit(main())
