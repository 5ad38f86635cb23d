"""Measure every bar, print the table, write `latest.json`; status 1 where one falls short.

python -m bench [--only NAME]     NAME is a bench or one of its figures
"""

import argparse
import sys
import time

from bench.figures import Figure, keep, table
from bench.ground import Ground, ground
from bench.registry import BENCHES, Bench


def chosen(only: str | None) -> list[Bench]:
    """The benches asked for; ends the program, naming all there are, where there is none."""
    found = [bench for bench in BENCHES if only in {None, bench.name, *bench.figures}]
    if not found:
        names = [name for bench in BENCHES for name in (bench.name, *bench.figures)]
        sys.exit(f"There is no bench {only!r}; there are {', '.join(dict.fromkeys(names))}.")
    return found


def run(bench: Bench, where: Ground) -> list[Figure]:
    """The figures of one bench; says on the terminal that it is being measured."""
    began = time.monotonic()
    print(f"{bench.name} ...", end="", flush=True, file=sys.stderr)
    figures = bench.measure(where)
    print(f" {time.monotonic() - began:.0f} s", file=sys.stderr)
    return figures


def main() -> int:
    """Measure what is asked for."""
    parser = argparse.ArgumentParser(prog="bench", description=__doc__)
    parser.add_argument("--only", metavar="NAME", help="one bench, or one figure")
    only = parser.parse_args().only
    benches = chosen(only)
    with ground() as where:
        figures = [figure for bench in benches for figure in run(bench, where)]
    if only not in {None, *(bench.name for bench in benches)}:
        figures = [figure for figure in figures if figure.name == only]
    print(table(figures))
    keep(figures, among=only is not None)
    return 0 if all(figure.ok for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
